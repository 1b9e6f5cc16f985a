package io.github.ratelimit.content.server.store;

import io.github.ratelimit.content.server.http.TimedWait;
import java.sql.SQLTransientException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Runs writes of content one after the other, each in one transaction.
 *
 * <p>A write holds the row of {@link ContentGeneration} from its start. What it reads stays true until it commits, so no
 * write is repeated. Writers of one server wait before they take a connection. Safe for concurrent use.
 */
@Component
public class Writes {
    private final Lock lock = new Lock();
    private final TransactionTemplate transaction;
    private final JdbcClient jdbc;

    Writes(PlatformTransactionManager transactions, JdbcClient jdbc) {
        this.transaction = new TransactionTemplate(transactions);
        this.jdbc = jdbc;
    }

    /**
     * Runs a write, or makes it a part of the write that runs already.
     *
     * @param write reads what it depends on itself
     * @return what it gives
     * @param <T> what it gives
     * @throws QueryTimeoutException if its turn does not come within fifteen seconds
     */
    public <T> T run(Supplier<T> write) {
        if (TransactionSynchronizationManager.isActualTransactionActive()) {
            return write.get();
        }
        return lock.locked(() -> Objects.requireNonNull(transaction.execute(status -> {
            jdbc.sql("select number from content_generation where id = 1 for update")
                    .query(Long.class)
                    .single();
            return write.get();
        })));
    }

    /**
     * Tells whether a write that failed has surely stored nothing. Of other failures nobody knows: the database may have
     * committed, and its answer was lost.
     *
     * @param failure what the write threw
     * @return whether nothing is stored
     */
    public static boolean isSurelyNotStored(RuntimeException failure) {
        return failure instanceof QueryTimeoutException
                || failure instanceof ConcurrencyFailureException
                || failure instanceof DataIntegrityViolationException
                || failure instanceof CannotCreateTransactionException;
    }

    /**
     * Lets one thread write at a time, first come first served. Safe for concurrent use.
     *
     * <p>H2 2.4.240 needs it: if transactions update one row at a time and one rolls back, an index may lose the row.
     */
    static final class Lock {
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
}
