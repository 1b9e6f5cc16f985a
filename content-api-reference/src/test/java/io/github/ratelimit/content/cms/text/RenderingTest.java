package io.github.ratelimit.content.cms.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.fuzz.Growth;
import io.github.ratelimit.content.harness.CpuTime;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rule: BEHAVIOUR section 4, {@code title.rendered}, {@code content.rendered} and excerpts. */
class RenderingTest {
    private static String content(String raw) {
        return Rendering.content(raw, KnownImages.NONE);
    }

    private static String excerpt(String content) {
        return Rendering.excerpt(content, Rendering.EXCERPT_WORDS);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "Alpha opening | Alpha opening",
                "Kilo & <em>Company</em> | Kilo &#038; <em>Company</em>",
                "A <b>b</b> & <script>x</script> \"t\" | A <b>b</b> &#038; <script>x</script> &#8220;t&#8221;",
                "It's five o'clock | It&#8217;s five o&#8217;clock",
                "'Quoted' and \"quoted\" | &#8216;Quoted&#8217; and &#8220;quoted&#8221;",
                "The '90s | The &#8217;90s",
                "'tis the season | &#8217;tis the season",
                "6\" and 9' long | 6&#8243; and 9&#8242; long",
                "1990--2000 | 1990&#8211;2000",
                "yes -- no | yes &#8212; no",
                "yes - no | yes &#8211; no",
                "yes---no | yes&#8212;no",
                "well-known | well-known",
                "xn--bcher | xn--bcher",
                "Wait... | Wait&#8230;",
                "9x5 and 0x9 and 9x5cm | 9&#215;5 and 0x9 and 9x5cm",
                "AT&T &amp; &#8482; &nope; | AT&#038;T &amp; &#8482; &nope;",
                "Thing (tm) | Thing &#8482;",
                "(\"in brackets\") | (&#8220;in brackets&#8221;)",
                "\"42\" | &#8220;42&#8221;",
                "<code>\"x\" -- 'y'</code> \"z\" | <code>\"x\" -- 'y'</code> &#8220;z&#8221;",
                "<a title=\"a & b\">c</a> | <a title=\"a &#038; b\">c</a>",
                // Any bracket begins a tag, which ends at the next closing one.
                "5 < 6 \"so\" | 5 < 6 \"so\"",
                "\"a\" < \"b\" > \"c\" | &#8220;a&#8221; < \"b\" > &#8220;c&#8221;",
                "<SCRIPT>\"x\"</SCRIPT> <code>a && b</code> | <SCRIPT>&#8220;x&#8221;</SCRIPT> <code>a &#038;& b</code>",
            })
    void titleHasTypographicMarks(String raw, String rendered) {
        assertThat(Rendering.title(raw)).isEqualTo(rendered);
    }

    @Test
    void blankLinesPartParagraphs() {
        String raw = "Plain text, first paragraph.\n\nSecond paragraph of \"quoted\" text -- with dashes...";

        assertThat(content(raw)).isEqualTo("""
                <p>Plain text, first paragraph.</p>
                <p>Second paragraph of &#8220;quoted&#8221; text &#8212; with dashes&#8230;</p>
                """);
    }

    @Test
    void singleLineBreaksBecomeBreaks() {
        assertThat(content("one\ntwo\r\nthree\n\n\n\nfour"))
                .isEqualTo("<p>one<br />\ntwo<br />\nthree</p>\n<p>four</p>\n");
        assertThat(content("one<br>\ntwo")).isEqualTo("<p>one<br />\ntwo</p>\n");
        assertThat(content("one<br><br/>two")).isEqualTo("<p>one</p>\n<p>two</p>\n");
    }

    @Test
    void nothingStaysNothing() {
        assertThat(content("")).isEmpty();
        assertThat(content(" \n\n ")).isEmpty();
    }

    @Test
    void htmlIsNoPartOfParagraphs() {
        assertThat(content("<p>All.</p>")).isEqualTo("<p>All.</p>\n");
        assertThat(content("<p>Hi</p>alert(1)")).isEqualTo("<p>Hi</p>\n<p>alert(1)</p>\n");
        assertThat(content("<p>Before.</p>\n<!--more-->\n<p>After.</p>")).isEqualTo("""
                <p>Before.</p>
                <p><!--more--></p>
                <p>After.</p>
                """);
        assertThat(content("<ul>\n<li>One</li>\n<li>Two</li>\n</ul>"))
                .isEqualTo("<ul>\n<li>One</li>\n<li>Two</li>\n</ul>\n");
        assertThat(content("Text\n<h2>Head</h2>\nmore")).isEqualTo("<p>Text</p>\n<h2>Head</h2>\n<p>more</p>\n");
        assertThat(content("<div>inside</div>")).isEqualTo("<div>inside</div>\n");
        assertThat(content("a\n\n<hr>\n\nb")).isEqualTo("<p>a</p>\n<hr>\n<p>b</p>\n");
        assertThat(content("<blockquote>Said</blockquote>")).isEqualTo("<blockquote><p>Said</p></blockquote>\n");
    }

    @Test
    void preformattedTextStaysAsItIs() {
        assertThat(content("Before\n\n<pre>one\n\n  \"two\"</pre>\n\nAfter"))
                .isEqualTo("<p>Before</p>\n<pre>one\n\n  \"two\"</pre>\n<p>After</p>\n");
        assertThat(content("<script>\nvar a = 1;\n\nvar b;\n</script>"))
                .contains("var a = 1;")
                .doesNotContain("<br");
    }

    @Test
    void blocksLoseTheirCommentsAndKeepTheirSpace() {
        assertThat(content("""
                        <!-- wp:paragraph -->
                        <p>Alpha is <strong>first</strong>.</p>
                        <!-- /wp:paragraph -->""")).isEqualTo("""

                        <p class="wp-block-paragraph">Alpha is <strong>first</strong>.</p>
                        """);
        assertThat(content("""
                        <!-- wp:heading -->
                        <h2 class="wp-block-heading">Head</h2>
                        <!-- /wp:heading -->

                        <!-- wp:list -->
                        <ul class="wp-block-list"><!-- wp:list-item -->
                        <li>One</li>
                        <!-- /wp:list-item --></ul>
                        <!-- /wp:list -->""")).isEqualTo("""

                        <h2 class="wp-block-heading">Head</h2>



                        <ul class="wp-block-list">
                        <li>One</li>
                        </ul>
                        """);
        assertThat(content("""
                        <!-- wp:paragraph {"align":"center"} -->
                        <p class="has-text-align-center">C</p>
                        <!-- /wp:paragraph -->""")).isEqualTo("""

                        <p class="has-text-align-center wp-block-paragraph">C</p>
                        """);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "quote | {} | is-layout-flow wp-block-quote-is-layout-flow",
                "column | {\"width\":\"50%\"} | is-layout-flow wp-block-column-is-layout-flow",
                "columns | {} | is-layout-flex wp-container-core-columns-is-layout-794e3cfa wp-block-columns-is-layout-flex",
                "buttons | {} | is-layout-flex wp-block-buttons-is-layout-flex",
                "buttons | {\"layout\":{\"type\":\"flex\",\"justifyContent\":\"center\"}} | is-content-justification-center is-layout-flex wp-container-core-buttons-is-layout-35f06ea7 wp-block-buttons-is-layout-flex",
                "group | {} | is-layout-flow wp-block-group-is-layout-flow",
                "group | {\"layout\":{\"type\":\"constrained\"}} | has-global-padding is-layout-constrained wp-block-group-is-layout-constrained",
                "group | {\"layout\":{\"type\":\"flex\",\"flexWrap\":\"nowrap\"}} | is-nowrap is-layout-flex wp-container-core-group-is-layout-3a88641f wp-block-group-is-layout-flex",
                "group | {\"layout\":{\"type\":\"flex\",\"orientation\":\"vertical\"}} | is-vertical is-layout-flex wp-container-core-group-is-layout-831b2db5 wp-block-group-is-layout-flex",
                "group | {\"style\":{\"spacing\":{\"margin\":{\"top\":\"0\"},\"padding\":{\"left\":\"1em\"}}},\"layout\":{\"type\":\"constrained\"}} | has-global-padding is-layout-constrained wp-container-core-group-is-layout-565ced86 wp-block-group-is-layout-constrained",
                "query | {\"queryId\":0} | is-layout-flow wp-block-query-is-layout-flow",
                "gallery | {\"linkTo\":\"none\"} | wp-block-gallery-1 is-layout-flex wp-block-gallery-is-layout-flex",
                "details | {} | is-layout-flow wp-block-details-is-layout-flow",
            })
    void blocksSayHowTheyArrangeOthers(String block, String attributes, String classes) {
        String raw = "<!-- wp:%s %s --><div class=\"wp-block-%s\">a</div><!-- /wp:%s -->"
                .formatted(block, attributes, block, block);

        assertThat(content(raw)).isEqualTo("<div class=\"wp-block-" + block + " " + classes + "\">a</div>");
    }

    @Test
    void theElementAroundTheInnerBlocksSaysSo() {
        assertThat(content("<!-- wp:cover --><div class=\"wp-block-cover\"><span class=\"dim\"></span>"
                        + "<div class=\"wp-block-cover__inner-container\"><!-- wp:paragraph --><p>a</p>"
                        + "<!-- /wp:paragraph --></div></div><!-- /wp:cover -->"))
                .isEqualTo("<div class=\"wp-block-cover\"><span class=\"dim\"></span>"
                        + "<div class=\"wp-block-cover__inner-container is-layout-flow wp-block-cover-is-layout-flow\">"
                        + "<p class=\"wp-block-paragraph\">a</p></div></div>");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // Pictures of a gallery carry their number.
                "gallery {} <figure class=\"g\"><!-- wp:image {\"id\":7} --><figure><img src=\"a.png\" alt=\"<img\"/></figure><!-- /wp:image --></figure> | "
                        + "<figure class=\"g wp-block-gallery-1 is-layout-flex wp-block-gallery-is-layout-flex\"><figure><img decoding=\"async\" data-id=\"7\" src=\"a.png\" alt=\"<img\"/></figure></figure>",
                "gallery {} <figure><!-- wp:image {\"id\":\"7\"} --><img data-id=\"6\" src=\"a.png\"/><!-- /wp:image --></figure> | "
                        + "<figure class=\"wp-block-gallery-1 is-layout-flex wp-block-gallery-is-layout-flex\"><img decoding=\"async\" data-id=\"7\" src=\"a.png\"/></figure>",
                "image {\"id\":7} <figure><img src=\"a.png\"/></figure> | <figure><img decoding=\"async\" src=\"a.png\"/></figure>",
                // What shows nothing is left out.
                "image {} <figure><img alt=\"a\"/></figure> | ``",
                "image {} <figure>no picture</figure> | ``",
                "button {} <div class=\"b\"><a href=\"#\"></a></div> | ``",
                "button {} <div class=\"b\"><button></button></div> | ``",
                "button {} <div class=\"b\"><a href=\"#\">Go</a></div> | <div class=\"b\"><a href=\"#\">Go</a></div>",
                // What is folded away is not loaded first.
                "details {} <details><img src=\"a.png\"></details> | "
                        + "<details class=\"is-layout-flow wp-block-details-is-layout-flow\"><img decoding=\"async\" fetchpriority=\"low\" src=\"a.png\"></details>",
                "details {\"showContent\":true} <details open><img src=\"a.png\"></details> | "
                        + "<details class=\"is-layout-flow wp-block-details-is-layout-flow\" open><img decoding=\"async\" src=\"a.png\"></details>",
                "file {} <div><object data=\"a.pdf\" aria-label=\"a\"></object></div> | <div><object data=\"a.pdf\" aria-label=\"Embed of a.\"></object></div>",
                "file {\"displayPreview\":true} <div><object aria-label=\"PDF embed\"></object></div> | "
                        + "<div data-wp-interactive=\"core/file\"><object data-wp-bind--hidden=\"!state.hasPdfPreview\" hidden aria-label=\"PDF embed\"></object></div>",
                "shortcode {} [unknown] | <p>[unknown]</p>",
                // Sounds and films stay as they are written.
                "audio {\"id\":7} <figure class=\"wp-block-audio\"><audio controls src=\"a.mp3\"></audio><figcaption class=\"wp-element-caption\">It's</figcaption></figure> | "
                        + "<figure class=\"wp-block-audio\"><audio controls src=\"a.mp3\"></audio><figcaption class=\"wp-element-caption\">It&#8217;s</figcaption></figure>",
                "video {\"id\":7} <figure class=\"wp-block-video\"><video controls src=\"a.mp4\"></video></figure> | "
                        + "<figure class=\"wp-block-video\"><video controls src=\"a.mp4\"></video></figure>",
            })
    void blocksHaveWhatTheirKindNeeds(String block, @Nullable String rendered) {
        String[] parts = block.split(" ", 3);

        assertThat(content("<!-- wp:" + parts[0] + " " + parts[1] + " -->" + parts[2] + "<!-- /wp:" + parts[0] + " -->")
                        .strip())
                .isEqualTo(rendered == null ? "" : rendered);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[[caption]] | <p>[caption]</p>",
                "[[caption width=\"1\"]a[/caption]] | <p>[caption width=\"1\"]a[/caption]</p>",
                "[unknown a=\"b\"]c[/unknown] | <p>[unknown a=&#8221;b&#8221;]c[/unknown]</p>",
                "[caption width=\"5\"]<img src=\"a.png\" />[/caption] | <img decoding=\"async\" src=\"a.png\" />",
                "[wp_caption width=5 class='k' id=a_b]<a href=\"#\"><img src=\"a.png\" /></a> T[/wp_caption] | "
                        + "<figure id=\"a_b\" aria-describedby=\"caption-a-b\" style=\"width: 5px\" class=\"wp-caption alignnone k\">"
                        + "<a href=\"#\"><img decoding=\"async\" src=\"a.png\" /></a>"
                        + "<figcaption id=\"caption-a-b\" class=\"wp-caption-text\">T</figcaption></figure>",
                "[caption width=\"5\" caption=\"T\"]x[/caption] | "
                        + "<figure style=\"width: 5px\" class=\"wp-caption alignnone\">x"
                        + "<figcaption class=\"wp-caption-text\">T</figcaption></figure>",
                "a [gallery] b | <p>a  b</p>",
                "<b title=\"[gallery]\">x</b> | <p><b title=\"[gallery]\">x</b></p>",
                "[embed]http://nowhere.invalid/1[/embed] | <p><a href=\"http://nowhere.invalid/1\">http://nowhere.invalid/1</a></p>",
                "[embed width=\"9\" | <p>[embed width=&#8221;9&#8243;</p>",
                "[captions]a[/captions] | <p>[captions]a[/captions]</p>",
            })
    void namesInBracketsStandForSomething(String raw, String rendered) {
        assertThat(content(raw)).isEqualTo(rendered + "\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "Hi :) | <p>Hi 🙂</p>",
                ":-D ;-) :oops: 8-) | <p>😀 😉 😳 😎</p>",
                "a:) http://a.test :)b | <p>a:) http://a.test :)b</p>",
                "<code>:)</code> :( | <p><code>:)</code> 🙁</p>",
            })
    void facesAreCharacters(String raw, String rendered) {
        assertThat(content(raw)).isEqualTo(rendered + "\n");
        assertThat(Rendering.excerpt(raw, "", KnownImages.NONE)).isEqualTo(rendered + "\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "<img src=\"http://b.test/x.png\"> | <img decoding=\"async\" src=\"http://b.test/x.png\">",
                "<img src=\"/x.png\" width=\"5\" height=\"4\"> | <img loading=\"lazy\" decoding=\"async\" src=\"/x.png\" width=\"5\" height=\"4\">",
                "<img src=\"/x.png\" width=\"5\" height=\"4\" loading=\"eager\" decoding=\"sync\"> | <img src=\"/x.png\" width=\"5\" height=\"4\" loading=\"eager\" decoding=\"sync\">",
                "<img class=\"wp-image-7\" src=\"/u/2024/01/p-300x225.jpg\"/> | <img loading=\"lazy\" decoding=\"async\" width=\"300\" height=\"225\" class=\"wp-image-7\" src=\"/u/2024/01/p-300x225.jpg\""
                        + " srcset=\"/u/2024/01/p-300x225.jpg 300w, /u/2024/01/p-1024x768.jpg 1024w, /u/2024/01/p.jpg 1600w\" sizes=\"auto, (max-width: 300px) 100vw, 300px\" />",
                "<img class=\"wp-image-7\" src=\"/u/2024/01/p.jpg?x=1\" style=\"width:800px;\"> | <img loading=\"lazy\" decoding=\"async\" width=\"800\" height=\"600\" class=\"wp-image-7\" src=\"/u/2024/01/p.jpg?x=1\" style=\"width:800px;\""
                        + " srcset=\"/u/2024/01/p.jpg 1600w, /u/2024/01/p-300x225.jpg 300w, /u/2024/01/p-1024x768.jpg 1024w\" sizes=\"auto, (max-width: 800px) 100vw, 800px\" />",
                "<img class=\"wp-image-7\" src=\"/u/2024/01/p-150x150.jpg\"> | <img loading=\"lazy\" decoding=\"async\" width=\"150\" height=\"150\" class=\"wp-image-7\" src=\"/u/2024/01/p-150x150.jpg\">",
                "<img class=\"wp-image-7\" src=\"/u/2024/01/other.jpg\"> | <img decoding=\"async\" class=\"wp-image-7\" src=\"/u/2024/01/other.jpg\">",
                "<img class=\"wp-image-8\" src=\"/u/2024/01/p.jpg\"> | <img decoding=\"async\" class=\"wp-image-8\" src=\"/u/2024/01/p.jpg\">",
                "<iframe src=\"//a.test\" width=\"5\" height=\"4\"></iframe> | <iframe loading=\"lazy\" src=\"//a.test\" width=\"5\" height=\"4\"></iframe>",
                "<iframe src=\"//a.test\"></iframe> | <iframe src=\"//a.test\"></iframe>",
            })
    void picturesSayHowLargeTheyAreAndWait(String raw, String rendered) {
        KnownImages.Image picture = new KnownImages.Image(
                "2024/01/p.jpg",
                "",
                1600,
                1200,
                false,
                List.of(
                        new KnownImages.Size("medium", "p-300x225.jpg", 300, 225),
                        new KnownImages.Size("large", "p-1024x768.jpg", 1024, 768),
                        new KnownImages.Size("thumbnail", "p-150x150.jpg", 150, 150)),
                "/uploads/",
                "");

        assertThat(Rendering.content(
                        "<div>" + raw + "</div>", ids -> ids.contains(7L) ? Map.of(7L, picture) : Map.of()))
                .isEqualTo("<div>" + rendered + "</div>\n");
    }

    /** Two pictures: 7 is large and has a caption, 8 is small and high. */
    private static final KnownImages GALLERY = new KnownImages() {
        @Override
        public Map<Long, Image> find(Collection<Long> ids) {
            Map<Long, Image> found = new HashMap<>();
            List<Size> sizes = List.of(
                    new Size("medium", "p-300x225.jpg", 300, 225), new Size("thumbnail", "p-150x150.jpg", 150, 150));
            found.put(7L, new Image("2024/p.jpg", "", 1600, 1200, false, sizes, "/up/", "An \"alt\" <b>"));
            found.put(8L, new Image("2024/q.png", "", 40, 50, false, List.of(), "/up/", ""));
            found.keySet().retainAll(ids);
            return found;
        }

        @Override
        public Place place(long id) {
            return new Place("http://s.test", "http://s.test/?attachment_id=" + id, id == 7 ? "It's <b>7</b>" : " ");
        }
    };

    private static String gallery(String raw) {
        return Rendering.named(Rendering.content(raw, GALLERY), 5).strip();
    }

    @Test
    void aGalleryShowsPicturesInTheOrderOfTheirIdsWithTheirCaptions() {
        String large = "<figure class='gallery-item'>\n\t\t\t<div class='gallery-icon landscape'>\n\t\t\t\t"
                + "<a href='http://s.test/?attachment_id=7'><img loading=\"lazy\" decoding=\"async\" width=\"150\""
                + " height=\"150\" src=\"http://s.test/up/2024/p-150x150.jpg\" class=\"attachment-thumbnail"
                + " size-thumbnail\" alt=\"An &quot;alt&quot;\" aria-describedby=\"gallery-1-7\" /></a>\n\t\t\t</div>"
                + "\n\t\t\t\t<figcaption class='wp-caption-text gallery-caption' id='gallery-1-7'>\n\t\t\t\t"
                + "It&#8217;s <b>7</b>\n\t\t\t\t</figcaption></figure>";
        String small = "<figure class='gallery-item'>\n\t\t\t<div class='gallery-icon portrait'>\n\t\t\t\t"
                + "<a href='http://s.test/?attachment_id=8'><img loading=\"lazy\" decoding=\"async\" width=\"40\""
                + " height=\"50\" src=\"http://s.test/up/2024/q.png\" class=\"attachment-thumbnail"
                + " size-thumbnail\" alt=\"\" /></a>\n\t\t\t</div></figure>";

        assertThat(gallery("[gallery ids=\"8, 7,9,7\"]"))
                .isEqualTo("<div id='gallery-1' class='gallery galleryid-5 gallery-columns-3 gallery-size-thumbnail'>"
                        + small + large + "\n\t\t</div>");
        assertThat(gallery("[gallery include=\"8,7\"]")).contains(large + small);
        assertThat(gallery("[gallery ids=\"8,7\" orderby=\"ID\" order=\"DESC\"]"))
                .contains(small + large);
    }

    @Test
    void aGalleryHasTheColumnsSizeLinksAndElementsThatAreWished() {
        String wished = gallery("[gallery ids=\"7\" columns=\"2\" size=\"medium\" link=\"file\" itemtag=\"dl\""
                + " icontag=\"script\" captiontag=\"DD\"]");

        assertThat(wished)
                .contains(
                        "gallery-columns-2 gallery-size-medium'><dl class='gallery-item'>\n\t\t\t<dt class=",
                        "<a href='http://s.test/up/2024/p.jpg'><img",
                        "srcset=\"http://s.test/up/2024/p-300x225.jpg 300w, http://s.test/up/2024/p.jpg 1600w\""
                                + " sizes=\"auto, (max-width: 300px) 100vw, 300px\" />",
                        "<dd class='wp-caption-text");
        assertThat(gallery("[gallery ids=\"7\" link=\"none\"]")).doesNotContain("<a ");
        assertThat(gallery("[gallery ids=\"7\" size=\"x'y\" columns=\"x\"]")).contains("gallery-columns-0");
    }

    @Test
    void aGalleryWithoutKnownPicturesIsNothingAndOthersCountOn() {
        assertThat(gallery("[gallery ids=\"9\"]")).isEmpty();
        assertThat(gallery("[gallery ids=\"\"]")).isEmpty();
        assertThat(gallery("[gallery ids=\"8\"]\n\n[gallery ids=\"8\"]")).contains("id='gallery-1'", "id='gallery-2'");
    }

    @Test
    void aTextOfManyGalleriesShowsABoundedNumberOfPictures() {
        String many = gallery("[gallery ids=\"7\"]".repeat(2000));

        assertThat(many.split("<img ")).hasSize(501);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[audio src=\"http://a.test/b.mp3\"] | <audio class=\"wp-audio-shortcode\" id=\"audio-9-1\" preload=\"none\" style=\"width: 100%;\" controls=\"controls\"><source type=\"audio/mpeg\" src=\"http://a.test/b.mp3?_=1\" /><a href=\"http://a.test/b.mp3\">http://a.test/b.mp3</a></audio>",
                "a [audio ogg=\"b.ogg?c#d\" mp3=\"b.mp3\" loop=\"on\" muted=\"false\" preload=\"x\" class='\"' style=\"color:red;behavior:url(x)\"][/audio] | <p>a <audio class=\"&quot;\" id=\"audio-9-1\" loop style=\"color:red\" controls=\"controls\"><source type=\"audio/mpeg\" src=\"http://b.mp3?_=1\" /><source type=\"\" src=\"http://b.ogg?c&#038;_=1#d\" /><a href=\"http://b.mp3\">http://b.mp3</a></audio></p>",
                "[video mp4=\"/b.mp4\" width=\"320\" height=\"x\" poster=\"javascript:x\"]<track src=\"t.vtt\">[/video] | <div style=\"width: 320px;\" class=\"wp-video\"><video class=\"wp-video-shortcode\" id=\"video-9-1\" width=\"320\" preload=\"metadata\" controls=\"controls\"><source type=\"video/mp4\" src=\"/b.mp4?_=1\" /><track src=\"t.vtt\"><a href=\"/b.mp4\">/b.mp4</a></video></div>",
                "[audio src=\"b.txt\"] [video src=\"javascript:x\"] | <p><a class=\"wp-embedded-audio\" href=\"http://b.txt\">b.txt</a> <a class=\"wp-embedded-video\" href=\"\">javascript:x</a></p>",
                "a[audio][video mp4=\"b.mp3\"][playlist ids=\"1\"]b | <p>ab</p>",
                "[embed]http://a.test/?b=1&c=2[/embed] | <p><a href=\"http://a.test/?b=1&#038;c=2\">http://a.test/?b=1&amp;c=2</a></p>",
                "<p>http://a.test/?b=1&amp;c=2</p> | <p>http://a.test/?b=1&#038;c=2</p>",
                "http://a.test/?b=1&amp;c=2 | <p>http://a.test/?b=1&#038;c=2</p>",
                "a http://a.test/?b=1&amp;c=2 | <p>a http://a.test/?b=1&amp;c=2</p>",
            })
    void soundsAndFilmsArePlayed(String raw, String rendered) {
        assertThat(Rendering.named(content(raw), 9)).isEqualTo(rendered + "\n");
    }

    @Test
    void whatStandsAloneOnALineIsPlayed() {
        assertThat(Rendering.named(content("a\n\nhttp://a.test/b.mp4\n\nhttp://a.test/c.MP3"), 9))
                .isEqualTo("""
                <p>a</p>
                <div style="width: 640px;" class="wp-video"><video class="wp-video-shortcode" id="video-9-1" width="640" \
                height="360" preload="metadata" controls="controls"><source type="video/mp4" src="http://a.test/b.mp4?_=1" />\
                <a href="http://a.test/b.mp4">http://a.test/b.mp4</a></video></div>
                <audio class="wp-audio-shortcode" id="audio-9-1" preload="none" style="width: 100%;" controls="controls">\
                <source type="audio/mpeg" src="http://a.test/c.MP3?_=1" /><a href="http://a.test/c.MP3">http://a.test/c.MP3</a></audio>
                """);
    }

    /** The numbers of the answer to a write, where a text is rendered for the second time, and its excerpt with it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "button outline div | is-style-outline is-style-outline--1",
                "separator wide hr | is-style-wide is-style-wide--1",
                "quote plain blockquote | is-style-plain is-layout-flow wp-block-quote-is-layout-flow is-style-plain--1",
                "paragraph text-display p | is-style-text-display is-style-text-display--1 wp-block-paragraph",
                "paragraph outline p | is-style-outline wp-block-paragraph",
                "image rounded figure | is-style-rounded",
            })
    void blocksNameTheLookThatTheThemeKnows(String block, String classes) {
        String[] parts = block.split(" ");
        String raw =
                "<!-- wp:%1$s {\"className\":\"is-style-%2$s\"} --><%3$s class=\"is-style-%2$s\"><a>a<img src=\"b\"></a></%3$s><!-- /wp:%1$s -->"
                        .formatted((Object[]) parts);

        assertThat(content(raw)).startsWith("<" + parts[2] + " class=\"" + classes + "\">");
    }

    @Test
    void numbersOfBlocksGoOn() {
        String gallery = "<!-- wp:gallery --><ul class=\"g\"></ul><!-- /wp:gallery -->";
        String layout = " is-layout-flex wp-block-gallery-is-layout-flex\"></ul>";

        assertThat(content(gallery + gallery))
                .isEqualTo("<ul class=\"g wp-block-gallery-1" + layout + "<ul class=\"g wp-block-gallery-2" + layout);
    }

    @Test
    void excerptLeavesOutWhatStandsInBrackets() {
        assertThat(excerpt("a [caption width=\"5\"]<img src=\"a.png\" /> T[/caption] b [other]"))
                .isEqualTo("<p>a b [other]</p>\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "<b>bold</b> & \"q\" | bold & \"q\"",
                "a < b | a &lt; b",
                "x<script>y</script>z<style>s</style> | xz",
                "100% %41 b%%2020 c | 100% b c",
                "<!-- c -->a <br/>b | a b",
            })
    void singleLinesAreText(String typed, String kept) {
        assertThat(SingleLine.of(typed)).isEqualTo(kept);
        assertThat(SingleLine.of(" a\n\tb\r\n")).isEqualTo("a b");
        assertThat(SingleLine.of("\u3000a<!-->b <? c > d ?>")).isEqualTo("\u3000ab");
    }

    @Test
    void blockVersionTellsBlocksFromText() {
        assertThat(Rendering.blockVersion("<!-- wp:paragraph --><p>a</p><!-- /wp:paragraph -->"))
                .isEqualTo(1);
        assertThat(Rendering.blockVersion("<p>a</p><!--more-->")).isZero();
    }

    @Test
    void aSummaryHoldsTheBeginningOfALongTextAndNoPartOfATag() {
        assertThat(Rendering.summary("<p>One <b>two</b>\n three</p>").first(2))
                .isEqualTo(new Rendering.Words("One two", true));
        assertThat(Rendering.summary("<p>One <b>two</b></p>").first(2))
                .isEqualTo(new Rendering.Words("One two", false));
        assertThat(Rendering.summary("<p>One [&hellip;]</p>").first(5)).isEqualTo(new Rendering.Words("One", true));
        String tag = "<a href=\"" + "x".repeat(100) + "\">";
        for (int before = 4_890; before < 5_010; before++) {
            assertThat(Rendering.summary("a".repeat(before) + tag).text()).matches("a{4890,5000}");
        }
    }

    @Test
    void addressOfASoundKeepsLettersOfAllScripts() {
        assertThat(content("[audio src=\"http://a.test/語😀.mp3\"]")).contains("href=\"http://a.test/語😀.mp3\"");
    }

    @Test
    void excerptLeavesOutNumbersOfFootnotes() {
        String note = "<sup data-fn=\"a1\" class=\"fn\"><a href=\"#a1\" id=\"a1-link\">1</a></sup>";

        assertThat(excerpt("<p>Words" + note + " go on 2<sup>3</sup></p>")).isEqualTo("<p>Words go on 23</p>\n");
    }

    @Test
    void excerptIsTheFirstFiftyFiveWords() {
        String words = IntStream.rangeClosed(1, 60).mapToObj(word -> "w" + word).collect(Collectors.joining(" "));
        String first = IntStream.rangeClosed(1, 55).mapToObj(word -> "w" + word).collect(Collectors.joining(" "));

        assertThat(excerpt("<p>" + words + "</p>")).isEqualTo("<p>" + first + " [&hellip;]</p>\n");
        assertThat(Rendering.excerpt("<p>one two three</p>", 2)).isEqualTo("<p>one two [&hellip;]</p>\n");
        assertThat(Rendering.excerpt("<p>one two</p>", 2)).isEqualTo("<p>one two</p>\n");
    }

    @Test
    void excerptOfFewerThanNoWordsLacksTheLast() {
        assertThat(Rendering.excerpt("one two three", 0)).isEqualTo("<p> [&hellip;]</p>\n");
        assertThat(Rendering.excerpt("one two three", -1)).isEqualTo("<p>one two [&hellip;]</p>\n");
    }

    @Test
    void writtenExcerptStaysWhole() {
        assertThat(Rendering.excerpt("The \"first\".", "<p>Content</p>", KnownImages.NONE))
                .isEqualTo("<p>The &#8220;first&#8221;.</p>\n");
    }

    @Test
    void writtenExcerptShowsPicturesAndKeepsWhatBracketsStandFor() {
        assertThat(Rendering.excerpt("[caption width=\"9\"]<img src=\"a.png\"> b[/caption]", "", KnownImages.NONE))
                .isEqualTo("[caption width=\"9\"]<img decoding=\"async\" src=\"a.png\"> b[/caption]\n");
        assertThat(Rendering.excerpt("<code>a && b</code>", "", KnownImages.NONE))
                .isEqualTo("<p><code>a &#038;& b</code></p>\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "I <3 it | I",
                "1 < 2 > 3 | 1 < 2 > 3",
                "a <b <i>c</i> d> e | a  e",
                "a <b title=\"x>y\">b</b> c | a b c",
                "a <!-- <b> --> b<!-->c | a  bc",
                "a <![CDATA[ <b> ]]> b | a  ]]> b",
                "a <? b > c ?> d | a  d",
            })
    void textIsWhatIsLeftWithoutTags(String html, String text) {
        assertThat(Rendering.plainText(html)).isEqualTo(text);
    }

    @Test
    void bracketThatNothingClosesIsTheRest() {
        assertThat(content("a < b\n\nc \"d\"")).isEqualTo("<p>a < b\n\nc \"d\"\n</p>\n");
        assertThat(content("a <3\nb > c\nd")).isEqualTo("<p>a <3\nb > c<br />\nd</p>\n");
        assertThat(content("foo <div\n> bar")).isEqualTo("<p>foo </p>\n<div\n> bar</p>\n");
    }

    @Test
    void picturesWithoutAnAddressInDoubleQuotesAreLeftAlone() {
        assertThat(content("<img src='a.png' width='1' height='1'>"))
                .isEqualTo("<p><img src='a.png' width='1' height='1'></p>\n");
        assertThat(content("<img src=\"a.png\" width='1' height=\"1\"><img src=\"a.png\" width=\"1\" height='1'>"))
                .isEqualTo("<p><img decoding=\"async\" src=\"a.png\" width='1' height=\"1\">"
                        + "<img decoding=\"async\" src=\"a.png\" width=\"1\" height='1'></p>\n");
    }

    @Test
    void excerptEndsAtTheMarkForIt() {
        assertThat(excerpt("<p>Before the break.</p>\n<!--more-->\n<p>After.</p>"))
                .isEqualTo("<p>Before the break.</p>\n");
        assertThat(excerpt("""
                        <!-- wp:paragraph --><p>B</p><!-- /wp:paragraph -->
                        <!-- wp:more -->
                        <!--more-->
                        <!-- /wp:more -->
                        <!-- wp:paragraph --><p>A</p><!-- /wp:paragraph -->""")).isEqualTo("<p>B</p>\n");
    }

    @Test
    void excerptIsOfTheFirstPageThatSaysSomething() {
        assertThat(excerpt("<p>One.</p>\n<!--nextpage-->\n<p>Two.</p>")).isEqualTo("<p>One.</p>\n");
        assertThat(excerpt("<!--nextpage-->\n\nTwo.<!--nextpage-->Three.")).isEqualTo("<p>Two.</p>\n");
        assertThat(
                        excerpt(
                                "<!-- wp:nextpage -->\n<!--nextpage-->\n<!-- /wp:nextpage -->\n\n<!-- wp:paragraph -->\n<p>Two.</p>\n<!-- /wp:paragraph -->"))
                .isEqualTo("<p>Two.</p>\n");
    }

    @Test
    void excerptJoinsParagraphsAndKeepsMarks() {
        assertThat(excerpt("First.\n\nSecond \"quoted\" -- text... <script>no()</script>"))
                .isEqualTo("<p>First. Second &#8220;quoted&#8221; &#8212; text&#8230;</p>\n");
    }

    @Test
    void excerptOfBlocksHoldsTextBlocksOnly() {
        assertThat(excerpt("""
                        <!-- wp:heading -->
                        <h2>Head</h2>
                        <!-- /wp:heading -->

                        <!-- wp:list -->
                        <ul><!-- wp:list-item -->
                        <li>One</li>
                        <!-- /wp:list-item --></ul>
                        <!-- /wp:list -->""")).isEqualTo("<p>Head</p>\n");
        assertThat(excerpt("""
                        <!-- wp:group --><div><!-- wp:paragraph --><p>In</p><!-- /wp:paragraph -->
                        <!-- wp:image --><figure>No</figure><!-- /wp:image --></div><!-- /wp:group -->""")).isEqualTo("<p>In</p>\n");
        // Within a group each block counts by itself; a block that only arranges others counts with its own words, too.
        assertThat(
                        excerpt(
                                "<!-- wp:group --><div><!-- wp:quote --><blockquote><!-- wp:paragraph --><p>q</p>"
                                        + "<!-- /wp:paragraph --><cite>c</cite></blockquote><!-- /wp:quote --></div><!-- /wp:group -->"))
                .isEqualTo("<p>q</p>\n");
        assertThat(excerpt("<!-- wp:group --><div>a</div><!-- /wp:group -->")).isEqualTo("<p>a</p>\n");
    }

    @Test
    void emptyExcerptOfNothingIsNothing() {
        assertThat(excerpt("")).isEmpty();
    }

    @Test
    void placeholdersOfOursCannotBeSmuggledIn() {
        assertThat(content("a \ufdd0script\ufdd1 b")).isEqualTo("<p>a script b</p>\n");
        assertThat(Rendering.title("a \ufdd0b")).isEqualTo("a b");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<",
                "<p",
                "<p>",
                "<p ",
                "</p>",
                "<pre>",
                "</pre>",
                "<div",
                "<br>",
                "<br> ",
                " ",
                " \n",
                "\n",
                "\"",
                "'",
                "\"1",
                "'1",
                "1x",
                "1.",
                "&",
                "&a",
                "<!--",
                "<!-- wp:a -->",
                "<!-- wp:group -->",
                "<script>",
                "<style",
                "<p><li",
                "<figcaption> ",
                "<blockquote>",
                " <option",
                "a ",
                "-",
                "--",
                "\"a 1\" ",
                "<a title=\"",
                "<!--more",
                "}",
                "<!-- wp:paragraph {",
                "<!-- wp:group --><p>",
                "<!-- wp:group --><p class=\"a\">",
                "<!-- wp:gallery --><p>",
                "<!-- wp:details --><img src='a'>",
                "<!-- wp:details --><img",
                "<!-- wp:image --><imga",
                "<!-- wp:button --><a>",
                "<!-- wp:file --><object",
                "<!-- wp:shortcode -->a",
                "[",
                "[[",
                "[caption]",
                "[caption width=\"1\" caption=\"x\"]",
                "[caption",
                "[/caption]",
                "[embed]",
                "<p>[gallery]",
                "[gallery]&nbsp;",
                "<img ",
                "<img src=\"a\">",
                "<img class=\"wp-image-1\">",
                ">",
                "<!--->",
                "<a b='",
                "<p style=\"color:red;",
                "<a href=\"a:",
                "<p =",
                ":)",
                " :) ",
                "%%4141",
                "<p class='"
            })
    void noTextTakesLongerThanItsLengthExplains(String piece) {
        String text = piece.repeat(50_000 / piece.length());

        CpuTime.assertWithin(Duration.ofSeconds(3), piece, () -> {
            Rendering.title(text);
            content(text);
            content("<!-- wp:paragraph -->" + text);
            excerpt(text);
            excerpt("<!-- wp:paragraph -->" + text);
            Slugs.of(text);
            HtmlPolicy.cleanTitle(text);
            HtmlPolicy.cleanContent(text);
            SingleLine.of(text);
        });
    }

    /** Long, so that what grows with the square of the length takes too long by far. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "<!-- wp:group --><b",
                "<!-- wp:group --><!--x",
                "<!-- wp:quote --><p class='a",
                "<!-- wp:gallery -->",
                "<!-- wp:gallery --></b>",
                "<!-- wp:gallery -->http://e.test/a.mp3\n"
            })
    void blocksWithinEachOtherTakeNoLongerThanOthers(String piece) {
        String text = piece.repeat(300_000 / piece.length());

        CpuTime.assertWithin(Duration.ofSeconds(3), piece, () -> {
            content(text);
            content(text + "<div>");
        });
    }

    @Test
    void blocksThatBeginAndEndTakeWorkInProportion() {
        String begin = "<!-- wp:image -->";
        String end = "b<!-- /wp:image -->";
        Growth.assertLinear(
                begin, begins -> HtmlPolicy.cleanContent(begins + "a" + end.repeat(begins.length() / begin.length())));
    }

    @Test
    void noWorkIsDoneOnWhatIsTooLongAlready() {
        String marks = "&".repeat(300_000);

        assertThat(Rendering.content(marks, KnownImages.NONE))
                .hasSizeGreaterThan(Rendering.LONGEST)
                .startsWith("&#038;");
        assertThat(Rendering.shortText(marks, KnownImages.NONE))
                .hasSizeGreaterThan(Rendering.LONGEST)
                .startsWith("&#038;");
    }

    private static String filled(String raw, String shown) {
        return Rendering.filled(content(raw), raw, Room.forBlocks(), block -> block.name() + shown);
    }

    @Test
    void blocksAreFilledWhereTheyStandButNotWithinATag() {
        String raw =
                "<!-- wp:group --><div class=\"wp-block-group\"><!-- wp:core/one {\"a\":1} /--></div><!-- /wp:group -->"
                        + "<p title=\"<!-- wp:two /-->\">x</p><!-- wp:three --><!-- /wp:three --><!-- wp:four /-->";

        assertThat(filled(raw, "!")).contains(">one!</div>", "four!").doesNotContain("two", "three");
        assertThat(excerpt("<!-- wp:paragraph /--><!-- wp:paragraph --><p>a</p><!-- /wp:paragraph -->"))
                .isEqualTo("<p>a</p>\n");
    }

    @Test
    void whatLooksLikeAMarkIsNone() {
        String raw = "<!-- wp:paragraph --><p>\ufdd90\ufdd9</p><!-- /wp:paragraph --><!-- wp:one /-->";

        assertThat(filled(raw, "!")).containsOnlyOnce("!").endsWith("one!");
    }

    /** What a block says of itself may be shown once for each entry of a list. */
    @Test
    void aBlockThatSaysMuchOfItselfShowsNothing() {
        assertThat(filled("<!-- wp:b {\"a\":\"" + "x".repeat(3_900) + "\"} /-->", "!"))
                .isEqualTo("b!");
        assertThat(filled("<!-- wp:b {\"a\":\"" + "x".repeat(4_000) + "\"} /--><!-- wp:c /-->", "!"))
                .isEqualTo("c!");
    }

    @Test
    void aTextIsFilledWithSoMuchOnly() {
        String raw = "<!-- wp:b /-->".repeat(ServedBlock.MOST * 2);

        assertThat(filled(raw, "")).hasSize(ServedBlock.MOST);
        assertThat(filled(raw, "x".repeat(ServedBlock.LONGEST / 2))).hasSize(ServedBlock.LONGEST / 2 + 1);
    }

    /** What is dear for its length is worked on so often only; what comes behind is shown as it was written. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "[gallery ids=9]",
                "[caption width=\"9\" caption=\"c\"]x[/caption]",
                "<!-- wp:x /-->",
                "<!-- wp:paragraph --><p>a</p><!-- /wp:paragraph -->",
                "<!-- wp:image --><figure>a</figure><!-- /wp:image -->",
                "<img src=\"x\">"
            })
    void ofWhatIsDearATextHasSoMuch(String text) {
        int most = text.startsWith("[") ? Shortcodes.MOST : text.startsWith("<!") ? Blocks.MOST : ImageTags.MOST;

        String within = content(text.repeat(most));
        String beyond = content(text.repeat(most + 2));

        assertThat(within).doesNotContain(text);
        assertThat(beyond).contains(text + text).doesNotContain(text + text + text);
    }

    @Test
    void anAnswerIsFilledWithSoMuchOnly() {
        String raw = "<!-- wp:b /-->";
        String rendered = content(raw);

        for (String shown :
                List.of("", "xyz", "x".repeat(ServedBlock.LONGEST / 2), "x".repeat(ServedBlock.LONGEST + 1))) {
            Room room = Room.forBlocks();
            int looked = 0;
            int made = 0;
            int[] asked = {0};
            for (; looked < 10_000; looked++) {
                made += Rendering.filled(rendered, raw, room, block -> {
                            asked[0]++;
                            return shown;
                        })
                        .length();
            }

            assertThat(made).isLessThanOrEqualTo(Room.FILLED);
            // Nobody makes what is left out, but for the last one.
            assertThat((long) (asked[0] - 1) * shown.length()).isLessThanOrEqualTo(Room.FILLED);
            assertThat(asked[0]).isBetween(1, 1024);
            assertThat(Rendering.excerpt("word", 1, room)).isEmpty();
        }
    }

    @Test
    void anAnswerRendersSoManyExcerptsOnly() {
        Room room = Room.forExcerpts();
        String content = "word ".repeat(Room.SHORTENED / 16 / 5);

        for (int i = 0; i < 16; i++) {
            assertThat(Rendering.excerpt(content, 2, room)).contains("<p>word word [&hellip;]</p>\n");
        }
        assertThat(Rendering.excerpt(content, 2, room)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "20px | clamp(14px, 0.875rem + ((1vw - 3.2px) * 0.588), 20px);",
                "30.5px | clamp(19.221px, 1.201rem + ((1vw - 3.2px) * 1.106), 30.5px);",
                "100px | clamp(50.171px, 3.136rem + ((1vw - 3.2px) * 4.885), 100px);",
                "2.5rem | clamp(1.502rem, 1.502rem + ((1vw - 0.2rem) * 1.565), 2.5rem);",
                "2em | clamp(1.25em, 1.25rem + ((1vw - 0.2em) * 1.176), 2em);",
                "14px | 14px",
                "3vw | 3vw",
                "(a+)+$ | (a+)+$"
            })
    void lettersOfAChosenSizeGrowWithTheWindow(String size, String shown) {
        String block = "<!-- wp:heading {\"style\":{\"typography\":{\"fontSize\":\"" + size + "\"}}} -->"
                + "<h2 style=\"font-size:" + size + "\"><span style=\"font-size:" + size + "\">a</span></h2>"
                + "<!-- /wp:heading -->";

        assertThat(content(block))
                .startsWith("<h2 class=\"wp-block-heading\" style=\"font-size:" + shown + "\"><span style=\"font-size:"
                        + size + "\">");
    }
}
