package io.github.ratelimit;

import static io.github.ratelimit.contract.StoreContract.costing;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.test.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Not one permit too many and not one too few, whatever many threads do to one store. {@code -Dfull} does ten times as much. */
@Tag("load")
@Timeout(600)
class ExactnessTest {

    private static final boolean FULL = Boolean.getBoolean("full");
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final TestClock clock = new TestClock();

    private static Charge charge(String scope, Limit limit, String key) {
        return new Charge(scope, limit, Key.of(key));
    }

    private static long used(Store store, Charge charge) {
        return charge.limit().permits()
                - store.tryAcquire(costing(List.of(charge), 0))
                        .statuses()
                        .get(0)
                        .remaining();
    }

    /**
     * Decisions on one to three limits, refunds of each other's decisions and resets, all at once. What every counter has used in the end
     * is what was granted and neither given back nor evicted; and no window ever held more than its permits.
     */
    @Test
    void everyWindowGrantsExactlyItsPermits() throws Exception {
        int decisions = FULL ? 10_000_000 : 300_000;
        int threads = 64;
        int windows = 5;
        int keys = 500;
        InProcessStore store = InProcessStore.create(clock);
        Limit own = Limit.of("own", 60, MINUTE);
        Limit group = Limit.of("group", 900, MINUTE);
        Limit all = Limit.of("all", 20_000, MINUTE);
        for (int window = 0; window < windows; window++) {
            AtomicLongArray ofKey = new AtomicLongArray(keys);
            AtomicLongArray ofGroup = new AtomicLongArray(25);
            AtomicLong ofAll = new AtomicLong();
            AtomicLong over = new AtomicLong();
            InParallel.run(threads, thread -> {
                SplittableRandom random = new SplittableRandom(thread);
                Deque<Runnable> open = new ArrayDeque<>();
                for (int i = 0; i < decisions / threads / windows; i++) {
                    int key = random.nextInt(keys);
                    int in = key % 25;
                    int kind = random.nextInt(4);
                    long cost = 1L + random.nextInt(2);
                    List<Charge> charges = kind == 0
                            ? List.of(charge("a", own, "key-" + key))
                            : kind == 1
                                    ? List.of(charge("b", group, "group-" + in), charge("a", own, "key-" + key))
                                    : kind == 2
                                            ? List.of(
                                                    charge("a", own, "key-" + key),
                                                    charge("c", all, "all"),
                                                    charge("b", group, "group-" + in))
                                            : List.of(charge("c", all, "all"), charge("b", group, "group-" + in));
                    Decision decision = store.tryAcquire(costing(charges, cost));
                    if (decision.allowed()) {
                        add(charges, key, in, cost, ofKey, ofGroup, ofAll);
                        boolean goesBack = random.nextInt(3) == 0;
                        if (goesBack) {
                            open.add(() -> {
                                add(charges, key, in, -cost, ofKey, ofGroup, ofAll); // first: the sum is never less
                                store.refundAsync(decision);
                                store.refundAsync(decision);
                            });
                        }
                        for (LimitStatus status : decision.statuses()) {
                            over.addAndGet(status.remaining() < 0 ? 1 : 0);
                        }
                    }
                    if (open.size() > 5) {
                        open.remove().run();
                    }
                }
                open.forEach(Runnable::run);
            });
            assertThat(over.get()).isZero();
            for (int key = 0; key < keys; key++) {
                assertThat(used(store, charge("a", own, "key-" + key))).isEqualTo(ofKey.get(key));
                assertThat(ofKey.get(key)).isLessThanOrEqualTo(60);
            }
            for (int in = 0; in < 25; in++) {
                assertThat(used(store, charge("b", group, "group-" + in))).isEqualTo(ofGroup.get(in));
                assertThat(ofGroup.get(in)).isLessThanOrEqualTo(900);
            }
            assertThat(used(store, charge("c", all, "all"))).isEqualTo(ofAll.get());
            assertThat(ofAll.get()).isLessThanOrEqualTo(20_000);
            clock.advance(MINUTE);
        }
        assertThat(store.evicted()).isZero();
    }

    private static void add(
            List<Charge> charges,
            int key,
            int in,
            long cost,
            AtomicLongArray ofKey,
            AtomicLongArray ofGroup,
            AtomicLong ofAll) {
        for (Charge charge : charges) {
            switch (charge.limiter()) {
                case "a" -> ofKey.addAndGet(key, cost);
                case "b" -> ofGroup.addAndGet(in, cost);
                default -> ofAll.addAndGet(cost);
            }
        }
    }

    /** Without refunds every window is used up to its last permit. */
    @Test
    void everyWindowGrantsAllItsPermits() throws Exception {
        int perThread = (FULL ? 10_000_000 : 1_000_000) / 64 / 3;
        InProcessStore store = InProcessStore.create(clock);
        Limit limit = Limit.of("burst", 60, MINUTE);
        AtomicLongArray admitted = new AtomicLongArray(100);
        for (int window = 1; window <= 3; window++) {
            InParallel.run(64, thread -> {
                for (int i = 0; i < perThread; i++) {
                    int key = (i * 31 + thread * 17) % 100;
                    if (store.tryAcquire(List.of(charge("a", limit, "key-" + key)))
                            .allowed()) {
                        admitted.incrementAndGet(key);
                    }
                }
            });
            for (int key = 0; key < 100; key++) {
                assertThat(admitted.get(key))
                        .as("key %d after window %d", key, window)
                        .isEqualTo(60L * window);
            }
            clock.advance(MINUTE);
        }
    }

    /** The row "same limiter name, one rule here and two there, one store": 15 of 20,000 windows over-granted. */
    @Test
    void counterThatSingleAndSeveralChargesShareIsExact() throws Exception {
        int windows = FULL ? 20_000 : 4000;
        int threads = 4;
        InProcessStore store = InProcessStore.create(clock);
        Limit limit = Limit.of("burst", 3, MINUTE);
        Limit day = Limit.of("day", Limit.MAX_PERMITS, Limit.MAX_WINDOW);
        AtomicInteger granted = new AtomicInteger();
        AtomicInteger wrong = new AtomicInteger();
        CyclicBarrier turn = new CyclicBarrier(threads, () -> {
            wrong.addAndGet(granted.getAndSet(0) == 3 ? 0 : 1);
            clock.advance(MINUTE);
        });
        InParallel.run(threads, thread -> {
            Charge shared = charge("api", limit, "ann");
            List<Charge> here = List.of(shared);
            List<Charge> there = List.of(charge("api", day, "ann"), shared);
            for (int window = 0; window < windows; window++) {
                for (int i = 0; i < 3; i++) {
                    granted.addAndGet(
                            store.tryAcquire((thread + i) % 2 == 0 ? here : there)
                                            .allowed()
                                    ? 1
                                    : 0);
                }
                turn.await();
            }
        });
        assertThat(wrong.get()).as("windows of %d", windows).isZero();
    }

    @Test
    void threadsThatCrossAWindowsEndShareTheNextOneExactly() throws Exception {
        InProcessStore store = InProcessStore.create(clock);
        int windows = 300;
        AtomicLong admitted = new AtomicLong();
        List<Charge> charges = List.of(charge("a", Limit.of("burst", 60, MINUTE), "key"));
        InParallel.run(4, thread -> {
            while (admitted.get() < 60L * windows) {
                // The window is used up with its last permit: the next one begins under everybody's hands.
                if (store.tryAcquire(charges).allowed() && admitted.incrementAndGet() % 60 == 0) {
                    clock.advance(MINUTE);
                }
            }
        });
        assertThat(admitted.get()).isBetween(60L * windows, 60L * windows + 3);
        assertThat(clock.instant()).isEqualTo(new TestClock().instant().plus(MINUTE.multipliedBy(windows)));
    }

    /** Limits in opposite orders, and counters of all parts of the table: who waits for whom never goes round in a circle. */
    @Test
    @Timeout(120)
    void decisionsOnTheSameCountersInAnyOrderDoNotWaitForEachOther() throws Exception {
        InProcessStore store = InProcessStore.create(clock);
        List<Charge> charges = IntStream.range(0, 6)
                .mapToObj(i -> charge("a", Limit.of("limit-" + i, Limit.MAX_PERMITS, MINUTE), "key"))
                .toList();
        int rounds = 20_000;
        InParallel.run(8, thread -> {
            SplittableRandom random = new SplittableRandom(thread);
            for (int i = 0; i < rounds; i++) {
                int first = random.nextInt(6);
                int second = (first + 1 + random.nextInt(5)) % 6;
                store.tryAcquire(List.of(charges.get(first), charges.get(second)));
            }
        });
        assertThat(charges.stream().mapToLong(charge -> used(store, charge)).sum())
                .isEqualTo(8L * 2 * rounds);
    }

    /** Fresh keys make the tables grow while others count on old ones: no count is lost on the way to the larger table. */
    @Test
    void growthLosesNoCount() throws Exception {
        int rounds = FULL ? 20 : 4;
        int perThread = 20_000;
        Limit limit = Limit.of("burst", Limit.MAX_PERMITS, Limit.MAX_WINDOW);
        for (int round = 0; round < rounds; round++) {
            InProcessStore store = InProcessStore.create(clock);
            InParallel.run(8, thread -> {
                for (int i = 0; i < perThread; i++) {
                    List<Charge> charges = thread % 2 == 0
                            ? List.of(charge("a", limit, "fresh-" + thread + "-" + i))
                            : List.of(charge("a", limit, "old-" + i % 50), charge("b", limit, "old-" + i % 40));
                    assertThat(store.tryAcquire(charges).allowed()).isTrue();
                    if (i % 5 == 4) {
                        store.refundAsync(store.tryAcquire(costing(charges, 3)));
                    }
                }
            });
            for (int i = 0; i < 50; i++) {
                assertThat(used(store, charge("a", limit, "old-" + i))).isEqualTo(4 * perThread / 50);
            }
            for (int i = 0; i < 40; i++) {
                assertThat(used(store, charge("b", limit, "old-" + i))).isEqualTo(4 * perThread / 40);
            }
            assertThat(store.counters()).isEqualTo(4 * perThread + 90);
            for (int i = 0; i < perThread; i += 7) {
                assertThat(used(store, charge("a", limit, "fresh-2-" + i))).isEqualTo(1);
            }
            assertThat(store.evicted()).isZero();
        }
    }

    /** A table that is nearly full moves counters to make room: no count, refund or look misses one on its way. */
    @Test
    void movedCountersLoseNothing() throws Exception {
        int rounds = FULL ? 5000 : 200;
        InProcessStore store = InProcessStore.builder()
                .maximumCounters(1024)
                .whenFull(InProcessStore.WhenFull.REJECT)
                .build();
        Limit day = Limit.of("day", 1000, Duration.ofDays(1));
        Limit brief = Limit.of("brief", 1, Duration.ofMillis(1));
        for (int i = 0; i < 300; i++) {
            assertThat(store.tryAcquire(List.of(charge("a", day, "old-" + i))).allowed())
                    .isTrue();
        }
        AtomicBoolean done = new AtomicBoolean();
        AtomicLong lost = new AtomicLong();
        InParallel.run(2, thread -> {
            for (int i = 0; thread == 0 && !done.get(); i++) {
                store.tryAcquire(List.of(charge("b", brief, "fresh-" + i)));
            }
            for (int round = 0; thread == 1 && round < rounds; round++) {
                for (int i = 0; i < 300; i++) {
                    List<Charge> charges = List.of(charge("a", day, "old-" + i));
                    Decision decision = store.tryAcquire(costing(charges, 900));
                    lost.addAndGet(decision.allowed() ? 0 : 1); // rejected: the last refund was lost
                    lost.addAndGet(decision.allowed() && used(store, charges.get(0)) != 901 ? 1 : 0);
                    store.refundAsync(decision);
                }
            }
            done.set(true);
        });
        assertThat(store.evicted()).isZero();
        assertThat(lost.get()).isZero();
    }

    /** The row "`latestStart` moved back by a race": 190 of 1,992,867 windows expired early under an accelerated clock. */
    @Test
    void noWindowEndsEarlyUnderAnAcceleratedClock() throws Exception {
        long speed = 1000;
        long start = System.nanoTime();
        TimeSource fast = new TimeSource() {
            @Override
            public long nanoTime() {
                return Long.MAX_VALUE - 1_000_000_000L + (System.nanoTime() - start) * speed;
            }

            @Override
            public Instant instant() {
                return Instant.ofEpochSecond(1_800_000_000).plusNanos((System.nanoTime() - start) * speed);
            }
        };
        // More than are asked for in all, however many a machine begins within one window.
        InProcessStore store = InProcessStore.builder()
                .time(fast)
                .maximumCounters(FULL ? 1 << 21 : 1 << 18)
                .build();
        Duration window = Duration.ofSeconds(10); // ten milliseconds of the machine's
        Limit limit = Limit.of("burst", 1, window);
        AtomicLong early = new AtomicLong();
        AtomicLong opened = new AtomicLong();
        int perThread = FULL ? 500_000 : 60_000;
        InParallel.run(8, thread -> {
            SplittableRandom random = new SplittableRandom(thread);
            long[] asked = new long[200];
            boolean[] taken = new boolean[200];
            for (int i = 0; i < perThread; i++) {
                int key = random.nextInt(200);
                if (random.nextInt(3) == 0) {
                    store.tryAcquire(List.of(charge("a", limit, thread + "-fresh-" + i)));
                }
                long before = fast.nanoTime();
                if (store.tryAcquire(List.of(charge("a", limit, thread + "-" + key)))
                        .allowed()) {
                    // The last window began after it was asked for, and this one before now.
                    boolean tooEarly = taken[key] && fast.nanoTime() - asked[key] < window.toNanos();
                    early.addAndGet(tooEarly ? 1 : 0);
                    opened.incrementAndGet();
                    asked[key] = before;
                    taken[key] = true;
                }
            }
        });
        assertThat(store.evicted()).isZero();
        assertThat(opened.get()).isPositive();
        assertThat(early.get()).as("of %d windows", opened.get()).isZero();
    }
}
