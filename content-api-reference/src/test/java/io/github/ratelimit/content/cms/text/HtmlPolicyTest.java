package io.github.ratelimit.content.cms.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.CpuTime;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Attribute;
import org.jsoup.nodes.Element;
import org.jsoup.parser.Parser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
    void otherCommentsHoldNothingThatEndsThem() {
        assertThat(HtmlPolicy.cleanContent("a<!-- note -->b<!--[if IE]><b>c</b><![endif]-->"))
                .isEqualTo("a<!-- note -->b<!--[if IE]&gt;<b>c</b>&lt;![endif]-->");
        assertThat(HtmlPolicy.cleanContent("a<!-- b -- c --->d<!-- never closed"))
                .isEqualTo("a<!-- b - c -->d&lt;!-- never closed");
        assertThat(HtmlPolicy.cleanContent("a<!-- <b>c</b> -->d")).isEqualTo("a&lt;!-- <b>c</b> --&gt;d");
        assertThat(HtmlPolicy.cleanContent("a<!-- b > c\n -->d")).isEqualTo("a<!-- b &gt;--> c\n --&gt;d");
        assertThat(HtmlPolicy.cleanContent("a<!---->b")).isEqualTo("ab");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "<p data-id=\"7\" data-wp-on--click=\"z\" data-x-y='y' aria-label=\"l\" role=note>a</p> | <p data-id=\"7\" data-x-y=\"y\" aria-label=\"l\" role=\"note\">a</p>",
                "<p DATA-a.b=\"7\" aria-made-up=\"l\" onclick=\"x\" lang=\"de\" dir=\"rtl\">a</p> | <p lang=\"de\" dir=\"rtl\">a</p>",
                "<P CLASS=\"x\">a</P> | <P class=\"x\">a</P>",
                "<br><br/><br /><hr class=\"a\"/> | <br><br /><br /><hr class=\"a\" />",
                "<video controls autoplay=\"\" src=\"a.mp4\" onplay=\"x\"></video> | <video controls autoplay=\"\" src=\"a.mp4\"></video>",
                "<details open><summary>s</summary></details> | <details open><summary>s</summary></details>",
                "<p style=\"color: red; position:fixed;behavior:url(x);margin-top:1em\">a</p> | <p style=\"color: red;position:fixed;margin-top:1em\">a</p>",
                "<p style=\"background:url(javascript:alert(1))\">a</p> | <p>a</p>",
                "<p style=\"background-image:url('https://a.test/b.png')\">a</p> | <p style=\"background-image:url(&apos;https://a.test/b.png&apos;)\">a</p>",
                "<p style=\"width:calc(100% - (2 * var(--gap)));width:expression(alert(1))\">a</p> | <p style=\"width:calc(100% - (2 * var(--gap)))\">a</p>",
                "<p style=\"background:linear-gradient(90deg,rgb(0,0,0) 0%,#fff 100%)\">a</p> | <p style=\"background:linear-gradient(90deg,rgb(0,0,0) 0%,#fff 100%)\">a</p>",
                "<a href=\"javascript:alert(1)\">x</a> | <a href=\"alert(1)\">x</a>",
                "<a href=\"java&Tab;script&colon;alert(1)\">x</a> | <a href=\"alert(1)\">x</a>",
                "<a href=\"HTTPS://a.test/?b=1&c=2\" rel=\"nofollow\">x</a> | <a href=\"https://a.test/?b=1&amp;c=2\" rel=\"nofollow\">x</a>",
                "<a href=\"mailto:a@b.test\" target=\"_blank\" ping=\"x\">x</a> | <a href=\"mailto:a@b.test\" target=\"_blank\">x</a>",
                "<img src=\"a.png\" alt='A \"b\"' loading=\"lazy\" srcset=\"x\" onerror=\"y\"/> | <img src=\"a.png\" alt=\"A &quot;b&quot;\" loading=\"lazy\" />",
                "a < b \"c\" | a &lt; b &quot;c&quot;",
                "a > b | a &gt; b",
                "1 <2> 3 | 1  3",
                "<form><input type=\"text\"><button name=\"b\">x</button></form> | <button name=\"b\">x</button>",
                "<center>a</center><blink>b</blink> | ab",
                "&copy; &#8212; &#x2014; & &bogus | &copy; &#8212; &#x2014; &amp; &amp;bogus",
                "&#39; &#0065; &#X0041; &check; &#0; &#xD800; &#99999999; | &#039; &#065; &#x41; &amp;check; &amp;#0; &amp;#xD800; &amp;#99999999;",
                // Values are read as browsers read them, and written in one way.
                "<a href='?a=1&b=2&copy;' title=a>b</a> | <a href=\"?a=1&amp;b=2©\" title=\"a\">b</a>",
                "<a title=\"a \"b\" c\">d</a> | <a title=\"a \">d</a>",
                "<a title=\"a\"href=\"b\"/class=c>d</a> | <a title=\"a\" href=\"b\" class=\"c\">d</a>",
                "<a title=\"a>b\">c</a> | <a>b\"&gt;c</a>",
                "<a href=\\\"b\\\">c</a> | <a href=\"b\">c</a>",
                "<time datetime=\"2024\">a</time><wbr><meter value=\"1\" max=\"2\"></meter> | <time datetime=\"2024\">a</time><wbr><meter value=\"1\" max=\"2\"></meter>",
                "<p style=\"display:none;opacity:0.5;grid-row:1\">a</p> | <p style=\"display:none;opacity:0.5;grid-row:1\">a</p>",
            })
    void keepsWhatIsListed(String sent, String kept) {
        assertThat(HtmlPolicy.cleanContent(sent)).isEqualTo(kept);
        assertThat(HtmlPolicy.cleanContent(kept)).isEqualTo(kept);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<a href=\"http://a.test\" class=\"c\">l</a> <p>p</p> | <a href=\"http://a.test\">l</a> p",
                "<b id=\"x\">B</b> <span>s</span> <q cite=\"http://a.test\">q</q> | <b>B</b> s <q cite=\"http://a.test\">q</q>",
                "A & B <!-- c --> | A &amp; B <!-- c -->",
            })
    void titlesKeepLess(String sent, String kept) {
        assertThat(HtmlPolicy.cleanTitle(sent)).isEqualTo(kept);
    }

    /** Pieces of which a browser could make something, put together at random. */
    @Property(tries = 2000)
    void parsersFindOnlyWhatIsListed(@ForAll("markup") String sent) {
        for (String clean : List.of(HtmlPolicy.cleanContent(sent), HtmlPolicy.cleanTitle(sent))) {
            assertThat(clean).doesNotContain("\0");
            for (Element element : Jsoup.parseBodyFragment(clean).body().select("*")) {
                String name = element.normalName();
                // A parser adds what a table needs.
                assertThat(AllowedTags.CONTENT.allows(name) || name.equals("body"))
                        .as(name + " in " + clean)
                        .isTrue();
                for (Attribute attribute : element.attributes()) {
                    assertThat(AllowedTags.CONTENT.allows(name, attribute.getKey()))
                            .as(name + " " + attribute.getKey() + " in " + clean)
                            .isTrue();
                    assertThat(attribute
                                    .getValue()
                                    .replaceAll("[\\s\\p{Cntrl}]", "")
                                    .toLowerCase(Locale.ROOT))
                            .as(clean)
                            .doesNotStartWith("javascript:")
                            .doesNotStartWith("data:");
                }
            }
        }
    }

    /**
     * A grammar in which no browser can find another tag than this test: brackets are nowhere but around tags and comments,
     * a value holds neither a bracket nor its own quote, a comment ends at its first end, and no element among the allowed
     * ones makes a browser read its insides otherwise.
     */
    private static final Pattern KEPT = Pattern.compile("(?:[^<>]++"
            + "|</(?<closed>[a-zA-Z0-9]++)>"
            + "|<(?<opened>[a-zA-Z0-9]++)(?<list>(?: [-_a-zA-Z0-9:.]++(?:=\"[^\"<>]*+\"|='[^'<>]*+')?+)*+)(?: /)?+>"
            + "|<!--(?!-?>)(?<comment>(?:[^-]|-(?!-))*+)-->)");

    private static final Pattern KEPT_ATTRIBUTE = Pattern.compile(" ([-_a-zA-Z0-9:.]++)(?:=(\"[^\"]*+\"|'[^']*+'))?+");

    private static final Set<String> INSIDES_READ_OTHERWISE = Set.of(
            "script",
            "style",
            "textarea",
            "title",
            "xmp",
            "iframe",
            "noembed",
            "noframes",
            "noscript",
            "plaintext",
            "template",
            "svg",
            "math",
            "select",
            "frameset",
            "form",
            "input",
            "object",
            "embed",
            "base",
            "link",
            "meta");

    private static final Set<String> SCHEMES = Set.of(
            "http", "https", "ftp", "ftps", "mailto", "news", "irc", "irc6", "ircs", "gopher", "nntp", "feed", "telnet",
            "mms", "rtsp", "sms", "svn", "tel", "fax", "xmpp", "webcal", "urn");

    @Property(tries = 5_000)
    void noBrowserCanFindWhatIsNotListed(@ForAll("attacks") String sent) {
        String clean = HtmlPolicy.cleanContent(sent);
        requireKept(clean, sent);
        requireKept(HtmlPolicy.cleanTitle(sent), sent);

        for (String html : List.of(
                clean,
                Rendering.content(clean, KnownImages.NONE),
                Rendering.excerpt("", clean, KnownImages.NONE),
                Rendering.title(clean))) {
            for (Element element : Jsoup.parseBodyFragment(html).body().select("*")) {
                assertThat(INSIDES_READ_OTHERWISE)
                        .as(html + " of " + sent)
                        .doesNotContain(element.normalName().replace("body", ""));
                for (Attribute attribute : element.attributes()) {
                    requireHarmless(attribute.getKey(), attribute.getValue(), html + " of " + sent);
                }
            }
        }
    }

    private static void requireKept(String clean, String sent) {
        Matcher piece = KEPT.matcher(clean);
        int at = 0;
        while (at < clean.length()) {
            assertThat(piece.region(at, clean.length()).lookingAt())
                    .as("at " + at + " of " + clean + " of " + sent)
                    .isTrue();
            for (String name : Arrays.asList(piece.group("opened"), piece.group("closed"))) {
                if (name != null) {
                    assertThat(INSIDES_READ_OTHERWISE).doesNotContain(name.toLowerCase(Locale.ROOT));
                    assertThat(AllowedTags.CONTENT.allows(name.toLowerCase(Locale.ROOT)))
                            .as(clean)
                            .isTrue();
                }
            }
            if (piece.group("opened") != null) {
                Matcher attribute = KEPT_ATTRIBUTE.matcher(piece.group("list"));
                while (attribute.find()) {
                    String value = attribute.group(2) == null ? "\"\"" : attribute.group(2);
                    requireHarmless(
                            attribute.group(1),
                            Parser.unescapeEntities(value.substring(1, value.length() - 1), true),
                            clean + " of " + sent);
                }
            }
            at = piece.end();
        }
    }

    private static void requireHarmless(String name, String value, String as) {
        String lower = name.toLowerCase(Locale.ROOT);
        assertThat(lower)
                .as(as)
                .doesNotStartWith("on")
                .doesNotStartWith("xlink")
                .doesNotStartWith("data-wp-")
                .isNotIn("srcset", "srcdoc", "formaction", "form", "action", "ping", "background", "download");
        if (AllowedTags.isAddress(lower)) {
            // As a browser reads an address: space and control characters around it and line breaks in it do not count.
            String address = value.replaceAll("[\\t\\n\\r]", "").replaceAll("^[\\x00-\\x20]+", "");
            Matcher scheme = Pattern.compile("([a-zA-Z][a-zA-Z0-9+.-]*):(.*)", Pattern.DOTALL)
                    .matcher(address);
            while (scheme.lookingAt()) {
                String found = scheme.group(1).toLowerCase(Locale.ROOT);
                assertThat(SCHEMES).as(as).contains(found);
                if (!found.equals("feed")) {
                    break;
                }
                scheme.reset(scheme.group(2));
            }
        }
        if (lower.equals("style")) {
            assertThat(value.toLowerCase(Locale.ROOT))
                    .as(as)
                    .doesNotContain("expression(")
                    .doesNotContain("behavior")
                    .doesNotContain("-moz-binding")
                    .doesNotContain("@import")
                    .doesNotContainPattern("url\\(\\s*[\"']?\\s*(?:javascript|data|vbscript)\\s*:");
        }
    }

    @Provide
    Arbitrary<String> attacks() {
        Arbitrary<String> pieces = Arbitraries.of(
                "<",
                ">",
                "</",
                "/>",
                "<!--",
                "-->",
                "--!>",
                "--",
                "-",
                "<!",
                "<?",
                "]]>",
                "<![CDATA[",
                "<!-->",
                "<!--->",
                "<p ",
                "<a href=",
                "<A\tHREF=",
                "<a\nhref = ",
                "<a/href=",
                "<img src=",
                "<IMG\fSRC=",
                "<script>",
                "</script>",
                "<script/x>",
                "<svg ",
                "<svg><style>",
                "<style>",
                "</style>",
                "<textarea>",
                "</textarea>",
                "<title>",
                "</title>",
                "<noscript>",
                "</noscript>",
                "<template>",
                "<math><mtext>",
                "<mglyph>",
                "<xmp>",
                "<iframe srcdoc=",
                "<form id=",
                "<select>",
                "<option>",
                "<b>",
                "</b>",
                "<B ",
                "<table><tr>",
                "<td ",
                "<plaintext>",
                "<object data=",
                "<details open ontoggle=",
                "<video poster=",
                "<q cite=",
                "<button ",
                "javascript:alert(1)",
                "JaVaScRiPt:",
                "java\tscript:",
                "java\nscript&colon;",
                "&#106;avascript&colon;",
                "&#x6A;avascript&#58",
                "&#0000106avascript:",
                "\u0001javascript:",
                "&#1;javascript:",
                "&Tab;",
                "&NewLine;",
                "&colon;",
                "&#x3a",
                "&sol;",
                "&quest;",
                "/?",
                "feed:",
                "feed:javascript:",
                "http:",
                "vbscript:",
                "data:text/html,",
                "\"",
                "'",
                "`",
                " ",
                "\t",
                "\n",
                "\f",
                "\u000b",
                "=",
                "/",
                "onerror=",
                " onload=",
                " style=",
                "style=\"",
                "color:red;",
                "background:url(",
                "--x:url(",
                "width:expression(",
                "-moz-binding:url(",
                "behavior:url(",
                "linear-gradient(",
                "calc(",
                "@import",
                "\\",
                "\\65 xpression(",
                "/*",
                "*/",
                "(",
                ")",
                "{",
                "}",
                ";",
                "class=x",
                " id=",
                " name=body ",
                " srcset=",
                " xlink:href=",
                " formaction=",
                " data-wp-on=",
                " data-x-",
                " hidden",
                " download=",
                "\0",
                "&",
                "&lt;",
                "&gt;",
                "&quot;",
                "&#39;",
                "&#60;",
                "&#60",
                "&amp;#60;",
                "&lt",
                "x",
                "[caption]",
                "[audio src=",
                "[video poster=",
                " style=",
                ".mp4",
                "\n",
                "[gallery ids=",
                "[embed]",
                "http://a.test/?x",
                "<!-- wp:a {\"b\":\"",
                "\"} -->",
                "<!-- wp:a -->",
                "<!-- /wp:a -->",
                "<!--more-->",
                "<!--nextpage-->",
                "\ufdd0",
                "\ufdd1",
                "\ufdd7" + "0\ufdd7",
                "\u212a",
                "\u017f",
                "\uff1c",
                ":)",
                "\n\n");
        return pieces.list().ofMinSize(1).ofMaxSize(18).map(found -> String.join("", found));
    }

    @Test
    void aTagHasAtMostAHundredAttributes() {
        String clean = HtmlPolicy.cleanContent("<p" + " data-a=1".repeat(99) + " id=in class=out>x</p>");

        assertThat(clean).isEqualTo("<p data-a=\"1\" id=\"in\">x</p>");
    }

    /** Texts as such are in {@link RenderingTest}; these are inside a tag. Squares of such lengths take minutes. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u0301",
                "url(",
                "calc(",
                "a:url(x);",
                ";",
                "linear-gradient(",
                "&#0",
                "a:",
                "feed:",
                " a",
                " a=",
                " a='x'"
            })
    void attributesTakeTimeInProportion(String repeated) {
        String text = repeated.repeat(300_000 / repeated.length());

        CpuTime.assertWithin(Duration.ofSeconds(5), repeated, () -> {
            HtmlPolicy.cleanContent("<p style=\"background:" + text + "\">");
            HtmlPolicy.cleanContent("<a href=\"" + text + "\">");
            HtmlPolicy.cleanContent("<p " + text + ">");
        });
    }

    @Provide
    Arbitrary<String> markup() {
        return Arbitraries.of(
                        "<",
                        ">",
                        "</",
                        "/>",
                        "<!--",
                        "-->",
                        "--!>",
                        "<p ",
                        "<a href=",
                        "<img src=",
                        "<script>",
                        "</script>",
                        "<svg ",
                        "<style>",
                        "</style>",
                        "<textarea>",
                        "<title>",
                        "<b>",
                        "</b>",
                        "<table><tr>",
                        "javascript:alert(1)",
                        "java\tscript:",
                        "&#106;avascript&colon;",
                        "data:text/html,",
                        "\"",
                        "'",
                        "`",
                        " ",
                        "=",
                        "onerror=",
                        "style=",
                        "color:red;",
                        "url(",
                        ")",
                        "class=x",
                        "\n",
                        "\0",
                        "&",
                        "&lt;",
                        "&gt;",
                        "&quot;",
                        "x",
                        "[caption]",
                        "<!-- wp:a {\"b\":\"",
                        "\"} -->",
                        "<math><mi>",
                        "<noscript>",
                        "\ufdd0")
                .list()
                .ofMinSize(1)
                .ofMaxSize(14)
                .map(pieces -> String.join("", pieces));
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
                "<base href=\"javascript:/\"><meta http-equiv=refresh content=\"0;url=javascript:alert(1)\">",
                "\ufdd0script\ufdd1alert(1)\ufdd0/script\ufdd1",
                "<script\n>alert(1)</script\n>",
            })
    void nothingThatRunsIsLeft(String attack) {
        for (String clean : new String[] {
            HtmlPolicy.cleanContent(attack),
            HtmlPolicy.cleanTitle(attack),
            Rendering.content(HtmlPolicy.cleanContent(attack), KnownImages.NONE),
            Rendering.excerpt("", HtmlPolicy.cleanContent(attack), KnownImages.NONE),
            Rendering.title(HtmlPolicy.cleanTitle(attack))
        }) {
            int end;
            for (int at = 0; at < clean.length(); at = end) {
                end = Markup.pieceEnd(clean, at);
                if (clean.charAt(at) == '<') {
                    String tag =
                            clean.substring(at, end).toLowerCase(Locale.ROOT).replaceAll("&#?\\w+;", "");
                    assertThat(tag)
                            .doesNotStartWith("<script")
                            .doesNotStartWith("<iframe")
                            .doesNotStartWith("<svg")
                            .doesNotStartWith("<style")
                            .doesNotStartWith("<object")
                            .doesNotStartWith("<form")
                            .doesNotStartWith("<base")
                            .doesNotStartWith("<meta")
                            .doesNotContainPattern("\\s(on\\w+|style|srcdoc)\\s*=(?=[^\"]*(\"[^\"]*\"[^\"]*)*>)")
                            .doesNotContain("href=\"javascript")
                            .doesNotContain("href=\"data");
                }
            }
        }
    }
}
