package io.github.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
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
                "api",
                Limit.of(name, 100, Duration.ofHours(1)),
                remaining,
                Duration.ofSeconds(reset),
                NOW.plusSeconds(reset),
                retryAfter);
    }

    private static Optional<Duration> seconds(long seconds) {
        return Optional.of(Duration.ofSeconds(seconds));
    }

    private static Decision decision(long cost, LimitStatus... statuses) {
        return Decision.of(
                Stream.of(statuses)
                        .map(status -> new Charge("api", status.limit(), Key.of("ann")))
                        .toList(),
                cost,
                List.of(statuses));
    }

    private static Optional<String> mostRestrictive(LimitStatus... statuses) {
        return decision(1, statuses)
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
        assertThat(decision(1, status("a", 0, 5, seconds(5)), status("b", 0, 9, seconds(9)))
                        .retryAfter())
                .contains(Duration.ofSeconds(9));
        assertThat(decision(1, status("a", 1, 5, FITS)).retryAfter()).isEmpty();
        assertThat(decision(1, status("a", 0, 5, seconds(5)), status("b", 9, 9, Optional.empty()))
                        .retryAfter())
                .as("never")
                .isEmpty();
    }

    @Test
    void keepsStatusesInTheOrderOfTheRules() {
        List<LimitStatus> statuses =
                List.of(status("c", 3, 30, FITS), status("a", 0, 10, seconds(10)), status("b", 2, 0, Optional.empty()));
        Decision decision = decision(1, statuses.toArray(new LimitStatus[0]));
        assertThat(decision.statuses()).isEqualTo(statuses);
        assertThat(decision.allowed()).isFalse();
        assertThat(decision.source()).isEqualTo(Decision.Source.STORE);
        assertThat(decision)
                .hasToString(
                        "refused by STORE [c: 3 remaining, reset after PT30S, a: 0 remaining, reset after PT10S, b: 2 remaining, reset after PT0S]");
        assertThat(decision(1, status("c", 3, 30, FITS)))
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
                .isThrownBy(() -> Decision.of(List.of(), 1, List.of()))
                .withMessage("statuses must be one for each charge, were 0 for 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Decision.of(List.of(), 1, List.of(status("a", 1, 0, FITS))))
                .withMessage("statuses must be one for each charge, were 1 for 0");
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

    /** The decision compares its figures without making statuses; the comparator is what it is held to. */
    @Property
    void mostRestrictiveIsTheComparatorsFirst(@ForAll("statusLists") List<LimitStatus> statuses) {
        LimitStatus first =
                statuses.stream().min(Decision.MOST_RESTRICTIVE_FIRST).orElseThrow();
        assertThat(decision(1, statuses.toArray(new LimitStatus[0])).mostRestrictive())
                .contains(first);
    }

    @Provide
    Arbitrary<List<LimitStatus>> statusLists() {
        return anyStatus().list().ofMinSize(1).ofMaxSize(5);
    }

    @Test
    void neverIsTheLongestWaitThereIs() {
        LimitStatus year = status("year", 0, 0, Optional.of(Limit.MAX_WINDOW));
        LimitStatus never = status("never", 100, 0, Optional.empty());
        assertThat(Decision.MOST_RESTRICTIVE_FIRST.compare(never, year)).isNegative();
        assertThat(decision(200, year, never).mostRestrictive()).contains(never);
        assertThat(decision(200, never, year).retryAfter()).isEmpty();
        assertThat(never.exceeded()).isTrue();
        assertThat(decision(1, never).statuses()).containsExactly(never);
    }

    @Test
    void isAValue() {
        Decision decision = decision(1, status("a", 7, 5, FITS), status("b", 3, 9, FITS));
        Decision same = decision(1, status("a", 7, 5, FITS), status("b", 3, 9, FITS));
        assertThat(decision).isEqualTo(same).hasSameHashCodeAs(same);
        same.markRefunded();
        assertThat(decision).as("that it was given back is no part of it").isEqualTo(same);
        assertThat(decision)
                .isNotEqualTo(decision(2, status("a", 7, 5, FITS), status("b", 3, 9, FITS)))
                .isNotEqualTo(decision(1, status("a", 6, 5, FITS), status("b", 3, 9, FITS)))
                .isNotEqualTo(decision(1, status("a", 7, 6, FITS), status("b", 3, 9, FITS)))
                .isNotEqualTo(decision(1, status("a", 7, 5, seconds(5)), status("b", 3, 9, FITS)))
                .isNotEqualTo(decision(1, status("c", 7, 5, FITS), status("b", 3, 9, FITS)))
                .isNotEqualTo(decision(1, status("a", 7, 5, FITS), status("b", 2, 9, FITS)))
                .isNotEqualTo(decision(1, status("a", 7, 5, FITS)))
                .isNotEqualTo(decision.fromStandIn())
                .isNotEqualTo("decision");
        assertThat(with(decision, Duration.ofSeconds(5), NOW.plusSeconds(6)))
                .isNotEqualTo(with(decision, Duration.ofSeconds(6), NOW.plusSeconds(6)))
                .isNotEqualTo(with(decision, Duration.ofSeconds(5), NOW.plusSeconds(7)));
        assertThat(decision(200, status("a", 7, 5, seconds(1))))
                .isNotEqualTo(decision(200, status("a", 7, 5, seconds(2))));
        assertThat(Decision.withoutStore(true))
                .isEqualTo(Decision.UNLIMITED)
                .hasSameHashCodeAs(Decision.UNLIMITED)
                .isNotEqualTo(Decision.withoutStore(false));
        assertThat(Stream.of(1L, 2L, 3L)
                        .map(cost -> decision(cost, status("a", 7, 5, FITS)).hashCode()))
                .doesNotHaveDuplicates();
    }

    private static Decision with(Decision of, Duration resetAfter, Instant resetAt) {
        LimitStatus first = of.statuses().get(0);
        return decision(1, new LimitStatus("api", first.limit(), 1, resetAfter, resetAt, FITS));
    }

    @Test
    void isMarkedRefundedOnceAndOnlyIfItTookSomething() {
        Decision taken = decision(3, status("a", 7, 5, FITS));
        assertThat(Stream.generate(taken::markRefunded).limit(4)).containsExactly(true, false, false, false);
        assertThat(decision(0, status("a", 7, 5, FITS)).markRefunded()).isFalse();
        assertThat(decision(3, status("a", 0, 5, seconds(5))).markRefunded()).isFalse();
        assertThat(decision(3, status("a", 7, 5, FITS), status("b", 0, 5, seconds(5)))
                        .markRefunded())
                .isFalse();
        assertThat(Decision.UNLIMITED.markRefunded()).isFalse();
        assertThat(Decision.withoutStore(true).markRefunded()).isFalse();
    }

    @Test
    void ofManyThreadsOneMarksIt() {
        for (int i = 0; i < 200; i++) {
            Decision decision = decision(3, status("a", 7, 5, FITS));
            assertThat(Stream.generate(() -> decision)
                            .limit(16)
                            .parallel()
                            .filter(Decision::markRefunded)
                            .count())
                    .isEqualTo(1);
        }
    }

    @Test
    void knowsWhatWasAskedAndByWhomItWasAnswered() {
        Decision decision = decision(3, status("a", 7, 5, FITS), status("b", 7, 5, FITS));
        assertThat(decision.cost()).isEqualTo(3);
        assertThat(decision.charges())
                .extracting(charge -> charge.limit().name())
                .containsExactly("a", "b");
        assertThat(decision.statuses("api")).hasSize(2);
        assertThat(decision.statuses("other")).isEmpty();
        UnaryOperator<Decision> shadowed = of -> of.withShadows(List.of(Decision.UNLIMITED));
        Decision local = shadowed.apply(decision).fromStandIn();
        assertThat(local.source()).isEqualTo(Decision.Source.LOCAL);
        assertThat(local.shadows()).hasSize(1);
        assertThat(local.statuses()).isEqualTo(decision.statuses());
        assertThat(Decision.UNLIMITED.charges()).isEmpty();
        assertThat(Decision.UNLIMITED.source()).isEqualTo(Decision.Source.NONE);
        assertThat(Decision.UNLIMITED).hasToString("allowed by NONE []");
    }
}
