package io.github.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.ratelimit.internal.Durations;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class LimitTest {

    @Test
    void smallestAndLargestAreAccepted() {
        assertThat(Limit.of("a", 1, Duration.ofMillis(1)).permits()).isEqualTo(1);
        assertThat(Limit.of("a", (1L << 53) - 1, Duration.ofDays(366)).permits())
                .isEqualTo(9007199254740991L);
        assertThat(Limit.of("A-z_0.9".repeat(9) + "x", 1, Duration.ofSeconds(1)).name())
                .hasSize(64);
    }

    @Test
    void permitsOutOfRangeAreRejectedByNameAndValue() {
        for (long permits : List.of(0L, -1L, Long.MIN_VALUE, 1L << 53, Long.MAX_VALUE)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Limit.of("burst", permits, Duration.ofSeconds(1)))
                    .withMessage("limit 'burst': permits must be 1..9007199254740991, was " + permits);
        }
    }

    @Test
    void windowOutOfRangeIsRejectedByNameAndValue() {
        for (Duration window : List.of(
                Duration.ZERO,
                Duration.ofMillis(-1),
                Duration.ofNanos(999_999),
                Duration.ofDays(366).plusMillis(1),
                Duration.ofSeconds(Long.MAX_VALUE))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Limit.of("burst", 1, window))
                    .withMessage("limit 'burst': window must be 1ms to 366d, was " + Durations.text(window));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.of("burst", 1, Duration.ofNanos(1_500_000)))
                .withMessage("limit 'burst': window must be whole milliseconds, was PT0.0015S; round it");
    }

    @Test
    void malformedNameIsRejectedAndShownHarmlessly() {
        for (String name : List.of("", " ", "a b", "a:b", "{a}", "ä", "a\r\nX-Injected: 1", "x".repeat(65))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Limit.of(name, 1, Duration.ofSeconds(1)))
                    .withMessageStartingWith("limit '")
                    .withMessageContaining("name must be 1 to 64")
                    .satisfies(e -> assertThat(e.getMessage())
                            .doesNotContain("\r", "\n")
                            .hasSizeLessThan(200));
        }
    }

    @Test
    void rejectedNameIsCutBehindTheLongestThatMayBe() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.of("ä".repeat(64), 1, Duration.ofSeconds(1)))
                .withMessageStartingWith("limit '" + "ä".repeat(64) + "':");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.of("ä".repeat(65), 1, Duration.ofSeconds(1)))
                .withMessageStartingWith("limit '" + "ä".repeat(64) + "…':");
    }

    @Test
    void countersAreSharedByLimiterNameWindowAndKeyWhateverThePermitsAndTheCost() {
        Charge charge = new Charge("api", Limit.of("burst", 5, Duration.ofSeconds(1)), Key.of("ann"));
        Charge other = new Charge("api", Limit.of("burst", 9, Duration.ofSeconds(1)), Key.of("ann"), 7);
        assertThat(charge.sharesCounterWith(other)).isTrue();
        assertThat(charge.sharesCounterWith(new Charge("web", charge.limit(), charge.key())))
                .isFalse();
        assertThat(charge.sharesCounterWith(new Charge("api", charge.limit(), Key.of("bob"))))
                .isFalse();
        assertThat(charge.sharesCounterWith(
                        new Charge("api", Limit.of("hourly", 5, Duration.ofSeconds(1)), charge.key())))
                .isFalse();
        assertThat(charge.sharesCounterWith(
                        new Charge("api", Limit.of("burst", 5, Duration.ofSeconds(2)), charge.key())))
                .isFalse();
    }

    @Test
    void saysWhatItGrants() {
        assertThat(Limit.of("burst", 1000, Duration.ofMinutes(1))).hasToString("1000 per 1m (burst)");
    }

    @Test
    void onlyLimitOfALimiterNeedsNoName() {
        assertThat(Limit.of(5, Duration.ofSeconds(1))).isEqualTo(Limit.of("default", 5, Duration.ofSeconds(1)));
    }
}
