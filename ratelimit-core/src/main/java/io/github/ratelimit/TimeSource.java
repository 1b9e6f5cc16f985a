package io.github.ratelimit;

import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The two times there are: one that only goes forward, to count by, and the calendar's, to tell others.
 *
 * <p>A calendar clock is set back and forward by people and by machines; whatever it does, no window may re-open or last longer
 * for it. So decisions read {@link #nanoTime()} alone, and {@link #instant()} is read where a moment leaves the process.
 * Implementations are safe for concurrent use.
 */
public interface TimeSource extends InstantSource {

    /** Nanoseconds since a moment of the source's own. Never goes back; compare two by their difference, as they may overflow. */
    long nanoTime();

    /**
     * Runs a task once so much time has passed, on another thread. For whoever waits for permits.
     *
     * @param nanos 0 or more
     */
    default void runAfter(long nanos, Runnable task) {
        CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS).execute(task);
    }

    /** The clocks of this machine. */
    static TimeSource system() {
        return SystemTime.INSTANCE;
    }
}
