package io.github.ratelimit.content.cms.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Slugs that nobody has. */
class FreeSlugsTest {
    private final Set<String> there = new HashSet<>();
    private int looks;
    private int asked;

    private String find(String slug, boolean isReserved) {
        return Slugs.free(slug, isReserved, this::taken);
    }

    private Set<String> taken(Set<String> wishes) {
        looks++;
        asked += wishes.size();
        Set<String> taken = new HashSet<>(wishes);
        taken.retainAll(there);
        return taken;
    }

    private void take(String slug, int upTo) {
        IntStream.rangeClosed(1, upTo).forEach(number -> there.add(number == 1 ? slug : Slugs.numbered(slug, number)));
    }

    @Test
    void theWishIsHadWhereNobodyHasIt() {
        assertThat(find("load", false)).isEqualTo("load");
        assertThat(looks).isEqualTo(1);
    }

    @Test
    void aReservedWishGetsANumberWhetherSomebodyHasItOrNot() {
        assertThat(find("feed", true)).isEqualTo("feed-2");
    }

    @Test
    void amongFewTheFirstGapIsFilled() {
        take("load", 12);
        there.remove("load-7");

        assertThat(find("load", false)).isEqualTo("load-7");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 15, 16, 17, 31, 32, 33, 255, 256, 257, 4_095, 100_000})
    void theNextNumberIsFoundWithFewLooks(int there) {
        take("load", there);

        assertThat(find("load", false)).isEqualTo("load-" + (there + 1));
        assertThat(looks).isLessThanOrEqualTo(7);
        assertThat(asked).isLessThanOrEqualTo(120);
    }

    @Test
    void amongManyWithGapsAFreeOneIsFound() {
        take("load", 10_000);
        IntStream.rangeClosed(20, 10_000)
                .filter(number -> number % 3 == 0)
                .forEach(number -> there.remove("load-" + number));

        assertThat(find("load", false)).startsWith("load-").isNotIn(there);
    }

    @Test
    void whereSomebodyTookEachDoublingANumberIsDrawn() {
        take("load", 16);
        for (long number = 32; number <= Integer.MAX_VALUE; number *= 2) {
            there.add("load-" + number);
        }
        there.add("load-" + Integer.MAX_VALUE);

        assertThat(find("load", false)).startsWith("load-").isNotIn(there);
        assertThat(looks).isLessThanOrEqualTo(4);
    }

    @Test
    void longSlugsGiveWayToTheNumber() {
        String longest = "a".repeat(Slugs.MAX_LENGTH);
        take(longest, 500);

        assertThat(find(longest, false)).hasSize(Slugs.MAX_LENGTH).endsWith("a-501");
    }
}
