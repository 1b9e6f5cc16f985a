package io.github.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Source;
import io.github.ratelimit.Key;
import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limiter;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.OnStoreFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Clients that ask limiters of every policy at an even rate, and remember each answer and how long it took.
 *
 * <p>Half of the requests are for keys of their own, so that a count above one is a request counted twice; the others share a few keys.
 */
final class Load implements AutoCloseable {

    private static final Limit LIMIT = Limit.of("only", Limit.MAX_PERMITS, Duration.ofHours(1));
    private static final int SHARED_KEYS = 4;

    private record Answer(OnStoreFailure policy, Source source, boolean allowed) {}

    private final List<Thread> threads = new ArrayList<>();
    private final Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
    private final Queue<Long> nanos = new ConcurrentLinkedQueue<>();
    private final Lateness lateness = new Lateness();
    private final AtomicLong sequence = new AtomicLong();
    private final AtomicLong askedOfSharedKeys = new AtomicLong();
    private final AtomicLong decidedOnSharedKeys = new AtomicLong();
    private final AtomicLong decidedOnOwnKeys = new AtomicLong();
    private volatile Queue<Answer> phase = new ConcurrentLinkedQueue<>();
    private volatile boolean stopped;

    /** Starts clients that together ask so often per second. */
    static Load on(RedisStore store, int threads, int perSecond) {
        Load load = new Load();
        List<Limiter<String>> limiters = Arrays.stream(OnStoreFailure.values())
                .map(policy -> limiter(store, policy, LIMIT))
                .toList();
        long pause = threads * 1_000_000_000L / perSecond;
        for (int i = 0; i < threads; i++) {
            load.start(() -> load.ask(limiters, pause));
        }
        return load;
    }

    static Limiter<String> limiter(RedisStore store, OnStoreFailure policy, Limit limit) {
        KeyResolver<String> key = Key::of;
        Limiters<String> limiters = Limiters.<String>builder(store)
                .add(LimiterSpec.of(policy.name(), limit, key).withOnStoreFailure(policy))
                .build();
        return limiters.get(policy.name());
    }

    private void start(Runnable task) {
        Thread thread = new Thread(task, "load-" + threads.size());
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private void ask(List<Limiter<String>> limiters, long pause) {
        OnStoreFailure[] policies = OnStoreFailure.values();
        long next = System.nanoTime();
        while (!stopped) {
            long number = sequence.getAndIncrement();
            int which = (int) (number % policies.length);
            OnStoreFailure policy = policies[which];
            boolean shared = number / policies.length % 2 == 0;
            if (shared) {
                askedOfSharedKeys.incrementAndGet();
            }
            long start = System.nanoTime();
            try {
                Decision decision =
                        limiters.get(which).tryAcquire(shared ? "shared-" + number % SHARED_KEYS : "own-" + number);
                nanos.add(System.nanoTime() - start);
                phase.add(new Answer(policy, decision.source(), decision.allowed()));
                if (decision.source() == Source.STORE) {
                    (shared ? decidedOnSharedKeys : decidedOnOwnKeys).incrementAndGet();
                }
            } catch (RuntimeException | Error e) {
                thrown.add(e);
            }
            next = Math.max(next + pause, System.nanoTime() - pause);
            LockSupport.parkNanos(Math.max(next - System.nanoTime(), 0));
        }
    }

    void startPhase() {
        phase = new ConcurrentLinkedQueue<>();
    }

    Phase ofPhase() {
        return new Phase(List.copyOf(phase));
    }

    void awaitDecisions(int count) {
        RedisProcess.await(count + " decisions", () -> phase.size() >= count);
    }

    /** Waits until decisions by this source have ceased. */
    void awaitNoneBy(Source source) {
        RedisProcess.await("no decision by " + source, () -> nextDecisions(100).count(source) == 0);
    }

    /** Waits until all decisions are by this source, and tells how long that took. */
    Duration timeUntilAllBy(Source source) {
        long start = System.nanoTime();
        // On a machine whose processors are all taken, now and then one is late: 250 in a row are held with -Pfull.
        int late = Boolean.getBoolean("full") ? 0 : 10;
        RedisProcess.await("all decisions by " + source, () -> {
            Phase next = nextDecisions(250);
            return next.count(source) >= next.answers.size() - late;
        });
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private Phase nextDecisions(int count) {
        startPhase();
        awaitDecisions(count);
        return ofPhase();
    }

    /** Answers of a stretch of time. */
    record Phase(List<Answer> answers) {

        long count(Source source) {
            return answers.stream().filter(answer -> answer.source == source).count();
        }

        void assertPoliciesHold() {
            assertThat(answers)
                    .filteredOn(answer -> answer.source != Source.STORE)
                    .allSatisfy(answer -> {
                        switch (answer.policy) {
                            case ALLOW ->
                                assertThat(answer).isEqualTo(new Answer(OnStoreFailure.ALLOW, Source.NONE, true));
                            case REJECT ->
                                assertThat(answer).isEqualTo(new Answer(OnStoreFailure.REJECT, Source.NONE, false));
                            case LOCAL ->
                                assertThat(answer).isEqualTo(new Answer(OnStoreFailure.LOCAL, Source.LOCAL, true));
                        }
                    });
        }
    }

    void assertNothingThrown() {
        assertThat(thrown).isEmpty();
    }

    /** By {@link Lateness#assertInTime}. */
    void assertInTime(Duration timeout) {
        lateness.assertInTime(nanos, timeout);
    }

    /** What is granted to a store beyond its time, until it is connected again. */
    Duration grace() {
        return lateness.ofRecovery();
    }

    @Override
    public void close() {
        stopped = true;
        lateness.close();
        for (Thread thread : threads) {
            try {
                thread.join(10_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** What the server counted, after the clients have stopped: no request twice, and every request that the store decided. */
    void assertCountedAtMostOnce(RedisTestBed bed) {
        Counted counted = counted(bed);
        assertThat(counted.ownKeys).isBetween(decidedOnOwnKeys.get(), sequence.get());
        assertThat(counted.onSharedKeys).isBetween(decidedOnSharedKeys.get(), askedOfSharedKeys.get());
    }

    /** The same for a server that lost counts: no request twice. */
    void assertNoneCountedTwice(RedisTestBed bed) {
        assertThat(counted(bed).onSharedKeys).isLessThanOrEqualTo(askedOfSharedKeys.get());
    }

    private record Counted(long ownKeys, long onSharedKeys) {}

    private static Counted counted(RedisTestBed bed) {
        List<String> shared = Arrays.stream(OnStoreFailure.values())
                .flatMap(policy -> IntStream.range(0, SHARED_KEYS)
                        .mapToObj(i -> TestKeys.key(new Charge(policy.name(), LIMIT, Key.of("shared-" + i)))))
                .toList();
        long ownKeys = 0;
        long onSharedKeys = 0;
        for (String key : bed.keys()) {
            @Nullable String value = bed.server().get(key);
            long count = value == null ? 0 : Long.parseLong(value);
            if (shared.contains(key)) {
                onSharedKeys += count;
            } else {
                assertThat(count).as("a request for a key of its own").isEqualTo(1);
                ownKeys++;
            }
        }
        return new Counted(ownKeys, onSharedKeys);
    }
}
