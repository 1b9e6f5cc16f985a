package io.github.ratelimit.content.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rule: BEHAVIOUR section 4, {@code title.rendered}, {@code content.rendered} and excerpts. */
class RenderingTest {
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
                "5 < 6 \"so\" | 5 < 6 &#8220;so&#8221;",
            })
    void titleHasTypographicMarks(String raw, String rendered) {
        assertThat(Rendering.title(raw)).isEqualTo(rendered);
    }

    @Test
    void blankLinesPartParagraphs() {
        String raw = "Plain text, first paragraph.\n\nSecond paragraph of \"quoted\" text -- with dashes...";

        assertThat(Rendering.content(raw)).isEqualTo("""
                <p>Plain text, first paragraph.</p>
                <p>Second paragraph of &#8220;quoted&#8221; text &#8212; with dashes&#8230;</p>
                """);
    }

    @Test
    void singleLineBreaksBecomeBreaks() {
        assertThat(Rendering.content("one\ntwo\r\nthree\n\n\n\nfour"))
                .isEqualTo("<p>one<br />\ntwo<br />\nthree</p>\n<p>four</p>\n");
        assertThat(Rendering.content("one<br>\ntwo")).isEqualTo("<p>one<br />\ntwo</p>\n");
        assertThat(Rendering.content("one<br><br/>two")).isEqualTo("<p>one</p>\n<p>two</p>\n");
    }

    @Test
    void nothingStaysNothing() {
        assertThat(Rendering.content("")).isEmpty();
        assertThat(Rendering.content(" \n\n ")).isEmpty();
    }

    @Test
    void htmlIsNoPartOfParagraphs() {
        assertThat(Rendering.content("<p>All.</p>")).isEqualTo("<p>All.</p>\n");
        assertThat(Rendering.content("<p>Hi</p>alert(1)")).isEqualTo("<p>Hi</p>\n<p>alert(1)</p>\n");
        assertThat(Rendering.content("<p>Before.</p>\n<!--more-->\n<p>After.</p>"))
                .isEqualTo("""
                <p>Before.</p>
                <p><!--more--></p>
                <p>After.</p>
                """);
        assertThat(Rendering.content("<ul>\n<li>One</li>\n<li>Two</li>\n</ul>"))
                .isEqualTo("<ul>\n<li>One</li>\n<li>Two</li>\n</ul>\n");
        assertThat(Rendering.content("Text\n<h2>Head</h2>\nmore"))
                .isEqualTo("<p>Text</p>\n<h2>Head</h2>\n<p>more</p>\n");
        assertThat(Rendering.content("<div>inside</div>")).isEqualTo("<div>inside</div>\n");
        assertThat(Rendering.content("a\n\n<hr>\n\nb")).isEqualTo("<p>a</p>\n<hr>\n<p>b</p>\n");
        assertThat(Rendering.content("<blockquote>Said</blockquote>"))
                .isEqualTo("<blockquote><p>Said</p></blockquote>\n");
    }

    @Test
    void preformattedTextStaysAsItIs() {
        assertThat(Rendering.content("Before\n\n<pre>one\n\n  \"two\"</pre>\n\nAfter"))
                .isEqualTo("<p>Before</p>\n<pre>one\n\n  \"two\"</pre>\n<p>After</p>\n");
        assertThat(Rendering.content("<script>\nvar a = 1;\n\nvar b;\n</script>"))
                .contains("var a = 1;")
                .doesNotContain("<br");
    }

    @Test
    void blocksLoseTheirCommentsAndKeepTheirSpace() {
        assertThat(Rendering.content("""
                        <!-- wp:paragraph -->
                        <p>Alpha is <strong>first</strong>.</p>
                        <!-- /wp:paragraph -->""")).isEqualTo("""

                        <p class="wp-block-paragraph">Alpha is <strong>first</strong>.</p>
                        """);
        assertThat(Rendering.content("""
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
        assertThat(Rendering.content("""
                        <!-- wp:paragraph {"align":"center"} -->
                        <p class="has-text-align-center">C</p>
                        <!-- /wp:paragraph -->""")).isEqualTo("""

                        <p class="has-text-align-center wp-block-paragraph">C</p>
                        """);
    }

    @Test
    void blockVersionTellsBlocksFromText() {
        assertThat(Rendering.blockVersion("<!-- wp:paragraph --><p>a</p><!-- /wp:paragraph -->"))
                .isEqualTo(1);
        assertThat(Rendering.blockVersion("<p>a</p><!--more-->")).isZero();
    }

    @Test
    void excerptIsTheFirstFiftyFiveWords() {
        String words = IntStream.rangeClosed(1, 60).mapToObj(word -> "w" + word).collect(Collectors.joining(" "));
        String first = IntStream.rangeClosed(1, 55).mapToObj(word -> "w" + word).collect(Collectors.joining(" "));

        assertThat(Rendering.excerpt("", "<p>" + words + "</p>")).isEqualTo("<p>" + first + " [&hellip;]</p>\n");
        assertThat(Rendering.excerpt("", "<p>one two three</p>", 2)).isEqualTo("<p>one two [&hellip;]</p>\n");
        assertThat(Rendering.excerpt("", "<p>one two</p>", 2)).isEqualTo("<p>one two</p>\n");
    }

    @Test
    void writtenExcerptStaysWhole() {
        assertThat(Rendering.excerpt("The \"first\".", "<p>Content</p>", 1))
                .isEqualTo("<p>The &#8220;first&#8221;.</p>\n");
    }

    @Test
    void excerptEndsAtTheMarkForIt() {
        assertThat(Rendering.excerpt("", "<p>Before the break.</p>\n<!--more-->\n<p>After.</p>"))
                .isEqualTo("<p>Before the break.</p>\n");
        assertThat(Rendering.excerpt("", """
                        <!-- wp:paragraph --><p>B</p><!-- /wp:paragraph -->
                        <!-- wp:more -->
                        <!--more-->
                        <!-- /wp:more -->
                        <!-- wp:paragraph --><p>A</p><!-- /wp:paragraph -->""")).isEqualTo("<p>B</p>\n");
    }

    @Test
    void excerptJoinsParagraphsAndKeepsMarks() {
        assertThat(Rendering.excerpt("", "First.\n\nSecond \"quoted\" -- text... <script>no()</script>"))
                .isEqualTo("<p>First. Second &#8220;quoted&#8221; &#8212; text&#8230;</p>\n");
    }

    @Test
    void excerptOfBlocksHoldsTextBlocksOnly() {
        assertThat(Rendering.excerpt("", """
                        <!-- wp:heading -->
                        <h2>Head</h2>
                        <!-- /wp:heading -->

                        <!-- wp:list -->
                        <ul><!-- wp:list-item -->
                        <li>One</li>
                        <!-- /wp:list-item --></ul>
                        <!-- /wp:list -->""")).isEqualTo("<p>Head</p>\n");
        assertThat(Rendering.excerpt("", """
                        <!-- wp:group --><div><!-- wp:paragraph --><p>In</p><!-- /wp:paragraph -->
                        <!-- wp:image --><figure>No</figure><!-- /wp:image --></div><!-- /wp:group -->""")).isEqualTo("<p>In</p>\n");
    }

    @Test
    void emptyExcerptOfNothingIsNothing() {
        assertThat(Rendering.excerpt("", "")).isEmpty();
    }

    @Test
    void placeholdersOfOursCannotBeSmuggledIn() {
        assertThat(Rendering.content("a \ufdd0script\ufdd1 b")).isEqualTo("<p>a script b</p>\n");
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
                "<p class='"
            })
    void noTextTakesLongerThanItsLengthExplains(String piece) {
        String text = piece.repeat(80_000 / piece.length());

        assertTimeoutPreemptively(Duration.ofSeconds(3), () -> {
            Rendering.title(text);
            Rendering.content(text);
            Rendering.content("<!-- wp:paragraph -->" + text);
            Rendering.excerpt("", text);
            Rendering.excerpt("", "<!-- wp:paragraph -->" + text);
            Slugs.of(text);
            HtmlPolicy.cleanTitle(text);
        });
    }
}
