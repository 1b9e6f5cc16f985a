package io.github.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.ratelimit.contract.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What this store promises beyond the contract: bounded memory that is no way around a limit, and exact counts under load. */
class InProcessStoreTest {

    private static final Limit LIMIT = Limit.of("burst", 60, Duration.ofMinutes(1));

    private final TestClock clock = new TestClock();

    private static List<Charge> charges(String key) {
        return List.of(new Charge(LIMIT, Key.of(key)));
    }

    private static long remaining(Decision decision) {
        return decision.statuses().get(0).remaining();
    }

    private static void flood(Store store, int keys) {
        for (int i = 0; i < keys; i++) {
            store.tryAcquire("limiter", charges("fresh-" + i), 1);
        }
    }

    @Test
    void floodOfFreshKeysGivesNobodyANewBudget() {
        InProcessStore store = InProcessStore.create(clock, 1000);
        for (int i = 0; i < 100; i++) {
            store.tryAcquire("limiter", charges("hot-" + i), 59);
        }
        flood(store, 100_000);
        for (int i = 0; i < 100; i++) {
            assertThat(remaining(store.tryAcquire("limiter", charges("hot-" + i), 0)))
                    .isLessThanOrEqualTo(1);
            store.tryAcquire("limiter", charges("hot-" + i), 1);
            assertThat(store.tryAcquire("limiter", charges("hot-" + i), 1).allowed())
                    .isFalse();
        }
    }

    @Test
    void evictedCounterHasItsBudgetBackWhenItsWindowIsOver() {
        InProcessStore store = InProcessStore.create(clock, 1000);
        store.tryAcquire("limiter", charges("hot"), 60);
        clock.advance(Duration.ofSeconds(30));
        flood(store, 20_000);
        assertThat(store.tryAcquire("limiter", charges("hot"), 1).allowed()).isFalse();
        clock.advance(Duration.ofSeconds(60));
        assertThat(store.tryAcquire("limiter", charges("hot"), 59).allowed()).isTrue();
    }

    @Test
    void evictedCounterKeepsItsReset() {
        InProcessStore store = InProcessStore.create(clock, 1000);
        Instant reset = store.tryAcquire("limiter", charges("hot"), 60)
                .statuses()
                .get(0)
                .resetAt();
        flood(store, 20_000);
        assertThat(store.tryAcquire("limiter", charges("hot"), 1)
                        .statuses()
                        .get(0)
                        .resetAt())
                .isEqualTo(reset);
    }

    @Test
    void forgottenCounterStaysForgottenThoughItWasEvictedBefore() {
        InProcessStore store = InProcessStore.create(clock, 1000);
        store.tryAcquire("limiter", charges("hot"), 60);
        flood(store, 20_000);
        store.resetAsync("limiter", charges("hot")).toCompletableFuture().join();
        assertThat(store.tryAcquire("limiter", charges("hot"), 60).allowed()).isTrue();
    }

    @Test
    void evictedCountersOfACompoundLimiterAreFoundAgain() {
        InProcessStore store = InProcessStore.create(clock, 1000);
        List<Charge> both = List.of(
                new Charge(LIMIT, Key.of("hot")),
                new Charge(Limit.of("wide", 100, Duration.ofMinutes(1)), Key.of("hot")));
        store.tryAcquire("compound", both, 60);
        flood(store, 20_000);
        Decision refused = store.tryAcquire("compound", both, 1);
        assertThat(refused.allowed()).isFalse();
        store.resetAsync("compound", both.subList(0, 1)).toCompletableFuture().join();
        flood(store, 20_000);
        store.tryAcquire("compound", both, 40);
        assertThat(store.tryAcquire("compound", both, 1).allowed())
                .as("100 of the wide limit are gone")
                .isFalse();
    }

    @Test
    @Tag("load")
    void manyThreadsAndConstantEvictionAdmitNobodyTwice() throws Exception {
        InProcessStore store = InProcessStore.create(clock, 1000);
        AtomicLongArray admitted = new AtomicLongArray(3000);
        inParallel(8, thread -> {
            Random random = new Random(thread);
            for (int i = 0; i < 100_000; i++) {
                int key = random.nextInt(admitted.length());
                if (store.tryAcquire("limiter", charges("key-" + key), 1).allowed()) {
                    admitted.incrementAndGet(key);
                }
            }
        });
        for (int key = 0; key < admitted.length(); key++) {
            assertThat(admitted.get(key)).as("key %d", key).isLessThanOrEqualTo(60);
        }
    }

    @Test
    @Tag("load")
    void manyThreadsAndConstantEvictionAdmitNobodyTwiceThroughCompounds() throws Exception {
        InProcessStore store = InProcessStore.create(clock, 1000);
        Limit wide = Limit.of("wide", 600, Duration.ofHours(1));
        AtomicLongArray admitted = new AtomicLongArray(3000);
        inParallel(4, thread -> {
            Random random = new Random(thread);
            for (int i = 0; i < 50_000; i++) {
                int key = random.nextInt(admitted.length());
                List<Charge> both =
                        List.of(new Charge(LIMIT, Key.of("key-" + key)), new Charge(wide, Key.of("group-" + key % 30)));
                if (store.tryAcquire("compound", both, 1).allowed()) {
                    admitted.incrementAndGet(key);
                }
            }
        });
        long[] groups = new long[30];
        for (int key = 0; key < admitted.length(); key++) {
            assertThat(admitted.get(key)).isLessThanOrEqualTo(60);
            groups[key % 30] += admitted.get(key);
        }
        assertThat(Arrays.stream(groups).max().orElseThrow()).isLessThanOrEqualTo(600);
    }

    /** 10^6 here; {@code -Dfull} counts 10^7. Windows turn while the threads are under way. */
    @Test
    @Tag("load")
    void everyWindowAdmitsExactlyItsPermits() throws Exception {
        int perThread = (Boolean.getBoolean("full") ? 10_000_000 : 1_000_000) / 64;
        InProcessStore store = InProcessStore.create(clock);
        AtomicLongArray admitted = new AtomicLongArray(1000);
        for (int window = 1; window <= 3; window++) {
            inParallel(64, thread -> {
                for (int i = 0; i < perThread / 3; i++) {
                    int key = (i * 31 + thread * 17) % 1000;
                    if (store.tryAcquire("limiter", charges("key-" + key), 1).allowed()) {
                        admitted.incrementAndGet(key);
                    }
                }
            });
            for (int key = 0; key < admitted.length(); key++) {
                assertThat(admitted.get(key))
                        .as("key %d after window %d", key, window)
                        .isEqualTo(60L * window);
            }
            clock.advance(Duration.ofMinutes(1));
        }
    }

    @Test
    @Tag("load")
    void threadsThatCrossAWindowsEndShareTheNextOneExactly() throws Exception {
        InProcessStore store = InProcessStore.create(clock);
        int windows = 300;
        AtomicLong admitted = new AtomicLong();
        inParallel(4, thread -> {
            while (admitted.get() < 60L * windows) {
                if (store.tryAcquire("limiter", charges("key"), 1).allowed()) {
                    if (admitted.incrementAndGet() % 60
                            == 0) { // this window is used up: the next one begins under everybody's hands
                        clock.advance(Duration.ofMinutes(1));
                    }
                }
            }
        });
        assertThat(admitted.get()).isBetween(60L * windows, 60L * windows + 3);
        assertThat(clock.instant()).isEqualTo(new TestClock().instant().plus(Duration.ofMinutes(windows)));
    }

    @Test
    @Tag("load")
    void keyCostsTheSameHoweverLongItIs() {
        InProcessStore store = InProcessStore.create(clock);
        String long1 = "x".repeat(1_000_000) + "1";
        String long2 = "x".repeat(1_000_000) + "2";
        assertThat(store.tryAcquire("limiter", charges(long1), 60).allowed()).isTrue();
        assertThat(store.tryAcquire("limiter", charges(long1), 1).allowed()).isFalse();
        assertThat(store.tryAcquire("limiter", charges(long2), 60).allowed()).isTrue();

        for (int i = 0; i < 2000; i++) { // 2 GB of keys, were they kept: twice what the tests' machine has
            assertThat(remaining(store.tryAcquire("limiter", charges("y".repeat(1_000_000) + i), 1)))
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
                assertThat(remaining(store.tryAcquire("limiter", charges(twin), 1)))
                        .isEqualTo(60 - used);
            }
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
            List<Charge> charges = List.of(new Charge(Limit.of("limit", 1, window), Key.of("somebody")));
            assertThat(store.tryAcquire("limiter", charges, 1).allowed()).isTrue();
            clock.advance(window.minusNanos(1));
            assertThat(store.tryAcquire("limiter", charges, 1).allowed())
                    .as("just before %s", window)
                    .isFalse();
            clock.advance(Duration.ofNanos(1));
            assertThat(store.tryAcquire("limiter", charges, 1).allowed())
                    .as("after %s", window)
                    .isTrue();
        }
    }

    @Test
    void resetIsTheSameThroughoutAWindowWhateverTheCalendarDoes() {
        InProcessStore store = InProcessStore.create(clock);
        Instant reset = store.tryAcquire("limiter", charges("somebody"), 1)
                .statuses()
                .get(0)
                .resetAt();
        assertThat(reset).isEqualTo(clock.instant().plusSeconds(60));
        clock.setCalendar(clock.instant().minusSeconds(86_400));
        clock.advance(Duration.ofMillis(1234));
        assertThat(store.tryAcquire("limiter", charges("somebody"), 1)
                        .statuses()
                        .get(0)
                        .resetAt())
                .isEqualTo(reset);
        clock.advance(Duration.ofMinutes(1));
        assertThat(store.tryAcquire("limiter", charges("somebody"), 1)
                        .statuses()
                        .get(0)
                        .resetAt())
                .as("the next window is told by the calendar that is")
                .isEqualTo(clock.instant().plusSeconds(60));
    }

    @Test
    void boundOutOfRangeIsRefused() {
        for (int maximum : List.of(-1, 0, 999, (1 << 24) + 1)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> InProcessStore.create(clock, maximum))
                    .withMessage("maximumCounters must be 1000..16777216, was " + maximum);
        }
        InProcessStore.create(clock, 1 << 24).close();
    }

    private interface Task {
        void run(int thread);
    }

    private static void inParallel(int threads, Task task) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> futures = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int thread = i;
                futures.add(executor.submit(() -> task.run(thread)));
            }
            for (Future<?> future : futures) {
                future.get();
            }
        } finally {
            executor.shutdownNow();
        }
    }
}
