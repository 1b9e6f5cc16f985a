package io.github.ratelimit.content.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rule: BEHAVIOUR section 5, callers without the right to raw HTML. */
class HtmlPolicyTest {
    @Test
    void scriptsEventsAndFramesGoAwayAndTheirTextStays() {
        assertThat(HtmlPolicy.cleanContent(
                        "<p onclick=\"x()\">Hi</p><script>alert(1)</script><iframe src=\"http://x.test\"></iframe>"))
                .isEqualTo("<p>Hi</p>alert(1)");
    }

    @Test
    void plainTextStaysAsItWasTyped() {
        String text = "It's \"five\" o'clock = 5 + 0 @ noon {{x}} `code`\n\nÄ日\uD83D\uDE00";

        assertThat(HtmlPolicy.cleanContent(text)).isEqualTo(text);
        assertThat(HtmlPolicy.cleanContent(text + "<p>a</p>")).isEqualTo(text + "<p>a</p>");
        assertThat(HtmlPolicy.cleanTitle(text)).isEqualTo(text);
        assertThat(HtmlPolicy.cleanContent("Fish & Chips")).isEqualTo("Fish &amp; Chips");
        assertThat(HtmlPolicy.cleanContent("Fish &amp; Chips")).isEqualTo("Fish &amp; Chips");
    }

    @Test
    void usualMarkupStays() {
        String html =
                "<h2 class=\"wp-block-heading\" id=\"top\">Head</h2>\n<p>A <a href=\"https://a.test/?b=1&amp;c=2\""
                        + " target=\"_blank\" rel=\"noopener noreferrer\">link</a>, <strong>bold</strong><br />\n"
                        + "<img src=\"/a.jpg\" alt=\"A\" width=\"10\" height=\"20\" /></p>\n"
                        + "<ul><li>One</li><li>Two</li></ul><table><tbody><tr><td colspan=\"2\">x</td></tr></tbody></table>";

        assertThat(HtmlPolicy.cleanContent(html)).isEqualTo(html);
    }

    @Test
    void blockCommentsStayWhereTheyAreText() {
        String blocks = """
                <!-- wp:heading {"level":3} -->
                <h3 class="wp-block-heading">Head</h3>
                <!-- /wp:heading -->

                <!-- wp:list -->
                <ul class="wp-block-list"><!-- wp:list-item -->
                <li>One</li>
                <!-- /wp:list-item --></ul>
                <!-- /wp:list -->
                <!--more-->""";

        assertThat(HtmlPolicy.cleanContent(blocks)).isEqualTo(blocks);
    }

    @Test
    void otherCommentsGoAway() {
        assertThat(HtmlPolicy.cleanContent("a<!-- note -->b<!--[if IE]><b>c</b><![endif]-->"))
                .isEqualTo("ab");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<a title=\"<!-- wp:x {&quot;a&quot;:1} -->\">t</a>",
                "<a title='<!-- wp:paragraph -->\" onmouseover=alert(1) x='>t</a>",
                "<a title=\"<!-- wp:paragraph --> onload=alert(1)\">t</a>",
                "<!-- wp:x {\"a\":\"--><script>alert(1)</script>\"} -->",
                "<!-- wp:x {\"a\":\"--!><script>alert(1)</script>\"} -->",
                "<!-- wp:x --!><script>alert(1)</script>-->",
                "<p \ufdd70\ufdd7><!--more--></p>",
                "<a href=\"javascript:alert(1)\">x</a>",
                "<a href=\"java&#115;cript:alert(1)\">x</a>",
                "<a href=\" &#14; javascript:alert(1)\">x</a>",
                "<a href=\"data:text/html,<script>alert(1)</script>\">x</a>",
                "<img src=x onerror=alert(1)>",
                "<img src=\"x` `<script>alert(1)</script>\"` `>",
                "<svg><script>alert(1)</script></svg>",
                "<svg onload=alert(1)>",
                "<math><mi xlink:href=\"javascript:alert(1)\">x</mi></math>",
                "<style>@import 'javascript:alert(1)';</style>",
                "<p style=\"background:url(javascript:alert(1))\">x</p>",
                "<iframe srcdoc=\"<script>alert(1)</script>\"></iframe>",
                "<object data=\"javascript:alert(1)\"></object>",
                "<form action=\"javascript:alert(1)\"><button>x</button></form>",
                "<<script>alert(1)//<</script>",
                "<scr<script>ipt>alert(1)</scr</script>ipt>",
                "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
                "<textarea></textarea><script>alert(1)</script>",
                "<xmp><script>alert(1)</script></xmp>",
                "<plaintext><script>alert(1)</script>",
                "<div data-wp-bind--onclick=\"x\" data-wp-init=\"y\">z</div>",
                "<base href=\"javascript:/\"><meta http-equiv=refresh content=\"0;url=javascript:alert(1)\">",
                "\ufdd0script\ufdd1alert(1)\ufdd0/script\ufdd1",
                "<script\n>alert(1)</script\n>",
            })
    void nothingThatRunsIsLeft(String attack) {
        for (String clean : new String[] {
            HtmlPolicy.cleanContent(attack),
            HtmlPolicy.cleanTitle(attack),
            Rendering.content(HtmlPolicy.cleanContent(attack)),
            Rendering.excerpt("", HtmlPolicy.cleanContent(attack)),
            Rendering.title(HtmlPolicy.cleanTitle(attack))
        }) {
            for (String token : Markup.tokens(clean)) {
                if (Markup.isTag(token)) {
                    String tag = token.toLowerCase(Locale.ROOT).replaceAll("&#?\\w+;", "");
                    assertThat(tag)
                            .doesNotStartWith("<script")
                            .doesNotStartWith("<iframe")
                            .doesNotStartWith("<svg")
                            .doesNotStartWith("<style")
                            .doesNotStartWith("<object")
                            .doesNotStartWith("<form")
                            .doesNotStartWith("<base")
                            .doesNotStartWith("<meta")
                            .doesNotContainPattern(
                                    "\\s(on\\w+|style|srcdoc|data-[\\w-]+)\\s*=(?=[^\"]*(\"[^\"]*\"[^\"]*)*>)")
                            .doesNotContain("href=\"javascript")
                            .doesNotContain("href=\"data");
                }
            }
        }
    }
}
