package io.github.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class DecisionTest {

    private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000);
    private static final Optional<Duration> FITS = Optional.of(Duration.ZERO);

    private static LimitStatus status(String name, long remaining, long reset, Optional<Duration> retryAfter) {
        return new LimitStatus(
                Limit.of(name, 100, Duration.ofHours(1)),
                remaining,
                Duration.ofSeconds(reset),
                NOW.plusSeconds(reset),
                retryAfter);
    }

    private static Optional<Duration> seconds(long seconds) {
        return Optional.of(Duration.ofSeconds(seconds));
    }

    private static Optional<String> mostRestrictive(LimitStatus... statuses) {
        return Decision.of(List.of(statuses))
                .mostRestrictive()
                .map(status -> status.limit().name());
    }

    @Test
    void exceededComesBeforeNotExceededHoweverFewRemain() {
        assertThat(mostRestrictive(status("empty", 0, 3000, FITS), status("exceeded", 4, 5, seconds(5))))
                .contains("exceeded");
    }

    @Test
    void longestWaitComesFirstAndNeverIsLongest() {
        assertThat(mostRestrictive(status("short", 0, 5, seconds(5)), status("long", 3, 50, seconds(50))))
                .contains("long");
        assertThat(mostRestrictive(status("long", 0, 3599, seconds(3599)), status("never", 100, 0, Optional.empty())))
                .contains("never");
    }

    @Test
    void elseFewestRemainingElseLatestReset() {
        assertThat(mostRestrictive(status("more", 7, 3000, FITS), status("fewer", 6, 5, FITS)))
                .contains("fewer");
        assertThat(mostRestrictive(status("early", 7, 5, FITS), status("late", 7, 6, FITS)))
                .contains("late");
    }

    @Provide
    Arbitrary<LimitStatus> anyStatus() {
        Arbitrary<Optional<Duration>> wait = Arbitraries.longs()
                .between(0, 3)
                .map(DecisionTest::seconds)
                .injectNull(0.2)
                .map(maybe -> maybe == null ? Optional.<Duration>empty() : maybe);
        return Combinators.combine(
                        Arbitraries.longs().between(0, 3), Arbitraries.longs().between(0, 3), wait)
                .as((remaining, reset, retry) -> status("any", remaining, reset, retry));
    }

    @Property
    void orderIsTotal(
            @ForAll("anyStatus") LimitStatus a,
            @ForAll("anyStatus") LimitStatus b,
            @ForAll("anyStatus") LimitStatus c) {
        var order = Decision.MOST_RESTRICTIVE_FIRST;
        assertThat(Integer.signum(order.compare(a, b))).isEqualTo(-Integer.signum(order.compare(b, a)));
        if (order.compare(a, b) <= 0 && order.compare(b, c) <= 0) {
            assertThat(order.compare(a, c)).isLessThanOrEqualTo(0);
        }
    }

    @Test
    void retryAfterIsTheLongestWaitAmongExceededLimits() {
        assertThat(Decision.of(List.of(status("a", 0, 5, seconds(5)), status("b", 0, 9, seconds(9))))
                        .retryAfter())
                .contains(Duration.ofSeconds(9));
        assertThat(Decision.of(List.of(status("a", 1, 5, FITS))).retryAfter()).isEmpty();
        assertThat(Decision.of(List.of(status("a", 0, 5, seconds(5)), status("b", 9, 9, Optional.empty())))
                        .retryAfter())
                .as("never")
                .isEmpty();
    }

    @Test
    void keepsStatusesInTheOrderOfTheRules() {
        List<LimitStatus> statuses =
                List.of(status("c", 3, 30, FITS), status("a", 0, 10, seconds(10)), status("b", 2, 0, Optional.empty()));
        Decision decision = Decision.of(statuses);
        assertThat(decision.statuses()).isEqualTo(statuses);
        assertThat(decision.allowed()).isFalse();
        assertThat(decision.source()).isEqualTo(Decision.Source.STORE);
        assertThat(decision)
                .hasToString(
                        "refused by STORE [c: 3 remaining, reset after PT30S, a: 0 remaining, reset after PT10S, b: 2 remaining, reset after PT0S]");
        assertThat(Decision.of(List.of(status("c", 3, 30, FITS))))
                .hasToString("allowed by STORE [c: 3 remaining, reset after PT30S]");
    }

    @Test
    void withoutStoreThereIsNothingToReport() {
        assertThat(Decision.withoutStore(true).statuses()).isEmpty();
        assertThat(Decision.withoutStore(true).mostRestrictive()).isEmpty();
        assertThat(Decision.withoutStore(false).retryAfter()).isEmpty();
    }

    @Test
    void malformedStatusesAreRefusedByNameAndValue() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Decision.of(Collections.emptyList()))
                .withMessageContaining("statuses must not be empty");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> status("a", -1, 0, FITS))
                .withMessage("limit 'a': remaining must be 0..100, was -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> status("a", 101, 0, FITS))
                .withMessage("limit 'a': remaining must be 0..100, was 101");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> status("a", 0, -1, FITS))
                .withMessageContaining("must not be negative, were PT-1S and");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> status("a", 0, 0, seconds(-1)))
                .withMessageContaining("must not be negative");
    }
}
