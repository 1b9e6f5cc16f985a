package io.github.ratelimit.content.shared.storage;

import java.sql.SQLTransientException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.springframework.dao.QueryTimeoutException;

/**
 * Where writers wait, so that they come one after another, in order: those of one name, and all of the embedded database. Those of another database pass.
 *
 * <p>H2 2.4.240, and 2.3.232, in a file: where several transactions update one row at a time and one of them is rolled back, an index may lose its
 * entry of the row. From then on nobody can change or delete the row, and each attempt waits until it is given up. Writers that do not meet cannot do
 * that. They lose little: H2 writes one commit at a time, and whoever met another one had to start over.
 *
 * <p>Safe for concurrent use. A writer may begin again what it has begun.
 */
final class WriterQueue {
    /** Chosen: a client does not wait much longer. */
    private static final Duration LONGEST = Duration.ofSeconds(15);

    private final ReentrantLock turn = new ReentrantLock(true);
    private final boolean isNeeded;
    private final Duration longest;

    WriterQueue(boolean isNeeded) {
        this(isNeeded, LONGEST);
    }

    WriterQueue(boolean isNeeded, Duration longest) {
        this.isNeeded = isNeeded;
        this.longest = longest;
    }

    /**
     * Waits for this thread's turn.
     *
     * @throws QueryTimeoutException if it does not come in time, or the thread is interrupted
     */
    void begin() {
        try {
            if (isNeeded && !turn.tryLock(longest.toNanos(), TimeUnit.NANOSECONDS)) {
                throw busy("others were writing for " + longest);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw busy("interrupted while others were writing");
        }
    }

    /** Ends what was begun last. */
    void end() {
        if (isNeeded) {
            turn.unlock();
        }
    }

    <T> T inTurn(Supplier<T> write) {
        begin();
        try {
            return write.get();
        } finally {
            end();
        }
    }

    /** Tells whether whoever comes now has to wait, or had to a moment ago. */
    boolean isTaken() {
        return turn.isLocked();
    }

    /** Tells whether another thread waits. */
    boolean hasWaiting() {
        return turn.hasQueuedThreads();
    }

    private static QueryTimeoutException busy(String why) {
        return new QueryTimeoutException(why, new SQLTransientException(why));
    }
}
