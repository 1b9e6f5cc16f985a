package io.github.ratelimit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.EvictedCounts.Remembered;
import java.util.HashMap;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class EvictedCountsTest {

    private static final long SECOND = 1_000_000_000;

    private static Key key(int number) {
        return Key.of("key-" + number);
    }

    @Property(tries = 50)
    void saysTooMuchOfACounterAtTimesButNeverTooLittle(@ForAll @IntRange(min = 1, max = 5000) int counters) {
        EvictedCounts evicted = new EvictedCounts(KeyDigest.random(), 1024, 0);
        Map<Integer, Remembered> folded = new HashMap<>();
        for (int number = 0; number < counters; number++) {
            long count = 1L + number % 50;
            long end = SECOND * (10 + number % 30);
            evicted.fold(key(number), count, end, 0);
            folded.put(number, new Remembered(count, end));
        }
        folded.forEach((number, exact) -> {
            Remembered remembered = evicted.find(key(number), 5 * SECOND, 60 * SECOND);
            assertThat(remembered).isNotNull();
            assertThat(remembered.used()).isGreaterThanOrEqualTo(exact.used());
            assertThat(remembered.end()).isGreaterThanOrEqualTo(exact.end());
        });
    }

    @Test
    void remembersOneExactlyUntilItsEnd() {
        EvictedCounts evicted = new EvictedCounts(KeyDigest.random(), 1024, 0);
        assertThat(evicted.find(key(1), 0, 60 * SECOND)).isNull();
        evicted.fold(key(1), 42, 10 * SECOND, 0);
        assertThat(evicted.find(key(1), 10 * SECOND - 1, 70 * SECOND)).isEqualTo(new Remembered(42, 10 * SECOND));
        assertThat(evicted.find(key(1), 10 * SECOND, 70 * SECOND)).isNull();
        assertThat(evicted.find(key(2), 0, 60 * SECOND)).isNull();
    }

    @Test
    void cellsAreFreeAgainWhenTheirWindowsAreOver() {
        EvictedCounts evicted = new EvictedCounts(KeyDigest.random(), 1024, 0);
        evicted.fold(key(1), 42, 10 * SECOND, 0);
        evicted.fold(key(1), 1, 71 * SECOND, 11 * SECOND);
        assertThat(evicted.find(key(1), 12 * SECOND, 72 * SECOND)).isEqualTo(new Remembered(1, 71 * SECOND));
    }

    @Test
    void cellStaysForAWhileSoThatASlowThreadStillFindsIt() {
        EvictedCounts evicted = new EvictedCounts(KeyDigest.random(), 1024, 0);
        evicted.fold(key(1), 42, 10 * SECOND, 0);
        evicted.fold(key(1), 1, 70 * SECOND, 10 * SECOND + SECOND / 2);
        assertThat(requireNonNull(evicted.find(key(1), 9 * SECOND, 69 * SECOND)).used())
                .isEqualTo(42);
    }

    @Test
    void largerCountAndLaterEndWin() {
        EvictedCounts evicted = new EvictedCounts(KeyDigest.random(), 1024, 0);
        evicted.fold(key(1), 42, 10 * SECOND, 0);
        evicted.fold(key(1), 7, 20 * SECOND, 0);
        assertThat(evicted.find(key(1), 0, 60 * SECOND)).isEqualTo(new Remembered(42, 20 * SECOND));
        evicted.fold(key(1), 50, 15 * SECOND, 0);
        assertThat(evicted.find(key(1), 0, 60 * SECOND)).isEqualTo(new Remembered(50, 20 * SECOND));
    }

    @Test
    void neverBlocksLongerThanOneWindow() {
        EvictedCounts evicted = new EvictedCounts(KeyDigest.random(), 1024, 0);
        evicted.fold(key(1), 42, 1000 * SECOND, 0);
        assertThat(requireNonNull(evicted.find(key(1), 0, 60 * SECOND)).end()).isEqualTo(60 * SECOND);
    }
}
