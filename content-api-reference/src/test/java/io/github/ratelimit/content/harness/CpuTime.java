package io.github.ratelimit.content.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Random;

/**
 * What work costs a processor. Time by the clock says as much of the others on this machine.
 *
 * <p>Every bound is a ratio: it is told for a processor that does the {@link #reference work of comparison} in its nominal time, and grows with
 * what that work takes here. The usual build allows five times as much, and tells only what costs in proportion to a text's length from
 * what never ends.
 */
public final class CpuTime {

    /** Chosen: what the bounds guard against took ten times as long and more. */
    private static final int MARGIN = Boolean.getBoolean("full") ? 1 : 5;

    /** What the work of comparison takes on the machine that the bounds were chosen on. */
    private static final Duration NOMINAL = Duration.ofMillis(100);

    private static final Duration REFERENCE = reference();

    /** Chosen: what has not ended by then, on a machine however busy, does not end. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private CpuTime() {}

    /** Asserts that work takes no more of a processor's time; what never ends is ended. */
    public static void assertWithin(Duration most, String what, Runnable work) {
        Duration allowed = atNominal(most.multipliedBy(MARGIN));
        assertTimeoutPreemptively(PATIENCE, () -> assertThat(of(work)).as(what).isLessThan(allowed), what);
    }

    /** A duration on the nominal machine, as it is on this one. */
    public static Duration atNominal(Duration duration) {
        return duration.multipliedBy(REFERENCE.toNanos()).dividedBy(NOMINAL.toNanos());
    }

    /** Texts that are made and sorted: at least the nominal time, and the second of two runs, as the first one compiles. */
    private static Duration reference() {
        Duration took = NOMINAL;
        for (int run = 0; run < 2; run++) {
            Duration now = of(() -> assertThat(new Random(7)
                            .ints(220_000)
                            .mapToObj(Integer::toString)
                            .sorted()
                            .toList())
                    .hasSize(220_000));
            took = now.compareTo(NOMINAL) > 0 ? now : NOMINAL;
        }
        return took;
    }

    private static Duration of(Runnable work) {
        var threads = ManagementFactory.getThreadMXBean();
        long start = threads.getCurrentThreadCpuTime();
        work.run();
        return Duration.ofNanos(threads.getCurrentThreadCpuTime() - start);
    }
}
