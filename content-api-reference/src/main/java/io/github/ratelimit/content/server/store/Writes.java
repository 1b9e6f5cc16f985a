package io.github.ratelimit.content.server.store;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Runs writes, each in one transaction that starts over when another writer was faster.
 *
 * <p>The one place that tries again, and always outside of the transaction: a transaction in which a statement failed
 * cannot succeed any more, so a write within a caller's transaction is never tried again here. On H2 one
 * thread writes at a time ({@link WriterLock}). Safe for concurrent use.
 */
@Component
public class Writes {
    /** Chosen: with the pauses below about four seconds, longer than any honest queue of writers of one row. */
    private static final int MOST_RETRIES = 40;

    /** With waits for locks, which a database ends by itself. Chosen: a client does not wait much longer. */
    private static final Duration LONGEST = Duration.ofSeconds(15);

    /** A reference that leads nowhere: what PostgreSQL and H2 say. */
    private static final Set<String> GONE = Set.of("23503", "23506");

    private static final Duration FIRST_PAUSE = Duration.ofMillis(4);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(100);

    /** Chosen: more than any server has writers at a time. */
    private static final int NAMES = 256;

    private final List<WriterLock> names;
    private final TransactionTemplate transaction;
    private final RetryTemplate retry = new RetryTemplate(RetryPolicy.builder()
            .predicate(Writes::metOthers)
            .maxRetries(MOST_RETRIES)
            .timeout(LONGEST)
            .delay(FIRST_PAUSE)
            .multiplier(1.5)
            // Those who met once must not meet again.
            .jitter(FIRST_PAUSE)
            .maxDelay(LONGEST_PAUSE)
            .build());

    /**
     * Makes one for a database.
     *
     * @param transactions of that database
     */
    public Writes(PlatformTransactionManager transactions) {
        this.transaction = new TransactionTemplate(transactions);
        this.names = Stream.generate(WriterLock::new).limit(NAMES).toList();
    }

    /**
     * A write, without anything that cannot be done twice.
     *
     * @param <T> what it gives
     */
    @FunctionalInterface
    public interface Write<T> {
        /**
         * Writes.
         *
         * @param hopeful whether it may rely on what was read before the transaction, and on names being free: if that turns
         *     out wrong, it throws {@link OvertakenException} or lets the database refuse, and is run again, not hopeful
         * @return what was written
         */
        T run(boolean hopeful);
    }

    /**
     * What a write needs and what takes long: it is done where nobody has to wait for it.
     *
     * @param <T> what the write gives
     */
    @FunctionalInterface
    public interface Preparation<T> {
        /**
         * Prepares a write, before its transaction.
         *
         * @param hopeful whether what was read before is likely to be the newest; else it looks again
         * @return the write
         */
        Write<T> prepare(boolean hopeful);
    }

    /** Another writer was faster: look again and start over. */
    public static final class OvertakenException extends ConcurrencyFailureException {
        private static final long serialVersionUID = 1L;

        /** Says so. */
        public OvertakenException() {
            super("the row was changed meanwhile");
        }
    }

    /**
     * Runs a write until it succeeds, or fails for another reason than other writers.
     *
     * @param write the write
     * @return what it gives
     * @param <T> what it gives
     */
    public <T> T run(Write<T> write) {
        return run(true, hopeful -> write);
    }

    /**
     * Runs a write that takes a name of its own. Writers of one name wait for each other here, in order: in the database all but
     * one of them would fail and start over. Whoever writes by way of another server meets them there all the same.
     *
     * @param name what other writes may want too
     * @param write the write
     * @return what it gives
     * @param <T> what it gives
     * @throws org.springframework.dao.QueryTimeoutException if its turn does not come within fifteen seconds
     */
    public <T> T run(String name, Write<T> write) {
        return runPrepared(name, hopeful -> write);
    }

    /**
     * Runs a write that is prepared first, while writers of other names go on. Writers of its name wait for it, and do not overtake it.
     *
     * @param name as with {@link #run(String, Write)}
     * @param preparation is run before each try
     * @return what the write gives
     * @param <T> what it gives
     * @throws org.springframework.dao.QueryTimeoutException if its turn does not come within fifteen seconds
     */
    public <T> T runPrepared(String name, Preparation<T> preparation) {
        if (TransactionSynchronizationManager.isActualTransactionActive()) {
            // What it has locked already, another one may wait for.
            return preparation.prepare(false).run(false);
        }
        WriterLock lock = names.get(Math.floorMod(name.hashCode(), NAMES));
        boolean isFirst = !lock.isLocked();
        return lock.locked(() -> run(isFirst, preparation));
    }

    private <T> T run(boolean isFirst, Preparation<T> preparation) {
        if (TransactionSynchronizationManager.isActualTransactionActive()) {
            return preparation.prepare(false).run(false);
        }
        AtomicInteger tries = new AtomicInteger();
        return retry.invoke(() -> {
            int before = tries.getAndIncrement();
            boolean hopeful = before == 0;
            Write<T> write = preparation.prepare(hopeful && isFirst);
            T result = transaction.execute(status -> write.run(hopeful));
            if (result == null) {
                throw new IllegalStateException("a write gave nothing");
            }
            return result;
        });
    }

    /**
     * Tells whether a write that failed has surely stored nothing: its turn did not come, there was no connection, one of its statements failed, or
     * others were faster. Of any other failure of the database nobody knows: it may have committed, and the answer to that was lost.
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

    private static boolean metOthers(Throwable problem) {
        return problem instanceof DuplicateKeyException
                || problem instanceof ConcurrencyFailureException
                || isGone(problem);
    }

    /** What the write refers to was there when it looked, and was deleted meanwhile: it looks again. */
    private static boolean isGone(Throwable problem) {
        return problem instanceof DataIntegrityViolationException
                && problem.getCause() instanceof SQLException cause
                && GONE.contains(String.valueOf(cause.getSQLState()));
    }
}
