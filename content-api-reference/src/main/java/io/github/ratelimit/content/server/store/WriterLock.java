package io.github.ratelimit.content.server.store;

import io.github.ratelimit.content.server.http.TimedWait;
import java.sql.SQLTransientException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.springframework.dao.QueryTimeoutException;

/**
 * Lets one thread write at a time, first come first served. Safe for concurrent use.
 *
 * <p>H2 2.4.240 needs it: if transactions update one row at a time and one rolls back, an index may lose the row.
 */
final class WriterLock {
    /** A client hardly waits longer. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(15);

    private final ReentrantLock lock = new ReentrantLock(true);

    /**
     * Waits for the turn of this thread, which may have it already.
     *
     * @throws QueryTimeoutException if the wait is too long or interrupted
     */
    void lock() {
        if (!TimedWait.isInTime(LONGEST_WAIT, lock::tryLock)) {
            String why = "others were writing for " + LONGEST_WAIT + ", or the wait was interrupted";
            throw new QueryTimeoutException(why, new SQLTransientException(why));
        }
    }

    void unlock() {
        lock.unlock();
    }

    <T> T locked(Supplier<T> write) {
        lock();
        try {
            return write.get();
        } finally {
            unlock();
        }
    }
}
