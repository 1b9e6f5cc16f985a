package io.github.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * How late a thread wakes up here, whoever else is busy on this machine: no promise can be kept more exactly. Measured from when it is made
 * until {@link #close()}.
 *
 * <p>Times are held to the millisecond with {@code -Pfull}, on a machine that does nothing else. The usual build may run where the whole
 * machine stands still for seconds, and tells only who is late from who hangs.
 */
final class Lateness implements AutoCloseable {

    private static final boolean EXACT = Boolean.getBoolean("full");

    /** Chosen: two seconds in which the machine stands still, twice. */
    private static final Duration STALLS = Duration.ofSeconds(4);

    /** Chosen: of a connection that is made anew each step may be late, and be tried again. */
    private static final Duration STALLS_OF_MANY_STEPS = Duration.ofSeconds(20);

    private final Queue<Long> late = new ConcurrentLinkedQueue<>();
    private volatile boolean stopped;

    Lateness() {
        if (EXACT) {
            Thread thread = new Thread(this::measure, "lateness");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void measure() {
        while (!stopped) {
            long start = System.nanoTime();
            LockSupport.parkNanos(1_000_000);
            late.add(System.nanoTime() - start - 1_000_000);
        }
    }

    /** What is granted to a decision beyond its time. */
    Duration ofDecision() {
        return EXACT ? percentile(late, 1).multipliedBy(2) : STALLS;
    }

    /** What is granted to a store beyond its time, until it is connected again. */
    Duration ofRecovery() {
        return EXACT ? percentile(late, 1) : STALLS_OF_MANY_STEPS;
    }

    /**
     * 99 of 100 within the timeout and 20 ms, 999 of 1000 within twice the timeout, and what the machine itself adds; of less than a thousand
     * 95 of 100, as a few are no measure.
     */
    void assertInTime(Collection<Long> nanos, Duration timeout) {
        double share = nanos.size() < 1000 ? 0.95 : 0.99;
        assertThat(percentile(nanos, share))
                .as("%s of %d decisions", share, nanos.size())
                .isLessThan(timeout.plusMillis(20).plus(granted(0.99)));
        assertThat(percentile(nanos, share + (1 - share) * 0.9))
                .as("nearly all of %d decisions", nanos.size())
                .isLessThan(timeout.multipliedBy(2).plus(granted(0.999)));
    }

    private Duration granted(double share) {
        return EXACT ? percentile(late, share).multipliedBy(2) : STALLS;
    }

    private static Duration percentile(Collection<Long> of, double share) {
        long[] sorted = of.stream().mapToLong(Long::longValue).sorted().toArray();
        return Duration.ofNanos(
                sorted.length == 0 ? 0 : sorted[(int) Math.min(sorted.length - 1, sorted.length * share)]);
    }

    @Override
    public void close() {
        stopped = true;
    }
}
