package io.github.ratelimit.content.cms.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.fuzz.Growth;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rule: BEHAVIOUR section 4, {@code content.rendered}. */
class ParagraphsTest {
    private static final int LENGTH = 300_000;
    private static final long MOST_BYTES_OF_A_LETTER = 16;

    /** What was made of these when each rule was a pass of its own over the text. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`a␤␤␤b␤ ␤c` | `<p>a</p>␤<p>b</p>␤<p>c</p>␤`",
                "`one  ␤  two␤three` | `<p>one<br />␤  two<br />␤three</p>␤`",
                "`␤a` | `<p>a</p>␤`",
                "`a<br> <br/>b` | `<p>a</p>␤<p>b</p>␤`",
                "`a<br>␤b <br />␤ c` | `<p>a<br />␤b <br />␤ c</p>␤`",
                "`<div>a</div>b` | `<div>a</div>␤<p>b</p>␤`",
                "`<div>a␤␤b</div>` | `<div>a</p>␤<p>b</p></div>␤`",
                "`a<hr class=x>b<hr />c` | `<p>a</p>␤<hr class=x>b</p>␤<hr />␤<p>c</p>␤`",
                "`<p>a` | `<p>a</p>␤`",
                "`a</p>b` | `<p>a</p>␤<p>b</p>␤`",
                "`<p></p>` | `</p>␤`",
                "`<p> </p>a` | `</p>␤<p>a</p>␤`",
                "`<p><p>a</p></p>` | `<p><p>a</p></p>␤`",
                "`<p><li>a<li>b</p>c` | `<li>a␤<li>b</p>␤<p>c</p>␤`",
                "`<li>a␤<li>b` | `<li>a␤<li>b<br />␤`",
                "`<ul><li>a</li></ul>` | `<ul>␤<li>a</li>␤</ul>␤`",
                "`<BLOCKQUOTE cite=x>a</BLOCKQUOTE>` | `<blockquote cite=x><p>a</BLOCKQUOTE></p>␤`",
                "`<P><blockquote>a` | `<p><P></p>␤<blockquote><p>a</p>␤`",
                "`<blockquote>a␤␤b</blockquote>` | `<blockquote><p>a</p>␤<p>b</p></blockquote>␤`",
                "`<p>a</div>` | `<p>a</p></div>␤`",
                "`<form>a␤</form>` | `<form>a<br />␤</form>␤`",
                "`a <option> b </option> c` | `<p>a<option> b </option>c</p>␤`",
                "`<object> <param x> <embed> </object> d` | `<p><object><param x><embed></object> d</p>␤`",
                "`<figure>a<figcaption>b</figcaption> c</figure>` | `<figure>a<figcaption>b</figcaption>c</figure>␤`",
                "`<video>␤<source x>␤</video>` | `<p><video><source x></video></p>␤`",
                "`a<pre>␤␤1</pre>b` | `<p>a</p>␤<pre>␤␤1</pre>␤<p>b</p>␤`",
                "`<prefix>␤</pre>` | `<prefix>␤</pre>␤`",
                "`<a title=\"<pre>␤␤\">x</pre>␤\">y` | `<p><a title=\"<pre>␤␤\">x</pre>␤<p>\">y</p>␤`",
                "`<!-- <pre>--> </pre> -->a` | `<p><!-- <pre>--> </pre> -->a</p>␤`",
                "`<!-- a␤␤b -->c` | `<p><!-- a␤␤b -->c</p>␤`",
                "`a␤␤<!-- not closed␤␤b` | `<p>a</p>␤<p><!-- not closed␤␤b␤</p>␤`",
                "`a < b␤␤c > d` | `<p>a < b␤␤c > d</p>␤`",
                "`<a␤␤b>c` | `<p><a␤␤b>c</p>␤`",
                "`<b<p>a</p>` | `<p><b<p>a</p>␤`",
                "`<script>␤a␤␤b␤</script>` | `<p><script>␤a</p>␤<p>b␤</script></p>␤`",
                "`<script>␤a` | `<p><script><br />␤a</p>␤`",
                "`<style>a␤<script>b␤</style>c␤</script>␤d` | `<style>a␤<script>b␤</style>␤<p>c␤</script><br />␤d</p>␤`",
                "`<svg>␤</svg>␤<math>␤</math>` | `<p><svg>␤</svg><br />␤<math>␤</math></p>␤`",
                "`<link>␤a</link>` | `<link>␤a</link>␤`",
                "`<td >a</td >␤b` | `<td >a</td >␤b</p>␤`",
                "`</p >␤a` | `</p >␤a</p>␤`",
                "`<table>␤<tr>␤<td>a</td>␤</tr>␤</table>` | `<table>␤<tr>␤<td>a</td>␤</tr>␤</table>␤`",
                "`a␍␤␍␤b␍c` | `<p>a</p>␤<p>b<br />␤c</p>␤`",
                "`a␤<br><p>b</p>` | `<p>a<br />␤</p>␤<p>b</p>␤`",
                "`<h1>a</h1><h7>b</h7>` | `<h1>a</h1>␤<p><h7>b</h7></p>␤`"
            })
    void whatStandsBetweenBlankLinesIsAParagraph(String written, String shown) {
        assertThat(Paragraphs.of(written.replace('\u2424', '\n').replace('\u240d', '\r')))
                .isEqualTo(shown.replace('\u2424', '\n').replace('\u240d', '\r'));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "a\n",
                "a\n\n",
                "<b>",
                "<p>",
                "</p>",
                "<p></p>",
                "<div>",
                "</div>\n",
                "<li>x\n\n",
                "<p><li>",
                "<br>",
                "<pre>",
                "<script>\n",
                "</script>",
                "<",
                "<!-- x -->",
                "&",
                "\"'",
                "> "
            })
    void aTextIsCopiedNoFurtherThanIntoTheResult(String piece) {
        String text = piece.repeat(LENGTH / piece.length());

        assertThat(Growth.allocated(() -> Paragraphs.of(text))).isLessThan(LENGTH * MOST_BYTES_OF_A_LETTER);
        assertThat(Growth.allocated(() -> Rendering.shortText(text, KnownImages.NONE)))
                .isLessThan(2 * LENGTH * MOST_BYTES_OF_A_LETTER);
    }

    /** In a text without a line break there was none to be found behind any of its tags. */
    @ParameterizedTest
    @ValueSource(strings = {"<b>x</b> ", "<b>x</b>", "<b> </b> ", "<pre>x</pre> ", "<!-- x --> x"})
    void aTextIsLookedThroughOnce(String piece) {
        Growth.assertLinear(piece, LENGTH, Paragraphs::of);
    }

    @ParameterizedTest
    @ValueSource(strings = {"<b>", "</b>", "<zz>", "<br/>", "<?", "<", ">", "&", "a"})
    void manyTagsAreLittleWorkForThePolicy(String piece) {
        String text = piece.repeat(LENGTH / piece.length());

        assertThat(Growth.allocated(() -> HtmlPolicy.cleanContent(text)))
                .isLessThan(4 * LENGTH * MOST_BYTES_OF_A_LETTER);
    }
}
