package io.github.ratelimit.contract;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.ratelimit.CalendarWindow;
import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limit.Shape;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.Limiter;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.SharedSettings;
import io.github.ratelimit.Store;
import io.github.ratelimit.test.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The promises of every {@link Store}, as tests: extend it to test a store of your own.
 *
 * <p>For a store that counts by the {@link TestClock}, override {@link #store} only. A store on a server has a clock of its own, which goes on
 * meanwhile. For that store, also override {@link #advance}, {@link #resolution} and {@link #tolerance}.
 */
public abstract class StoreContract {

    private static final String LIMITER = "contract";
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final LocalDate LAST_OF_JANUARY = LocalDate.of(2026, 1, 31);
    private static final int THREADS = 4;
    private static final int LONG = 1000;

    private List<Shape.Kind> kinds = List.of();

    // ---- what a store's own test says

    /** A fresh, empty store that counts by this clock or by one that {@link #advance} moves alike. Closed after each use. */
    protected abstract Store store(TestClock clock);

    /** Lets time pass for clock and store. Override it for a store with its own clock. */
    protected void advance(Store store, TestClock clock, Duration duration) {
        clock.advance(duration);
    }

    /**
     * The smallest step of {@link #advance}: the times of all tests are multiples of this step. A millisecond, if the
     * store counts by the test's clock. One whose own clock goes on: longer than {@link #tolerance}.
     */
    protected Duration resolution() {
        return ofMillis(1);
    }

    /** By how much a time that the store tells may be too short: more than zero only where the store's own clock goes on during a test. */
    protected Duration tolerance() {
        return Duration.ZERO;
    }

    /** How long any one test may take: one that takes longer fails. */
    protected Duration deadline() {
        return ofSeconds(60);
    }

    /**
     * How many rounds the tests with threads have, and how many keys the test of memory uses. Chosen: on two busy processors, a count without
     * a lock is found in nearly every run. Fewer for a store behind a network.
     */
    protected int rounds() {
        return 5000;
    }

    /** How many random runs of 30 requests on average there are: 100,000 requests with {@code -Dfull=true}. */
    protected int seeds() {
        return Boolean.getBoolean("full") ? 3400 : 200;
    }

    /** The shapes to test: those of the store, but no calendar windows if {@link #advance} does not move the calendar. */
    protected List<Shape.Kind> kinds() {
        if (kinds.isEmpty()) {
            try (Store store = store(new TestClock())) {
                kinds = Stream.of(Shape.Kind.values()).filter(store::supports).toList();
            }
        }
        return kinds;
    }

    /** The key to count by in place of this one: for a store that decides at once only about keys that have a part in common. */
    protected Key key(Key key) {
        return key;
    }

    /** Whether it decides a request on several counters at once: else a block of raised permits keeps what a rejected request took of it. */
    protected boolean decidesAtOnce() {
        return true;
    }

    /** How much memory the store takes, in bytes: all of this process', if it is not overridden. For a server's store, the server's. */
    protected long footprint(Store store) {
        return usedHeap();
    }

    /** How much larger the footprint may be after forty rounds of (at most) a thousand keys each than after ten, all windows being over. */
    protected long footprintBound() {
        return 1 << 20;
    }

    // ---- settings of all nodes

    @Test
    void keepsSharedSettingsIfItHasAny() {
        TestClock clock = new TestClock();
        try (Store store = store(clock)) {
            assumeTrue(store.sharedSettings().isPresent());
            SharedSettings settings = store.sharedSettings().get();
            settings.remove(settings.read().join().keySet()).join();
            settings.put(Map.of("api/shadow", "true", "api/permits/burst/größe", "5 'now' \\{\""))
                    .join();
            settings.put(Map.of("api/shadow", "false")).join();
            assertThat(settings.read().join())
                    .isEqualTo(Map.of("api/shadow", "false", "api/permits/burst/größe", "5 'now' \\{\""));
            settings.remove(Set.of("api/shadow", "missing")).join();
            assertThat(settings.read().join()).containsOnlyKeys("api/permits/burst/größe");
            settings.put(Map.of("api/shadow", "true", "mails/shadow", "5 'now' \\{\""))
                    .join();
            settings.remove(Map.of(
                            "api/shadow", "false", // not any more
                            "mails/shadow", "5 'now' \\{\"",
                            "missing", "true"))
                    .join();
            assertThat(settings.read().join()).containsOnlyKeys("api/permits/burst/größe", "api/shadow");
            settings.remove(Map.of("api/permits/burst/größe", "5 'now' \\{\"")).join();
            settings.remove(Set.of("api/shadow")).join();
            assertThat(settings.read().join()).isEmpty();
            settings.remove(Set.of("missing")).join();
            settings.remove(Map.of()).join();

            Limit limit = Limit.of("of-settings", 1, ofHours(1));
            String digest = settings.digest(new Charge(LIMITER, limit, Key.of("ann")));
            assertThat(settings.digest(new Charge(LIMITER, limit.withPermits(9), Key.of("ann"), 0)))
                    .isEqualTo(digest)
                    .doesNotContain("ann");
            assertThat(settings.digest(new Charge(LIMITER, limit, Key.of("bob"))))
                    .isNotEqualTo(digest);
        }
    }

    // ---- against the model

    @Test
    void agreesWithTheModel() {
        for (long seed = 0; seed < seeds(); seed++) {
            Random random = new Random(seed);
            List<RuleOf> rules = rules(random);
            List<Step> traffic = Stream.generate(() -> step(random))
                    .limit(random.nextInt(60))
                    .toList();
            try {
                withStore((store, clock) -> agreesWithTheModel(store, clock, rules, traffic));
            } catch (AssertionError e) {
                throw new AssertionError("seed %d, %s: %s".formatted(seed, rules, e.getMessage()), e);
            }
        }
    }

    private void agreesWithTheModel(Store store, TestClock clock, List<RuleOf> rules, List<Step> traffic) {
        NaiveModel model = new NaiveModel(clock);
        List<Decision> decisions = new ArrayList<>();
        List<NaiveModel.Answer> answers = new ArrayList<>();
        for (Step step : traffic) {
            List<Charge> charges = charges(step, rules);
            switch (step.kind) {
                case ADVANCE -> advance(store, clock, resolution().multipliedBy(step.amount));
                case TO_THE_END -> toTheEnd(store, clock, model.nextEnd(charges), step.amount);
                case RESET -> {
                    store.resetAsync(charges).join();
                    model.reset(charges);
                }
                case SETTLE -> {
                    if (!decisions.isEmpty()) {
                        int which = (int) step.amount % decisions.size();
                        ToLongFunction<Charge> actual = charge -> step.otherCost;
                        store.settleAsync(decisions.get(which), actual).join();
                        answers.get(which).settlement().settle(actual);
                    }
                }
                case ACQUIRE -> {
                    Decision decision = decide(store, charges, decisions.size() % 2 == 0);
                    decisions.add(decision);
                    answers.add(model.tryAcquire(charges));
                    assertAgree(decision, answers.get(answers.size() - 1), charges);
                }
            }
        }
    }

    /** Both ways in turns: they decide alike. */
    private static Decision decide(Store store, List<Charge> charges, boolean waiting) {
        return waiting
                ? store.tryAcquire(charges)
                : store.tryAcquireAsync(charges).join();
    }

    /** To the next end of a window in whole steps, or to one step before it. */
    private void toTheEnd(Store store, TestClock clock, Optional<Duration> end, long stepsBefore) {
        end.map(left -> left.plus(resolution()).minusNanos(1).dividedBy(resolution()) - stepsBefore)
                .map(resolution()::multipliedBy)
                .filter(left -> !left.isNegative())
                .ifPresent(left -> advance(store, clock, left));
    }

    private void assertAgree(Decision actual, NaiveModel.Answer expected, List<Charge> charges) {
        assertThat(actual.allowed()).as("allowed").isEqualTo(expected.allowed());
        assertThat(actual.source()).isEqualTo(Decision.Source.STORE);
        assertThat(actual.charges()).as("charges").isEqualTo(charges);
        assertThat(actual.statuses()).hasSameSizeAs(expected.statuses());
        for (int i = 0; i < charges.size(); i++) {
            LimitStatus status = actual.statuses().get(i);
            NaiveModel.Status said = expected.statuses().get(i);
            assertThat(status.limiter()).isEqualTo(charges.get(i).limiter());
            assertThat(status.limit()).isEqualTo(charges.get(i).limit());
            assertThat(status.remaining()).as("remaining of %s", status).isEqualTo(said.remaining());
            assertClose("resetAfter of " + status, status.resetAfter(), said.resetAfter());
            assertThat(status.resetAt())
                    .as("resetAt of %s", status)
                    .isBetween(said.resetAt().minus(tolerance()), said.resetAt().plus(tolerance()));
            assertThat(status.neverFits())
                    .as("whether %s never fits", status)
                    .isEqualTo(said.retryAfter().isEmpty());
            said.retryAfter()
                    .ifPresent(wait -> assertClose(
                            "retryAfter of " + status, status.retryAfter().orElseThrow(), wait));
        }
    }

    private void assertClose(String what, Duration actual, Duration expected) {
        Duration ofCalls = tolerance().dividedBy(9); // a refund of a bucket that comes so late gives back so much less
        assertThat(actual)
                .as(what)
                .isBetween(
                        expected.isZero() ? expected : expected.minus(tolerance()),
                        expected.isZero() ? expected : expected.plus(ofCalls));
    }

    private enum Kind {
        ACQUIRE,
        ADVANCE,
        TO_THE_END,
        SETTLE,
        RESET
    }

    /**
     * A rule of the random traffic.
     *
     * @param ofOther whether it belongs to the second of two limiters
     * @param windowSteps the length of its window; 0: the longest window
     */
    private record RuleOf(boolean ofOther, Shape.Kind kind, long permits, long windowSteps) {

        /**
         * All moments of a limit are steps: those of a bucket that permits come back at, and those of the thirds of a sliding window. Half
         * steps are those of a bucket whose rate was doubled.
         */
        Limit limit(String name, long morePermits, Duration step) {
            long lessOrMore = Math.max(1, permits + morePermits);
            Duration window = windowSteps == 0 ? Limit.MAX_WINDOW : step.multipliedBy(windowSteps);
            Duration steps = step.multipliedBy(Math.max(1, windowSteps));
            return switch (kind) {
                case FIXED -> Limit.of(name, lessOrMore, window);
                case BUCKET ->
                    Limit.of(name, morePermits > 0 ? 2 * permits : permits, steps.multipliedBy(2 * permits))
                            .bucket(lessOrMore);
                case SLIDING ->
                    Limit.of(name, lessOrMore, steps.multipliedBy(3)).sliding();
                case CONCURRENT -> Limit.concurrent(name, lessOrMore, steps.multipliedBy(3));
                case CALENDAR -> Limit.calendar(name, lessOrMore, calendar());
                case BLOCKING -> Limit.of(name, lessOrMore, window).blocking(step.multipliedBy(permits));
            };
        }

        private CalendarWindow calendar() {
            CalendarWindow.Unit[] units = CalendarWindow.Unit.values();
            CalendarWindow whole = CalendarWindow.of(units[(int) permits % units.length], BERLIN);
            return ofOther ? whole.from(LAST_OF_JANUARY) : whole;
        }
    }

    /**
     * A step of the random traffic.
     *
     * @param amount the cost, the number of steps, or the number of the decision to refund
     * @param otherCost the cost for the second limiter
     * @param rules the rules of the request, a bit for each; all rules if it is zero, backwards if it is negative
     */
    private record Step(Kind kind, long amount, long otherCost, int client, int agent, int rules, long morePermits) {}

    private List<RuleOf> rules(Random random) {
        return Stream.generate(() -> {
                    int kind = random.nextInt(9);
                    long steps = kind < 6 ? between(random, 1, 6) : kind < 8 ? between(random, 7, 5000) : 0;
                    return new RuleOf(
                            random.nextBoolean(),
                            kinds().get(random.nextInt(kinds().size())),
                            between(random, 1, 12),
                            steps);
                })
                .limit(between(random, 1, 4))
                .toList();
    }

    private static Step step(Random random) {
        int kind = random.nextInt(24);
        if (kind < 5) {
            return step(random, Kind.ACQUIRE, between(random, 0, 14));
        } else if (kind < 15) {
            return step(random, Kind.ACQUIRE, 1);
        } else if (kind < 18) {
            return step(random, Kind.ADVANCE, between(random, 1, 7));
        } else if (kind < 20) {
            return step(random, Kind.TO_THE_END, between(random, 0, 1));
        } else if (kind < 23) {
            return step(random, Kind.SETTLE, between(random, 0, 1000));
        }
        return step(random, Kind.RESET, 0);
    }

    private static Step step(Random random, Kind kind, long amount) {
        long otherCost = random.nextInt(4) == 0 ? between(random, 0, 5) : kind == Kind.SETTLE ? 0 : amount;
        long morePermits = random.nextInt(3) > 0 ? 0 : random.nextBoolean() ? 3 : -2;
        return new Step(
                kind,
                amount,
                otherCost,
                random.nextInt(3),
                random.nextInt(3),
                (int) between(random, -15, 15),
                morePermits);
    }

    private static long between(Random random, long least, long most) {
        return least + random.nextInt((int) (most - least + 1));
    }

    /** The first rule counts by client and agent, the second by client, the third all requests together. */
    private List<Charge> charges(Step step, List<RuleOf> rules) {
        Key agent = step.agent == 0 ? Key.absent() : Key.of("agent-" + step.agent);
        Key client = Key.of("client-" + step.client);
        List<Key> keys = List.of(client.and(agent), client, Key.absent());
        List<Charge> charges = new ArrayList<>();
        int all = (1 << rules.size()) - 1;
        int met = (Math.abs(step.rules) & all) == 0 ? all : Math.abs(step.rules);
        for (int i = 0; i < rules.size(); i++) {
            RuleOf rule = rules.get(i);
            if ((met & 1 << i) != 0) {
                long morePermits = rule.kind == Shape.Kind.BLOCKING && !decidesAtOnce() ? 0 : step.morePermits;
                charges.add(new Charge(
                        rule.ofOther ? "other" : LIMITER,
                        rule.limit("limit-" + i, morePermits, resolution()),
                        key(keys.get(i % 3)),
                        rule.ofOther ? step.otherCost : step.amount));
            }
        }
        if (step.rules < 0) {
            Collections.reverse(charges);
        }
        return charges;
    }

    @Test
    void isRejectedUntilRetryAfterAndGrantedThen() {
        Random random = new Random(1);
        withStore((store, clock) -> {
            for (int i = 0; i < 200; i++) {
                Charge charge = charge(
                        "only",
                        between(random, 1, 20),
                        resolution().multipliedBy(between(random, 2, 2000)),
                        "client-" + i);
                isRejectedUntilRetryAfterAndGrantedThen(
                        store, clock, List.of(charge), between(random, 0, 20), between(random, 1, 20));
            }
        });
    }

    private void isRejectedUntilRetryAfterAndGrantedThen(
            Store store, TestClock clock, List<Charge> charges, long before, long cost) {
        Duration step = resolution();
        long permits = charges.get(0).limit().permits();
        Duration window = charges.get(0).limit().window();
        long taken = Math.min(before, permits);
        store.tryAcquire(costing(charges, taken));
        advance(store, clock, step);
        Decision decision = store.tryAcquire(costing(charges, cost));

        if (cost > permits) {
            assertThat(decision.allowed()).isFalse();
            assertThat(decision.neverFits()).isTrue();
        } else if (taken + cost > permits) {
            assertClose("retryAfter", decision.retryAfter().orElseThrow(), window.minus(step));
            advance(store, clock, window.minus(step.multipliedBy(2)));
            assertThat(store.tryAcquire(costing(charges, cost)).allowed())
                    .as("one step before the end")
                    .isFalse();
            advance(store, clock, step);
            assertThat(store.tryAcquire(costing(charges, cost)).allowed())
                    .as("at the promised moment")
                    .isTrue();
        } else {
            assertThat(decision.allowed()).isTrue();
        }
    }

    /** Of every shape but concurrency limits, which promise nothing: rejected until one step before the promised moment, and granted at it. */
    @Test
    void everyShapeKeepsThePromiseOfRetryAfter() {
        Random random = new Random(2);
        // Of many more, one is a small cost of a short window: it takes a hundred thousand requests to be rejected.
        for (int i = 0; i < Math.min(seeds(), 200); i++) {
            RuleOf rule = rules(random).get(0);
            if (rule.kind == Shape.Kind.CONCURRENT) {
                continue;
            }
            withStore((store, clock) -> {
                List<Charge> charges =
                        List.of(new Charge(LIMITER, rule.limit("only", 0, resolution()), key(Key.of("somebody"))));
                long cost = between(random, 1, charges.get(0).limit().capacity());
                Decision rejected;
                do {
                    advance(store, clock, resolution().multipliedBy(between(random, 0, 2)));
                    rejected = store.tryAcquire(costing(charges, cost));
                } while (rejected.allowed());
                Duration wait = rejected.retryAfter().orElseThrow();
                long steps = (wait.toMillis() + resolution().toMillis() - 1)
                        / resolution().toMillis();

                advance(store, clock, resolution().multipliedBy(steps - 1));
                assertThat(store.tryAcquire(costing(charges, cost)).allowed())
                        .as("%s, a step before %s", rule, wait)
                        .isFalse();
                advance(store, clock, resolution());
                assertThat(store.tryAcquire(costing(charges, cost)).allowed())
                        .as("%s, after %s", rule, wait)
                        .isTrue();
            });
        }
    }

    // ---- under threads

    @Test
    void callersAtTheTurnOfAWindowShareExactlyThePermits() {
        List<Charge> charges = List.of(charge("only", 60, ofHours(1), "everybody"));
        withStore((store, clock) -> this.<List<Decision>>together(
                rounds(),
                (round, none) -> advance(store, clock, ofHours(1)),
                (thread, round) -> several(20, () -> store.tryAcquire(charges)),
                (round, results) -> {
                    List<Decision> allowed =
                            all(results).filter(Decision::allowed).toList();
                    assertThat(allowed).hasSize(60);
                    assertThat(allowed)
                            .map(decision -> decision.statuses().get(0).remaining())
                            .as("what each was told remains")
                            .containsExactlyInAnyOrderElementsOf(
                                    LongStream.range(0, 60).boxed().toList());
                }));
    }

    @Test
    void callersOfAFreshKeyShareExactlyThePermits() {
        withStore((store, clock) -> this.<List<Decision>>together(
                rounds(),
                (round, none) -> {},
                (thread, round) -> {
                    List<Charge> charges = List.of(charge("only", 3, ofHours(1), "somebody-" + round));
                    return several(2, () -> store.tryAcquire(charges));
                },
                (round, results) ->
                        assertThat(all(results).filter(Decision::allowed)).hasSize(3)));
    }

    @Test
    void callersOfOneRuleAndOfTwoShareExactlyThePermits() {
        Charge shared = charge("shared", 60, ofHours(1), "everybody");
        Charge wide = charge("wide", 1000, ofHours(1), "everybody");
        withStore((store, clock) -> this.<List<Decision>>together(
                rounds(),
                (round, none) -> advance(store, clock, ofHours(1)),
                (thread, round) -> {
                    List<Charge> charges = thread % 2 == 0 ? List.of(shared) : List.of(shared, wide);
                    return several(20, () -> store.tryAcquire(charges));
                },
                (round, results) -> {
                    assertThat(all(results).filter(Decision::allowed)).hasSize(60);
                    long ofTwo = all(results)
                            .filter(decision ->
                                    decision.allowed() && decision.charges().size() == 2)
                            .count();
                    assertThat(used(store, wide))
                            .as("taken from the second limit")
                            .isEqualTo(ofTwo);
                }));
    }

    @Test
    void compoundCallersTakeFromAllLimitersOrFromNone() {
        withStore((store, clock) -> this.<List<Decision>>together(
                rounds(),
                (round, none) -> {},
                (thread, round) -> {
                    List<Charge> charges = List.of(
                            charge("own", 3, ofHours(1), "caller-" + thread + "-" + round),
                            new Charge("other", Limit.of("shared", 7, ofHours(1)), key(Key.of("round-" + round))));
                    return several(4, () -> store.tryAcquire(charges));
                },
                (round, results) -> {
                    assertThat(all(results).filter(Decision::allowed)).hasSize(7);
                    for (List<Decision> ofOne : results) {
                        Charge own = ofOne.get(0).charges().get(0);
                        assertThat(used(store, own))
                                .as("what the caller's own limit gave")
                                .isEqualTo(
                                        ofOne.stream().filter(Decision::allowed).count());
                    }
                }));
    }

    @Test
    void compoundCallersInOppositeOrderDoNotWaitForEachOther() {
        Charge a = charge("a", 1_000_000, ofHours(1), "everybody");
        Charge b = new Charge("other", Limit.of("b", 1_000_000, ofHours(1)), key(Key.of("everybody else")));
        withStore((store, clock) -> {
            this.<List<Decision>>together(
                    fewRounds(),
                    (round, none) -> {},
                    (thread, round) -> {
                        List<Charge> charges = thread % 2 == 0 ? List.of(a, b) : List.of(b, a);
                        return several(LONG, () -> store.tryAcquire(charges));
                    },
                    (round, results) -> assertThat(all(results)).allMatch(Decision::allowed));
            assertThat(used(store, a)).isEqualTo((long) LONG * THREADS * fewRounds());
            assertThat(used(store, b)).isEqualTo((long) LONG * THREADS * fewRounds());
        });
    }

    // ---- how many at a time

    @Test
    void concurrencyLimitIsNeverExceededAndLosesNoPermit() {
        assumeTrue(kinds().contains(Shape.Kind.CONCURRENT), "this store has no concurrency limits");
        int tasks = Boolean.getBoolean("full") ? 1_000_000 : 20_000;
        Charge jobs = jobs(5, ofHours(1));
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        withStore((store, clock) -> {
            Limiter<Key> limiter = Limiter.of(
                    LimiterSpec.<Key>of("jobs", jobs.limit(), key -> key).withOnStoreFailure(OnStoreFailure.REJECT),
                    store);
            Together.<Long>run(
                    deadline().minusSeconds(2),
                    64,
                    1,
                    (round, none) -> {},
                    (thread, round) -> LongStream.range(0, tasks / 64)
                            .filter(i -> limiter.run(jobs.key(), () -> {
                                        most.accumulateAndGet(running.incrementAndGet(), Math::max);
                                        used(store, jobs); // work, for as long as the store takes
                                        running.decrementAndGet();
                                    })
                                    .allowed())
                            .count(),
                    (round, ran) -> assertThat(ran).as("tasks that ran").anyMatch(some -> some > 0));
            assertThat(most.get()).as("tasks at a time").isBetween(1, 5);
            while (used(store, jobs) > 0) {
                Thread.onSpinWait(); // permits that are on their way back
            }
        });
    }

    @Test
    void permitsComeBackExactlyWhenTheirLeaseIsOver() {
        assumeTrue(kinds().contains(Shape.Kind.CONCURRENT), "this store has no concurrency limits");
        Duration half = resolution().multipliedBy(3);
        Charge jobs = jobs(5, half.multipliedBy(2));
        withStore((store, clock) -> {
            store.tryAcquire(List.of(jobs.withCost(3)));
            advance(store, clock, half);
            store.tryAcquire(List.of(jobs.withCost(2)));
            advance(store, clock, half.minus(resolution()));
            Decision rejected = store.tryAcquire(List.of(jobs));
            assertThat(rejected.allowed()).as("a step before the lease is over").isFalse();
            assertThat(rejected.retryAfter()).contains(Shape.CONCURRENT_RETRY);
            assertClose("resetAfter", rejected.statuses().get(0).resetAfter(), half.plus(resolution()));
            advance(store, clock, resolution());
            assertThat(remaining(store.tryAcquire(List.of(jobs.withCost(3))))).containsExactly(0L);
            advance(store, clock, half);
            assertThat(used(store, jobs)).isEqualTo(3);
        });
    }

    @Test
    void ticketEndsAsOftenAsItIsToldToAndTakesNoOtherAlong() {
        assumeTrue(kinds().contains(Shape.Kind.CONCURRENT), "this store has no concurrency limits");
        Charge jobs = jobs(9, ofHours(1));
        withStore((store, clock) -> {
            Decision other = store.tryAcquire(List.of(jobs.withCost(2)));
            Decision ended = store.tryAcquire(List.of(jobs.withCost(3)));
            Decision last = store.tryAcquire(List.of(jobs));
            assertThat(Stream.of(other, ended, last).map(Decision::ticket))
                    .doesNotHaveDuplicates()
                    .allMatch(Optional::isPresent);
            for (int i = 0; i < 3; i++) {
                refund(store, asIfUnanswered(store, ended));
                assertThat(used(store, jobs)).isEqualTo(3);
            }
            assertThat(store.renewAsync(ended).join())
                    .as("a renewal that comes after the end")
                    .isFalse();
            assertThat(used(store, jobs)).isEqualTo(3);
            store.settleAsync(asIfUnanswered(store, other), charge -> 1).join();
            store.settleAsync(asIfUnanswered(store, other), charge -> 7).join();
            assertThat(used(store, jobs)).as("after settlements at other costs").isEqualTo(3);
            refund(store, other);
            refund(store, last);
            assertThat(used(store, jobs)).isZero();
        });
    }

    @Test
    void renewedPermitOutlivesItsLeaseAndOneThatEndedIsNotRenewed() {
        assumeTrue(kinds().contains(Shape.Kind.CONCURRENT), "this store has no concurrency limits");
        Duration third = resolution().multipliedBy(2);
        Charge jobs = jobs(2, third.multipliedBy(3));
        withStore((store, clock) -> {
            Decision held = store.tryAcquire(List.of(jobs));
            Decision killed = store.tryAcquire(List.of(jobs));
            for (int i = 1; i <= 8; i++) {
                advance(store, clock, third);
                assertThat(store.renewAsync(held).join()).isTrue();
                assertThat(store.renewAsync(held).join()).as("repeated").isTrue();
                assertThat(used(store, jobs)).isEqualTo(i < 3 ? 2 : 1);
            }
            assertThat(store.renewAsync(killed).join()).isFalse();
            assertThat(used(store, jobs)).isEqualTo(1);
            refund(store, killed);
            assertThat(used(store, jobs)).isEqualTo(1);
            refund(store, held);
            assertThat(used(store, jobs)).isZero();
        });
    }

    @Test
    void resetRemovesAllTickets() {
        assumeTrue(kinds().contains(Shape.Kind.CONCURRENT), "this store has no concurrency limits");
        Charge jobs = jobs(5, ofHours(1));
        withStore((store, clock) -> {
            List<Decision> before = several(3, () -> store.tryAcquire(List.of(jobs)));
            store.renewAsync(before.get(0)).join();
            store.resetAsync(List.of(jobs)).join();
            store.resetAsync(List.of(jobs)).join();
            LimitStatus afterwards =
                    store.tryAcquire(List.of(jobs.withCost(0))).statuses().get(0);
            assertThat(afterwards.remaining()).isEqualTo(5);
            assertThat(afterwards.resetAfter()).isZero();
            store.tryAcquire(List.of(jobs.withCost(4)));
            assertThat(before).noneMatch(decision -> store.renewAsync(decision).join());
            assertThat(used(store, jobs)).isEqualTo(4);
            before.forEach(decision -> refund(store, decision));
            assertThat(used(store, jobs)).isEqualTo(4);
        });
    }

    @Test
    void ticketNamesWhatItsDecisionTookOfEachConcurrencyLimit() {
        assumeTrue(kinds().contains(Shape.Kind.CONCURRENT), "this store has no concurrency limits");
        Charge one = jobs(5, ofHours(1));
        Charge two = new Charge("jobs", Limit.concurrent("reports", 7, ofHours(2)), one.key());
        Charge hourly = new Charge("jobs", Limit.of("hourly", 9, ofHours(1)), one.key());
        withStore((store, clock) -> {
            List<Charge> charges = List.of(one.withCost(2), hourly, two.withCost(3));
            store.tryAcquire(charges);
            Decision decision = store.tryAcquire(charges);
            assertThat(store.tryAcquire(charges).allowed()).isFalse();
            assertThat(remaining(store.tryAcquire(costing(charges, 0)))).containsExactly(1L, 7L, 1L);
            assertThat(store.renewAsync(decision).join()).isTrue();
            refund(store, decision);
            assertThat(remaining(store.tryAcquire(costing(charges, 0)))).containsExactly(3L, 8L, 4L);
            assertThat(store.renewAsync(decision).join()).isFalse();
            assertThat(remaining(store.tryAcquire(costing(charges, 0)))).containsExactly(3L, 8L, 4L);
        });
    }

    /** What one task holds. */
    private static final class Holder {

        final Decision decision;
        final long cost;
        long end;

        Holder(Decision decision, long end) {
            this.decision = decision;
            this.cost = decision.charges().get(0).cost();
            this.end = end;
        }
    }

    /** They end, end again, renew in time and too late, and die: at each moment the permits of those that are left are taken, and no others. */
    @Test
    void permitsAreThoseOfTheHoldersThatAreLeft() {
        assumeTrue(kinds().contains(Shape.Kind.CONCURRENT), "this store has no concurrency limits");
        int lease = 5;
        Charge jobs = jobs(6, resolution().multipliedBy(lease));
        for (long seed = 0; seed < seeds(); seed++) {
            Random random = new Random(seed);
            String run = "seed " + seed;
            withStore((store, clock) -> {
                boolean endless = store instanceof InProcessStore; // no holder dies there without the counter
                List<Holder> holders = new ArrayList<>();
                long now = 0;
                for (int step = 0; step < 40; step++) {
                    int kind = random.nextInt(16);
                    Holder one = holders.isEmpty() ? null : holders.get(random.nextInt(holders.size()));
                    if (kind < 5 || one == null) {
                        Decision decision = store.tryAcquire(List.of(jobs.withCost(between(random, 1, 3))));
                        long left = 6 - taken(holders, now);
                        assertThat(decision.allowed())
                                .as(run)
                                .isEqualTo(decision.charges().get(0).cost() <= left);
                        if (decision.allowed()) {
                            holders.add(new Holder(decision, now + lease));
                        }
                    } else if (kind < 8) {
                        refund(store, asIfUnanswered(store, one.decision));
                        one.end = now;
                    } else if (kind < 12) {
                        boolean there = one.end > now;
                        assertThat(store.renewAsync(one.decision).join())
                                .as(run)
                                .isEqualTo(there);
                        one.end = there ? endless ? Long.MAX_VALUE : now + lease : one.end;
                    } else if (kind < 15) {
                        long steps = between(random, 1, lease);
                        advance(store, clock, resolution().multipliedBy(steps));
                        now += steps;
                    } else {
                        store.resetAsync(List.of(jobs)).join();
                        holders.forEach(holder -> holder.end = 0);
                    }
                    assertThat(used(store, jobs)).as("%s, step %d", run, step).isEqualTo(taken(holders, now));
                }
            });
        }
    }

    private static long taken(List<Holder> holders, long now) {
        return holders.stream()
                .filter(holder -> holder.end > now)
                .mapToLong(holder -> holder.cost)
                .sum();
    }

    @Test
    void holdersThatAreLateLostOrKilledLeaveTheLimitWhole() {
        assumeTrue(kinds().contains(Shape.Kind.CONCURRENT), "this store has no concurrency limits");
        Duration lease = resolution().multipliedBy(6);
        Charge jobs = jobs(5, lease);
        withStore((store, clock) -> {
            UnreliableStore unreliable = new UnreliableStore(store);
            Limiter<Key> limiter = Limiter.of(
                    LimiterSpec.<Key>of("jobs", jobs.limit(), key -> key).withOnStoreFailure(OnStoreFailure.REJECT),
                    unreliable);
            AtomicInteger started = new AtomicInteger();
            CompletableFuture<Decision> cancelled = limiter.tryAcquireAsync(jobs.key());
            CompletableFuture<Decision> timedOut = limiter.runAsync(jobs.key(), () -> {
                started.incrementAndGet();
                return CompletableFuture.completedFuture(null);
            });
            cancelled.cancel(false);
            timedOut.completeExceptionally(new TimeoutException());
            unreliable.answer();
            unreliable.answer();
            assertThat(started.get()).as("tasks that nobody waits for").isZero();
            assertUsedSoon(store, jobs, 0, "after decisions that came too late");

            Decision other = store.tryAcquire(List.of(jobs));
            Decision ended = store.tryAcquire(List.of(jobs));
            unreliable.losesAnswers = true;
            assertThat(limiter.refund(ended)).isCompletedExceptionally();
            assertThat(limiter.refund(ended)).isCompletedExceptionally();
            assertThat(used(store, jobs))
                    .as("after ends whose answers were lost")
                    .isEqualTo(1);
            assertThat(limiter.tryAcquire(jobs.key()).allowed()).isFalse();
            assertThat(used(store, jobs))
                    .as("taken, as a caller that never learns of it")
                    .isEqualTo(2);
            advance(store, clock, lease.minus(resolution()));
            assertThat(used(store, jobs)).isEqualTo(2);
            advance(store, clock, resolution());
            assertThat(used(store, jobs))
                    .as("a lease after its holders were killed")
                    .isZero();
            refund(store, other);
            assertThat(store.tryAcquire(List.of(jobs.withCost(5))).allowed()).isTrue();
        });
    }

    /** Within two seconds: nobody waits for the ends of decisions that came too late, and a read on another connection may overtake them. */
    private static void assertUsedSoon(Store store, Charge charge, long used, String when) {
        long end = System.nanoTime() + ofSeconds(2).toNanos();
        while (used(store, charge) != used && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(used(store, charge)).as(when).isEqualTo(used);
    }

    /** The same decision, of which nobody knows yet whether it was settled: as after an answer that was lost. */
    static Decision asIfUnanswered(Store store, Decision decision) {
        return Decision.of(store, decision.statuses(), decision.ticket().orElse(null));
    }

    private Charge jobs(long permits, Duration lease) {
        return new Charge("jobs", Limit.concurrent("jobs", permits, lease), key(Key.of("everybody")));
    }

    @Test
    void everyRefundIsCountedBesideOthersRequests() {
        List<Charge> charges = List.of(
                charge("one", 1_000_000, ofHours(1), "everybody"), charge("two", 1_000_000, ofHours(1), "everybody"));
        withStore((store, clock) -> this.<List<Decision>>together(
                fewRounds(),
                (round, none) -> advance(store, clock, ofHours(1)),
                (thread, round) -> several(LONG, () -> {
                    Decision kept = store.tryAcquire(costing(charges, 2));
                    refund(store, store.tryAcquire(costing(charges, 3)));
                    return kept;
                }),
                (round, results) -> {
                    assertThat(used(store, charges.get(0))).isEqualTo(2L * LONG * THREADS);
                    assertThat(used(store, charges.get(1))).isEqualTo(2L * LONG * THREADS);
                }));
    }

    @Test
    void decisionIsGivenBackOnceHoweverManyAskForIt() {
        List<Charge> charges = List.of(charge("only", 1000, ofHours(1), "somebody"));
        AtomicReference<Decision> decision = new AtomicReference<>();
        withStore((store, clock) -> this.<Boolean>together(
                rounds(),
                (round, none) -> {
                    advance(store, clock, ofHours(1));
                    store.tryAcquire(costing(charges, 50));
                    decision.set(store.tryAcquire(costing(charges, 7)));
                },
                (thread, round) -> {
                    refund(store, requireNonNull(decision.get()));
                    return true;
                },
                (round, results) -> assertThat(used(store, charges.get(0))).isEqualTo(50)));
    }

    @Test
    void refundDoesNotReachTheWindowThatAResetBegan() {
        Charge charge = charge("only", 1000, ofHours(1), "somebody");
        List<Charge> charges = List.of(charge);
        AtomicReference<Decision> earlier = new AtomicReference<>();
        withStore((store, clock) -> this.<Boolean>together(
                rounds(),
                (round, none) -> {
                    advance(store, clock, ofHours(1));
                    earlier.set(store.tryAcquire(costing(charges, 5)));
                },
                (thread, round) -> {
                    if (thread == 0) {
                        store.resetAsync(charges).join();
                        store.tryAcquire(costing(charges, 9));
                    }
                    if (thread == 1) {
                        refund(store, requireNonNull(earlier.get()));
                    }
                    return true;
                },
                (round, results) -> assertThat(used(store, charge)).isEqualTo(9)));
    }

    @Test
    void refundDoesNotReachTheNextWindow() {
        Charge charge = charge("only", 1000, ofHours(1), "somebody");
        List<Charge> charges = List.of(charge);
        AtomicReference<Decision> earlier = new AtomicReference<>();
        withStore((store, clock) -> this.<Boolean>together(
                rounds(),
                (round, none) -> {
                    advance(store, clock, ofHours(1));
                    earlier.set(store.tryAcquire(costing(charges, 5)));
                    advance(store, clock, ofHours(1));
                },
                (thread, round) -> {
                    if (thread == 0) {
                        refund(store, requireNonNull(earlier.get()));
                    } else {
                        store.tryAcquire(costing(charges, 3));
                    }
                    return true;
                },
                (round, results) -> assertThat(used(store, charge)).isEqualTo(3L * (THREADS - 1))));
    }

    /**
     * Between resets, the used permits count up from 1. No figure comes more often than the one before it. Each reset follows a taken permit, so
     * a lost reset is a beginning less.
     */
    @Test
    void resetForgetsWhatWasThereAndNothingThatComesAfter() {
        Charge charge = charge("only", 1_000_000, ofHours(1), "somebody");
        List<Charge> charges = List.of(charge);
        withStore((store, clock) -> this.<List<Decision>>together(
                fewRounds(),
                (round, none) -> advance(store, clock, ofHours(1)),
                (thread, round) -> several(LONG, () -> {
                    Decision decision = store.tryAcquire(charges);
                    if (thread == 0) {
                        store.resetAsync(charges).join();
                    }
                    return decision;
                }),
                (round, results) -> {
                    long[] told = new long[LONG * THREADS + 1];
                    all(results).forEach(decision -> told[(int) usedAfter(decision)]++);
                    long left = used(store, charge);
                    assertThat(told[1]).as("how often the count began").isEqualTo(LONG + (left > 0 ? 1 : 0));
                    for (int i = 2; i < told.length; i++) {
                        assertThat(told[i]).as("how often %d were used", i).isLessThanOrEqualTo(told[i - 1]);
                    }
                }));
    }

    // ---- memory

    @Test
    void memoryComesBackOnceWindowsAreOver() {
        withStore((store, clock) -> {
            int keys = Math.min(1000, rounds());
            long early = 0;
            for (int round = 1; round <= 40; round++) {
                for (int i = 0; i < keys; i++) {
                    Key somebody = key(Key.of("somebody-" + round + "-" + i));
                    store.tryAcquire(List.of(
                            new Charge(LIMITER, Limit.of("short", 5, resolution()), somebody),
                            new Charge(
                                    LIMITER, Limit.of("longer", 5, resolution().multipliedBy(2)), somebody)));
                }
                advance(store, clock, resolution().multipliedBy(2));
                if (round == 10) {
                    early = footprint(store);
                }
            }
            assertThat(footprint(store) - early)
                    .as("how much larger it is after 40 rounds of %d keys than after 10", keys)
                    .isLessThanOrEqualTo(footprintBound());
        });
    }

    /** The reachable memory: the least of some measurements, as other threads of the process come and go. */
    private static long usedHeap() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            System.gc();
            Runtime runtime = Runtime.getRuntime();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }

    // ---- one promise each

    @Test
    void rejectedRequestTakesNothingFromOtherLimits() {
        Charge wide = charge("wide", 100, ofHours(1), "somebody");
        Charge narrow = charge("narrow", 2, ofSeconds(60), "somebody");
        withStore((store, clock) -> {
            for (int i = 0; i < 5; i++) {
                store.tryAcquire(List.of(wide, narrow));
            }
            assertThat(remaining(store.tryAcquire(costing(List.of(wide, narrow), 0))))
                    .containsExactly(98L, 0L);
        });
    }

    @Test
    void manyChargesAreOneDecision() {
        List<Charge> charges = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            charges.add(charge("limit-" + i, i == 29 ? 1 : 5, ofHours(1), "somebody-" + i));
        }
        withStore((store, clock) -> {
            assertThat(store.tryAcquire(charges).allowed()).isTrue();
            assertThat(store.tryAcquire(charges).allowed()).isFalse();
            assertThat(charges).allMatch(charge -> used(store, charge) == 1);
        });
    }

    @Test
    void rejectedRequestStartsNoWindow() {
        Charge used = charge("used", 1, ofSeconds(60), "somebody");
        Charge fresh = charge("fresh", 5, ofSeconds(60), "somebody");
        withStore((store, clock) -> {
            store.tryAcquire(List.of(used));
            for (int i = 0; i < 2; i++) {
                Decision rejected = store.tryAcquire(List.of(used, fresh));

                assertThat(rejected.allowed()).isFalse();
                assertThat(rejected.statuses().get(1).resetAfter()).isZero();
                assertThat(rejected.statuses().get(1).exceeded()).isFalse();
            }
        });
    }

    @Test
    void costAboveTheLimitNeverFits() {
        List<Charge> charges = List.of(charge("only", 5, ofSeconds(60), "somebody"));
        withStore((store, clock) -> {
            for (long cost : new long[] {6, Limit.MAX_PERMITS, Long.MAX_VALUE}) {
                Decision decision = store.tryAcquire(costing(charges, cost));
                assertThat(decision.allowed()).isFalse();
                assertThat(decision.statuses().get(0).retryAfter()).isEmpty();
                assertThat(decision.statuses().get(0).remaining()).isEqualTo(5);
            }
        });
    }

    /** A cost of a client's choice: it is rejected like any other, and no figure of the answer overflows. */
    @Test
    void costAboveTheLimitNeverFitsInAnyShape() {
        for (Shape.Kind kind : kinds()) {
            Limit limit = new RuleOf(false, kind, 5, 6).limit("only", 0, resolution());
            Charge charge = new Charge(LIMITER, limit, key(Key.of("somebody")));
            withStore((store, clock) -> {
                for (long before : new long[] {0, 3}) {
                    store.tryAcquire(List.of(charge.withCost(before)));
                    for (long cost : new long[] {6, Limit.MAX_PERMITS, Long.MAX_VALUE}) {
                        Decision decision = store.tryAcquire(List.of(charge.withCost(cost)));
                        assertThat(decision.allowed())
                                .as("%d of %s", cost, limit)
                                .isFalse();
                        assertThat(decision.neverFits())
                                .as("%d of %s", cost, limit)
                                .isTrue();
                        assertThat(remaining(decision)).containsExactly(5 - before);
                    }
                }
            });
        }
    }

    @Test
    void lookTakesNothingStartsNothingAndIsAlwaysAllowed() {
        List<Charge> charges = List.of(charge("only", 5, ofSeconds(60), "somebody"));
        withStore((store, clock) -> {
            for (int i = 0; i < 3; i++) {
                LimitStatus status =
                        store.tryAcquire(costing(charges, 0)).statuses().get(0);
                assertThat(status.remaining()).isEqualTo(5);
                assertThat(status.resetAfter()).isZero();
            }
            store.tryAcquire(costing(charges, 5));
            Decision look = store.tryAcquire(costing(charges, 0));
            assertThat(look.allowed()).isTrue();
            assertThat(look.statuses().get(0).remaining()).isZero();
            assertThat(store.tryAcquire(costing(List.of(charge("only", 2, ofSeconds(60), "somebody")), 0))
                            .allowed())
                    .as("of a limit that was lowered below what is used")
                    .isTrue();
        });
    }

    @Test
    void changedLimitAppliesToTheCountThatIsThere() {
        withStore((store, clock) -> {
            store.tryAcquire(costing(List.of(charge("only", 10, ofSeconds(60), "somebody")), 6));

            assertThat(remaining(store.tryAcquire(List.of(charge("only", 20, ofSeconds(60), "somebody")))))
                    .containsExactly(13L);
            Decision lowered = store.tryAcquire(List.of(charge("only", 5, ofSeconds(60), "somebody")));
            assertThat(lowered.allowed()).isFalse();
            assertThat(remaining(lowered)).containsExactly(0L);
        });
    }

    /** Used permits stay used. They return at the new rate. */
    @Test
    void changedRateOfABucketAppliesFromTheNextDecision() {
        Limit slow = Limit.of("only", 1, resolution().multipliedBy(100)).bucket(4);
        Limit fast = slow.withPermits(20);
        for (Limit before : kinds().contains(Shape.Kind.BUCKET) ? List.of(slow, fast) : List.<Limit>of()) {
            withStore((store, clock) -> {
                Limit after = before.equals(slow) ? fast : slow;
                Charge used = new Charge(LIMITER, before, key(Key.of("somebody")), 4);
                Charge changed = new Charge(LIMITER, after, key(Key.of("somebody")));
                assertThat(store.tryAcquire(List.of(used)).allowed()).isTrue();
                Decision rejected = store.tryAcquire(List.of(changed));
                long steps = 100 / after.permits();
                assertThat(remaining(rejected)).containsExactly(0L);
                assertClose(
                        "retryAfter",
                        rejected.retryAfter().orElseThrow(),
                        resolution().multipliedBy(steps));
                assertClose(
                        "resetAfter",
                        rejected.statuses().get(0).resetAfter(),
                        resolution().multipliedBy(4 * steps));
                advance(store, clock, resolution().multipliedBy(steps - 1));
                assertThat(store.tryAcquire(List.of(changed)).allowed())
                        .as("a step before the promised moment")
                        .isFalse();
                advance(store, clock, resolution());
                assertThat(store.tryAcquire(List.of(changed)).allowed())
                        .as("at the promised moment")
                        .isTrue();
                Charge wider = new Charge(LIMITER, after.bucket(6), key(Key.of("somebody")), 0);
                assertThat(remaining(store.tryAcquire(List.of(wider)))).containsExactly(2L);
            });
        }
    }

    /** So that a settlement far above the limit costs seconds and not years. */
    @Test
    void bucketOwesOneBucketAtMostAndGetsAllBack() {
        assumeTrue(kinds().contains(Shape.Kind.BUCKET), "this store has no buckets");
        Limit limit = Limit.of("only", 1, resolution()).bucket(5);
        Charge charge = new Charge(LIMITER, limit, key(Key.of("somebody")), 5);
        withStore((store, clock) -> {
            refund(store, store.tryAcquire(List.of(charge)));
            Decision decision = store.tryAcquire(List.of(charge));
            assertThat(decision.allowed()).as("after all was given back").isTrue();
            store.settleAsync(decision, settled -> 1000).join();
            LimitStatus status =
                    store.tryAcquire(List.of(charge.withCost(1))).statuses().get(0);
            assertClose("resetAfter", status.resetAfter(), resolution().multipliedBy(10));
            assertClose(
                    "retryAfter",
                    status.retryAfter().orElseThrow(),
                    resolution().multipliedBy(6));
        });
    }

    /** Else a client would wait for a bucket that no limit has any more. */
    @Test
    void bucketThatWasMadeSmallerOwesOneBucketAtMost() {
        assumeTrue(kinds().contains(Shape.Kind.BUCKET), "this store has no buckets");
        Limit limit = Limit.of("only", 1, resolution());
        Charge before = new Charge(LIMITER, limit.bucket(20), key(Key.of("somebody")), 20);
        Charge after = new Charge(LIMITER, limit.bucket(3), key(Key.of("somebody")));
        withStore((store, clock) -> {
            assertThat(store.tryAcquire(List.of(before)).allowed()).isTrue();
            Decision rejected = store.tryAcquire(List.of(after));
            assertThat(rejected.allowed()).isFalse();
            assertClose(
                    "resetAfter",
                    rejected.statuses().get(0).resetAfter(),
                    resolution().multipliedBy(6));
        });
    }

    /** Also if the block ends when the window of the decision would have: taken and rejected at one moment. */
    @Test
    void refundOpensNoBlock() {
        assumeTrue(kinds().contains(Shape.Kind.BLOCKING), "this store has no blocking windows");
        Duration block = resolution().multipliedBy(4);
        Charge charge = new Charge(LIMITER, Limit.of("only", 1, block).blocking(block), key(Key.of("somebody")));
        withStore((store, clock) -> {
            var first = store.tryAcquireAsync(List.of(charge("other", 1, block, "somebody")));
            var one = store.tryAcquireAsync(List.of(charge)); // these gather behind the first, or overtake each other
            var other = store.tryAcquireAsync(List.of(charge));
            assertThat(first.join().allowed()).isTrue();
            assertThat(one.join().allowed()).isNotEqualTo(other.join().allowed());
            refund(store, one.join().allowed() ? one.join() : other.join());
            advance(store, clock, block.dividedBy(2));
            assertThat(store.tryAcquire(List.of(charge)).allowed()).isFalse();
            advance(store, clock, block.dividedBy(2));
            assertThat(store.tryAcquire(List.of(charge)).allowed())
                    .as("when the block is over")
                    .isTrue();
        });
    }

    /** As when an operator allows more. Clients of a smaller plan stay blocked. */
    @Test
    void morePermitsThanAreUsedEndABlock() {
        assumeTrue(kinds().contains(Shape.Kind.BLOCKING), "this store has no blocking windows");
        Duration block = resolution().multipliedBy(6);
        Limit limit = Limit.of("only", 3, resolution().multipliedBy(2)).blocking(block);
        Key somebody = key(Key.of("somebody"));
        LongFunction<List<Charge>> by = permits -> List.of(new Charge(LIMITER, limit.withPermits(permits), somebody));
        withStore((store, clock) -> {
            store.tryAcquire(costing(by.apply(3), 2));
            assertThat(store.tryAcquire(costing(by.apply(3), 2)).allowed()).isFalse();
            assertThat(store.tryAcquire(by.apply(2)).allowed()).as("fewer").isFalse();
            advance(store, clock, block.dividedBy(2));
            assertThat(store.tryAcquire(by.apply(3)).allowed()).as("as many").isFalse();
            Decision more = store.tryAcquire(by.apply(5));
            assertThat(more.allowed()).as("more").isTrue();
            assertThat(remaining(more)).containsExactly(1L);
            assertClose("resetAfter", more.statuses().get(0).resetAfter(), block.dividedBy(2));
            Decision fewer = store.tryAcquire(by.apply(4));
            assertThat(fewer.allowed()).as("as many as are used now").isFalse();
            assertClose("retryAfter", fewer.retryAfter().orElseThrow(), block.dividedBy(2));
            advance(store, clock, block.dividedBy(2));
            assertThat(store.tryAcquire(by.apply(3)).allowed())
                    .as("when the block is over")
                    .isTrue();
        });
    }

    @Test
    void slidingPermitsAreGivenBackToTheirThirdAndNoOther() {
        assumeTrue(kinds().contains(Shape.Kind.SLIDING), "this store has no sliding windows");
        Duration third = resolution().multipliedBy(2);
        Limit limit = Limit.of("only", 9, third.multipliedBy(3)).sliding();
        Charge charge = new Charge(LIMITER, limit, key(Key.of("somebody")));
        withStore((store, clock) -> {
            Decision first = store.tryAcquire(List.of(charge.withCost(2)));
            advance(store, clock, third);
            refund(store, store.tryAcquire(List.of(charge.withCost(3))));
            LimitStatus left =
                    store.tryAcquire(List.of(charge.withCost(0))).statuses().get(0);
            assertThat(left.remaining()).isEqualTo(7);
            assertClose("resetAfter", left.resetAfter(), third.multipliedBy(3));
            store.tryAcquire(List.of(charge));
            advance(store, clock, third.multipliedBy(3));
            store.tryAcquire(List.of(charge.withCost(2)));
            refund(store, first);
            assertThat(used(store, charge)).as("the first have left by time").isEqualTo(3);
        });
    }

    @Test
    void renewedPermitThatEndedTakesItsLeaseAlong() {
        assumeTrue(kinds().contains(Shape.Kind.CONCURRENT), "this store has no concurrency limits");
        Charge jobs = jobs(2, resolution().multipliedBy(6));
        withStore((store, clock) -> {
            Decision renewed = store.tryAcquire(List.of(jobs));
            store.tryAcquire(List.of(jobs));
            advance(store, clock, resolution().multipliedBy(2));
            assertThat(store.renewAsync(renewed).join()).isTrue();
            refund(store, renewed);
            LimitStatus left =
                    store.tryAcquire(List.of(jobs.withCost(0))).statuses().get(0);
            assertThat(left.remaining()).isEqualTo(1);
            assertClose("resetAfter", left.resetAfter(), resolution().multipliedBy(4));
        });
    }

    @Test
    void refundAtAFormerRateOfABucketGivesNothingBack() {
        assumeTrue(kinds().contains(Shape.Kind.BUCKET), "this store has no buckets");
        Limit slow = Limit.of("only", 1, resolution().multipliedBy(100)).bucket(4);
        Charge used = new Charge(LIMITER, slow, key(Key.of("somebody")), 4);
        Charge changed = new Charge(LIMITER, slow.withPermits(20), used.key(), 0);
        withStore((store, clock) -> {
            Decision decision = store.tryAcquire(List.of(used));
            assertThat(remaining(store.tryAcquire(List.of(changed)))).containsExactly(0L);
            refund(store, decision);
            assertThat(remaining(store.tryAcquire(List.of(changed)))).containsExactly(0L);
        });
    }

    @Test
    void everyDecisionOfAWindowNamesTheSameReset() {
        List<Charge> charges = List.of(charge("only", 3, resolution().multipliedBy(10), "somebody"));
        withStore((store, clock) -> {
            Instant end = clock.instant().plus(resolution().multipliedBy(10));
            List<Instant> resets = new ArrayList<>();
            for (long cost : new long[] {1, 1, 0, 1, 1, 4, 0}) {
                resets.add(store.tryAcquire(costing(charges, cost))
                        .statuses()
                        .get(0)
                        .resetAt());
                advance(store, clock, resolution());
            }
            assertThat(resets)
                    .allSatisfy(reset -> assertThat(reset).isBetween(end.minus(tolerance()), end.plus(tolerance())));
            if (tolerance().isZero()) {
                assertThat(resets).containsOnly(end);
            }
        });
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
                Key.of("bb"),
                Key.of("a "),
                Key.of(" a"),
                Key.of("\u00e9"),
                Key.of("e\u0301"), // the same letter
                Key.of("{a}"),
                Key.of("a\u0000"),
                Key.of("\ud83d\ude00"),
                Key.of("x".repeat(1000) + "1"),
                Key.of("x".repeat(1000) + "2"));
        withStore((store, clock) -> {
            for (Key key : keys) {
                assertThat(store.tryAcquire(List.of(new Charge(LIMITER, limit, key(key))))
                                .allowed())
                        .isTrue();
            }
            for (Key key : keys) {
                assertThat(store.tryAcquire(List.of(new Charge(LIMITER, limit, key(key))))
                                .allowed())
                        .isFalse();
            }
            for (Charge other : List.of(
                    new Charge("another", limit, key(Key.of("a"))),
                    charge("other", 1, ofSeconds(60), "a"),
                    charge("only", 1, ofSeconds(61), "a"))) {
                assertThat(store.tryAcquire(List.of(other)).allowed()).isTrue();
            }
        });
    }

    @Test
    void calendarThatJumpsChangesNoDecision() {
        List<Charge> charges = List.of(charge("only", 1, ofSeconds(60), "somebody"));
        withStore((store, clock) -> {
            store.tryAcquire(charges);
            for (Duration jump : List.of(ofDays(-400), ofDays(1), ofDays(20_000), ofSeconds(-61), ofSeconds(61))) {
                clock.setCalendar(clock.instant().plus(jump));
                Decision decision = store.tryAcquire(charges);
                assertThat(decision.allowed()).as("after a jump of %s", jump).isFalse();
                assertClose("retryAfter", decision.retryAfter().orElseThrow(), ofSeconds(60));
            }
            advance(store, clock, ofSeconds(60));
            Decision later = store.tryAcquire(charges);
            assertThat(later.allowed()).isTrue();
        });
    }

    @Test
    void refundGivesBackOnceWhereItWasTaken() {
        List<Charge> charges =
                List.of(charge("one", 5, ofSeconds(60), "somebody"), charge("two", 7, ofSeconds(600), "somebody else"));
        withStore((store, clock) -> {
            store.tryAcquire(charges);
            Decision decision = store.tryAcquire(costing(charges, 2));
            for (int i = 0; i < 3; i++) {
                refund(store, decision);
                assertThat(remaining(store.tryAcquire(costing(charges, 0)))).containsExactly(4L, 6L);
            }
            assertThat(store.tryAcquire(costing(charges, 4)).allowed()).isTrue();
        });
    }

    @Test
    void refundAfterAWindowsEndGivesBackOnlyToTheWindowThatIsStillOpen() {
        List<Charge> charges =
                List.of(charge("one", 5, ofSeconds(60), "somebody"), charge("two", 7, ofSeconds(600), "somebody else"));
        withStore((store, clock) -> {
            Decision decision = store.tryAcquire(costing(charges, 2));
            advance(store, clock, ofSeconds(60));
            store.tryAcquire(costing(charges, 3));
            refund(store, decision);
            assertThat(remaining(store.tryAcquire(costing(charges, 0)))).containsExactly(2L, 4L);
        });
    }

    @Test
    void refundOfWhatTookNothingGivesNothingBack() {
        List<Charge> charges = List.of(charge("only", 5, ofSeconds(60), "somebody"));
        withStore((store, clock) -> {
            store.tryAcquire(costing(charges, 4));
            refund(store, store.tryAcquire(costing(charges, 3)));
            refund(store, store.tryAcquire(costing(charges, 0)));
            assertThat(remaining(store.tryAcquire(costing(charges, 0)))).containsExactly(1L);
        });
    }

    @Test
    void resetForgetsAndAnEarlierDecisionGivesNothingBackAfterwards() {
        List<Charge> charges =
                List.of(charge("one", 5, ofSeconds(60), "somebody"), charge("two", 7, ofSeconds(600), "somebody else"));
        withStore((store, clock) -> {
            Decision decision = store.tryAcquire(costing(charges, 5));
            assertThat(store.tryAcquire(costing(charges, 5)).allowed()).isFalse();
            store.resetAsync(charges).join();
            Decision afterwards = store.tryAcquire(costing(charges, 0));
            assertThat(remaining(afterwards)).containsExactly(5L, 7L);
            assertThat(afterwards.statuses())
                    .allMatch(status -> status.resetAfter().isZero());

            store.tryAcquire(costing(charges, 4));
            refund(store, decision);
            assertThat(remaining(store.tryAcquire(costing(charges, 0)))).containsExactly(1L, 3L);
        });
    }

    /** It is asked with the largest permits, and knows nothing of soft limits. */
    @Test
    void softLimitIsCountedOnAboveItsPermits() {
        Limit soft = Limit.of("soft", 2, resolution().multipliedBy(4)).withSoft(true);
        withStore((store, clock) -> {
            Limiter<Key> limiter = Limiter.of(
                    LimiterSpec.<Key>of("soft", soft, key -> key).withOnStoreFailure(OnStoreFailure.REJECT), store);
            Key somebody = key(Key.of("somebody"));
            Decision first = limiter.tryAcquire(somebody, 2);
            assertThat(first.exceeded()).isFalse();
            Decision above = limiter.tryAcquire(somebody, 5);
            assertThat(above.exceeded()).isTrue();
            assertThat(above.statuses().get(0).used()).isEqualTo(7);
            assertThat(remaining(above)).containsExactly(0L);
            limiter.settle(above, 1_000).join();
            assertThat(limiter.look(somebody).statuses().get(0).used()).isEqualTo(1_002);
            advance(store, clock, resolution().multipliedBy(4));
            assertThat(remaining(limiter.tryAcquire(somebody))).containsExactly(1L);
        });
    }

    @Test
    void largestAndSmallestLimitsAreExact() {
        Charge largest =
                new Charge(LIMITER, Limit.of("largest", Limit.MAX_PERMITS, Limit.MAX_WINDOW), key(Key.of("somebody")));
        withStore((store, clock) -> {
            assertThat(remaining(store.tryAcquire(costing(List.of(largest), Limit.MAX_PERMITS - 2))))
                    .containsExactly(2L);
            assertThat(remaining(store.tryAcquire(List.of(largest)))).containsExactly(1L);
            assertThat(store.tryAcquire(costing(List.of(largest), 2)).allowed()).isFalse();
            assertThat(remaining(store.tryAcquire(List.of(largest)))).containsExactly(0L);
            advance(store, clock, Limit.MAX_WINDOW.minus(resolution()));
            assertThat(store.tryAcquire(List.of(largest)).allowed()).isFalse();
            advance(store, clock, resolution());
            assertThat(remaining(store.tryAcquire(List.of(largest)))).containsExactly(Limit.MAX_PERMITS - 1);

            Charge smallest = new Charge(LIMITER, Limit.of("smallest", 1, Limit.MIN_WINDOW), key(Key.of("somebody")));
            for (int i = 0; i < 3; i++) {
                assertThat(store.tryAcquire(List.of(smallest)).allowed()).isTrue();
                advance(store, clock, resolution());
            }
        });
    }

    @Test
    void keysOfOneLimitAreDecidedReadAndResetTogether() {
        Charge from = charge("only", 5, ofSeconds(60), "somebody");
        Charge to = charge("only", 5, ofSeconds(60), "somebody else");
        withStore((store, clock) -> {
            store.tryAcquire(List.of(from, to.withCost(3)));
            assertThat(remaining(store.tryAcquire(costing(List.of(from, to), 0))))
                    .containsExactly(4L, 2L);
            assertThat(store.tryAcquire(List.of(from, to.withCost(3))).allowed())
                    .isFalse();
            assertThat(used(store, from)).as("all or nothing").isEqualTo(1);
            store.resetAsync(List.of(from, to)).join();
            assertThat(remaining(store.tryAcquire(costing(List.of(from, to), 0))))
                    .containsExactly(5L, 5L);
        });
    }

    @Test
    void impossibleRequestsAreRejectedWithAReason() {
        Charge charge = charge("only", 2, ofSeconds(60), "somebody");
        withStore((store, clock) -> {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> store.tryAcquire(List.of()))
                    .withMessageContaining("charges must be 1..256, were 0");
            List<Charge> many = LongStream.range(0, 257)
                    .mapToObj(i -> charge("only", 2, ofSeconds(60), "client-" + i))
                    .toList();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> store.tryAcquire(many))
                    .withMessageContaining("charges must be 1..256, were 257; split them");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> store.tryAcquire(List.of(charge, charge("only", 9, ofSeconds(60), "somebody"))))
                    .withMessageContaining("limiter 'contract': two charges for limit 'only' with the same key");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> store.resetAsync(List.of()))
                    .withMessageContaining("charges must be 1..256, were 0");
        });
    }

    // ---- what the tests share

    @FunctionalInterface
    private interface Body {
        void run(Store store, TestClock clock);
    }

    @FunctionalInterface
    private interface Call {
        Decision make();
    }

    /** On its own thread, with the deadline: a test that waits for ever fails. */
    private void withStore(Body body) {
        assertTimeoutPreemptively(deadline(), () -> {
            TestClock clock = new TestClock();
            try (Store store = store(clock)) {
                body.run(store, clock);
            }
        });
    }

    private <T> void together(int rounds, Together.Round<T> before, Together.Turn<T> turn, Together.Round<T> after) {
        Together.run(deadline().minusSeconds(2), THREADS, rounds, before, turn, after);
    }

    /** Where each round is long. */
    private int fewRounds() {
        return Math.max(1, rounds() / 100);
    }

    private static List<Decision> several(int times, Call call) {
        List<Decision> decisions = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            decisions.add(call.make());
        }
        return decisions;
    }

    private static Stream<Decision> all(List<List<Decision>> results) {
        return results.stream().flatMap(List::stream);
    }

    private static void refund(Store store, Decision decision) {
        store.refundAsync(decision).join();
    }

    private static long used(Store store, Charge charge) {
        return usedAfter(store.tryAcquire(costing(List.of(charge), 0)));
    }

    private static long usedAfter(Decision decision) {
        LimitStatus status = decision.statuses().get(0);
        return status.limit().permits() - status.remaining();
    }

    private Charge charge(String name, long permits, Duration window, String key) {
        return new Charge(LIMITER, Limit.of(name, permits, window), key(Key.of(key)));
    }

    /** The same counters with another cost. */
    public static List<Charge> costing(List<Charge> charges, long cost) {
        return charges.stream().map(charge -> charge.withCost(cost)).toList();
    }

    private static List<Long> remaining(Decision decision) {
        return decision.statuses().stream().map(LimitStatus::remaining).toList();
    }
}
