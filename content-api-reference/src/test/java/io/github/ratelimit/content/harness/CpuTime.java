package io.github.ratelimit.content.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * What work costs a processor. Time by the clock says as much of the others on this machine.
 *
 * <p>Bounds are held with {@code -Pfull}. The usual build may run on a processor that is several times slower, or shares what it computes
 * with, and tells only what costs in proportion to a text's length from what never ends.
 */
public final class CpuTime {

    /** Chosen: four times slower, and something to spare. What the bounds guard against took ten times as long and more. */
    private static final int SLOWER = Boolean.getBoolean("full") ? 1 : 5;

    /** Chosen: what has not ended by then, on a machine however busy, does not end. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private CpuTime() {}

    /** Asserts that work takes no more of a processor's time; what never ends is ended. */
    public static void assertWithin(Duration most, String what, Runnable work) {
        Duration allowed = most.multipliedBy(SLOWER);
        assertTimeoutPreemptively(PATIENCE, () -> assertThat(of(work)).as(what).isLessThan(allowed), what);
    }

    private static Duration of(Runnable work) {
        var threads = ManagementFactory.getThreadMXBean();
        long start = threads.getCurrentThreadCpuTime();
        work.run();
        return Duration.ofNanos(threads.getCurrentThreadCpuTime() - start);
    }
}
