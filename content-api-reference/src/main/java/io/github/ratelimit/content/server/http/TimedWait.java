package io.github.ratelimit.content.server.http;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A wait for a turn, for room or for another thread, such as {@code lock::tryLock}. */
@FunctionalInterface
public interface TimedWait {
    /**
     * Waits.
     *
     * @param longest how long
     * @param unit of {@code longest}
     * @return whether it was in time
     * @throws InterruptedException if the thread is interrupted
     */
    boolean await(long longest, TimeUnit unit) throws InterruptedException;

    /**
     * Waits; an interruption counts as a wait that took too long, and stays set.
     *
     * @param longest how long
     * @param wait for what
     * @return whether it was in time
     */
    static boolean isInTime(Duration longest, TimedWait wait) {
        try {
            return wait.await(longest.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
