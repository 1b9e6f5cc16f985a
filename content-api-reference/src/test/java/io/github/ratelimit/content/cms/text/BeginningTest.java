package io.github.ratelimit.content.cms.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class BeginningTest {
    private static final String FACE = "\uD83D\uDE00";

    @Test
    void noCharacterIsCutInTwo() {
        assertThat(Letters.beginning("ab" + FACE + "c", 2)).isEqualTo("ab");
        assertThat(Letters.beginning("ab" + FACE + "c", 3)).isEqualTo("ab");
        assertThat(Letters.beginning("ab" + FACE + "c", 4)).isEqualTo("ab" + FACE);
        assertThat(Letters.beginning("ab" + FACE, 9)).isEqualTo("ab" + FACE);
        assertThat(Letters.beginning(FACE, 1)).isEmpty();
        assertThat(Letters.beginning(FACE, 0)).isEmpty();
    }
}
