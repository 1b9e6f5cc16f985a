package io.github.ratelimit.redis;

import io.github.ratelimit.Decision;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A decision that somebody waits for, and for no longer than its deadline. Safe for concurrent use.
 *
 * <p>One that a caller waits for with {@link #await} is told where it is known: nobody else can have chained anything to it. One that was
 * given out is told on an executor: what was chained to it may take its time, and may ask again and wait.
 */
abstract class Waiter extends CompletableFuture<Decision> {

    private final long deadline;
    private final @Nullable Executor executor;

    /**
     * Makes it.
     *
     * @param executor where it is told; null if nothing is ever chained to it that may take its time
     */
    Waiter(long deadline, @Nullable Executor executor) {
        this.deadline = deadline;
        this.executor = executor;
    }

    /** Until when it is waited for, by {@link Timer#now}. */
    final long deadline() {
        return deadline;
    }

    /** Tells what was decided. Changes nothing if the deadline was faster. */
    final void tell(Decision decision) {
        if (!isDone()) {
            run(() -> complete(decision));
        }
    }

    /** Tells what was decided, or does something else where the deadline was faster. */
    final void tell(Decision decision, Runnable otherwise) {
        run(() -> {
            if (!complete(decision)) {
                otherwise.run();
            }
        });
    }

    /** Tells that nothing was decided. */
    final void fail(Throwable cause) {
        if (!isDone()) {
            run(() -> completeExceptionally(cause));
        }
    }

    private void run(Runnable telling) {
        if (executor == null) {
            telling.run();
            return;
        }
        try {
            executor.execute(telling);
        } catch (RuntimeException e) { // it rejects, or is broken
            telling.run(); // better here than never
        }
    }

    /** Ends it, as its deadline has passed. */
    void expire() {
        fail(Unanswered.late());
    }

    /**
     * Waits for it until its deadline, also where the thread was interrupted: it takes no longer than a round trip may.
     *
     * @throws RuntimeException why there is no decision
     */
    final Decision await(Timer timer) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return get(Math.max(0, deadline - timer.now()), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (TimeoutException e) {
                    expire(); // and once more: the decision may have been faster
                } catch (ExecutionException e) {
                    throw e.getCause() instanceof RuntimeException cause
                            ? cause
                            : new Unanswered("Redis failed", e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
