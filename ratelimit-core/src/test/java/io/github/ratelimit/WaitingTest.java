package io.github.ratelimit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.TestStores.Failing;
import io.github.ratelimit.TestStores.Slow;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers that wait for permits: in the order of arrival, never longer than they said, and never for nothing. */
@Timeout(300)
class WaitingTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** Runs what is due when it is told to, in order and on the thread that tells it. */
    private static final class Steps implements TimeSource {

        private record Task(long due, long number, Runnable task) {}

        private final PriorityQueue<Task> tasks =
                new PriorityQueue<>(Comparator.comparingLong(Task::due).thenComparingLong(Task::number));
        private long passed;
        private long number;

        @Override
        public synchronized long nanoTime() {
            return Long.MAX_VALUE - 1_000_000_000L + passed;
        }

        @Override
        public synchronized Instant instant() {
            return Instant.ofEpochSecond(1_800_000_000).plusNanos(passed);
        }

        @Override
        public synchronized Future<?> runAfter(long nanos, Runnable task) {
            FutureTask<?> future = new FutureTask<>(task, null) {
                @Override
                protected void done() {
                    if (isCancelled()) {
                        forget(this);
                    }
                }
            };
            tasks.add(new Task(passed + nanos, number++, future));
            return future;
        }

        private synchronized void forget(Runnable cancelled) {
            tasks.removeIf(task -> task.task == cancelled);
        }

        void advance(Duration duration) {
            long end = passed + duration.toNanos();
            for (Runnable task = next(end); task != null; task = next(end)) {
                task.run();
            }
        }

        private synchronized @Nullable Runnable next(long end) {
            Task task = tasks.peek();
            if (task == null || task.due > end) {
                passed = end;
                return null;
            }
            passed = Math.max(passed, task.due);
            tasks.remove();
            return task.task;
        }
    }

    private final Steps time = new Steps();
    private final List<String> served = new ArrayList<>();

    private Limiter<String> limiter(long permits) {
        return limiter(InProcessStore.create(time), permits);
    }

    private static Limiter<String> limiter(Store store, long permits) {
        return Limiter.of(LimiterSpec.of("mail", Limit.of("burst", permits, MINUTE), Key::of), store);
    }

    /** Waits in line, and writes down by which name and how it was served. */
    private CompletableFuture<Decision> waits(Limiter<String> limiter, String name, long cost, long seconds) {
        CompletableFuture<Decision> turn =
                limiter.acquireAsync("ann", cost, Duration.ofSeconds(seconds)).toCompletableFuture();
        turn.thenAccept(decision -> served.add(name + (decision.allowed() ? "" : " rejected")));
        return turn;
    }

    private static long remaining(Limiter<String> limiter) {
        return limiter.tryAcquire("ann", 0).statuses().get(0).remaining();
    }

    @Test
    void whatFitsIsServedAtOnce() throws Exception {
        Limiter<String> limiter = limiter(2);
        assertThat(limiter.acquire("ann", 1, Duration.ZERO).allowed()).isTrue();
        assertThat(limiter.acquire("ann", 1, Duration.ofSeconds(-5)).allowed()).isTrue();
        Decision rejected = limiter.acquire("ann", 1, Duration.ZERO);
        assertThat(rejected.allowed()).isFalse();
        assertThat(rejected.retryAfter()).contains(MINUTE);
    }

    @Test
    void callersAreServedInTheOrderOfArrival() {
        Limiter<String> limiter = limiter(2);
        limiter.tryAcquire("ann", 2);
        for (int i = 0; i < 6; i++) {
            waits(limiter, "w" + i, 1, 600);
        }
        time.advance(MINUTE.minusNanos(1));
        assertThat(served).isEmpty();
        time.advance(Duration.ofNanos(1));
        assertThat(served).containsExactly("w0", "w1");
        time.advance(MINUTE);
        assertThat(served).containsExactly("w0", "w1", "w2", "w3");
        time.advance(MINUTE);
        assertThat(served).containsExactly("w0", "w1", "w2", "w3", "w4", "w5");
        time.advance(MINUTE);
        assertThat(remaining(limiter)).isEqualTo(2);
    }

    @Test
    void costlyCallerIsNotOvertaken() {
        Limiter<String> limiter = limiter(3);
        limiter.tryAcquire("ann", 1);
        waits(limiter, "three", 3, 60);
        waits(limiter, "one", 1, 600);
        time.advance(Duration.ofSeconds(1));
        assertThat(served).isEmpty();
        time.advance(MINUTE);
        assertThat(served).containsExactly("three");
        time.advance(MINUTE);
        assertThat(served).containsExactly("three", "one");
    }

    @Test
    void callerThatMayNotWaitAsLongAsTheFirstHasToIsRejectedAtOnce() {
        Limiter<String> limiter = limiter(2);
        limiter.tryAcquire("ann", 2);
        waits(limiter, "too short for the window", 1, 59);
        assertThat(served).containsExactly("too short for the window rejected");
        waits(limiter, "a", 1, 60);
        waits(limiter, "b", 1, 60);
        waits(limiter, "too short", 1, 59);
        assertThat(served).hasSize(2).last().isEqualTo("too short rejected");
        waits(limiter, "c: those ahead use up the window", 1, 119);
        waits(limiter, "d", 1, 120);
        waits(limiter, "e: too much for what is left of that window", 2, 179);
        time.advance(Duration.ofSeconds(60));
        assertThat(served).hasSize(5).endsWith("a", "b", "c: those ahead use up the window rejected");
        time.advance(Duration.ofSeconds(60));
        assertThat(served).hasSize(7).endsWith("d", "e: too much for what is left of that window rejected");
    }

    private static Limiter<String> limiter(Store store, Limit... limits) {
        List<Rule<String>> rules =
                Stream.of(limits).map(limit -> Rule.<String>of(limit, Key::of)).toList();
        return Limiter.of(new LimiterSpec<>("mail", rules), store);
    }

    @Test
    void callersBehindCostsThatDoNotShareAWindowWaitForTheNextOne() {
        Limiter<String> limiter = limiter(10);
        limiter.tryAcquire("ann", 10);
        waits(limiter, "after 60 s", 6, 60);
        waits(limiter, "after 120 s", 6, 120);
        waits(limiter, "after 180 s", 6, 179);
        waits(limiter, "beside the second", 4, 120);
        time.advance(MINUTE.multipliedBy(2));
        assertThat(served).containsExactly("after 60 s", "after 120 s", "after 180 s rejected", "beside the second");
    }

    @Test
    void callersOfABucketAreServedOneByOneAndTheOthersLeaveAtTheirDeadline() {
        Limit bucket = Limit.of(10, Duration.ofSeconds(10)).bucket(1);
        Limiter<String> limiter = limiter(InProcessStore.create(time), bucket);
        limiter.tryAcquire("ann");
        for (int i = 1; i <= 35; i++) {
            waits(limiter, "turn " + i, 1, 5);
        }
        time.advance(Duration.ofSeconds(5));
        assertThat(served)
                .hasSize(35)
                .startsWith("turn 1", "turn 2", "turn 3", "turn 4", "turn 5", "turn 6 rejected")
                .endsWith("turn 35 rejected");
    }

    @Test
    void turnsOfSeveralLimitsAreThoseOfTheLatest() {
        Limiter<String> limiter = limiter(
                InProcessStore.create(time),
                Limit.of("bucket", 1, Duration.ofSeconds(1)).bucket(2),
                Limit.of("window", 4, MINUTE));
        limiter.tryAcquire("ann", 2);
        waits(limiter, "1 s", 1, 1);
        waits(limiter, "2 s", 1, 2);
        waits(limiter, "too late", 1, 59);
        waits(limiter, "60 s", 1, 60);
        time.advance(MINUTE);
        assertThat(served).containsExactly("1 s", "2 s", "too late rejected", "60 s");
    }

    @Test
    void turnsOfASlidingWindowComeAsItsPermitsComeBack() {
        Limiter<String> limiter =
                limiter(InProcessStore.create(time), Limit.of(2, MINUTE).sliding());
        limiter.tryAcquire("ann");
        time.advance(Duration.ofSeconds(40));
        limiter.tryAcquire("ann");
        waits(limiter, "40 s", 1, 40);
        waits(limiter, "80 s", 1, 80);
        waits(limiter, "a window after the first", 1, 99);
        time.advance(Duration.ofSeconds(80));
        assertThat(served).containsExactly("40 s", "80 s", "a window after the first rejected");
    }

    @Test
    void turnOfABlockingWindowComesWhenTheNextBlockEnds() {
        Limiter<String> limiter = limiter(
                InProcessStore.create(time), Limit.of("login", 1, MINUTE).blocking(Duration.ofSeconds(10)));
        limiter.tryAcquire("ann");
        waits(limiter, "too late", 1, 9);
        for (long i = 1; i <= 3; i++) {
            waits(limiter, "turn " + i, 1, 10 * i);
        }
        assertThat(served).containsExactly("too late rejected");
        time.advance(Duration.ofSeconds(30));
        assertThat(served).endsWith("turn 1", "turn 2", "turn 3");
    }

    @Test
    void rejectionOfACallerThatComesLaterTellsTheResetOfThatMoment() {
        Limiter<String> limiter = limiter(1);
        limiter.tryAcquire("ann");
        waits(limiter, "first", 1, 600);
        for (Duration later : List.of(Duration.ofMillis(500), Duration.ofMillis(58_500))) {
            time.advance(later);
        }
        Decision rejected = waits(limiter, "second", 1, 0).join();
        assertThat(rejected.allowed()).isFalse();
        assertThat(rejected.retryAfter()).contains(Duration.ofSeconds(1));
        assertThat(rejected.statuses().get(0).resetAfter()).isEqualTo(Duration.ofSeconds(1));
        time.advance(Duration.ofMillis(500));
        assertThat(waits(limiter, "third", 1, 0).join().retryAfter()).contains(Duration.ofMillis(500));
    }

    @Test
    void waitIsCountedFromTheArrival() {
        Limiter<String> limiter = limiter(1);
        limiter.tryAcquire("ann");
        waits(limiter, "a", 1, 60);
        time.advance(Duration.ofSeconds(30));
        waits(limiter, "b", 1, 89);
        waits(limiter, "c", 1, 90);
        time.advance(Duration.ofSeconds(90));
        assertThat(served).containsExactly("a", "b rejected", "c");
    }

    @Test
    void costThatNeverFitsIsRejectedAndHoldsNobodyUp() {
        Limiter<String> limiter = limiter(2);
        CompletableFuture<Decision> never = waits(limiter, "never", 3, 6000);
        assertThat(never.join().retryAfter()).isEmpty();
        assertThat(waits(limiter, "fits", 2, 0).join().allowed()).isTrue();
        waits(limiter, "a", 1, 60);
        waits(limiter, "never in line", 3, 6000);
        waits(limiter, "b", 1, 60);
        time.advance(MINUTE);
        assertThat(served).containsExactly("never rejected", "fits", "never in line rejected", "a", "b");
    }

    @Test
    void differentKeysDoNotWaitForEachOther() {
        Limiter<String> limiter = limiter(1);
        limiter.tryAcquire("ann");
        waits(limiter, "a", 1, 60);
        assertThat(limiter.acquireAsync("bob", 1, MINUTE)
                        .toCompletableFuture()
                        .join()
                        .allowed())
                .isTrue();
        assertThat(served).isEmpty();
    }

    @Test
    void whoCancelsTakesNothingAndHoldsNobodyUp() {
        Limiter<String> limiter = limiter(1);
        limiter.tryAcquire("ann");
        CompletableFuture<Decision> first = waits(limiter, "a", 1, 60);
        CompletableFuture<Decision> second = waits(limiter, "b", 1, 600);
        waits(limiter, "c", 1, 600);
        assertThat(first.cancel(false)).isTrue();
        assertThat(second.cancel(false)).isTrue();
        waits(limiter, "d: has the third place, not the fifth", 1, 120);
        time.advance(MINUTE);
        assertThat(served).containsExactly("c");
        time.advance(MINUTE);
        assertThat(served).containsExactly("c", "d: has the third place, not the fifth");
        time.advance(MINUTE);
        assertThat(remaining(limiter)).isEqualTo(1);
    }

    @Test
    void whoCancelsWhileTheStoreIsAskedGivesBackWhatItTook() {
        Slow store = new Slow(InProcessStore.create(time));
        Limiter<String> limiter = limiter(store, 3);
        CompletableFuture<Decision> turn = waits(limiter, "a", 2, 0);
        turn.cancel(false);
        store.answer();
        CompletableFuture<Decision> look = limiter.tryAcquireAsync("ann", 0).toCompletableFuture();
        store.answer();
        assertThat(look.join().statuses().get(0).remaining()).isEqualTo(3);
    }

    @Test
    void whoJoinsWhileTheFirstIsAskedIsServedAfterIt() {
        Slow store = new Slow(InProcessStore.create(time));
        Limiter<String> limiter = limiter(store, 2);
        waits(limiter, "a", 1, 0);
        waits(limiter, "b", 1, 0);
        waits(limiter, "c", 1, 59);
        assertThat(store.open).hasSize(1);
        store.answer();
        time.advance(Duration.ZERO);
        store.answer();
        time.advance(Duration.ZERO);
        store.answer();
        assertThat(served).containsExactly("a", "b", "c rejected");
    }

    @Test
    void rejectionOfOneWhoAskedForMoreIsNoRejectionOfThoseBehind() {
        Slow store = new Slow(InProcessStore.create(time));
        Limiter<String> limiter = limiter(store, 10);
        waits(limiter, "six", 6, 0);
        waits(limiter, "another six", 6, 0);
        waits(limiter, "one", 1, 0);
        store.answer();
        time.advance(Duration.ZERO);
        store.answer(); // the other six do not fit beside the first; the one behind does
        time.advance(Duration.ZERO);
        if (!store.open.isEmpty()) {
            store.answer();
        }
        assertThat(served).containsExactly("six", "another six rejected", "one");
    }

    @Test
    void keysAreResolvedOnceOnTheCallersThread() {
        ThreadLocal<String> user = new ThreadLocal<>();
        AtomicInteger calls = new AtomicInteger();
        KeyResolver<String> current = request -> {
            calls.incrementAndGet();
            return user.get() == null ? Key.absent() : Key.of(user.get());
        };
        Limiter<String> limiter =
                Limiter.of(LimiterSpec.of("mail", Limit.of("burst", 1, MINUTE), current), InProcessStore.create(time));
        user.set("ann");
        limiter.tryAcquire("request");
        CompletableFuture<Decision> turn = limiter.acquireAsync("request", 1, MINUTE);
        user.remove();
        time.advance(MINUTE);
        assertThat(turn).isCompletedWithValueMatching(Decision::allowed);
        assertThat(turn.join().charges()).extracting(Charge::key).containsExactly(Key.of("ann"));
        assertThat(calls).hasValue(2);
    }

    @Test
    void lineGoesOnThoughTheStoreThrowsOrFails() throws Exception {
        AtomicReference<RuntimeException> thrown = new AtomicReference<>();
        Store inner = InProcessStore.create(time);
        Store store = new TestStores.Recording(inner) {
            @Override
            public CompletableFuture<Decision> tryAcquireAsync(List<Charge> charges) {
                RuntimeException failure = thrown.get();
                if (failure != null) {
                    throw failure;
                }
                return super.tryAcquireAsync(charges);
            }
        };
        Limiter<String> limiter = limiter(store, 1);
        IllegalStateException closed = new IllegalStateException("closed");
        thrown.set(closed);
        assertThatThrownBy(() -> limiter.acquire("ann", 1, MINUTE)).isSameAs(closed);
        thrown.set(null);
        assertThat(limiter.acquireAsync("ann", 1, Duration.ZERO).toCompletableFuture())
                .isDone();

        Failing failing = new Failing(time).with(closed);
        Limiter<String> broken = limiter(failing, 1);
        assertThatThrownBy(() -> broken.acquire("ann", 1, MINUTE)).isSameAs(closed);
        failing.away = false;
        assertThat(broken.acquire("ann", 1, MINUTE).allowed()).isTrue();
    }

    @Test
    void storeThatThrowsWhenAWaiterIsServedHoldsNobodyUp() {
        AtomicReference<RuntimeException> thrown = new AtomicReference<>();
        Store store = new TestStores.Recording(InProcessStore.create(time)) {
            @Override
            public CompletableFuture<Decision> tryAcquireAsync(List<Charge> charges) {
                RuntimeException failure = thrown.getAndSet(null);
                if (failure != null) {
                    throw failure;
                }
                return super.tryAcquireAsync(charges);
            }
        };
        Limiter<String> limiter = limiter(store, 1);
        limiter.tryAcquire("ann");
        CompletableFuture<Decision> first = waits(limiter, "a", 1, 60);
        waits(limiter, "b", 1, 600);
        thrown.set(new IllegalStateException("closed"));
        try {
            time.advance(MINUTE);
        } catch (IllegalStateException e) {
            // the thread of the clock must not hear of it; what counts is below
        }
        time.advance(Duration.ZERO);
        assertThat(first).isCompletedExceptionally();
        assertThat(served).containsExactly("b");
    }

    @Test
    void fallbackServesThoseWhoWaitToo() throws Exception {
        Limiter<String> limiter = limiter(new Failing(time), 1);
        assertThat(limiter.acquire("ann", 1, MINUTE).source()).isEqualTo(Decision.Source.LOCAL);
        waits(limiter, "a", 1, 60);
        time.advance(MINUTE);
        assertThat(served).containsExactly("a");
    }

    @Test
    void rejectionThatPromisesNothingEndsTheWait() throws Exception {
        Limiter<String> limiter = Limiter.of(
                LimiterSpec.<String>of("mail", Limit.of("burst", 1, MINUTE), Key::of)
                        .withOnStoreFailure(OnStoreFailure.REJECT),
                new Failing(time));
        Decision decision = limiter.acquire("ann", 1, MINUTE);
        assertThat(decision.allowed()).isFalse();
        assertThat(decision.source()).isEqualTo(Decision.Source.NONE);
    }

    @Test
    void whereNoLimitAppliesNobodyWaits() throws Exception {
        Rule<String> never =
                Rule.of(Limit.of(1, MINUTE), (KeyResolver<String>) Key::of).unless(request -> true);
        Limiter<String> limiter = Limiter.of(LimiterSpec.of("mail", never), InProcessStore.create(time));
        assertThat(limiter.acquire("ann", 1, Duration.ofSeconds(Long.MAX_VALUE)))
                .isSameAs(Decision.unlimited());
    }

    @Test
    void severalRulesAreWaitedForTogether() {
        LimiterSpec<String> spec = new LimiterSpec<>(
                "mail",
                List.of(
                        Rule.of(Limit.of("short", 2, Duration.ofSeconds(10)), Key::of),
                        Rule.of(Limit.of("long", 3, MINUTE), Key::of)));
        Limiter<String> limiter = Limiter.of(spec, InProcessStore.create(time));
        limiter.tryAcquire("ann", 2);
        waits(limiter, "a", 1, 10);
        waits(limiter, "b", 1, 60);
        time.advance(Duration.ofSeconds(10));
        assertThat(served).containsExactly("a");
        time.advance(Duration.ofSeconds(49));
        assertThat(served).containsExactly("a");
        time.advance(Duration.ofSeconds(1));
        assertThat(served).containsExactly("a", "b");
    }

    @Test
    void interruptedCallerTakesNothingAndHoldsNobodyUp() throws Exception {
        Limiter<String> limiter = limiter(1);
        limiter.tryAcquire("ann");
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread waiting = new Thread(() -> {
            try {
                limiter.acquire("ann", 1, MINUTE);
            } catch (InterruptedException e) {
                thrown.set(e);
            }
        });
        waiting.start();
        while (waiting.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        waits(limiter, "behind", 1, 600);
        waiting.interrupt();
        waiting.join();
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        time.advance(MINUTE);
        assertThat(served).containsExactly("behind");
    }

    /** The permit comes at the moment of the interrupt: either the caller has it, or nobody. */
    @Test
    @Tag("load")
    void interruptThatMeetsThePermitLosesNone() throws Exception {
        Slow store = new Slow(InProcessStore.create(time));
        Limiter<String> limiter = limiter(store, 1_000_000);
        int taken = 0;
        for (int i = 0; i < 300; i++) {
            AtomicInteger got = new AtomicInteger();
            Thread caller = new Thread(() -> {
                try {
                    got.set(limiter.acquire("ann", 1, MINUTE).allowed() ? 1 : 0);
                } catch (InterruptedException e) {
                    got.set(0);
                }
            });
            caller.start();
            while (caller.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            Thread interrupter = new Thread(caller::interrupt);
            interrupter.start();
            for (int spin = ThreadLocalRandom.current().nextInt(2000); spin > 0; spin--) {
                Thread.onSpinWait();
            }
            store.answer();
            interrupter.join();
            caller.join();
            taken += got.get();
        }
        CompletableFuture<Decision> look = limiter.tryAcquireAsync("ann", 0).toCompletableFuture();
        store.answer();
        assertThat(1_000_000 - look.join().statuses().get(0).remaining()).isEqualTo(taken);
    }

    /** 32 threads on the machine's clock and windows of 20 ms: no window grants more than it has, and everybody is served. */
    @Test
    @Tag("load")
    void manyThreadsAreAllServedAndNoWindowGrantsMore() throws Exception {
        Duration window = Duration.ofMillis(20);
        ConcurrentHashMap<Instant, AtomicInteger> grants = new ConcurrentHashMap<>();
        InProcessStore store = InProcessStore.create();
        LimiterSpec<String> spec = LimiterSpec.of("mail", Limit.of("burst", 32, window), Key::of);
        Limiter<String> limiter = Limiter.of(spec, store);
        ExecutorService threads = Executors.newFixedThreadPool(32);
        AtomicInteger rejected = new AtomicInteger();
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int t = 0; t < 32; t++) {
                int thread = t;
                all.add(threads.submit(() -> {
                    for (int i = 0; i < 40; i++) {
                        String key = "key-" + thread % 2;
                        Duration wait = i % 10 == 9 ? Duration.ZERO : Duration.ofMinutes(2);
                        CompletableFuture<Decision> turn =
                                limiter.acquireAsync(key, 1, wait).toCompletableFuture();
                        if (i % 7 == 3) {
                            turn.cancel(false);
                            continue;
                        }
                        Decision decision = turn.get(120, TimeUnit.SECONDS);
                        if (decision.allowed()) {
                            grants.computeIfAbsent(decision.statuses().get(0).resetAt(), unused -> new AtomicInteger())
                                    .incrementAndGet();
                        } else {
                            assertThat(wait).isZero();
                            rejected.incrementAndGet();
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
        } catch (ExecutionException e) {
            throw new AssertionError(requireNonNull(e.getCause()));
        } finally {
            threads.shutdownNow();
        }
        assertThat(grants.values()).allMatch(count -> count.get() <= 2 * 32); // two keys may begin in one millisecond
        int granted = grants.values().stream().mapToInt(AtomicInteger::get).sum();
        assertThat(granted + rejected.get()).isEqualTo(32 * 40 - 32 * 6);
    }

    /** All have joined before the first answer: it tells those that may not wait so long. */
    @Test
    void answerToTheFirstTellsThoseBehindItThatMayNotWaitSoLong() {
        Slow store = new Slow(InProcessStore.create(time));
        Limiter<String> limiter = limiter(store, 1);
        limiter.tryAcquireAsync("ann");
        store.answer();
        waits(limiter, "first", 1, 600);
        waits(limiter, "before its end", 1, 30);
        waits(limiter, "with the first", 1, 119);
        CompletableFuture<Decision> cancelled = waits(limiter, "cancelled", 1, 600);
        waits(limiter, "second", 1, 120);
        cancelled.cancel(false);
        assertThat(served).isEmpty();

        store.answer();
        assertThat(served).containsExactly("before its end rejected");

        for (int minutes = 0; minutes < 2; minutes++) {
            time.advance(MINUTE);
            while (!store.open.isEmpty()) {
                store.answer();
                time.advance(Duration.ZERO);
            }
        }
        assertThat(served).containsExactly("before its end rejected", "first", "with the first rejected", "second");
    }

    // ---- permits that come back

    private static final Limit JOBS = Limit.concurrent("jobs", 1, Duration.ofMinutes(5));

    @Test
    void endOfATaskServesTheNextAtOnce() {
        Limiter<String> jobs = Limiter.of(LimiterSpec.of("jobs", JOBS, Key::of), InProcessStore.create(time));
        Hold first = jobs.hold(jobs.tryAcquire("ann"));
        CompletableFuture<Decision> second = waits(jobs, "second", 1, 60);
        waits(jobs, "third", 1, 60);
        time.advance(Duration.ofMillis(50));
        assertThat(served).isEmpty();

        first.close();
        time.advance(Duration.ZERO);
        assertThat(served).containsExactly("second");

        jobs.hold(second.join()).close();
        time.advance(Duration.ZERO);
        assertThat(served).containsExactly("second", "third");
    }

    @Test
    void callerOfAConcurrencyLimitWaitsUntilItsOwnDeadline() {
        Limiter<String> jobs = Limiter.of(LimiterSpec.of("jobs", JOBS, Key::of), InProcessStore.create(time));
        Hold first = jobs.hold(jobs.tryAcquire("ann"));
        CompletableFuture<Decision> longest = jobs.acquireAsync("ann", 1, Duration.ofSeconds(30));
        CompletableFuture<Decision> half = jobs.acquireAsync("ann", 1, Duration.ofMillis(500));
        CompletableFuture<Decision> none = jobs.acquireAsync("ann", 1, Duration.ZERO);
        time.advance(Duration.ofMillis(499));
        assertThat(none).isCompletedWithValueMatching(decision -> !decision.allowed());
        assertThat(half).isNotDone();
        time.advance(Duration.ofMillis(1));
        assertThat(half).isCompletedWithValueMatching(decision -> !decision.allowed());
        assertThat(longest).isNotDone();
        first.close();
        time.advance(Duration.ZERO);
        assertThat(longest).isCompletedWithValueMatching(Decision::allowed);
    }

    @Test
    void refundSettlementAndResetServeThoseWhoWait() {
        Limiter<String> limiter = limiter(1);
        Decision taken = limiter.tryAcquire("ann");
        waits(limiter, "after the refund", 1, 120);
        limiter.refund(taken).join();
        time.advance(Duration.ofMillis(1));
        assertThat(served).containsExactly("after the refund");

        waits(limiter, "after the reset", 1, 120);
        limiter.reset("ann").join();
        time.advance(Duration.ofMillis(1));
        assertThat(served).containsExactly("after the refund", "after the reset");

        limiter.reset("ann").join();
        Decision estimate = limiter.tryAcquire("ann");
        waits(limiter, "after the settlement", 1, 120);
        limiter.settle(estimate, 0).join();
        time.advance(Duration.ofMillis(1));
        assertThat(served).endsWith("after the settlement").hasSize(3);
    }

    @Test
    void refundBesideAnAnswerOnItsWayIsSeen() {
        Slow store = new Slow(InProcessStore.create(time));
        Limiter<String> limiter = limiter(store, 1);
        CompletableFuture<Decision> taken = limiter.tryAcquireAsync("ann");
        store.answer();
        store.decidesAtOnce = true;
        waits(limiter, "first", 1, 120);
        limiter.refund(taken.join()).join(); // between the rejection and its answer
        store.answer();
        time.advance(Duration.ofMillis(1));
        store.answer();
        assertThat(served).containsExactly("first");
    }

    @Test
    void raisedLimitAndShadowServeThoseWhoWait() {
        Limiters<String> limiters = Limiters.<String>builder(InProcessStore.create(time))
                .add(LimiterSpec.of("mail", Limit.of("burst", 1, MINUTE), Key::of))
                .build();
        Limiter<String> limiter = limiters.get("mail");
        limiter.tryAcquire("ann");
        waits(limiter, "raised", 1, 600);
        waits(limiter, "in shadow", 1, 600);
        limiters.change(limiters.spec("mail").withPermits(null, null, 2));
        time.advance(Duration.ofMillis(1));
        assertThat(served).containsExactly("raised");

        limiters.change(limiters.spec("mail").withShadow(true));
        time.advance(Duration.ofMillis(1));
        assertThat(served).containsExactly("raised", "in shadow");
    }

    /** Permits may have come back on another node. */
    @Test
    void callerBelievesARejectionOfOthersForASecond() {
        InProcessStore store = InProcessStore.create(time);
        Limiter<String> limiter = limiter(store, 1);
        Limiter<String> onAnotherNode = limiter(store, 1);
        Decision taken = onAnotherNode.tryAcquire("ann");
        waits(limiter, "first", 1, 600);
        onAnotherNode.refund(taken).join();
        time.advance(Duration.ofSeconds(1));
        waits(limiter, "within a second", 1, 30);
        time.advance(Duration.ofNanos(1));
        waits(limiter, "later", 1, 30);
        time.advance(Duration.ofNanos(1));
        assertThat(served).startsWith("within a second rejected", "first");
    }

    @Test
    void whoIsWokenHoldsNoOtherThreadUp() throws Exception {
        Limiter<String> limiter = limiter(1);
        limiter.tryAcquire("ann");
        waits(limiter, "first", 1, 600);
        CompletableFuture<Decision> gone =
                limiter.acquireAsync("bob", 1, MINUTE).toCompletableFuture();
        CompletableFuture<Decision> late =
                limiter.acquireAsync("bob", 1, MINUTE).toCompletableFuture();
        assertThat(gone).isCompleted();
        late.cancel(false); // its waking finds nobody
        time.advance(MINUTE);
        assertThat(served).containsExactly("first");
        assertThat(CompletableFuture.supplyAsync(
                                () -> waits(limiter, "other", 1, 0).join().allowed())
                        .get(20, TimeUnit.SECONDS))
                .isFalse();
    }

    @Test
    void lookIsAllowedAtOnceWhoeverWaits() throws Exception {
        Limiter<String> limiter = limiter(1);
        limiter.tryAcquire("ann");
        waits(limiter, "first", 1, 600);

        assertThat(limiter.acquire("ann", 0, Duration.ZERO).allowed()).isTrue();
    }

    @Test
    void whoCancelsAsTheFirstHoldsNobodyUpWhoAsksForLess() {
        Limiter<String> limiter = limiter(5);
        limiter.tryAcquire("ann", 3);
        CompletableFuture<Decision> first = waits(limiter, "first", 5, 600);
        waits(limiter, "second", 1, 600);
        assertThat(served).isEmpty();

        first.cancel(false);
        time.advance(Duration.ZERO);
        assertThat(served).containsExactly("second");

        limiter.tryAcquire("ann");
        waits(limiter, "third", 5, 600);
        waits(limiter, "fourth", 1, 600);
        time.advance(MINUTE); // the moment at which the one that is gone would have been asked for
        assertThat(served).containsExactly("second", "third");
        time.advance(MINUTE);
        assertThat(served).containsExactly("second", "third", "fourth");
    }

    @Test
    void thousandsThatCancelLeaveNothingBehindAndTakeNoTime() {
        Limiter<String> limiter = limiter(1);
        limiter.tryAcquire("ann");
        waits(limiter, "first", 1, 600);
        List<WeakReference<Object>> gone = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            CompletableFuture<Decision> turn =
                    limiter.acquireAsync("ann", 1, Duration.ofDays(300)).toCompletableFuture();
            gone.add(new WeakReference<>(turn));
            turn.cancel(false);
        }
        System.gc();
        assertThat(gone.stream().filter(each -> each.get() != null).count())
                .as("who is kept")
                .isLessThan(10);
        time.advance(MINUTE);
        assertThat(served).containsExactly("first");
    }

    @Test
    void cancelledAndInterruptedWaitersAreFreedAtOnce() throws Exception {
        Limiter<byte[]> limiter = Limiter.of(
                LimiterSpec.of("mail", Limit.of("burst", 1, MINUTE), request -> Key.of(Integer.toString(request[0]))),
                InProcessStore.create(time));
        List<WeakReference<Object>> gone = new ArrayList<>();
        for (byte i = 0; i < 100; i++) {
            limiter.tryAcquire(new byte[] {i});
            byte[] request = {i};
            gone.add(new WeakReference<>(request));
            if (i % 2 == 0) {
                CompletableFuture<Decision> turn =
                        limiter.acquireAsync(request, 1, MINUTE).toCompletableFuture();
                turn.cancel(false);
            } else {
                Thread.currentThread().interrupt();
                assertThatThrownBy(() -> limiter.acquire(request, 1, MINUTE)).isInstanceOf(InterruptedException.class);
            }
        }
        System.gc();
        assertThat(gone.stream().filter(each -> each.get() != null).count()).isLessThan(3);
    }

    /** It took a minute and more where each looks at all before it: the cost of one does not grow with those before it. */
    @Test
    void manyMayWaitForOneCounter() {
        Duration some = waiting(15_000);
        Duration more = waiting(60_000);
        assertThat(more).as("four times as many; %s before", some).isLessThan(some.multipliedBy(8));
    }

    /** Processor time: by the clock it would be a question of who else is busy here. */
    private Duration waiting(int many) {
        Limiter<String> limiter = limiter(1_000_000);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long start = threads.getCurrentThreadCpuTime();
        limiter.tryAcquire("ann", 1_000_000);
        for (int i = 0; i < many; i++) {
            limiter.acquireAsync("ann", 1, Duration.ofDays(1));
        }
        time.advance(MINUTE);
        assertThat(remaining(limiter)).isEqualTo(1_000_000 - many);
        return Duration.ofNanos(threads.getCurrentThreadCpuTime() - start);
    }
}
