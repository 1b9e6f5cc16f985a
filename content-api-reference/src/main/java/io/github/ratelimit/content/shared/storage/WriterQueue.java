package io.github.ratelimit.content.shared.storage;

import io.github.ratelimit.content.shared.limit.WaitingRoom;
import java.sql.SQLTransientException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.springframework.dao.QueryTimeoutException;

/**
 * Where writers wait, so that some at a time write, in order: one of each name, one of all in the embedded database, and of another database as many
 * as leave connections to those who read.
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

    private final Semaphore turns;
    private final WaitingRoom room;
    private final Duration longest;

    @SuppressWarnings("ThreadLocalUsage") // One for each queue of a server, and empty where nothing is begun.
    private final ThreadLocal<Integer> begun = ThreadLocal.withInitial(() -> 0);

    WriterQueue(int atOnce, WaitingRoom room) {
        this(atOnce, room, LONGEST);
    }

    WriterQueue(int atOnce, WaitingRoom room, Duration longest) {
        this.turns = new Semaphore(atOnce, true);
        this.room = room;
        this.longest = longest;
    }

    /**
     * Waits for this thread's turn.
     *
     * @throws QueryTimeoutException if it does not come in time, which is shorter where too many write already, or the thread is interrupted
     */
    void begin() {
        int depth = begun.get();
        if (depth == 0) {
            await();
        }
        begun.set(depth + 1);
    }

    private void await() {
        try {
            // Also where it is free: whoever has written once must not be refused a place for what follows.
            Duration patience = room.patience(longest);
            if (!turns.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                throw busy("others were writing for " + patience);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw busy("interrupted while others were writing");
        }
    }

    /** Ends what was begun last. */
    void end() {
        int depth = begun.get() - 1;
        if (depth > 0) {
            begun.set(depth);
        } else {
            begun.remove();
            turns.release();
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
        return turns.availablePermits() == 0;
    }

    /** Tells whether another thread waits. */
    boolean hasWaiting() {
        return turns.hasQueuedThreads();
    }

    private static QueryTimeoutException busy(String why) {
        return new QueryTimeoutException(why, new SQLTransientException(why));
    }
}
