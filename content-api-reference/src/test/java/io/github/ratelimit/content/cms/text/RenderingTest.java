package io.github.ratelimit.content.cms.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.CpuTime;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Rule: BEHAVIOUR section 4, {@code title.rendered}, {@code content.rendered} and excerpts. */
class RenderingTest {
    private static String content(String raw) {
        return Rendering.content(raw, KnownItems.NONE, "");
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
                "a 6\" pipe and \"a 7\" one\" | a 6&#8243; pipe and &#8220;a 7&#8243; one&#8221;",
                "\"a 12\" disk\" (3.5\") | &#8220;a 12&#8243; disk&#8221; (3.5&#8243;)",
                "\"It is 9' 6\".\" | &#8220;It is 9&#8242; 6&#8243;.&#8221;",
                "\"the summer of '69\" | &#8220;the summer of &#8217;69&#8221;",
                "5'9\" tall | 5&#8217;9&#8243; tall",
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
    void nothingStaysNothing() {
        assertThat(content("")).isEmpty();
        assertThat(content(" \n\n ")).isEmpty();
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
                "buttons | {} | is-layout-flex wp-block-buttons-is-layout-flex",
                "group | {} | is-layout-flow wp-block-group-is-layout-flow",
                "columns | {} | is-layout-flex wp-block-columns-is-layout-flex",
                "group | {\"layout\":{\"type\":\"constrained\"}} | has-global-padding is-layout-constrained wp-block-group-is-layout-constrained",
                "details | {} | is-layout-flow wp-block-details-is-layout-flow",
            })
    void blocksSayHowTheyArrangeOthers(String block, String attributes, String classes) {
        String raw = "<!-- wp:%s %s --><div class=\"wp-block-%s\">a</div><!-- /wp:%s -->"
                .formatted(block, attributes, block, block);

        assertThat(content(raw)).isEqualTo("<div class=\"wp-block-" + block + " " + classes + "\">a</div>");
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
                "[caption width=\"5\" caption=\"T <b class='k'>x</b> it's\"]<img src=\"a.png\" />[/caption] | "
                        + "<figure style=\"width: 5px\" class=\"wp-caption alignnone\"><img decoding=\"async\" src=\"a.png\" />"
                        + "<figcaption class=\"wp-caption-text\">T <b class=\"k\">x</b> it's</figcaption></figure>",
                "[caption width=\"5\" caption=\"<script>x</script><i onclick=y>z</i>\"]x[/caption] | "
                        + "<figure style=\"width: 5px\" class=\"wp-caption alignnone\">x"
                        + "<figcaption class=\"wp-caption-text\">x<i>z</i></figcaption></figure>",
                "a [gallery] b | <p>a  b</p>",
                "<b title=\"[gallery]\">x</b> | <p><b title=\"[gallery]\">x</b></p>",
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
                "<img src=\"http://b.test/x.png\"> | <img decoding=\"async\" src=\"http://b.test/x.png\">",
                "<img src=\"/x.png\" width=\"5\" height=\"4\"> | <img loading=\"lazy\" decoding=\"async\" src=\"/x.png\" width=\"5\" height=\"4\">",
                "<img src=\"/x.png\" width=\"5\" height=\"4\" loading=\"eager\" decoding=\"sync\"> | <img src=\"/x.png\" width=\"5\" height=\"4\" loading=\"eager\" decoding=\"sync\">",
                "<img class=\"wp-image-7\" src=\"/u/2024/01/p-300x225.jpg\"/> | <img loading=\"lazy\" decoding=\"async\" width=\"300\" height=\"225\" class=\"wp-image-7\" src=\"/u/2024/01/p-300x225.jpg\""
                        + " srcset=\"/u/2024/01/p-300x225.jpg 300w, /u/2024/01/p-1024x768.jpg 1024w, /u/2024/01/p.jpg 1600w\" sizes=\"auto, (max-width: 300px) 100vw, 300px\" />",
                "<img class=\"wp-image-7\" src=\"/u/2024/01/p.jpg?x=1\" style=\"width:800px;\"> | <img loading=\"lazy\" decoding=\"async\" width=\"800\" height=\"600\" class=\"wp-image-7\" src=\"/u/2024/01/p.jpg?x=1\" style=\"width:800px;\""
                        + " srcset=\"/u/2024/01/p.jpg 1600w, /u/2024/01/p-300x225.jpg 300w, /u/2024/01/p-1024x768.jpg 1024w\" sizes=\"auto, (max-width: 800px) 100vw, 800px\" />",
                "<img class=\"wp-image-7\" src=\"/u/2024/01/p-150x150.jpg\"> | <img loading=\"lazy\" decoding=\"async\" width=\"150\" height=\"150\" class=\"wp-image-7\" src=\"/u/2024/01/p-150x150.jpg\">",
                // Only one is written: the file's own proportions decide.
                "<img class=\"wp-image-7\" src=\"/u/2024/01/p.jpg\" width=\"300\"> | <img decoding=\"async\" class=\"wp-image-7\" src=\"/u/2024/01/p.jpg\" width=\"300\""
                        + " srcset=\"/u/2024/01/p.jpg 1600w, /u/2024/01/p-300x225.jpg 300w, /u/2024/01/p-1024x768.jpg 1024w\" sizes=\"(max-width: 1600px) 100vw, 1600px\" />",
                "<img class=\"wp-image-7\" src=\"/u/2024/01/p-300x225.jpg\" height=\"75\"> | <img decoding=\"async\" class=\"wp-image-7\" src=\"/u/2024/01/p-300x225.jpg\" height=\"75\""
                        + " srcset=\"/u/2024/01/p-300x225.jpg 300w, /u/2024/01/p-1024x768.jpg 1024w, /u/2024/01/p.jpg 1600w\" sizes=\"(max-width: 300px) 100vw, 300px\" />",
                // The other files of a picture are only in a folder like its own.
                "<img class=\"wp-image-7\" src=\"https://b.test/p.jpg\"> | <img loading=\"lazy\" decoding=\"async\" width=\"1600\" height=\"1200\" class=\"wp-image-7\" src=\"https://b.test/p.jpg\">",
                "<img class=\"wp-image-7\" src=\"p.jpg\" width=\"4\" height=\"3\"> | <img loading=\"lazy\" decoding=\"async\" class=\"wp-image-7\" src=\"p.jpg\" width=\"4\" height=\"3\">",
                "<img class=\"wp-image-7\" src=\"/u/12024/01/p.jpg?resize=4\" width=\"4\" height=\"3\"> | <img loading=\"lazy\" decoding=\"async\" class=\"wp-image-7\" src=\"/u/12024/01/p.jpg?resize=4\" width=\"4\" height=\"3\">",
                "<img class=\"wp-image-7\" src=\"/u/2024/01/other.jpg\"> | <img decoding=\"async\" class=\"wp-image-7\" src=\"/u/2024/01/other.jpg\">",
                "<img class=\"wp-image-8\" src=\"/u/2024/01/p.jpg\"> | <img decoding=\"async\" class=\"wp-image-8\" src=\"/u/2024/01/p.jpg\">",
                "<iframe src=\"//a.test\" width=\"5\" height=\"4\"></iframe> | <iframe loading=\"lazy\" src=\"//a.test\" width=\"5\" height=\"4\"></iframe>",
                "<iframe src=\"//a.test\"></iframe> | <iframe src=\"//a.test\"></iframe>",
            })
    void picturesSayHowLargeTheyAreAndWait(String raw, String rendered) {
        KnownItems.Image picture = new KnownItems.Image(
                "2024/01/p.jpg",
                "",
                1600,
                1200,
                false,
                List.of(
                        new KnownItems.Size("medium", "p-300x225.jpg", 300, 225),
                        new KnownItems.Size("large", "p-1024x768.jpg", 1024, 768),
                        new KnownItems.Size("thumbnail", "p-150x150.jpg", 150, 150)),
                "/uploads/",
                "");

        assertThat(Rendering.content(
                        "<div>" + raw + "</div>", ids -> ids.contains(7L) ? Map.of(7L, picture) : Map.of(), ""))
                .isEqualTo("<div>" + rendered + "</div>\n");
    }

    /** Two pictures: 7 is large and has a caption, 8 is small and high. */
    private static final KnownItems GALLERY = new KnownItems() {
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

    private static String withItems(String raw) {
        KnownItems items = new KnownItems() {
            @Override
            public Map<Long, Image> find(Collection<Long> ids) {
                return Map.of();
            }

            @Override
            public Optional<Shown> shown(String address) {
                return Optional.of(address)
                        .filter("http://s.test/?p=7&a=1"::equals)
                        .map(found -> new Shown("http://s.test/?p=7", "A <b>7</b>", "Site"));
            }
        };
        return Rendering.content(raw, items, "");
    }

    @Test
    void ownAddressAloneOnALineIsAFrame() {
        String address = "http://s.test/?p=7&a=1";

        for (String alone : List.of(address, "a\n  " + address + " \nb", "<P class='c'> " + address + "\n</P>")) {
            assertThat(withItems(alone))
                    .contains("<a href=\"http://s.test/?p=7\">A 7</a>")
                    .contains(
                            " title=\"\u201cA 7\u201d \u2014 Site\" src=\"http://s.test/?p=7&amp;embed=true#?secret=");
        }
        for (String other : List.of(
                "see " + address,
                address + " b",
                "<a title='\n" + address + "\n'>a</a>",
                "<!--\n" + address + "\n-->")) {
            assertThat(withItems(other)).doesNotContain("iframe");
        }
    }

    /** What is looked up for one text is bounded, however many addresses it has. */
    @Test
    void framesAreFew() {
        assertThat(withItems("http://s.test/?p=7&a=1\n".repeat(200)).split("<iframe"))
                .hasSize(101);
    }

    @Test
    void notesStandOnceWhereTheirBlockIs() {
        assertThat(Rendering.content("<!-- wp:footnotes /-->\n<!-- wp:footnotes /-->", KnownItems.NONE, "<ol></ol>"))
                .isEqualTo("<ol></ol>\n");
    }

    private static String gallery(String raw) {
        return Rendering.named(Rendering.content(raw, GALLERY, ""), 5).strip();
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
    }

    @Test
    void aGalleryWithoutKnownPicturesIsNothingAndOthersCountOn() {
        assertThat(gallery("[gallery ids=\"9\"]")).isEmpty();
        assertThat(gallery("[gallery ids=\"\"]")).isEmpty();
        assertThat(gallery("[gallery ids=\"8\"]\n\n[gallery ids=\"8\"]")).contains("id='gallery-1'", "id='gallery-2'");
    }

    @ParameterizedTest
    @CsvSource({
        "itemtag=div icontag=SPAN captiontag=p, div, span, p",
        "itemtag=script icontag=* captiontag=\"\", dl, dt, dd",
        "itemtag=\"b onclick=x\" icontag=style captiontag=h2, dl, dt, h2",
    })
    void aGalleryIsMadeOfKnownElements(String tags, String item, String icon, String caption) {
        assertThat(gallery("[gallery ids=\"7\" " + tags + "]"))
                .contains("<" + item + " class='gallery-item'>", "<" + icon + " class='gallery-icon landscape'>")
                .contains("<" + caption + " class='wp-caption-text gallery-caption'")
                .contains("</" + icon + ">\n\t\t\t\t<", "</" + caption + "></" + item + ">");
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
                "[video mp4=\"/b.mp4\" width=\"320\" height=\"x\" poster=\"javascript:x\"]<track src=\"t.vtt\">[/video] | <div style=\"width: 320px;\" class=\"wp-video\"><video class=\"wp-video-shortcode\" id=\"video-9-1\" width=\"320\" preload=\"metadata\" controls=\"controls\"><source type=\"video/mp4\" src=\"/b.mp4?_=1\" /><track src=\"t.vtt\"><a href=\"/b.mp4\">/b.mp4</a></video></div>",
                "a [audio ogg=\"b.ogg?c\" mp3=\"b.mp3\" loop=\"on\" muted=\"false\" preload=\"x\"][/audio] | <p>a <audio class=\"wp-audio-shortcode\" id=\"audio-9-1\" loop style=\"width: 100%;\" controls=\"controls\"><source type=\"audio/mpeg\" src=\"http://b.mp3?_=1\" /><source type=\"audio/ogg\" src=\"http://b.ogg?c&#038;_=1\" /><a href=\"http://b.mp3\">http://b.mp3</a></audio></p>",
                "[audio src=\"/b.mp3\" class=\"my player\" style=\"width: 50%; color: red;\"] | <audio class=\"my player\" id=\"audio-9-1\" preload=\"none\" style=\"width: 50%; color: red;\" controls=\"controls\"><source type=\"audio/mpeg\" src=\"/b.mp3?_=1\" /><a href=\"/b.mp3\">/b.mp3</a></audio>",
                "[audio src=\"/b.mp3\" class='a&\"b' style='behavior:url(x);color:red'] | <audio class=\"a&amp;&quot;b\" id=\"audio-9-1\" preload=\"none\" style=\"color:red\" controls=\"controls\"><source type=\"audio/mpeg\" src=\"/b.mp3?_=1\" /><a href=\"/b.mp3\">/b.mp3</a></audio>",
                "[video src=\"/b.mp4\" class=\"k\" style=\"color:red\"] | <div style=\"width: 640px;\" class=\"wp-video\"><video class=\"k\" id=\"video-9-1\" width=\"640\" height=\"360\" preload=\"metadata\" controls=\"controls\"><source type=\"video/mp4\" src=\"/b.mp4?_=1\" /><a href=\"/b.mp4\">/b.mp4</a></video></div>",
                "[audio src=\"b.txt\"] [video src=\"javascript:x\"] | <p><a class=\"wp-embedded-audio\" href=\"http://b.txt\">b.txt</a> <a class=\"wp-embedded-video\" href=\"\">javascript:x</a></p>",
            })
    void soundsAndFilmsArePlayed(String raw, String rendered) {
        assertThat(Rendering.named(content(raw), 9)).isEqualTo(rendered + "\n");
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
        assertThat(excerpt("<!-- wp:group --><div>a</div><!-- /wp:group -->")).isEqualTo("<p>a</p>\n");
    }

    @Test
    void placeholdersOfOursCannotBeSmuggledIn() {
        assertThat(content("a \ufdd0script\ufdd1 b")).isEqualTo("<p>a script b</p>\n");
        assertThat(Rendering.title("a \ufdd0b")).isEqualTo("a b");
    }

    static List<String> repeatedPieces() {
        return List.of("""
                <␣<p␣<p>␣<p ␣</p>␣<pre>␣<div␣<br>␣<br> ␣ ␣ \n␣"␣'␣"1␣1x␣1.␣&␣&a␣<!--␣<!-- wp:a -->␣<script>␣<style␣<p><li␣<figcaption> ␣<blockquote>␣\
                 <option␣-␣<a title="␣<!--more␣<!-- wp:paragraph {␣<!-- wp:group --><p class="a">␣[[␣[caption width="1" caption="x"]␣[caption␣[caption <b>␣[caption a<␣\
                <p>[gallery]␣<img ␣<img src="a">␣<!--->␣<a b='␣<p style="color:red;␣<p =␣%%4141""".split("␣", -1));
    }

    @ParameterizedTest
    @MethodSource("repeatedPieces")
    void noTextTakesLongerThanItsLengthExplains(String piece) {
        int length = Boolean.getBoolean("full") ? 100_000 : 40_000;
        String text = piece.repeat(length / piece.length());

        CpuTime.assertWithin(Duration.ofNanos(30_000L * length), piece, () -> {
            Rendering.title(text);
            content(text);
            content("<!-- wp:paragraph -->" + text);
            Rendering.shortText(text, KnownItems.NONE);
            excerpt(text);
            Slugs.of(text);
            HtmlPolicy.cleanContent(text);
            SingleLine.of(text);
            BlockMarkup.stored(text);
        });
    }
}
