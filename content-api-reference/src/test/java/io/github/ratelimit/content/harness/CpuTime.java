package io.github.ratelimit.content.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.lang.management.ManagementFactory;
import java.time.Duration;

/** What work costs a processor. Time by the clock says as much of the others on this machine. */
public final class CpuTime {

    /** Chosen: what has not ended by then, on a machine however busy, does not end. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private CpuTime() {}

    /** Asserts that work takes no more of a processor's time; what never ends is ended. */
    public static void assertWithin(Duration most, String what, Runnable work) {
        assertTimeoutPreemptively(PATIENCE, () -> assertThat(of(work)).as(what).isLessThan(most), what);
    }

    private static Duration of(Runnable work) {
        var threads = ManagementFactory.getThreadMXBean();
        long start = threads.getCurrentThreadCpuTime();
        work.run();
        return Duration.ofNanos(threads.getCurrentThreadCpuTime() - start);
    }
}
