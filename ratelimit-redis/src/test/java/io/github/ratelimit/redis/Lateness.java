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
 */
final class Lateness implements AutoCloseable {

    private final Queue<Long> late = new ConcurrentLinkedQueue<>();
    private volatile boolean stopped;

    Lateness() {
        Thread thread = new Thread(this::measure, "lateness");
        thread.setDaemon(true);
        thread.start();
    }

    private void measure() {
        while (!stopped) {
            long start = System.nanoTime();
            LockSupport.parkNanos(1_000_000);
            late.add(System.nanoTime() - start - 1_000_000);
        }
    }

    /** How late at the worst. */
    Duration worst() {
        return percentile(late, 1);
    }

    /**
     * 99 of 100 within the timeout and 20 ms, 999 of 1000 within twice the timeout, and what the machine itself adds; of less than a thousand
     * 95 of 100, as a few are no measure.
     */
    void assertInTime(Collection<Long> nanos, Duration timeout) {
        double share = nanos.size() < 1000 ? 0.95 : 0.99;
        assertThat(percentile(nanos, share))
                .as("%s of %d decisions", share, nanos.size())
                .isLessThan(timeout.plusMillis(20).plus(percentile(late, 0.99).multipliedBy(2)));
        assertThat(percentile(nanos, share + (1 - share) * 0.9))
                .as("nearly all of %d decisions", nanos.size())
                .isLessThan(timeout.multipliedBy(2).plus(percentile(late, 0.999).multipliedBy(2)));
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
