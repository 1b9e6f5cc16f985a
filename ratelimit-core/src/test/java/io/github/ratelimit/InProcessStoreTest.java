package io.github.ratelimit;

import static io.github.ratelimit.contract.StoreContract.costing;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.InProcessStore.WhenFull;
import io.github.ratelimit.test.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What this store promises beyond the contract: memory bounded as a whole, and honesty when it is full. */
class InProcessStoreTest {

    private static final Limit LIMIT = Limit.of("burst", 60, Duration.ofMinutes(1));
    private static final Limit DAY = Limit.of("day", 1000, Duration.ofDays(1));

    private final TestClock clock = new TestClock();

    private static Charge charge(String key) {
        return new Charge("limiter", LIMIT, Key.of(key));
    }

    private static List<Charge> charges(String key) {
        return List.of(charge(key));
    }

    private static List<Charge> both(String key) {
        return List.of(charge(key), new Charge("limiter", DAY, Key.of(key)));
    }

    private static long remaining(Decision decision) {
        return decision.statuses().get(0).remaining();
    }

    private InProcessStore store(int maximumCounters) {
        return InProcessStore.builder()
                .time(clock)
                .maximumCounters(maximumCounters)
                .build();
    }

    private static void flood(Store store, int keys) {
        for (int i = 0; i < keys; i++) {
            store.tryAcquire(charges("fresh-" + i));
        }
    }

    // ---- a full store

    @Test
    void usedUpCounterOutlivesAFloodOfFreshKeys() {
        InProcessStore store = store(1024);
        for (int i = 0; i < 100; i++) {
            store.tryAcquire(costing(charges("hot-" + i), 60));
        }
        flood(store, 100_000);
        for (int i = 0; i < 100; i++) {
            assertThat(store.tryAcquire(charges("hot-" + i)).allowed()).isFalse();
        }
        clock.advance(Duration.ofMinutes(1));
        for (int i = 0; i < 100; i++) {
            assertThat(store.tryAcquire(costing(charges("hot-" + i), 60)).allowed())
                    .isTrue();
        }
    }

    @Test
    void whoHasUsedLessThanTheLimitIsNeverRejectedForSomebodyElse() {
        InProcessStore store = store(1024);
        for (int i = 0; i < 50_000; i++) {
            assertThat(store.tryAcquire(both("fresh-" + i)).allowed()).isTrue();
        }
        assertThat(store.evicted()).isBetween(90_000L, 100_000L);
        assertThat(store.counters()).isBetween(1000L, 1024L);
    }

    @Test
    void counterWithPermitsThatAreTakenOrHeldIsNeverEvicted() {
        InProcessStore store = store(1024);
        Limit jobs = Limit.concurrent("jobs", 4, Duration.ofHours(2));
        Limiter<String> limiter = Limiter.of(LimiterSpec.of("jobs", jobs, Key::of), store);
        for (int i = 0; i < 100; i++) {
            limiter.tryAcquire("taken-" + i);
            limiter.hold(limiter.tryAcquire("held-" + i));
        }
        for (int i = 0; i < 20_000; i++) { // each uses a larger share of its limit
            store.tryAcquire(costing(charges("fresh-" + i), 50));
        }
        for (int i = 0; i < 100; i++) {
            assertThat(remaining(limiter.look("taken-" + i))).isEqualTo(3);
            assertThat(remaining(limiter.look("held-" + i))).isEqualTo(3);
        }
    }

    @Test
    void keyWithoutRoomBesidePermitsThatAreTakenIsRejected() {
        InProcessStore store = store(1024);
        Limit jobs = Limit.concurrent("jobs", 4, Duration.ofHours(2));
        List<Decision> taken = new ArrayList<>();
        Decision rejected = null;
        for (int i = 0; i < 2000; i++) {
            Decision decision = store.tryAcquire(List.of(new Charge("jobs", jobs, Key.of("job-" + i))));
            rejected = decision.allowed() ? rejected : decision;
            if (decision.allowed()) {
                taken.add(decision);
            }
        }
        assertThat(store.evicted()).isZero();
        assertThat(taken).hasSizeBetween(1000, 1024);
        assertThat(store.counters()).isEqualTo(taken.size());
        LimitStatus full = requireNonNull(rejected).statuses().get(0);
        assertThat(full.retryAfter()).contains(Duration.ofHours(2));
        taken.forEach(decision -> store.refundAsync(decision).join());
        assertThat(store.counters()).isZero();
        assertThat(store.tryAcquire(rejected.charges()).allowed()).isTrue();
    }

    @Test
    void counterThatLosesLeastIsEvictedFirst() {
        InProcessStore store = store(1024);
        for (int used = 1; used <= 40; used++) {
            for (int i = 0; i < 50; i++) {
                store.tryAcquire(costing(charges("used-" + used + "-" + i), used));
            }
        }
        long[] kept = new long[41];
        for (int used = 1; used <= 40; used++) {
            for (int i = 0; i < 50; i++) {
                kept[used] += remaining(store.tryAcquire(costing(charges("used-" + used + "-" + i), 0))) < 60 ? 1 : 0;
            }
        }
        assertThat(IntStream.rangeClosed(1, 10).mapToLong(used -> kept[used]).sum())
                .isLessThan(25);
        assertThat(IntStream.rangeClosed(31, 40).mapToLong(used -> kept[used]).sum())
                .isGreaterThan(475);
    }

    @Test
    void amongEqualSharesTheNearestEndIsEvictedFirst() {
        InProcessStore store = store(1024);
        for (int i = 0; i < 400; i++) {
            store.tryAcquire(costing(charges("old-" + i), 30));
        }
        clock.advance(Duration.ofSeconds(30));
        for (int i = 0; i < 900; i++) {
            store.tryAcquire(costing(charges("young-" + i), 30));
        }
        long old = IntStream.range(0, 400)
                .filter(i -> remaining(store.tryAcquire(costing(charges("old-" + i), 0))) < 60)
                .count();
        long young = IntStream.range(0, 900)
                .filter(i -> remaining(store.tryAcquire(costing(charges("young-" + i), 0))) < 60)
                .count();
        assertThat(young).isGreaterThan(850);
        assertThat(old).isLessThan(200);
    }

    @Test
    void shareIsThatOfTheLimitNotTheCount() {
        InProcessStore store = store(1024);
        Limit wide = Limit.of("wide", 1_000_000, Duration.ofMinutes(1));
        Limit narrow = Limit.of("narrow", 2, Duration.ofMinutes(1));
        for (int i = 0; i < 300; i++) {
            store.tryAcquire(costing(List.of(new Charge("limiter", wide, Key.of("wide-" + i))), 1000));
            store.tryAcquire(costing(List.of(new Charge("limiter", narrow, Key.of("narrow-" + i))), 2));
        }
        for (int i = 0; i < 5000; i++) {
            store.tryAcquire(costing(List.of(new Charge("limiter", LIMIT, Key.of("fresh-" + i))), 6));
        }
        // Seldom more counters that are used up meet than a part of the table holds: which, is by chance.
        assertThat(IntStream.range(0, 300)
                        .filter(i -> !store.tryAcquire(List.of(new Charge("limiter", narrow, Key.of("narrow-" + i))))
                                .allowed())
                        .count())
                .isGreaterThan(285);
        long wideKept = IntStream.range(0, 300)
                .filter(i -> remaining(store.tryAcquire(
                                costing(List.of(new Charge("limiter", wide, Key.of("wide-" + i))), 0)))
                        < 1_000_000)
                .count();
        assertThat(wideKept).isLessThan(30);
    }

    @Test
    void shareIsThatOfTheLimitAsItWasAtTheLastDecision() {
        Limit narrow = Limit.of("plan", 20, Duration.ofMinutes(1));
        Limit wide = Limit.of("plan", 10_000, Duration.ofMinutes(1));
        Charge all = new Charge("all", Limit.of(1_000_000, Duration.ofMinutes(1)), Key.absent());
        for (boolean several : List.of(false, true)) {
            InProcessStore store = store(1024);
            for (Limit limit : List.of(narrow, wide)) {
                for (int i = 0; i < 300; i++) {
                    Charge own = new Charge("limiter", limit, Key.of("key-" + i));
                    assertThat(store.tryAcquire(costing(several ? List.of(all, own) : List.of(own), 10))
                                    .allowed())
                            .isTrue();
                }
            }
            for (int i = 0; i < 5000; i++) {
                store.tryAcquire(costing(List.of(new Charge("limiter", LIMIT, Key.of("fresh-" + i))), 6));
            }
            long kept = IntStream.range(0, 300)
                    .filter(i -> remaining(store.tryAcquire(
                                    costing(List.of(new Charge("limiter", wide, Key.of("key-" + i))), 0)))
                            < 10_000)
                    .count();
            assertThat(kept).isLessThan(30);
        }
    }

    /** Keys of one decision that may stand in the same places once took these from each other for ever. */
    @Test
    @Timeout(30)
    void keysOfOneDecisionLeaveEachOtherTheirPlaces() {
        InProcessStore store = store(1024);
        List<Limit> limits = IntStream.range(0, 12)
                .mapToObj(i -> Limit.of("limit-" + i, 10 + i, Duration.ofDays(1)))
                .toList();
        for (int i = 0; i < 5000; i++) {
            Key key = Key.of("key-" + i);
            Decision decision = store.tryAcquire(limits.stream()
                    .map(limit -> new Charge("limiter", limit, key))
                    .toList());
            assertThat(decision.allowed()).isTrue();
        }
        assertThat(store.evicted()).isGreaterThan(12 * 5000 - 1024 - 1);
    }

    /** The bound is what it says, whatever its factors: the last growth once evicted windows at six tenths. */
    @Test
    void nothingIsEvictedBeforeTheTableIsWellFilled() {
        for (int maximum : List.of(66_560, 73_728, 100_000, 131_072)) {
            InProcessStore store = store(maximum);
            int keys = (int) (store.maximumCounters() * 0.7);
            flood(store, keys);
            assertThat(store.evicted()).as("of %d, with %d", maximum, keys).isZero();
            assertThat(store.counters()).as("of %d", maximum).isEqualTo(keys);
            for (int i = 0; i < keys; i += 97) {
                assertThat(remaining(store.tryAcquire(costing(charges("fresh-" + i), 0))))
                        .isEqualTo(59);
            }
        }
    }

    @Test
    void eachEvictedWindowIsCounted() {
        InProcessStore store = store(1024);
        flood(store, 3000);
        long open = IntStream.range(0, 3000)
                .filter(i -> remaining(store.tryAcquire(costing(charges("fresh-" + i), 0))) == 59)
                .count();
        assertThat(open).isEqualTo(store.counters());
        assertThat(store.evicted()).isEqualTo(3000 - open).isPositive();
    }

    @Test
    void windowThatIsOverIsNotEvictedButReused() {
        InProcessStore store = store(10_000);
        for (int minute = 0; minute < 10; minute++) {
            for (int i = 0; i < 4000; i++) {
                store.tryAcquire(charges(minute + "-" + i));
            }
            assertThat(store.counters()).isEqualTo(4000);
            clock.advance(Duration.ofMinutes(1));
            assertThat(store.counters()).isZero();
        }
        assertThat(store.evicted()).isZero();
    }

    @Test
    void fullStoreMayRejectFreshKeysInstead() {
        InProcessStore store = InProcessStore.builder()
                .time(clock)
                .maximumCounters(1024)
                .whenFull(WhenFull.REJECT)
                .build();
        List<Integer> admitted = new ArrayList<>();
        List<Integer> rejected = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            (store.tryAcquire(charges("key-" + i)).allowed() ? admitted : rejected).add(i);
        }
        assertThat(store.evicted()).isZero();
        assertThat(admitted).hasSizeBetween(1000, 1024);
        assertThat(store.counters()).isEqualTo(admitted.size());
        for (int i : admitted) {
            assertThat(store.tryAcquire(costing(charges("key-" + i), 59)).allowed())
                    .isTrue();
        }
        clock.advance(Duration.ofSeconds(45));
        Decision decision = store.tryAcquire(charges("key-" + rejected.get(rejected.size() - 1)));
        assertThat(decision.allowed()).isFalse();
        assertThat(decision.retryAfter()).contains(Duration.ofSeconds(15));
        assertThat(remaining(decision)).isZero();
        assertThat(decision.statuses().get(0).resetAt())
                .isEqualTo(clock.instant().plusSeconds(15));
        assertThat(store.tryAcquire(costing(charges("nobody"), 0)).allowed())
                .as("a look needs no room")
                .isTrue();
        clock.advance(Duration.ofSeconds(15));
        assertThat(store.tryAcquire(charges("key-" + rejected.get(rejected.size() - 1)))
                        .allowed())
                .as("who waited as long as it was told is served")
                .isTrue();
        // Where more of them meet than a part of the table holds, some have to wait again: which, is by chance.
        assertThat(rejected.subList(0, 500).stream()
                        .filter(i -> store.tryAcquire(charges("key-" + i)).allowed()))
                .hasSizeGreaterThan(400);
    }

    @Test
    void freshKeyWithoutRoomTakesNothingFromItsOtherLimits() {
        InProcessStore store = InProcessStore.builder()
                .time(clock)
                .maximumCounters(1024)
                .whenFull(WhenFull.REJECT)
                .build();
        Charge all = new Charge("limiter", Limit.of("all", 1_000_000, Duration.ofDays(1)), Key.absent());
        int allowed = 0;
        Decision rejected = null;
        for (int i = 0; i < 3000; i++) {
            Decision decision = store.tryAcquire(List.of(all, charge("key-" + i)));
            allowed += decision.allowed() ? 1 : 0;
            rejected = decision.allowed() ? rejected : decision;
        }
        assertThat(rejected).isNotNull();
        assertThat(rejected.statuses()).extracting(LimitStatus::exceeded).containsExactly(false, true);
        assertThat(rejected.mostRestrictive().map(status -> status.limit().name()))
                .contains("burst");
        assertThat(remaining(store.tryAcquire(costing(List.of(all), 0)))).isEqualTo(1_000_000 - allowed);
        assertThat(rejected.statuses().get(0).remaining()).isEqualTo(1_000_000 - allowed);
    }

    @Test
    void fullStoreWarnsOnceAndNamesTheRemedy() {
        List<LogRecord> records = new ArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord entry) {
                records.add(entry);
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger(InProcessStore.class.getName());
        logger.addHandler(handler);
        logger.setUseParentHandlers(false);
        try {
            flood(store(1024), 300);
            assertThat(records).isEmpty();
            flood(store(1024), 3000);
            assertThat(records).hasSize(1);
            assertThat(records.get(0).getMessage()).contains("raise its maximum of counters");
            assertThat(records.get(0).getParameters()).contains("1024", "evicts counters", "32");
            flood(
                    InProcessStore.builder()
                            .time(clock)
                            .maximumCounters(1024)
                            .whenFull(WhenFull.REJECT)
                            .build(),
                    3000);
            assertThat(records).hasSize(2);
            assertThat(records.get(1).getParameters()).contains("rejects new keys");
        } finally {
            logger.removeHandler(handler);
            logger.setUseParentHandlers(true);
        }
    }

    @Test
    void boundOutOfRangeIsRejectedAndOneInItIsKept() {
        for (int maximum : List.of(-1, 0, 1023, (1 << 26) + 1)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> InProcessStore.builder().maximumCounters(maximum))
                    .withMessage("maximumCounters must be 1024..67108864, was " + maximum);
        }
        for (int maximum : List.of(1024, 1025, 99_999, 100_000, 1 << 20, InProcessStore.DEFAULT_MAXIMUM_COUNTERS)) {
            assertThat(store(maximum).maximumCounters()).isBetween(maximum, (int) (maximum * 1.13));
        }
        assertThat(store(1024).maximumCounters()).isEqualTo(1024);
        assertThat(store(1025).maximumCounters()).isEqualTo(1024 + 128);
        assertThat(store(100_000).maximumCounters()).isEqualTo(100_352);
        assertThat(store(131_073).maximumCounters()).isEqualTo(131_072 + 512);
        assertThat(store(1 << 20).maximumCounters()).isEqualTo(1 << 20);
        assertThat(InProcessStore.create().maximumCounters()).isEqualTo(InProcessStore.DEFAULT_MAXIMUM_COUNTERS);
        store(1 << 26).close(); // takes its memory as it needs it
    }

    // ---- refunds and resets

    @Test
    void refundReachesTheWindowItWasTakenFromAndNoOther() {
        InProcessStore store = store(1024);
        Decision first = store.tryAcquire(costing(both("ann"), 10));
        Decision second = store.tryAcquire(costing(both("ann"), 5));
        store.refundAsync(first).toCompletableFuture().join();
        store.refundAsync(first).toCompletableFuture().join();
        assertThat(store.tryAcquire(costing(both("ann"), 0)).statuses())
                .extracting(LimitStatus::remaining)
                .containsExactly(55L, 995L);
        clock.advance(Duration.ofMinutes(1));
        store.tryAcquire(costing(both("ann"), 7));
        store.refundAsync(second).toCompletableFuture().join();
        assertThat(store.tryAcquire(costing(both("ann"), 0)).statuses())
                .extracting(LimitStatus::remaining)
                .containsExactly(53L, 993L);
    }

    @Test
    void windowThatWasEvictedOrResetGetsNothingBack() {
        InProcessStore store = store(1024);
        Decision evicted = store.tryAcquire(charges("ann"));
        flood(store, 20_000);
        store.tryAcquire(costing(charges("ann"), 10));
        store.refundAsync(evicted).toCompletableFuture().join();
        assertThat(remaining(store.tryAcquire(costing(charges("ann"), 0)))).isEqualTo(50);

        for (int i = 0; i < 5; i++) { // every time at the same moment
            Decision before = store.tryAcquire(costing(charges("bob"), 10));
            store.resetAsync(charges("bob")).toCompletableFuture().join();
            assertThat(remaining(store.tryAcquire(costing(charges("bob"), 60)))).isZero();
            store.refundAsync(before).toCompletableFuture().join();
            assertThat(remaining(store.tryAcquire(costing(charges("bob"), 0)))).isZero();
            store.resetAsync(charges("bob")).toCompletableFuture().join();
        }
    }

    @Test
    void resetForgetsTheChargesItIsGivenAlone() {
        InProcessStore store = store(1024);
        store.tryAcquire(costing(both("ann"), 60));
        store.tryAcquire(costing(charges("bob"), 60));
        store.resetAsync(charges("ann")).toCompletableFuture().join();
        store.resetAsync(charges("nobody")).toCompletableFuture().join();
        assertThat(store.tryAcquire(costing(both("ann"), 0)).statuses())
                .extracting(LimitStatus::remaining)
                .containsExactly(60L, 940L);
        assertThat(store.tryAcquire(charges("bob")).allowed()).isFalse();
        assertThatIllegalArgumentException().isThrownBy(() -> store.resetAsync(List.of()));
    }

    // ---- keys and windows

    @Test
    @Tag("load")
    void keyCostsTheSameHoweverLongItIs() {
        InProcessStore store = InProcessStore.create(clock);
        String long1 = "x".repeat(1_000_000) + "1";
        String long2 = "x".repeat(1_000_000) + "2";
        assertThat(store.tryAcquire(costing(charges(long1), 60)).allowed()).isTrue();
        assertThat(store.tryAcquire(charges(long1)).allowed()).isFalse();
        assertThat(store.tryAcquire(costing(charges(long2), 60)).allowed()).isTrue();

        // With -Dfull 1.2 GB of keys, were they kept: more than the tests' machine has.
        for (int i = 0; i < (Boolean.getBoolean("full") ? 1200 : 100); i++) {
            assertThat(remaining(store.tryAcquire(charges("y".repeat(1_000_000) + i))))
                    .isEqualTo(59);
        }
    }

    @Test
    @Tag("load")
    void keysMadeToCollideAreSeparateAndFoundFast() {
        InProcessStore store = InProcessStore.create(clock);
        // 2^14 texts of one hash: every choice of "Aa" and "BB".
        List<String> twins = IntStream.range(0, 1 << 14)
                .mapToObj(bits -> {
                    StringBuilder text = new StringBuilder();
                    for (int i = 0; i < 14; i++) {
                        text.append((bits >> i & 1) == 0 ? "Aa" : "BB");
                    }
                    return text.toString();
                })
                .toList();
        assertThat(twins.stream().map(String::hashCode).distinct()).hasSize(1);
        for (int round = 0; round < 2; round++) {
            int used = round + 1;
            for (String twin : twins) { // 2^28 comparisons, were they found one by one
                assertThat(remaining(store.tryAcquire(charges(twin)))).isEqualTo(60 - used);
            }
        }
    }

    @Test
    void limitsBeyondThoseThatAreRememberedCountAlike() {
        InProcessStore store = InProcessStore.create(clock);
        for (int round = 1; round <= 2; round++) {
            for (int i = 0; i < 200; i++) {
                Limit limit = Limit.of("limit-" + i, 60, Duration.ofMinutes(1));
                assertThat(remaining(store.tryAcquire(List.of(new Charge("one", limit, Key.of("ann"))))))
                        .isEqualTo(60 - round);
            }
            for (int i = 0; i < 5000; i++) {
                assertThat(remaining(store.tryAcquire(List.of(new Charge("scope-" + i, LIMIT, Key.of("ann"))))))
                        .isEqualTo(60 - round);
            }
        }
    }

    @Test
    void limitsOfOneNameAndDifferentWindowsCountApart() {
        InProcessStore store = InProcessStore.create(clock);
        for (Duration window : List.of(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(3))) {
            Limit limit = Limit.of("limit", 5, window);
            assertThat(remaining(store.tryAcquire(List.of(new Charge("one", limit, Key.of("ann"))))))
                    .isEqualTo(4);
        }
    }

    @Test
    void windowsOfAllMagnitudesLiveBesideEachOther() {
        InProcessStore store = InProcessStore.create(clock);
        List<Duration> windows = new ArrayList<>();
        for (Duration window = Duration.ofMillis(1);
                window.compareTo(Limit.MAX_WINDOW) <= 0;
                window = window.multipliedBy(2)) {
            windows.add(window);
        }
        windows.add(Limit.MAX_WINDOW);
        for (Duration window : windows) {
            List<Charge> charges = List.of(new Charge("limiter", Limit.of("limit", 1, window), Key.of("somebody")));
            assertThat(store.tryAcquire(charges).allowed()).isTrue();
            clock.advance(window.minusNanos(1));
            assertThat(store.tryAcquire(charges).allowed())
                    .as("just before %s", window)
                    .isFalse();
            clock.advance(Duration.ofNanos(1));
            assertThat(store.tryAcquire(charges).allowed())
                    .as("after %s", window)
                    .isTrue();
        }
    }

    @Test
    void largestCountsAreExact() {
        InProcessStore store = InProcessStore.create(clock);
        List<Charge> charges =
                List.of(new Charge("limiter", Limit.of("limit", Limit.MAX_PERMITS, Duration.ofDays(1)), Key.of("ann")));
        assertThat(remaining(store.tryAcquire(costing(charges, Limit.MAX_PERMITS - 1))))
                .isEqualTo(1);
        assertThat(store.tryAcquire(costing(charges, 2)).allowed()).isFalse();
        assertThat(store.tryAcquire(costing(charges, Long.MAX_VALUE)).retryAfter())
                .isEmpty();
        assertThat(remaining(store.tryAcquire(charges))).isZero();
    }

    // ---- many threads: ExactnessTest does the same at length

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void decisionsInAnyOrderDoNotWaitForEachOther() throws Exception {
        InProcessStore store = store(1024);
        List<Charge> charges = IntStream.range(0, 40)
                .mapToObj(i ->
                        new Charge("a", Limit.of("limit-" + i, Limit.MAX_PERMITS, Duration.ofDays(1)), Key.of("ann")))
                .toList();
        int rounds = 3000;
        InParallel.run(4, thread -> {
            SplittableRandom random = new SplittableRandom(thread);
            for (int i = 0; i < rounds; i++) {
                int first = random.nextInt(40);
                store.tryAcquire(List.of(charges.get(first), charges.get((first + 1 + random.nextInt(39)) % 40)));
            }
        });
        assertThat(charges.stream()
                        .mapToLong(
                                charge -> Limit.MAX_PERMITS - remaining(store.tryAcquire(costing(List.of(charge), 0))))
                        .sum())
                .isEqualTo(4L * 2 * rounds);
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void growthUnderWayLosesNoCount() throws Exception {
        Limit most = Limit.of(Limit.MAX_PERMITS, Duration.ofDays(1));
        for (int round = 0; round < 5; round++) {
            InProcessStore store = InProcessStore.create(clock);
            InParallel.run(4, thread -> {
                for (int i = 0; i < 3000; i++) {
                    Charge fresh = new Charge("a", most, Key.of("fresh-" + thread + "-" + i));
                    Charge old = new Charge("b", most, Key.of("old-" + i % 50));
                    store.tryAcquire(thread % 2 == 0 ? List.of(fresh) : List.of(old, fresh));
                }
            });
            assertThat(store.counters()).isEqualTo(4 * 3000 + 50);
            for (int i = 0; i < 50; i++) {
                assertThat(remaining(store.tryAcquire(costing(List.of(new Charge("b", most, Key.of("old-" + i))), 0))))
                        .isEqualTo(Limit.MAX_PERMITS - 2 * 3000 / 50);
            }
            assertThat(store.evicted()).isZero();
        }
    }

    // ---- clocks

    @Test
    void resetIsTheSameThroughoutAWindowUnlessTheCalendarIsSet() {
        InProcessStore store = InProcessStore.create(clock);
        Instant reset = store.tryAcquire(charges("somebody")).statuses().get(0).resetAt();
        assertThat(reset).isEqualTo(clock.instant().plusSeconds(60));
        clock.advance(Duration.ofMillis(1234));
        assertThat(store.tryAcquire(charges("somebody")).statuses().get(0).resetAt())
                .isEqualTo(reset);
        clock.setCalendar(clock.instant().minusSeconds(86_400));
        store.tryAcquire(charges("another")); // a new window follows the calendar
        assertThat(store.tryAcquire(charges("somebody")).statuses().get(0).resetAt())
                .isEqualTo(reset.minusSeconds(86_400));
    }

    /** The monotonic clock stands still while a machine sleeps; the calendar goes on. */
    @Test
    void resetOfAMachineThatSleptIsAfterNow() {
        InProcessStore store = InProcessStore.create(clock);
        store.tryAcquire(costing(charges("somebody"), 60));
        clock.setCalendar(clock.instant().plus(Duration.ofHours(8)));
        LimitStatus rejected = store.tryAcquire(charges("somebody")).statuses().get(0);
        assertThat(rejected.retryAfter()).contains(Duration.ofMinutes(1));
        assertThat(rejected.resetAt()).isEqualTo(clock.instant().plus(Duration.ofMinutes(1)));
        LimitStatus other = store.tryAcquire(charges("other")).statuses().get(0);
        assertThat(other.resetAt()).isEqualTo(clock.instant().plus(other.resetAfter()));
    }

    @Test
    void calendarSetBackOrForwardMovesNoWindow() {
        InProcessStore store = InProcessStore.create(clock);
        for (long seconds : List.of(86_400L, -86_400L, 1_000_000_000L, -1_500_000_000L)) {
            assertThat(store.tryAcquire(costing(charges("somebody"), 60)).allowed())
                    .isTrue();
            clock.setCalendar(clock.instant().plusSeconds(seconds));
            assertThat(store.tryAcquire(charges("somebody")).retryAfter()).contains(Duration.ofMinutes(1));
            clock.advance(Duration.ofMinutes(1).minusNanos(1));
            assertThat(store.tryAcquire(charges("somebody")).allowed()).isFalse();
            clock.advance(Duration.ofNanos(1));
        }
    }

    private static final Charge DAILY = new Charge("limiter", Limit.daily("daily", 2, ZoneOffset.UTC), Key.of("ann"));

    /** As before the first answer of a time server. */
    @ParameterizedTest
    @ValueSource(longs = {-800, -30, -18, 18, 30, 800})
    void dayEndsAtItsMidnightAlsoIfItWasOpenedByAWrongClock(long hoursAhead) {
        for (List<Charge> charges : List.of(List.of(DAILY), List.of(DAILY, charge("ann")))) {
            TestClock clock =
                    new TestClock(Instant.parse("2026-03-10T12:00:00Z").plus(Duration.ofHours(hoursAhead)));
            InProcessStore store = InProcessStore.create(clock);
            store.tryAcquire(charges);
            clock.setCalendar(Instant.parse("2026-03-10T12:00:00Z"));
            assertThat(store.tryAcquire(charges).statuses().get(0).resetAt()).isEqualTo("2026-03-11T00:00:00Z");
            store.tryAcquire(List.of(DAILY));
            LimitStatus rejected = store.tryAcquire(charges).statuses().get(0);
            assertThat(rejected.retryAfter()).contains(Duration.ofHours(12));
            clock.advance(Duration.ofHours(12));
            assertThat(store.tryAcquire(charges).allowed()).isTrue();
        }
    }

    /** A second's step of the clock is no new day, and across midnight it is one. */
    /** Its end is told again by the calendar, whose milliseconds begin elsewhere than those of the other clock. */
    @Test
    void refundInTheFirstHoursOfADayComesBack() {
        for (int micros = 100; micros < 5_000; micros += 700) {
            TestClock clock = new TestClock(Instant.parse("2026-03-10T01:00:00Z"));
            InProcessStore store = InProcessStore.create(clock);
            clock.advance(Duration.ofNanos(micros * 1_000L));
            Decision decision = store.tryAcquire(List.of(DAILY));
            clock.advance(Duration.ofNanos(micros * 1_300L));
            store.refundAsync(decision);
            assertThat(store.tryAcquire(List.of(DAILY.withCost(0)))
                            .statuses()
                            .get(0)
                            .remaining())
                    .as("after %d us", micros)
                    .isEqualTo(2);
        }
    }

    @Test
    void usedUpDayStaysSoUntilTheClockPassesMidnight() {
        TestClock clock = new TestClock(Instant.parse("2026-03-10T12:00:00Z"));
        InProcessStore store = InProcessStore.create(clock);
        store.tryAcquire(costing(List.of(DAILY), 2));
        for (long step : List.of(1, -1, 3600, -7200)) {
            clock.setCalendar(clock.instant().plusSeconds(step));
            LimitStatus rejected = store.tryAcquire(List.of(DAILY)).statuses().get(0);
            assertThat(rejected.resetAt()).isEqualTo("2026-03-11T00:00:00Z");
        }
        clock.setCalendar(Instant.parse("2026-03-10T23:59:59.500Z"));
        assertThat(store.tryAcquire(List.of(DAILY)).allowed()).isFalse();
        clock.setCalendar(Instant.parse("2026-03-11T00:00:00.500Z"));
        assertThat(store.tryAcquire(costing(List.of(DAILY), 2)).allowed()).isTrue();
        clock.setCalendar(Instant.parse("2026-03-12T00:00:00Z").minusMillis(1));
        assertThat(store.tryAcquire(List.of(DAILY)).allowed()).isFalse();
    }

    @Test
    void permitsOfADayComeBackAfterTheClockWasSetToo() {
        TestClock clock = new TestClock(Instant.parse("2026-03-10T12:00:00Z"));
        InProcessStore store = InProcessStore.create(clock);
        store.tryAcquire(List.of(DAILY));
        clock.setCalendar(clock.instant().plusSeconds(60));
        Decision second = store.tryAcquire(List.of(DAILY));
        store.refundAsync(second).join();
        assertThat(remaining(store.tryAcquire(costing(List.of(DAILY), 0)))).isEqualTo(1);
    }

    @Test
    void noWindowIsMovedByAClockThatWasSetButThoseOfTheCalendar() {
        InProcessStore store = InProcessStore.create(clock);
        store.tryAcquire(costing(charges("ann"), 60));
        store.tryAcquire(List.of(DAILY));
        clock.setCalendar(clock.instant().plusSeconds(86_400));
        store.tryAcquire(List.of(DAILY));
        assertThat(store.tryAcquire(charges("ann")).retryAfter()).contains(Duration.ofMinutes(1));
    }

    /** {@link LimitStatus#resetAfter}. */
    @Test
    void resetIsWhenAllPermitsAreBackWhateverTheShape() {
        InProcessStore store = InProcessStore.create(clock);
        for (Map.Entry<Limit, Duration> each : Map.of(
                        Limit.of("fixed", 10, Duration.ofSeconds(30)), Duration.ofSeconds(30),
                        Limit.of("sliding", 10, Duration.ofSeconds(30)).sliding(), Duration.ofSeconds(40),
                        Limit.of("block", 10, Duration.ofSeconds(30)).blocking(Duration.ofHours(1)),
                                Duration.ofHours(1),
                        Limit.of("bucket", 10, Duration.ofSeconds(10)).bucket(100), Duration.ofSeconds(100))
                .entrySet()) {
            List<Charge> charges = List.of(new Charge("limiter", each.getKey(), Key.of("ann")));
            for (int i = 0; i < 150; i++) {
                store.tryAcquire(charges);
            }
            Duration reset =
                    store.tryAcquire(costing(charges, 0)).statuses().get(0).resetAfter();
            assertThat(reset).as("%s", each.getKey()).isEqualTo(each.getValue());
            clock.advance(reset);
            assertThat(remaining(store.tryAcquire(costing(charges, 0))))
                    .isEqualTo(each.getKey().capacity());
        }
    }

    @Test
    void smallDifferencesOfTheTwoClocksMoveNoReset() {
        InProcessStore store = InProcessStore.create(clock);
        clock.setCalendar(clock.instant().plusMillis(400));
        assertThat(store.tryAcquire(charges("ann")).statuses().get(0).resetAt())
                .isEqualTo(clock.instant().minusMillis(400).plusSeconds(60));
        clock.setCalendar(clock.instant().plusMillis(200));
        assertThat(store.tryAcquire(charges("bob")).statuses().get(0).resetAt())
                .isEqualTo(clock.instant().plusSeconds(60));
        assertThat(store.tryAcquire(costing(charges("eve"), 0))
                        .statuses()
                        .get(0)
                        .resetAt())
                .isEqualTo(clock.instant());
        assertThat(store.time()).isSameAs(clock);
        assertThat(InProcessStore.create().time()).isSameAs(TimeSource.system());
    }

    @Test
    void calendarIsFollowedWhereItDiffersByMoreThanHalfASecondEitherWay() {
        for (int millis : List.of(-501, -500, 500, 501)) {
            InProcessStore store = InProcessStore.create(clock);
            clock.setCalendar(clock.instant().plusMillis(millis));
            Instant now = clock.instant();
            assertThat(store.tryAcquire(charges("ann")).statuses().get(0).resetAt())
                    .as("%d ms", millis)
                    .isEqualTo(now.plusSeconds(60).minusMillis(Math.abs(millis) > 500 ? 0 : millis));
        }
    }

    @Test
    void momentsAreToldInMillisecondsRoundedUp() {
        InProcessStore store = InProcessStore.create(clock);
        Instant begin = clock.instant();
        for (int nanos : List.of(1, 999_998, 1)) {
            clock.advance(Duration.ofNanos(nanos));
            store.resetAsync(charges("ann"));
            for (int i = 0; i < 2; i++) {
                assertThat(store.tryAcquire(charges("ann")).statuses().get(0).resetAt())
                        .isEqualTo(begin.plusSeconds(60).plusMillis(1));
            }
        }
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void clockThatFailsLocksNobodyOut() {
        AtomicBoolean fails = new AtomicBoolean();
        TimeSource failing = new TimeSource() {
            @Override
            public long nanoTime() {
                if (fails.get()) {
                    throw new IllegalStateException("no clock");
                }
                return 5;
            }

            @Override
            public Instant instant() {
                return Instant.EPOCH;
            }
        };
        InProcessStore store = InProcessStore.create(failing);
        List<Charge> one = List.of(new Charge("a", Limit.of(9, Duration.ofHours(1)), Key.of("ann")));
        List<Charge> two = List.of(one.get(0), new Charge("b", Limit.of(9, Duration.ofHours(1)), Key.of("ann")));
        Decision taken = store.tryAcquire(two);

        fails.set(true);
        assertThatThrownBy(() -> store.tryAcquire(one)).hasMessage("no clock");
        assertThatThrownBy(() -> store.tryAcquire(two)).hasMessage("no clock");
        assertThatThrownBy(() -> store.refundAsync(taken)).hasMessage("no clock");
        assertThatThrownBy(() -> store.resetAsync(two)).hasMessage("no clock");

        fails.set(false);
        assertThat(store.tryAcquire(two).statuses()).map(LimitStatus::remaining).containsExactly(7L, 7L);
    }

    @Test
    void freshKeyWithoutRoomTellsWhereTheOtherLimitsStand() {
        TestClock moved = new TestClock();
        InProcessStore store = InProcessStore.builder()
                .time(moved)
                .maximumCounters(1024)
                .whenFull(InProcessStore.WhenFull.REJECT)
                .build();
        Charge there = new Charge("there", Limit.of(5000, Duration.ofHours(1)), Key.of("ann"));
        store.tryAcquire(List.of(there));
        moved.advance(Duration.ofMinutes(10));
        Limit once = Limit.of(1, Duration.ofDays(1));
        Decision rejected = null;
        for (int i = 0; i < 2000 && (rejected == null || rejected.allowed()); i++) {
            rejected = store.tryAcquire(List.of(there, new Charge("fresh", once, Key.of("somebody-" + i))));
        }
        assertThat(requireNonNull(rejected).allowed()).isFalse();
        assertThat(rejected.statuses().get(0).exceeded()).isFalse();
        assertThat(rejected.statuses().get(0).resetAfter()).isEqualTo(Duration.ofMinutes(50));
        assertThat(rejected.statuses().get(0).resetAt())
                .isEqualTo(moved.instant().plus(Duration.ofMinutes(50)));
        assertThat(rejected.statuses().get(0).remaining())
                .isEqualTo(remaining(store.tryAcquire(costing(List.of(there), 0))))
                .isBetween(5000L - 1024, 4999L - 300);
        LimitStatus full = rejected.statuses().get(1);
        assertThat(full.remaining()).isZero();
        assertThat(full.retryAfter()).contains(full.resetAfter());
        assertThat(full.resetAfter()).isPositive().isLessThanOrEqualTo(Duration.ofDays(1));
        assertThat(full.resetAt()).isEqualTo(moved.instant().plus(full.resetAfter()));
        assertThat(rejected.retryAfter()).contains(full.resetAfter());
    }

    @Test
    void freshKeyWithoutRoomTellsOfTheWindowThatIsOver() {
        // Rarely the fresh key takes the very slot whose window is over.
        LimitStatus over = Stream.generate(InProcessStoreTest::besideAWindowThatIsOver)
                .limit(50)
                .filter(decision -> !decision.allowed())
                .map(decision -> decision.statuses().get(0))
                .filter(status -> !status.exceeded())
                .findFirst()
                .orElseThrow();
        assertThat(over.remaining()).as("its window is over").isEqualTo(5000);
        assertThat(over.resetAfter()).isZero();
    }

    private static Decision besideAWindowThatIsOver() {
        TestClock moved = new TestClock();
        InProcessStore store = InProcessStore.builder()
                .time(moved)
                .maximumCounters(1024)
                .whenFull(InProcessStore.WhenFull.REJECT)
                .build();
        Charge there = new Charge("there", Limit.of(5000, Duration.ofHours(1)), Key.of("ann"));
        Limit daily = Limit.of(1, Duration.ofDays(1));
        Charge rejected = IntStream.range(0, 2000)
                .mapToObj(i -> new Charge("fresh", daily, Key.of("somebody-" + i)))
                .filter(fresh -> !store.tryAcquire(List.of(there, fresh)).allowed())
                .findFirst()
                .orElseThrow();
        moved.advance(Duration.ofHours(1));
        return store.tryAcquire(List.of(there, rejected));
    }

    @Test
    void settlementInAFullStoreChangesNoOtherCounter() {
        for (int round = 0; round < 100; round++) {
            settleInAFullStore(new Random(round));
        }
    }

    private static void settleInAFullStore(Random random) {
        TestClock moved = new TestClock();
        InProcessStore store = InProcessStore.builder()
                .time(moved)
                .maximumCounters(1024)
                .whenFull(WhenFull.REJECT)
                .build();
        Limit open = Limit.of("open", 1000, Duration.ofHours(10));
        Limit over = Limit.of("over", 1000, Duration.ofSeconds(1));
        List<Charge> charges = IntStream.range(0, 250)
                .mapToObj(i -> new Charge("settled", i < 100 ? open : over, Key.of("key-" + i)))
                .toList();
        Decision settled = store.tryAcquire(charges);
        moved.advance(Duration.ofSeconds(2));
        Map<Charge, Long> others = new HashMap<>();
        int keys = 500 + random.nextInt(500);
        for (int i = 0; i < keys; i++) {
            Charge other = new Charge("other", open, Key.of("key-" + i), 1 + random.nextInt(100));
            if (store.tryAcquire(List.of(other)).allowed()) {
                others.put(other.withCost(0), 1000 - other.cost());
            }
        }
        store.settleAsync(settled, charge -> 7).join();
        others.forEach((other, left) ->
                assertThat(remaining(store.tryAcquire(List.of(other)))).isEqualTo(left));
        for (Charge charge : charges.subList(0, settled.allowed() ? 100 : 0)) {
            assertThat(remaining(store.tryAcquire(costing(List.of(charge), 0)))).isEqualTo(993);
        }
    }
}
