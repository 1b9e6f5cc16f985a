package io.github.ratelimit.redis;

import io.github.ratelimit.TimeSource;
import io.netty.util.HashedWheelTimer;
import io.netty.util.Timeout;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ends what takes too long, and runs what comes later: on a thread of its own, at most a tick late. What was cancelled is kept for a tick
 * and no longer. Safe for concurrent use.
 */
final class Timer implements AutoCloseable {

    private static final TimeSource SYSTEM = TimeSource.system(); // runs on while a test's clock stands still

    private final HashedWheelTimer wheel;
    private final long timeoutNanos;
    private volatile @Nullable Thread thread;

    /** Makes it, for decisions that may take so long. */
    Timer(Duration timeout) {
        this.timeoutNanos = timeout.toNanos();
        long tickMillis = Math.min(10, Math.max(1, timeout.toMillis() / 10));
        this.wheel = new HashedWheelTimer(
                task -> {
                    Thread made = new Thread(task, "ratelimit-redis-timer");
                    made.setDaemon(true);
                    thread = made;
                    return made;
                },
                tickMillis,
                TimeUnit.MILLISECONDS);
    }

    long now() {
        return SYSTEM.nanoTime();
    }

    /** How long a decision may take, in nanoseconds. */
    long timeout() {
        return timeoutNanos;
    }

    /** When something that begins now is due. */
    long deadline() {
        return now() + timeoutNanos;
    }

    /** Ends it then, or at once after closing; on the timer's thread: it must not block. */
    Runnable at(long deadline, Runnable end) {
        try {
            Timeout timeout = after(Math.max(0, deadline - now()), end);
            return timeout::cancel;
        } catch (IllegalStateException e) {
            end.run();
            return () -> {};
        }
    }

    /**
     * Runs it so many nanoseconds later, on the timer's thread: it must not block.
     *
     * @throws IllegalStateException after closing
     */
    Timeout after(long nanos, Runnable task) {
        return wheel.newTimeout(timeout -> task.run(), nanos, TimeUnit.NANOSECONDS);
    }

    /** Whether the thread is the timer's: it must not wait. */
    boolean isRunBy(Thread asking) {
        return asking == thread;
    }

    /** What was not run is not run any more. Not on the timer's thread. */
    @Override
    public void close() {
        wheel.stop();
    }
}
