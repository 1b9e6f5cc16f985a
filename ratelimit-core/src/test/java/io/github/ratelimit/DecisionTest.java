package io.github.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class DecisionTest {

    private static final Store STORE = InProcessStore.create();

    private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000);
    private static final Optional<Duration> FITS = Optional.of(Duration.ZERO);

    private static LimitStatus status(String name, long remaining, long reset, Optional<Duration> retryAfter) {
        return LimitStatus.of(
                new Charge("api", Limit.of(name, 100, Duration.ofHours(1)), Key.of("ann")),
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
                STORE,
                Stream.of(statuses)
                        .map(status -> LimitStatus.of(
                                status.charge().withCost(cost),
                                status.remaining(),
                                status.resetAfter(),
                                status.resetAt(),
                                status.retryAfter()))
                        .toList(),
                null);
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
        assertThat(decision(1, status("a", 1, 5, FITS)).retryAfter()).contains(Duration.ZERO);
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
                        "rejected by STORE [c: 3 remaining, reset after PT30S, a: 0 remaining, reset after PT10S, b: 2 remaining, reset after PT0S]");
        assertThat(decision(1, status("c", 3, 30, FITS)))
                .hasToString("allowed by STORE [c: 3 remaining, reset after PT30S]");
    }

    @Test
    void withoutStoreThereIsNothingToReport() {
        assertThat(Decision.withoutStore(true).statuses()).isEmpty();
        assertThat(Decision.withoutStore(true).mostRestrictive()).isEmpty();
        assertThat(Decision.withoutStore(false).retryAfter()).contains(Duration.ZERO);
        assertThat(Decision.withoutStore(false).neverFits()).isFalse();
    }

    @Test
    void malformedStatusesAreRejectedByNameAndValue() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Decision.of(STORE, List.of(), null))
                .withMessage("statuses must be one for each charge, were none");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> status("a", -1, 0, FITS))
                .withMessage("limit 'a': remaining must be 0..100, was -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> status("a", 101, 0, FITS))
                .withMessage("limit 'a': remaining must be 0..100, was 101");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> status("a", 0, -1, FITS))
                .withMessageContaining("must not be negative, were -1000000000 ns and");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> status("a", 0, 0, seconds(-1)))
                .withMessageContaining("must not be negative");
    }

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
        assertThat(decision(1, year, never).mostRestrictive()).contains(never);
        assertThat(decision(1, never, year).retryAfter()).isEmpty();
        assertThat(decision(1, never, year).neverFits()).isTrue();
        assertThat(never.neverFits()).isTrue();
        assertThat(year.neverFits()).isFalse();
        assertThat(never.exceeded()).isTrue();
        assertThat(decision(1, never).statuses()).containsExactly(never);
    }

    @Test
    void statusesAreEqualByTheirNumbersAndShowNoKey() {
        LimitStatus one = status("a", 4, 30, seconds(30));
        assertThat(one).isEqualTo(status("a", 4, 30, seconds(30))).hasToString("a: 4 remaining, reset after PT30S");
        assertThat(one.later(1_000_000_000).resetAfter()).isEqualTo(Duration.ofSeconds(29));
        assertThat(one.later(1_000_000_000).retryAfter()).isEqualTo(seconds(29));
        assertThat(one.later(40_000_000_000L).resetAfter()).isZero();
        assertThat(one.later(40_000_000_000L).exceeded())
                .as("asked again, not allowed")
                .isTrue();
    }

    /** How often the store is asked, by a decision that is settled three times. */
    private static int settlements(Decision decision) {
        AtomicInteger asked = new AtomicInteger();
        for (int i = 0; i < 3; i++) {
            assertThat(decision.settleOnce(STORE, () -> {
                        asked.incrementAndGet();
                        return CompletableFuture.completedFuture(null);
                    }))
                    .isCompleted();
        }
        return asked.get();
    }

    @Test
    void isSettledOnceAndOnlyIfItWasAllowed() {
        assertThat(settlements(decision(3, status("a", 7, 5, FITS)))).isEqualTo(1);
        assertThat(settlements(decision(0, status("a", 7, 5, FITS))))
                .as("it may cost something in the end")
                .isEqualTo(1);
        assertThat(settlements(decision(3, status("a", 0, 5, seconds(5))))).isZero();
        assertThat(settlements(decision(3, status("a", 7, 5, FITS), status("b", 0, 5, seconds(5)))))
                .isZero();
        assertThat(settlements(Decision.unlimited())).isZero();
        assertThat(settlements(Decision.withoutStore(true))).isZero();
    }

    @Test
    void ofManyThreadsOneRefundsIt() {
        for (int i = 0; i < 200; i++) {
            Decision decision = decision(3, status("a", 7, 5, FITS));
            AtomicInteger asked = new AtomicInteger();
            IntStream.range(0, 16)
                    .parallel()
                    .forEach(each -> decision.settleOnce(STORE, () -> {
                        asked.incrementAndGet();
                        return new CompletableFuture<>();
                    }));
            assertThat(asked).hasValue(1);
        }
    }

    @Test
    void refundThatFailedIsTriedAgainUntilItSucceeds() {
        Decision decision = decision(3, status("a", 7, 5, FITS));
        CompletableFuture<Void> answer = new CompletableFuture<>();
        CompletionStage<Void> first = decision.settleOnce(STORE, () -> answer);
        CompletionStage<Void> second = decision.settleOnce(STORE, () -> {
            throw new AssertionError("one is on its way");
        });
        answer.completeExceptionally(new StoreException("away", null));
        assertThat(first).isCompletedExceptionally();
        assertThat(second).isCompletedExceptionally();
        assertThatThrownBy(() -> decision.settleOnce(STORE, () -> {
                    throw new StoreException("away", null);
                }))
                .isInstanceOf(StoreException.class);
        assertThat(settlements(decision)).isEqualTo(1);
    }

    @Test
    void knowsWhatWasAskedAndByWhomItWasAnswered() {
        Decision decision = decision(3, status("a", 7, 5, FITS), status("b", 7, 5, FITS));
        assertThat(decision.charges()).extracting(Charge::cost).containsExactly(3L, 3L);
        assertThat(decision.charges())
                .extracting(charge -> charge.limit().name())
                .containsExactly("a", "b");
        assertThat(decision.statuses("api")).hasSize(2);
        assertThat(decision.statuses("other")).isEmpty();
        UnaryOperator<Decision> shadowed = of -> of.withShadow(Decision.unlimited());
        Decision local = shadowed.apply(decision).fromFallback();
        assertThat(local.source()).isEqualTo(Decision.Source.LOCAL);
        assertThat(local.shadows()).hasSize(1);
        assertThat(local.statuses()).isEqualTo(decision.statuses());
        assertThat(Decision.unlimited().charges()).isEmpty();
        assertThat(Decision.unlimited().source()).isEqualTo(Decision.Source.NONE);
        assertThat(Decision.unlimited()).hasToString("allowed by NONE []");
    }

    @Test
    void decisionOfAnotherStoreIsRejectedByNameAndStaysRefundable() {
        Store other = InProcessStore.create();
        Charge charge = new Charge("mail", Limit.of("own", 1, Duration.ofMinutes(1)), Key.of("ann"), 1);
        Decision decision = STORE.tryAcquire(List.of(charge));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> other.refundAsync(decision))
                .withMessageContaining("the decision was made by another store")
                .withMessageContaining("refund it there");

        STORE.refundAsync(decision).join();
        assertThat(STORE.tryAcquire(List.of(charge)).allowed()).isTrue();
    }
}
