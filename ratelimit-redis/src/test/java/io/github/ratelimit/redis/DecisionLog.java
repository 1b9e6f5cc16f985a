package io.github.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Decision.Source;
import io.github.ratelimit.Limiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Callers that ask a limiter at an even rate for each client in turn, and a record of each decision. Stopped by {@link #close()}. */
final class DecisionLog implements AutoCloseable {

    /** So long after a bound has passed a test still waits, to say how late Redis was. */
    private static final Duration PATIENCE = Duration.ofSeconds(8);

    /** So long all decisions must be Redis' before it counts as back. */
    private static final Duration SETTLED = Duration.ofMillis(300);

    /**
     * A decision.
     *
     * @param start when it was asked for, by {@link System#nanoTime}
     * @param source who decided; null if it threw
     */
    record Entry(
            String client,
            long start,
            long end,
            @Nullable Source source,
            boolean allowed,
            @Nullable Throwable thrown) {

        boolean byRedis() {
            return source == Source.STORE;
        }
    }

    private final List<Thread> threads = new ArrayList<>();
    private final Queue<Entry> entries = new ConcurrentLinkedQueue<>();
    private final Lateness lateness = new Lateness();
    private final AtomicInteger sequence = new AtomicInteger();
    private volatile boolean stopped;

    /** Starts callers that together ask so often per second. */
    static DecisionLog of(Limiter<String> limiter, List<String> clients, int threads, int perSecond) {
        DecisionLog log = new DecisionLog();
        long pause = threads * 1_000_000_000L / perSecond;
        for (int i = 0; i < threads; i++) {
            Thread thread = new Thread(() -> log.ask(limiter, clients, pause), "log-" + i);
            thread.setDaemon(true);
            log.threads.add(thread);
            thread.start();
        }
        return log;
    }

    private void ask(Limiter<String> limiter, List<String> clients, long pause) {
        long next = System.nanoTime();
        while (!stopped) {
            String client = clients.get(Math.floorMod(sequence.getAndIncrement(), clients.size()));
            entries.add(decision(limiter, client));
            next = Math.max(next + pause, System.nanoTime() - pause);
            LockSupport.parkNanos(Math.max(next - System.nanoTime(), 0));
        }
    }

    /** Asks once. */
    static Entry decision(Limiter<String> limiter, String client) {
        long start = System.nanoTime();
        try {
            var decision = limiter.tryAcquire(client);
            return new Entry(client, start, System.nanoTime(), decision.source(), decision.allowed(), null);
        } catch (RuntimeException | Error e) {
            return new Entry(client, start, System.nanoTime(), null, false, e);
        }
    }

    /** Decisions that were asked for at this moment or later. */
    List<Entry> since(long nanoTime) {
        return entries.stream().filter(entry -> entry.start - nanoTime >= 0).toList();
    }

    /** All decisions so far. */
    List<Entry> entries() {
        return List.copyOf(entries);
    }

    /** Goes on asking for so long. */
    void run(Duration duration) {
        long end = System.nanoTime() + duration.toNanos();
        while (System.nanoTime() - end < 0) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }

    /**
     * Waits until Redis decides about all of these clients again, and asserts that it took no longer than the bound.
     *
     * @param from when the time began, by {@link System#nanoTime}
     */
    void assertRedisDecidesWithin(Duration bound, long from, Collection<String> clients) {
        Set<String> wanted = new HashSet<>(clients);
        Duration allowed = bound.plus(lateness.ofRecovery());
        long giveUp = from + allowed.plus(PATIENCE).toNanos();
        while (true) {
            List<Entry> after = entries.stream()
                    .filter(entry -> wanted.contains(entry.client) && entry.end - from > 0)
                    .toList();
            long last = from; // when the last decision that was not Redis' ended
            for (Entry entry : after) {
                if (!entry.byRedis() && entry.end - last > 0) {
                    last = entry.end;
                }
            }
            long settledFrom = last;
            Set<String> decided = new HashSet<>();
            after.stream().filter(entry -> entry.start - settledFrom > 0).forEach(entry -> decided.add(entry.client));
            long now = System.nanoTime();
            if (decided.containsAll(wanted) && now - last >= SETTLED.toNanos()) {
                assertThat(Duration.ofNanos(last - from))
                        .as("until Redis decides")
                        .isLessThanOrEqualTo(allowed);
                return;
            }
            if (now - giveUp > 0) {
                throw new AssertionError("%d ms after, Redis decides %d of %d"
                        .formatted(
                                (now - from) / 1_000_000,
                                after.stream().filter(Entry::byRedis).count(),
                                after.size()));
            }
            LockSupport.parkNanos(10_000_000);
        }
    }

    /**
     * Waits until somebody else than Redis decides about these clients: for each the last of a few decisions that were asked for since this
     * moment.
     */
    void awaitLeft(long from, Collection<String> clients) {
        RedisProcess.await("Redis decides about none of " + clients, () -> {
            List<Entry> asked = since(from);
            return clients.stream().allMatch(client -> {
                List<Entry> own = asked.stream()
                        .filter(entry -> entry.client.equals(client))
                        .toList();
                return own.size() >= 5
                        && own.subList(own.size() - 3, own.size()).stream().noneMatch(Entry::byRedis);
            });
        });
    }

    /** Waits until Redis has decided about each of these clients since now, as it does where nothing is wrong. */
    void awaitStay(Collection<String> clients) {
        long from = System.nanoTime();
        RedisProcess.await("Redis decides about " + clients, () -> {
            Set<String> missing = new HashSet<>(clients);
            since(from).stream().filter(Entry::byRedis).forEach(entry -> missing.remove(entry.client));
            return missing.isEmpty();
        });
    }

    /**
     * Asserts that Redis decided about these clients all the time: none was rejected an answer, and of a hundred at most one came late. Only
     * {@code -Pfull} looks so closely, as on a machine that stands still calls are late one after the other; {@link #awaitStay} holds anywhere.
     *
     * @param timeout the store's
     */
    void assertStayedWithRedis(long from, Collection<String> clients, Duration timeout) {
        if (!Boolean.getBoolean("full")) {
            return;
        }
        List<Entry> asked = since(from).stream()
                .filter(entry -> clients.contains(entry.client))
                .toList();
        List<Entry> others = asked.stream().filter(entry -> !entry.byRedis()).toList();
        assertThat(asked).isNotEmpty();
        assertThat(others)
                .as("of %d, not decided by Redis before the timeout", asked.size())
                .filteredOn(entry -> entry.end - entry.start < timeout.toNanos())
                .isEmpty();
        assertThat(others).as("late, of %d", asked.size()).hasSizeLessThanOrEqualTo(asked.size() / 100);
    }

    /** No decision threw, and each was told within the timeout and 20 ms, as exactly as this machine can. */
    void assertEachInTime(Duration timeout) {
        assertThat(entries).as("thrown").allMatch(entry -> entry.thrown == null);
        lateness.assertInTime(
                entries.stream().map(entry -> entry.end - entry.start).toList(), timeout);
        assertThat(entries.stream()
                        .mapToLong(entry -> entry.end - entry.start)
                        .mapToObj(Duration::ofNanos)
                        .max(Duration::compareTo)
                        .orElseThrow())
                .as("the slowest of %d", entries.size())
                .isLessThan(timeout.multipliedBy(2).plusMillis(20).plus(lateness.ofDecision()));
    }

    /** What is granted to a decision beyond its time, as machines may be busy. */
    Duration grace() {
        return lateness.ofDecision();
    }

    @Override
    public void close() {
        stop();
    }

    /** Lets the callers end; what was recorded stays. */
    void stop() {
        stopped = true;
        lateness.close();
        long end = System.nanoTime() + 5_000_000_000L;
        for (Thread thread : threads) {
            try {
                thread.join(Math.max(1, (end - System.nanoTime()) / 1_000_000));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
