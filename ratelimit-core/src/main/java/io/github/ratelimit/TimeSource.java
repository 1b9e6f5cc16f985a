package io.github.ratelimit;

import java.time.InstantSource;
import java.util.concurrent.Future;

/**
 * A monotonic clock for counting and a wall clock for reporting.
 *
 * <p>People and machines set the wall clock back and forward. No window may reopen or last longer because of that, so decisions read
 * {@link #nanoTime()} alone. Implementations are safe for concurrent use.
 */
public interface TimeSource extends InstantSource {

    /** Nanoseconds since an arbitrary moment. Never decreases; compare two values by their difference, as they may overflow. */
    long nanoTime();

    /**
     * Runs a task once, after the delay, on another thread.
     *
     * @param nanos the delay in nanoseconds, 0 or more
     * @return cancelling it releases the task at once
     */
    default Future<?> runAfter(long nanos, Runnable task) {
        return SystemTime.INSTANCE.runAfter(nanos, task);
    }

    /** The clocks of this machine. */
    static TimeSource system() {
        return SystemTime.INSTANCE;
    }
}
