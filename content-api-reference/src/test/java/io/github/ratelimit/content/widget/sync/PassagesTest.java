package io.github.ratelimit.content.widget.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.CpuTime;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class PassagesTest {

    @Test
    void paragraphsStayApart() {
        assertThat(Passages.of("One. Two.\n\nThree.")).containsExactly("One. Two.", "Three.");
    }

    @Test
    void markupIsTakenAwayAndBlocksStayApart() {
        assertThat(Passages.of(
                        "<h2>Ship&shy;ping</h2><p>To <b>all</b> of\n Europe &amp; beyond.</p><script>x()</script>"))
                .containsExactly("Ship\u00adping", "To all of", "Europe & beyond.");
    }

    @Test
    void longTextIsCutBetweenSentences() {
        String sentence = "This sentence has exactly fifty characters in it. ";
        List<String> passages = Passages.of(sentence.repeat(25));

        assertThat(passages)
                .hasSize(3)
                .allSatisfy(passage -> assertThat(passage).endsWith("in it."));
    }

    @Test
    void aSentenceWithoutEndIsCutBetweenWords() {
        List<String> passages = Passages.of("word ".repeat(300));

        assertThat(String.join(" ", passages)).isEqualTo("word ".repeat(300).strip());
        assertThat(passages).allSatisfy(passage -> assertThat(passage).hasSizeLessThanOrEqualTo(Passages.MAX_LENGTH));
    }

    @Test
    void aWordWithoutEndIsCutBetweenCharacters() {
        List<String> passages = Passages.of("x" + "\uD83D\uDE00".repeat(1000));

        assertThat(String.join("", passages)).isEqualTo("x" + "\uD83D\uDE00".repeat(1000));
        assertThat(passages)
                .allSatisfy(passage -> assertThat(Character.isHighSurrogate(passage.charAt(passage.length() - 1)))
                        .isFalse());
    }

    @Property(tries = 300)
    void anyTextIsCutIntoPassagesThatFit(@ForAll @StringLength(max = 3000) String text) {
        assertThat(Passages.of(text)).allSatisfy(passage -> {
            assertThat(passage).isNotBlank();
            assertThat(passage.length()).isLessThanOrEqualTo(Passages.MAX_LENGTH);
        });
    }

    static List<String> pieces() {
        return List.of("""
                <?␣<!␣<!--␣<␣</␣<a '␣<a "␣<script␣<script>␣</script␣<p>␣<b>␣&␣&#␣&am␣a.␣a. ␣x␣?! ␣\n␣\
                a\n␣ ␣\u0301␣<a '>"␣-->␣<p "'␣\u2028a␣("␣A.a""".split("␣", -1));
    }

    @ParameterizedTest
    @MethodSource("pieces")
    void anythingIsCutInProportionToItsLength(String repeated) {
        String content = repeated.repeat(200_000 / repeated.length());

        CpuTime.assertWithin(
                Duration.ofSeconds(3),
                repeated,
                () -> assertThat(Passages.of(content))
                        .hasSizeLessThan(2 * Passages.MANY + content.length() / (Passages.MAX_LENGTH / 4)));
        CpuTime.assertWithin(Duration.ofSeconds(3), repeated, () -> Passages.of(content + ">"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a<!-- b > c -->d | ad",
                "a<!-- never closed | a",
                "<a title=\"x > y\">z</a> | z",
                "it's 3 < 4 & 5 > 2 | it's 3 < 4 & 5 > 2",
                "a<?php echo 1 ?>b<!DOCTYPE html>c | abc",
                "a<STYLE>b</style >c<Script x='>'>d</SCRIPT>e | a / c / e",
                "&lt;b&gt; x&copy; | <b> x©",
                "a<br>b | a / b",
                "<p>a</p><div>b<span>c</span></div>d | a / bc / d",
            })
    void onlyMarkupIsTakenAway(String content, String passages) {
        assertThat(Passages.of(content.replace("\\u0020", " "))).containsExactly(passages.split(" / ", -1));
    }
}
