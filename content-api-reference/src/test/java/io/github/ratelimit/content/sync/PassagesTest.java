package io.github.ratelimit.content.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

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
}
