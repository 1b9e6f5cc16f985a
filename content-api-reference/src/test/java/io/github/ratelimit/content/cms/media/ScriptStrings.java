package io.github.ratelimit.content.cms.media;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Attribute;
import org.jsoup.nodes.Element;

/** Texts that run a script where they are shown carelessly, and the check that a page shows none that runs. */
final class ScriptStrings {

    private static final Set<String> ACTIVE = Set.of(
            "script",
            "iframe",
            "object",
            "embed",
            "form",
            "base",
            "link",
            "meta",
            "style",
            "svg",
            "math",
            "applet",
            "frame",
            "frameset",
            "input",
            "textarea",
            "select",
            "template",
            "noscript",
            "xml",
            "animate",
            "set");

    private static final List<String> CALLS = List.of(
            "alert(1)",
            "alert`1`",
            "top['al'+'ert'](1)",
            "eval(atob('YWxlcnQoMSk='))",
            "prompt(document.domain)",
            "confirm(2)");

    private static final List<String> SHAPES = List.of(
            "<script>%s</script>",
            "<SCRIPT SRC=//evil.test/x.js>%s</SCRIPT>",
            "<scr<script>ipt>%s</scr</script>ipt>",
            "<script\t>%s</script >",
            "<script/xss>%s</script>",
            "\"><script>%s</script>",
            "'><script>%s</script>",
            "</title><script>%s</script>",
            "</textarea><script>%s</script>",
            "--><script>%s</script>",
            "]]><script>%s</script>",
            "<img src=x onerror=%s>",
            "<img src=x onerror=\"%s\">",
            "<img/src=x/onerror=%s>",
            "<IMG SRC=x OnErRoR=%s>",
            "<img src=\"x\" \nonerror\n=\n'%s'>",
            "<img src=`x`onerror=%s>",
            "<img src=javascript:%s>",
            "<img src=\"jav&#x09;ascript:%s\">",
            "<img src=\"jav\nascript:%s\">",
            "<img src='&#106;avascript:%s'>",
            "<img srcset='x 1x' onload=%s>",
            "<svg onload=%s>",
            "<svg/onload=%s>",
            "<svg><script>%s</script></svg>",
            "<svg><animate onbegin=%s attributeName=x dur=1s>",
            "<svg><a xlink:href=\"javascript:%s\"><text>x</text></a></svg>",
            "<math><mi xlink:href=\"javascript:%s\">x</mi></math>",
            "<body onload=%s>",
            "<iframe src=\"javascript:%s\"></iframe>",
            "<iframe srcdoc=\"<script>%s</script>\"></iframe>",
            "<object data=\"javascript:%s\"></object>",
            "<embed src=\"javascript:%s\">",
            "<a href=\"javascript:%s\">x</a>",
            "<a href=\"JaVaScRiPt:%s\">x</a>",
            "<a href=\" javascript:%s\">x</a>",
            "<a href=\"\u0001javascript:%s\">x</a>",
            "<a href=\"java\tscript:%s\">x</a>",
            "<a href=\"data:text/html,<script>%s</script>\">x</a>",
            "<a href=\"vbscript:%s\">x</a>",
            "<a href='x' onclick='%s'>x</a>",
            "<a href=x onmouseover=%s style=position:fixed;inset:0>x</a>",
            "<div style=\"background:url(javascript:%s)\">x</div>",
            "<div style=\"width:expression(%s)\">x</div>",
            "<p onpointerenter=%s>x</p>",
            "<details open ontoggle=%s>x</details>",
            "<video><source onerror=%s></video>",
            "<audio src=x onerror=%s>",
            "<video poster=javascript:%s></video>",
            "<input autofocus onfocus=%s>",
            "<select onfocus=%s autofocus>",
            "<textarea onfocus=%s autofocus>",
            "<keygen onfocus=%s autofocus>",
            "<marquee onstart=%s>x</marquee>",
            "<form action=\"javascript:%s\"><input type=submit></form>",
            "<button formaction=\"javascript:%s\">x</button>",
            "<isindex action=javascript:%s type=image>",
            "<base href=\"javascript:%s//\">",
            "<link rel=stylesheet href=\"javascript:%s\">",
            "<meta http-equiv=refresh content=\"0;url=javascript:%s\">",
            "<style>@import 'javascript:%s';</style>",
            "<style>*{x:expression(%s)}</style>",
            "<table background=\"javascript:%s\"><tr><td>x</table>",
            "<!--<img src=\"--><img src=x onerror=%s//\">",
            "<![CDATA[<script>%s</script>]]>",
            "<?xml version=\"1.0\"?><script>%s</script>",
            "<noscript><p title=\"</noscript><img src=x onerror=%s>\">",
            "<template><script>%s</script></template>",
            "<p data-wp-bind--onclick=\"%s\">x</p>",
            "<p data-wp-on--click=\"%s\">x</p>",
            "<x onclick=%s>x</x>",
            "<a href=\"https://ok.test\" ping=\"javascript:%s\">x</a>",
            "&lt;script&gt;%s&lt;/script&gt;",
            "&#60;script&#62;%s&#60;/script&#62;",
            "\\u003cscript\\u003e%s\\u003c/script\\u003e",
            "%%3Cscript%%3E%s%%3C/script%%3E",
            "+ADw-script+AD4-%s+ADw-/script+AD4-",
            "<scr\0ipt>%s</scr\0ipt>",
            "<<script>%s//<</script>",
            "<script>%s//",
            "<ScRiPt\n>%s</sCrIpT\n>",
            "\u2028<script>%s</script>",
            "<xss style=\"behavior:url(x.htc)\" onclick=%s>",
            "<b onmouseover=%s>bold</b>",
            "<em\u000conclick=%s>x</em>",
            "<strong/onclick=%s/>x</strong>",
            "<figure><img src=x onerror=%s></figure>",
            "<!-- wp:html --><script>%s</script><!-- /wp:html -->",
            "[caption]<img src=x onerror=%s>[/caption]",
            "[embed]javascript:%s[/embed]",
            "<a href=\"//evil.test\" target=_blank onclick=%s>",
            "<img src=\"x:x\" onerror=\"%s\" alt=\"<img src=x>\">",
            "<img alt=\"`><script>%s</script>\">",
            "<p title='><script>%s</script>'>x",
            "<math><style><!--</style><img title=\"--&gt;&lt;img src=x onerror=%s&gt;\">",
            "<svg></p><style><a id=\"</style><img src=x onerror=%s>\">",
            "<form><math><mtext></form><form><mglyph><style></math><img src=x onerror=%s>",
            "javascript:%s",
            "<a href=&#x6A&#x61vascript:%s>x</a>");

    private ScriptStrings() {}

    /** Returns at least 500 of them, all different. */
    static List<String> all() {
        List<String> strings = new ArrayList<>();
        for (String call : CALLS) {
            for (String shape : SHAPES) {
                // A JSON text cannot carry a NUL to this server; it is refused on the way.
                strings.add(shape.formatted(call).replace("\0", "\ufffd"));
            }
        }
        return strings;
    }

    /** Fails if a piece of HTML would run something, or load something that could. */
    static void assertHarmless(String where, String html, Set<String> expectedActive) {
        for (Element element : Jsoup.parse(html).getAllElements()) {
            String name = element.normalName();
            if (!expectedActive.contains(name)) {
                assertThat(ACTIVE).as("%s: %s", where, element).doesNotContain(name);
            }
            for (Attribute attribute : element.attributes()) {
                String key = attribute.getKey().toLowerCase(Locale.ROOT);
                String value =
                        attribute.getValue().replaceAll("[\\s\\p{Cntrl}]", "").toLowerCase(Locale.ROOT);
                assertThat(key)
                        .as("%s: %s", where, element)
                        .doesNotStartWith("on")
                        .doesNotStartWith("data-wp-");
                if (Set.of(
                                "href",
                                "src",
                                "srcset",
                                "action",
                                "formaction",
                                "data",
                                "poster",
                                "background",
                                "xlink:href",
                                "ping")
                        .contains(key)) {
                    assertThat(value)
                            .as("%s: %s", where, element)
                            .doesNotStartWith("javascript:")
                            .doesNotStartWith("vbscript:")
                            .doesNotStartWith("data:");
                }
            }
        }
    }
}
