package io.github.ratelimit.content.cms.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rule: BEHAVIOUR section 4, {@code content.rendered}. */
class ParagraphsTest {
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
                "`<p>a` | `<p>a</p>␤`",
                "`a</p>b` | `<p>a</p>␤<p>b</p>␤`",
                "`<ul><li>a</li></ul>` | `<ul>␤<li>a</li>␤</ul>␤`",
                "`<blockquote>a␤␤b</blockquote>` | `<blockquote><p>a</p>␤<p>b</p></blockquote>␤`",
                "`<p>a</div>` | `<p>a</p></div>␤`",
                "`<form>a␤</form>` | `<form>a<br />␤</form>␤`",
                "`<object> <param x> <embed> </object> d` | `<p><object><param x><embed></object> d</p>␤`",
                "`<figure>a<figcaption>b</figcaption> c</figure>` | `<figure>a<figcaption>b</figcaption>c</figure>␤`",
                "`<video>␤<source x>␤</video>` | `<p><video><source x></video></p>␤`",
                "`<picture>␤<source x>␤<img y>␤</picture>` | `<picture><source x><img y>␤</picture>␤`",
                "`a␤<picture>␤<img y>␤</picture>␤b` | `<p>a␤<picture>␤<img y>␤</picture>␤b</p>␤`",
                "`a<pre>␤␤1</pre>b` | `<p>a</p>␤<pre>␤␤1</pre>␤<p>b</p>␤`",
                "`<!-- a␤␤b -->c` | `<p><!-- a␤␤b -->c</p>␤`",
                "`a < b␤␤c > d` | `<p>a < b␤␤c > d</p>␤`",
                "`<a␤␤b>c` | `<p><a␤␤b>c</p>␤`",
                "`<svg>␤</svg>␤<math>␤</math>` | `<p><svg>␤</svg><br />␤<math>␤</math></p>␤`",
                "`<table>␤<tr>␤<td>a</td>␤</tr>␤</table>` | `<table>␤<tr>␤<td>a</td>␤</tr>␤</table>␤`",
                "`a␍␤␍␤b␍c` | `<p>a</p>␤<p>b<br />␤c</p>␤`",
                "`a␤<br><p>b</p>` | `<p>a<br />␤</p>␤<p>b</p>␤`",
                "`a<hr class=x>b<hr />c` | `<p>a</p>␤<hr class=x>␤<p>b</p>␤<hr />␤<p>c</p>␤`",
                "`<script>␤a␤␤b␤</script>` | `<p><script>␤a␤␤b␤</script></p>␤`",
                "`<p> </p>a` | `<p>a</p>␤`",
                "`<h1>a</h1><h7>b</h7>` | `<h1>a</h1>␤<p><h7>b</h7></p>␤`"
            })
    void whatStandsBetweenBlankLinesIsAParagraph(String written, String shown) {
        assertThat(Paragraphs.of(written.replace('\u2424', '\n').replace('\u240d', '\r')))
                .isEqualTo(shown.replace('\u2424', '\n').replace('\u240d', '\r'));
    }
}
