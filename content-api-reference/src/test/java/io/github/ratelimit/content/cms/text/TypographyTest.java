package io.github.ratelimit.content.cms.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rule: BEHAVIOUR section 4. */
class TypographyTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'tain't '99 \"'99\" 'em 'round | &#8217;tain&#8217;t &#8217;99 &#8220;&#8217;99&#8221; &#8217;em &#8217;round",
                "'5'12 ' '5' '1.5' \"12\" x | &#8216;5&#8217;12 &#8216; &#8216;5&#8217; &#8216;1.5&#8217; &#8220;12&#8221; x",
                "5' 10\" tall, '5' 10\"' | 5&#8242; 10&#8243; tall, &#8216;5&#8217; 10&#8243;&#8216;",
                "\"a 5\" b 6\" c | &#8220;a 5&#8243; b 6&#8221; c",
                "\"a 5\". b 6\" | &#8220;a 5&#8221;. b 6&#8243;",
                "\"a\" 5\" \"b 6\" | &#8220;a&#8221; 5&#8243; &#8220;b 6&#8221;",
                "'a 5'. 6' b | &#8216;a 5&#8217;. 6&#8242; b",
                "&#8221; \"5\" | &#8221; &#8220;5&#8221;",
                "\"\" ''' '''' \"\"\" | &#8220;&#8221; &#8221;&#8217; &#8221;&#8221; &#8220;&#8221;&#8221;",
                "--- ---- ----- -- a--b xn--a - a - - | &#8212; &#8212;- &#8212;&#8211; &#8212; a&#8211;b xn--a &#8211; a &#8211; &#8211;",
                "(\"a\") ['b'] {\"c\"}-\"d\"-'e' | (&#8220;a&#8221;) [&#8216;b&#8217;] {&#8220;c&#8221;}-&#8220;d&#8221;-&#8216;e&#8217;",
                "&lt;\"a\"&gt; &nbsp;'b'&nbsp;\"&nbsp;c | &lt;&#8220;a&#8221;&gt; &nbsp;&#8216;b&#8217;&nbsp;&#8221;&nbsp;c",
                "9x5 0x9 9x5cm 1,2x3.4 &1x2; &9x5; | 9&#215;5 0x9 9x5cm 1,2&#215;3.4 &#038;1&#215;2; &#038;9&#215;5;",
                "& &amp; &#38; &#x26; &#x; &t; | &#038; &amp; &#38; &#x26; &#038;#x; &#038;t;",
                "a... ....''``(tm) (tm) | a&#8230; &#8230;.&#8221;&#8220;(tm) &#8482;",
                "<a title=\"'&'\">'a'</a><code>'b'</code>'c' | <a title=\"'&#038;'\">&#8216;a&#8217;</a><code>'b'</code>&#8216;c&#8217;",
                "[caption title='\"']'a' [gallery] \"5\" | [caption title='\"']&#8216;a&#8217; [gallery] &#8220;5&#8221;",
                "a'b's 'c' d' e'f | a&#8217;b&#8217;s &#8216;c&#8217; d&#8217; e&#8217;f",
                "'99% '99.5 '99. '999 | &#8216;99% &#8216;99.5 &#8217;99. &#8216;999",
            })
    void marksAreSetByWhatStandsAroundThem(String typed, String set) {
        assertThat(Typography.apply(typed)).isEqualTo(set);
    }

    @Test
    void aLineEndsAQuotationAtTheEndOfATextAlone() {
        assertThat(Typography.apply("\"5\"\u0085")).isEqualTo("&#8220;5&#8221;\u0085");
        assertThat(Typography.apply("'a' b'\u2028c")).isEqualTo("&#8216;a&#8217; b&#8217;\u2028c");
    }
}
