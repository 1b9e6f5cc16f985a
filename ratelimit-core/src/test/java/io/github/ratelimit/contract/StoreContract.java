package io.github.ratelimit.contract;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/**
 * The promises of every {@link Store}. In-process, Redis and anyone's store extend it.
 *
 * <p>All times are multiples of ten seconds, so that a store on a server whose own clock goes on meanwhile is right as well, as long as
 * one test takes it less than that.
 */
public abstract class StoreContract {

    private static final String LIMITER = "contract";
    private static final Duration STEP = ofSeconds(10);

    /** A fresh, empty store that counts by this clock or by one that {@link #advance} moves alike. Closed after each use. */
    protected abstract Store store(TestClock clock);

    /** Lets time pass for clock and store. A store with a clock of its own moves that one as well. */
    protected void advance(Store store, TestClock clock, Duration duration) {
        clock.advance(duration);
    }

    /** How much less than exactly a store's {@code resetAfter} may be, for one whose own clock goes on during a test. */
    protected Duration tolerance() {
        return Duration.ZERO;
    }

    // ---- against the model

    @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
    void agreesWithTheModel(@ForAll("rules") List<Limit> limits, @ForAll("traffic") List<Step> traffic) {
        TestClock clock = new TestClock();
        NaiveModel model = new NaiveModel(clock);
        try (Store store = store(clock)) {
            for (Step step : traffic) {
                List<Charge> charges = step.charges(limits);
                switch (step.kind) {
                    case ADVANCE -> advance(store, clock, STEP.multipliedBy(step.amount));
                    case ACQUIRE ->
                        assertAgree(
                                store.tryAcquire(LIMITER, charges, step.amount),
                                model.tryAcquire(LIMITER, charges, step.amount));
                    case REFUND -> {
                        store.refundAsync(LIMITER, charges, step.amount)
                                .toCompletableFuture()
                                .join();
                        model.refund(LIMITER, charges, step.amount);
                    }
                    case RESET -> {
                        store.resetAsync(LIMITER, charges).toCompletableFuture().join();
                        model.reset(LIMITER, charges);
                    }
                }
            }
        }
    }

    private void assertAgree(Decision actual, NaiveModel.Answer expected) {
        assertThat(actual.allowed()).isEqualTo(expected.allowed());
        assertThat(actual.statuses()).hasSameSizeAs(expected.statuses());
        for (int i = 0; i < expected.statuses().size(); i++) {
            LimitStatus status = actual.statuses().get(i);
            NaiveModel.Status said = expected.statuses().get(i);
            assertThat(status.remaining()).as("remaining of %s", status).isEqualTo(said.remaining());
            assertClose(status.resetAfter(), said.resetAfter());
            assertThat(status.retryAfter().isPresent())
                    .isEqualTo(said.retryAfter().isPresent());
            said.retryAfter().ifPresent(wait -> assertClose(status.retryAfter().orElseThrow(), wait));
        }
    }

    private void assertClose(Duration actual, Duration expected) {
        assertThat(actual).isBetween(expected.isZero() ? expected : expected.minus(tolerance()), expected);
    }

    enum Kind {
        ACQUIRE,
        ADVANCE,
        REFUND,
        RESET
    }

    record Step(Kind kind, long amount, int client, int agent) {

        /** The first rule counts by client and agent, the next one by client, any further one everybody together. */
        List<Charge> charges(List<Limit> limits) {
            List<Key> keys = List.of(
                    Key.of("client-" + client).and(agent == 0 ? Key.absent() : Key.of("agent-" + agent)),
                    Key.of("client-" + client),
                    Key.absent());
            return IntStream.range(0, limits.size())
                    .mapToObj(i -> new Charge(limits.get(i), keys.get(Math.min(i, 2))))
                    .toList();
        }
    }

    @Provide
    Arbitrary<List<Limit>> rules() {
        Arbitrary<Limit> limit = Combinators.combine(
                        Arbitraries.longs().between(1, 12),
                        Arbitraries.integers().between(1, 6))
                .as((permits, steps) -> Limit.of("x", permits, STEP.multipliedBy(steps)));
        return limit.list()
                .ofMinSize(1)
                .ofMaxSize(3)
                .map(limits -> IntStream.range(0, limits.size())
                        .mapToObj(i -> Limit.of(
                                "limit-" + i,
                                limits.get(i).permits(),
                                limits.get(i).window()))
                        .toList());
    }

    @Provide
    Arbitrary<List<Step>> traffic() {
        Arbitrary<Integer> who = Arbitraries.integers().between(0, 2);
        Arbitrary<Step> acquire = Combinators.combine(Arbitraries.longs().between(0, 14), who, who)
                .as((cost, client, agent) -> new Step(Kind.ACQUIRE, cost, client, agent));
        Arbitrary<Step> one =
                Combinators.combine(who, who).as((client, agent) -> new Step(Kind.ACQUIRE, 1, client, agent));
        Arbitrary<Step> advance = Arbitraries.longs().between(1, 7).map(steps -> new Step(Kind.ADVANCE, steps, 0, 0));
        Arbitrary<Step> refund = Combinators.combine(Arbitraries.longs().between(0, 5), who, who)
                .as((cost, client, agent) -> new Step(Kind.REFUND, cost, client, agent));
        Arbitrary<Step> reset =
                Combinators.combine(who, who).as((client, agent) -> new Step(Kind.RESET, 0, client, agent));
        return Arbitraries.frequencyOf(
                        Tuple.of(5, acquire),
                        Tuple.of(10, one),
                        Tuple.of(4, advance),
                        Tuple.of(1, refund),
                        Tuple.of(1, reset))
                .list()
                .ofMaxSize(60);
    }

    @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
    void isRefusedUntilRetryAfterAndGrantedThen(
            @ForAll @LongRange(min = 1, max = 20) long permits,
            @ForAll @LongRange(min = 2, max = 30) long windowSteps,
            @ForAll @LongRange(min = 0, max = 20) long before,
            @ForAll @LongRange(min = 1, max = 20) long cost) {
        TestClock clock = new TestClock();
        List<Charge> charges = List.of(charge("only", permits, STEP.multipliedBy(windowSteps), "somebody"));
        try (Store store = store(clock)) {
            long taken = Math.min(before, permits);
            store.tryAcquire(LIMITER, charges, taken);
            advance(store, clock, STEP);
            Decision decision = store.tryAcquire(LIMITER, charges, cost);

            if (cost > permits) {
                assertThat(decision.allowed()).isFalse();
                assertThat(decision.retryAfter()).isEmpty();
            } else if (taken + cost > permits) {
                Duration wait = decision.retryAfter().orElseThrow();
                assertThat(wait).isPositive().isLessThanOrEqualTo(STEP.multipliedBy(windowSteps));
                advance(store, clock, STEP.multipliedBy(windowSteps - 2));
                assertThat(store.tryAcquire(LIMITER, charges, cost).allowed())
                        .as("one step before the end")
                        .isFalse();
                advance(store, clock, STEP);
                assertThat(store.tryAcquire(LIMITER, charges, cost).allowed())
                        .as("at the promised moment")
                        .isTrue();
            } else {
                assertThat(decision.allowed()).isTrue();
            }
        }
    }

    // ---- under threads

    @Test
    void concurrentCallersShareExactlyThePermits() throws Exception {
        List<Charge> charges = List.of(charge("only", 500, ofHours(1), "everybody"));
        try (Store store = store(new TestClock())) {
            List<Decision> decisions = inParallel(16, 64, () -> store.tryAcquire(LIMITER, charges, 1));

            assertThat(decisions).filteredOn(Decision::allowed).hasSize(500);
            assertThat(decisions)
                    .filteredOn(Decision::allowed)
                    .map(decision -> decision.statuses().get(0).remaining())
                    .containsExactlyInAnyOrderElementsOf(
                            LongStream.range(0, 500).boxed().toList());
        }
    }

    @Test
    void concurrentCompoundCallersTakeFromAllLimitsOrFromNone() throws Exception {
        Charge shared = charge("shared", 300, ofHours(1), "everybody");
        List<List<Charge>> callers = IntStream.range(0, 16)
                .mapToObj(i -> List.of(charge("own", 40, ofHours(1), "caller-" + i), shared))
                .toList();
        try (Store store = store(new TestClock())) {
            List<Callable<Decision>> calls = new ArrayList<>();
            for (int i = 0; i < 16 * 64; i++) {
                List<Charge> charges = callers.get(i % 16);
                calls.add(() -> store.tryAcquire(LIMITER, charges, 1));
            }
            long allowed =
                    inParallel(16, calls).stream().filter(Decision::allowed).count();

            assertThat(allowed).isEqualTo(300);
            long taken = callers.stream()
                    .mapToLong(charges -> 40
                            - store.tryAcquire(LIMITER, charges, 0)
                                    .statuses()
                                    .get(0)
                                    .remaining())
                    .sum();
            assertThat(taken).as("what the callers' own limits gave").isEqualTo(300);
        }
    }

    @Test
    void compoundCallersInOppositeOrderDoNotWaitForEachOther() throws Exception {
        Charge a = charge("a", 100_000, ofHours(1), "everybody");
        Charge b = charge("b", 100_000, ofHours(1), "everybody");
        try (Store store = store(new TestClock())) {
            List<Callable<Decision>> calls = new ArrayList<>();
            for (int i = 0; i < 2000; i++) {
                List<Charge> charges = i % 2 == 0 ? List.of(a, b) : List.of(b, a);
                calls.add(() -> store.tryAcquire(LIMITER, charges, 1));
            }
            assertThat(inParallel(8, calls)).allMatch(Decision::allowed);
            assertThat(remaining(store.tryAcquire(LIMITER, List.of(a, b), 0))).containsExactly(98_000L, 98_000L);
        }
    }

    // ---- one promise each

    @Test
    void refusedRequestTakesNothingFromOtherLimits() {
        Charge wide = charge("wide", 100, ofHours(1), "somebody");
        Charge narrow = charge("narrow", 2, ofSeconds(60), "somebody");
        try (Store store = store(new TestClock())) {
            for (int i = 0; i < 5; i++) {
                store.tryAcquire(LIMITER, List.of(wide, narrow), 1);
            }
            assertThat(remaining(store.tryAcquire(LIMITER, List.of(wide, narrow), 0)))
                    .containsExactly(98L, 0L);
        }
    }

    @Test
    void refusedRequestStartsNoWindow() {
        Charge used = charge("used", 1, ofSeconds(60), "somebody");
        Charge fresh = charge("fresh", 5, ofSeconds(60), "somebody");
        try (Store store = store(new TestClock())) {
            store.tryAcquire(LIMITER, List.of(used), 1);
            Decision refused = store.tryAcquire(LIMITER, List.of(used, fresh), 1);

            assertThat(refused.allowed()).isFalse();
            assertThat(refused.statuses().get(1).resetAfter()).isZero();
            assertThat(refused.statuses().get(1).exceeded()).isFalse();
        }
    }

    @Test
    void costAboveTheLimitNeverFits() {
        List<Charge> charges = List.of(charge("only", 5, ofSeconds(60), "somebody"));
        try (Store store = store(new TestClock())) {
            for (long cost : new long[] {6, Limit.MAX_PERMITS, Long.MAX_VALUE}) {
                Decision decision = store.tryAcquire(LIMITER, charges, cost);
                assertThat(decision.allowed()).isFalse();
                assertThat(decision.statuses().get(0).retryAfter()).isEmpty();
                assertThat(decision.statuses().get(0).remaining()).isEqualTo(5);
            }
        }
    }

    @Test
    void lookTakesNothingAndStartsNothing() {
        List<Charge> charges = List.of(charge("only", 5, ofSeconds(60), "somebody"));
        try (Store store = store(new TestClock())) {
            for (int i = 0; i < 3; i++) {
                LimitStatus status =
                        store.tryAcquire(LIMITER, charges, 0).statuses().get(0);
                assertThat(status.remaining()).isEqualTo(5);
                assertThat(status.resetAfter()).isZero();
            }
            store.tryAcquire(LIMITER, charges, 5);
            Decision look = store.tryAcquire(LIMITER, charges, 0);
            assertThat(look.allowed()).isTrue();
            assertThat(look.statuses().get(0).remaining()).isZero();
        }
    }

    @Test
    void changedLimitAppliesToTheCountThatIsThere() {
        try (Store store = store(new TestClock())) {
            store.tryAcquire(LIMITER, List.of(charge("only", 10, ofSeconds(60), "somebody")), 6);

            assertThat(remaining(store.tryAcquire(LIMITER, List.of(charge("only", 20, ofSeconds(60), "somebody")), 1)))
                    .containsExactly(13L);
            Decision lowered = store.tryAcquire(LIMITER, List.of(charge("only", 5, ofSeconds(60), "somebody")), 1);
            assertThat(lowered.allowed()).isFalse();
            assertThat(remaining(lowered)).containsExactly(0L);
        }
    }

    @Test
    void everyDecisionOfAWindowNamesTheSameReset() {
        List<Charge> charges = List.of(charge("only", 3, ofSeconds(60), "somebody"));
        try (Store store = store(new TestClock())) {
            List<Instant> resets = IntStream.of(1, 1, 0, 1, 1, 4, 0)
                    .mapToObj(cost -> store.tryAcquire(LIMITER, charges, cost)
                            .statuses()
                            .get(0)
                            .resetAt())
                    .distinct()
                    .toList();
            assertThat(resets).hasSize(1);
        }
    }

    @Test
    void countersDoNotMeet() {
        Limit limit = Limit.of("only", 1, ofSeconds(60));
        List<Key> keys = List.of(
                Key.of(""),
                Key.absent(),
                Key.of("a").and(Key.of("b|c")),
                Key.of("a|b").and(Key.of("c")),
                Key.of("a").and(Key.of("b")).and(Key.of("c")),
                Key.of("a").and(Key.absent()),
                Key.absent().and(Key.of("a")),
                Key.of("a"),
                Key.of("-"),
                Key.of("1:a"),
                Key.of("Aa"),
                Key.of("BB"), // the same hash as the one before
                Key.of("{a}"),
                Key.of("a\u0000"),
                Key.of("\ud83d\ude00"),
                Key.of("x".repeat(1000) + "1"),
                Key.of("x".repeat(1000) + "2"));
        try (Store store = store(new TestClock())) {
            for (Key key : keys) {
                assertThat(store.tryAcquire(LIMITER, List.of(new Charge(limit, key)), 1)
                                .allowed())
                        .isTrue();
            }
            for (Key key : keys) {
                assertThat(store.tryAcquire(LIMITER, List.of(new Charge(limit, key)), 1)
                                .allowed())
                        .isFalse();
            }
            assertThat(store.tryAcquire("another", List.of(new Charge(limit, Key.of("a"))), 1)
                            .allowed())
                    .isTrue();
            assertThat(store.tryAcquire(LIMITER, List.of(charge("other", 1, ofSeconds(60), "a")), 1)
                            .allowed())
                    .isTrue();
            assertThat(store.tryAcquire(LIMITER, List.of(charge("only", 1, ofSeconds(61), "a")), 1)
                            .allowed())
                    .isTrue();
        }
    }

    @Test
    void calendarThatJumpsChangesNoDecision() {
        TestClock clock = new TestClock();
        List<Charge> charges = List.of(charge("only", 1, ofSeconds(60), "somebody"));
        try (Store store = store(clock)) {
            store.tryAcquire(LIMITER, charges, 1);
            for (Duration jump : List.of(ofDays(-400), ofDays(1), ofDays(20_000), ofSeconds(-61), ofSeconds(61))) {
                clock.setCalendar(clock.instant().plus(jump));
                Decision decision = store.tryAcquire(LIMITER, charges, 1);
                assertThat(decision.allowed()).as("after a jump of %s", jump).isFalse();
                assertThat(decision.retryAfter().orElseThrow()).isLessThanOrEqualTo(ofSeconds(60));
            }
            advance(store, clock, ofSeconds(60));
            assertThat(store.tryAcquire(LIMITER, charges, 1).allowed()).isTrue();
        }
    }

    @Test
    void resetForgetsAndRefundGivesBack() {
        List<Charge> charges =
                List.of(charge("one", 5, ofSeconds(60), "somebody"), charge("two", 7, ofSeconds(600), "somebody else"));
        try (Store store = store(new TestClock())) {
            store.tryAcquire(LIMITER, charges, 5);
            store.refundAsync(LIMITER, charges, 2).toCompletableFuture().join();
            assertThat(remaining(store.tryAcquire(LIMITER, charges, 0))).containsExactly(2L, 4L);

            store.refundAsync(LIMITER, charges, 100).toCompletableFuture().join();
            assertThat(remaining(store.tryAcquire(LIMITER, charges, 0))).containsExactly(5L, 7L);

            store.tryAcquire(LIMITER, charges, 5);
            assertThat(store.tryAcquire(LIMITER, charges, 5).allowed()).isFalse();
            store.resetAsync(LIMITER, charges).toCompletableFuture().join();
            Decision afterwards = store.tryAcquire(LIMITER, charges, 0);
            assertThat(remaining(afterwards)).containsExactly(5L, 7L);
            assertThat(afterwards.statuses())
                    .allMatch(status -> status.resetAfter().isZero());
        }
    }

    @Test
    void largestAndSmallestLimitsAreExact() {
        Charge largest = new Charge(Limit.of("largest", Limit.MAX_PERMITS, Limit.MAX_WINDOW), Key.of("somebody"));
        try (Store store = store(new TestClock())) {
            assertThat(remaining(store.tryAcquire(LIMITER, List.of(largest), Limit.MAX_PERMITS - 2)))
                    .containsExactly(2L);
            assertThat(remaining(store.tryAcquire(LIMITER, List.of(largest), 1)))
                    .containsExactly(1L);
            assertThat(store.tryAcquire(LIMITER, List.of(largest), 2).allowed()).isFalse();
            assertThat(remaining(store.tryAcquire(LIMITER, List.of(largest), 1)))
                    .containsExactly(0L);

            Charge smallest = new Charge(Limit.of("smallest", 1, ofMillis(1)), Key.of("somebody"));
            assertThat(store.tryAcquire(LIMITER, List.of(smallest), 1).allowed())
                    .isTrue();
        }
    }

    @Test
    void asynchronousCallDecidesAlike() {
        List<Charge> charges = List.of(charge("only", 2, ofSeconds(60), "somebody"));
        try (Store store = store(new TestClock())) {
            List<Boolean> allowed = IntStream.range(0, 3)
                    .mapToObj(i -> store.tryAcquireAsync(LIMITER, charges, 1)
                            .toCompletableFuture()
                            .join()
                            .allowed())
                    .toList();
            assertThat(allowed).containsExactly(true, true, false);
        }
    }

    @Test
    void impossibleRequestsAreRefusedWithAReason() {
        List<Charge> charges = List.of(charge("only", 2, ofSeconds(60), "somebody"));
        try (Store store = store(new TestClock())) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> store.tryAcquire(LIMITER, charges, -1))
                    .withMessageContaining("cost must be 0 or more, was -1");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> store.tryAcquire(LIMITER, List.of(), 1))
                    .withMessageContaining("charges must not be empty");
        }
    }

    // ---- what the tests share

    private static Charge charge(String name, long permits, Duration window, String key) {
        return new Charge(Limit.of(name, permits, window), Key.of(key));
    }

    private static List<Long> remaining(Decision decision) {
        return decision.statuses().stream().map(LimitStatus::remaining).toList();
    }

    private static List<Decision> inParallel(int threads, int callsEach, Callable<Decision> call) throws Exception {
        return inParallel(
                threads,
                IntStream.range(0, threads * callsEach).mapToObj(i -> call).toList());
    }

    private static List<Decision> inParallel(int threads, List<Callable<Decision>> calls) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Decision> decisions = new ArrayList<>();
            for (Future<Decision> future : executor.invokeAll(calls)) {
                decisions.add(future.get());
            }
            return decisions;
        } finally {
            executor.shutdownNow();
        }
    }
}
