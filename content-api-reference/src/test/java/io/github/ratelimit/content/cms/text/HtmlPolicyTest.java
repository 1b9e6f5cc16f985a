package io.github.ratelimit.content.cms.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Attribute;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rule: BEHAVIOUR section 5, callers without the right to raw HTML. */
class HtmlPolicyTest {
    @Test
    void scriptsEventsAndFramesAreRemovedAndTheirTextStays() {
        assertThat(HtmlPolicy.cleanContent(
                        "<p onclick=\"x()\">Hi</p><script>alert(1)</script><iframe src=\"http://x.test\"></iframe>"))
                .isEqualTo("<p>Hi</p>alert(1)");
    }

    @Test
    void plainTextStaysAsItWasTyped() {
        String text = " \n It's \"five\" o'clock = 5 + 0 @ noon {{x}} `code`\n\nÄ日\uD83D\uDE00 ";

        assertThat(HtmlPolicy.cleanContent(text)).isEqualTo(text);
        assertThat(HtmlPolicy.cleanContent(text + "<p>a</p>\n")).isEqualTo(text + "<p>a</p>\n");
        assertThat(HtmlPolicy.cleanTitle("Fish & Chips &amp; more")).isEqualTo("Fish &amp; Chips &amp; more");
    }

    @Test
    void commentsStayWhereTheyAre() {
        String blocks = """
                <!-- wp:heading {"level":3} -->
                <h3 class="wp-block-heading">Head</h3>
                <!-- /wp:heading -->

                <!-- wp:list -->
                <ul class="wp-block-list"><!-- wp:list-item -->
                <li>One</li>
                <!-- /wp:list-item --></ul>
                <!-- /wp:list -->
                <!--more Read & on-->""";

        assertThat(HtmlPolicy.cleanContent(blocks)).isEqualTo(blocks.replace("&", "&amp;"));
        assertThat(HtmlPolicy.cleanContent(blocks.replace("&", "&amp;"))).isEqualTo(blocks.replace("&", "&amp;"));
    }

    @Test
    void aCommentHoldsNothingThatEndsIt() {
        assertThat(HtmlPolicy.cleanContent("a<!--> <b>b</b> --><!-- c --!><i onclick=x>d</i>&#xfdd1;&#xfdd0;"))
                .isEqualTo("a<!----> <b>b</b> --&gt;<!-- c --><i>d</i>");
        assertThat(HtmlPolicy.cleanContent("<!-- <img src=x> &#xfdd1;<img src=x> -->"))
                .isEqualTo("<!-- &lt;img src=x&gt; &lt;img src=x&gt; -->");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "<p data-id=\"7\" data-wp-on--click=\"z\" aria-label=\"l\" role=note>a</p> | <p data-id=\"7\" aria-label=\"l\" role=\"note\">a</p>",
                "<video controls src=\"a.mp4\" onplay=\"x\"></video> | <video controls src=\"a.mp4\"></video>",
                "<p style=\"color: red; behavior:url(x);margin-top:1em;width:expression(1)\">a</p> | <p style=\"color: red;margin-top:1em\">a</p>",
                "<p style=\"background:url(javascript:alert(1))\">a</p> | <p>a</p>",
                "<p style=\"background-image:url('https://a.test/b.png')\">a</p> | <p style=\"background-image:url(&apos;https://a.test/b.png&apos;)\">a</p>",
                "<a href=\"javascript:alert(1)\">x</a> | <a>x</a>",
                "<a href=\"java&Tab;script&colon;alert(1)\">x</a> | <a>x</a>",
                "<img src=\" data:text/html,x\"> | <img>",
                "<a href=\"?a=1:2&b=2\" target=\"_blank\" ping=\"x\">x</a> | <a href=\"?a=1:2&amp;b=2\" target=\"_blank\">x</a>",
                "<a href=\"mailto:a@b.test\">x</a> | <a href=\"mailto:a@b.test\">x</a>",
                "<img src=\"a.png\" alt='A \"b\"' srcset=\"x\" onerror=\"y\"/> | <img src=\"a.png\" alt=\"A &quot;b&quot;\" />",
                "a < b > c & d | a &lt; b &gt; c &amp; d",
                "<form><input type=\"text\"><button name=\"b\">x</button></form> | <button name=\"b\">x</button>",
                "<math xmlns=\"http://www.w3.org/1998/Math/MathML\" display=\"block\"><mo stretchy=\"false\" onclick=\"x\">(</mo><mi href=\"javascript:x\" mathcolor=\"red\">x</mi></math> | <math display=\"block\"><mo stretchy=\"false\">(</mo><mi mathcolor=\"red\">x</mi></math>",
                "<a class=\"b\" href=\"x.pdf\" download onclick=\"y\">d</a><a download=\"z\">e</a> | <a class=\"b\" href=\"x.pdf\" download>d</a><a>e</a>",
                "<dialog open><search><ruby><rb>a</rb><rtc>b</rtc></ruby></search></dialog> | <dialog open><search><ruby><rb>a</rb><rtc>b</rtc></ruby></search></dialog>",
                "<td char=\".\" charoff=\"2\">1.5</td> | <td char=\".\" charoff=\"2\">1.5</td>",
                "<textarea cols=1 rows=2 name=n disabled readonly form=f onfocus=x>t</TEXTAREA> | <textarea cols=\"1\" rows=\"2\" name=\"n\" disabled readonly>t</TEXTAREA>",
                // Its text ends where browsers end it, and it ends with the text.
                "<textarea><a title=\"</textarea><img src=x>\">b</a><!-- </textarea> --> | <textarea><a title=\"&lt;/textarea&gt;&lt;img src=x&gt;\">b</a><!-- &lt;/textarea&gt; --></textarea>",
                "<button aria-haspopup=\"menu\" onclick=x>a</button><b aria-haspopup=\"menu\">c</b> | <button aria-haspopup=\"menu\">a</button><b>c</b>",
                "<object type=\"application/pdf\" data=\"http://s.test/uploads/x.pdf\">a</object> | a</object>",
                "caf&eacute; &quot;q&quot; &#8217; &nope; | caf&eacute; &quot;q&quot; &#8217; &amp;nope;",
                "<P CLASS=c>a<div>b<br/>c</i> | <P class=\"c\">a<div>b<br />c</i>",
                // What begins no tag is text.
                "if x<y then \"z\" & 'q' | if x&lt;y then &quot;z&quot; &amp; &#039;q&#039;",
                "a<b <em>c</em> d | a&lt;b <em>c</em> d",
                "<<EOF | &lt;&lt;EOF",
                "<div>a<b</div><p>c</p> | <div>a&lt;b</div><p>c</p>",
                "for (i=0;i<n;i++) { if (a[i]>b) c->d(); } e | for (i=0;i&lt;n;i++) { if (a[i]&gt;b) c-&gt;d(); } e",
                "<?php echo 1 ?> <!-- open | &lt;?php echo 1 ?&gt; &lt;!-- open",
                "<a href=\"x>open <b>b</b> | &lt;a href=\"x&gt;open <b>b</b>",
                "<script>if (a<b) { c() }</script> d | if (a&lt;b) { c() } d",
                // The shortcodes and paragraphs of a text rely on this.
                "<a title=\"a>[audio]<b\">c</a> | <a title=\"a&gt;[audio]&lt;b\">c</a>",
            })
    void keepsOnlyKnownElementsAndAttributes(String sent, String kept) {
        assertThat(HtmlPolicy.cleanContent(sent)).isEqualTo(kept);
        assertThat(HtmlPolicy.cleanContent(kept)).isEqualTo(kept);
    }

    @ParameterizedTest
    @CsvSource({
        "true, application/pdf, http://s.test:81/uploads/2024/01/x%20y.pdf",
        "true, application/PDF, https://s.test:81/wp-content/uploads/x.pdf",
        "false, text/html, http://s.test:81/uploads/x.pdf",
        "false, '', http://s.test:81/uploads/x.pdf",
        "false, application/pdf, http://s.test:81/uploads/x.html",
        "false, application/pdf, http://s.test:81/uploads/x.pdf?a",
        "false, application/pdf, http://s.test:81/uploads/x?a.pdf",
        "false, application/pdf, http://s.test:81/uploads/x#a.pdf",
        "false, application/pdf, http://s.test:81/uploads/../x.pdf",
        "false, application/pdf, http://s.test:81/uploads/%2e./x.pdf",
        "false, application/pdf, http://s.test:81/uploads/.\t./x.pdf",
        "false, application/pdf, http://s.test:81/uploads/.&#xfdd1;./x.pdf",
        "false, application/pdf, http://s.test:81/uploads\\x.pdf",
        "false, application/pdf, http://s.test:81/x.pdf",
        "false, application/pdf, http://s.test/uploads/x.pdf",
        "false, application/pdf, http://s.test:812/uploads/x.pdf",
        "false, application/pdf, http://s.test:81@b.test/uploads/x.pdf",
        "false, application/pdf, //s.test:81/uploads/x.pdf",
        "false, application/pdf, /uploads/x.pdf",
        "false, application/pdf, javascript://s.test:81/uploads/x.pdf",
    })
    void anObjectIsAnUploadedDocument(boolean isKept, String type, String address) {
        String object = "<object type=\"" + type + "\" data=\"" + address.replace("\\t", "\t") + "\">";

        assertThat(HtmlPolicy.cleanContent(object + "a", "http://s.test:81")).isEqualTo((isKept ? object : "") + "a");
        assertThat(HtmlPolicy.cleanContent("<object><object data=x>", "http://s.test:81"))
                .isEmpty();
    }

    /** The rendering tells tags from texts by their brackets alone, and pages of this server are written by jsoup. */
    @Test
    void noBracketStandsInAnAttribute() {
        String bracket = "<a title=\"&lt;x&gt;\">y</a>";

        assertThat(HtmlPolicy.cleanContent("<a title=\"<x>\">y</a>")).isEqualTo(bracket);
        assertThat(Jsoup.parseBodyFragment("<a title=\"<x>\">y</a>").body().html())
                .isEqualTo(bracket);
    }

    /** Nothing of a text is lost but the tags that the policy names. */
    @Property(tries = 3_000)
    void theWordsOfATextStay(@ForAll("texts") String sent) {
        assertThat(Jsoup.parseBodyFragment(HtmlPolicy.cleanContent(sent)).wholeText())
                .isEqualTo(sent);
        assertThat(Jsoup.parseBodyFragment(HtmlPolicy.cleanTitle(sent)).wholeText())
                .isEqualTo(sent);
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.of(
                        "<", "<<", "x", "y", " ", "=", "\"", "'", "-", "!", "/", "3", ";", "\n", "(", "<!", "<?", "</",
                        "<b\"")
                .list()
                .ofMaxSize(20)
                .map(parts -> "." + String.join("", parts) + ".");
    }

    @Test
    void titlesKeepLess() {
        assertThat(HtmlPolicy.cleanTitle("<a href=\"http://a.test\" class=\"c\">l</a> <p>p</p><b id=\"x\">B</b>"))
                .isEqualTo("<a href=\"http://a.test\">l</a> p<b>B</b>");
    }

    private static final Set<String> RUN_OR_LOAD = Set.of(
            ("script style iframe object embed form input base link meta svg mglyph malignmark annotation-xml template noscript title xmp"
                            + " plaintext frameset select")
                    .split(" ", -1));

    /** The attributes that a browser takes for an address; a class or a title named after a scheme does no harm. */
    private static final Set<String> ADDRESSES = Set.of(
            ("action background cite classid codebase data formaction href icon longdesc manifest ping poster profile"
                            + " src srcset usemap xlink:href")
                    .split(" ", -1));

    private static final Pattern HARMFUL_STYLE =
            Pattern.compile("(?i)expression\\(|behavior|binding|@import|url\\([\"']?(?:javascript|data|vbscript)\\s*:");

    @Property(tries = 3_000)
    void noBrowserFindsAnythingThatRuns(@ForAll("attacks") String sent) {
        String clean = HtmlPolicy.cleanContent(sent, "http://s.test");

        assertThat(BlockMarkup.delimiters(clean))
                .as(clean)
                .allMatch(block ->
                        BlockMarkup.attributes(block.json()).at("/style/css").isMissingNode());
        for (String html : List.of(
                clean,
                HtmlPolicy.cleanTitle(sent),
                Rendering.content(clean, KnownItems.NONE, ""),
                Rendering.content("<!-- wp:group --><!-- wp:footnotes /-->" + clean, KnownItems.NONE, clean),
                Rendering.excerpt("", clean, KnownItems.NONE),
                Rendering.shortText(clean, KnownItems.NONE))) {
            for (Element element : Jsoup.parseBodyFragment(html).body().select("*")) {
                if (element.nameIs("object")) {
                    assertThat(element.attr("data")).as(html).matches("http://s\\.test/uploads/[^?#]+\\.pdf");
                } else {
                    assertThat(RUN_OR_LOAD).as(html).doesNotContain(element.normalName());
                }
                for (Attribute attribute : element.attributes()) {
                    assertThat(attribute.getKey())
                            .as(html)
                            .doesNotStartWith("on")
                            .doesNotStartWith("data-wp-");
                    String value = attribute.getValue().replaceAll("[\\s\\p{Cntrl}]", "");
                    if (attribute.getKey().equals("style")) {
                        assertThat(value).as(html).doesNotContainPattern(HARMFUL_STYLE);
                    } else if (ADDRESSES.contains(attribute.getKey())) {
                        assertThat(value).as(html).doesNotMatch("(?is)(?:javascript|data|vbscript|feed):.*");
                    }
                }
            }
        }
    }

    @Provide
    Arbitrary<String> attacks() {
        Stream<String> pieces = """
                <␣>␣</␣/>␣<!--␣-->␣--!>␣-␣<!␣<?␣]]>␣<![CDATA[␣<!-->␣<p ␣<a href=␣<A\tHREF=␣<a/href=␣<img src=␣<IMG\fSRC=␣<script>␣</script>
                <svg ␣<svg><style>␣<style>␣</style>␣<textarea>␣</textarea>␣<title>␣<noscript>␣</noscript>␣<template>␣<math><mtext>␣<math>␣</math>␣<mi href=␣<annotation-xml encoding="text/html">␣<mglyph>
                <table>␣<td>␣<select>␣<form>␣<pre>␣</pre>␣<blockquote>␣</p>␣'␣`␣=␣ ␣\0␣\ufdd0␣&#xfdd0;␣&#xfdd1;␣&lt;␣&gt;␣&quot;␣&#34;␣&#x27;
                &␣\\␣javascript:alert(1)␣java\tscript:x␣&#106;avascript:x␣JaVaScRiPt&colon;x␣data:text/html,x␣feed:javascript:x
                 onerror=alert(1)␣ onclick='x'␣onload=x␣ style="␣ style='background:url(␣expression(1)␣;␣x␣1␣\\u003cscript\\u003e
                <!-- wp:paragraph {"a":"␣"} -->␣<!-- /wp:paragraph -->␣[caption width="1" caption="␣[caption width="1" class="␣[/caption]
                <object ␣<object type="application/pdf" data="http://s.test/uploads/x.pdf␣</object>␣[audio src="a.mp3" style="␣[audio src="a.mp3" class="
                <!-- wp:p {"style":{"css":"␣{"style":{"c␣ss":"x␣"}} -->␣"}} /-->
                [audio src=␣[video mp4="a.mp4" poster="␣]␣[[audio]]␣ title="␣>"
                """.lines().flatMap(line -> Stream.of(line.split("␣", -1)));
        return Arbitraries.of(
                        Stream.concat(pieces, Stream.of("\n", "\n\n", "\"")).toList())
                .list()
                .ofMaxSize(14)
                .map(parts -> String.join("", parts));
    }
}
