package io.github.ratelimit.redis;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.TimeSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A decision of one server. On a Cluster, all its counters are in one slot. It ends once: by the server's answer, by a failure or by its
 * deadline. One that has ended before it was sent is never sent. Safe for concurrent use.
 */
abstract class Ask extends Server.Link {

    private final List<Charge> charges;
    private final Counter[] counters;
    private final long deadline;
    private final boolean shaped;
    private final AtomicBoolean ended = new AtomicBoolean();

    /**
     * Creates it.
     *
     * @param deadline by the system's {@link TimeSource}, in nanoseconds
     */
    Ask(List<Charge> charges, Counter[] counters, long deadline) {
        this.charges = charges;
        this.counters = counters;
        this.deadline = deadline;
        this.shaped = Shapes.any(charges);
    }

    /** Whether a limit has another shape than the fixed window. */
    final boolean isShaped() {
        return shaped;
    }

    /** Whether it takes nothing, as the whole decision was rejected elsewhere. */
    boolean isRejected() {
        return false;
    }

    final List<Charge> charges() {
        return charges;
    }

    /** One for each charge. Not a copy: only to be read. */
    final Counter[] counters() {
        return counters;
    }

    final long deadline() {
        return deadline;
    }

    boolean hasEnded() {
        return ended.get();
    }

    /** Nanoseconds for which its counters are remembered although it is not rejected; 0 if they are not. */
    long rememberNanos() {
        return 0;
    }

    /** Whether one figure answers both: the other one asks the same of the same counters. */
    final boolean asksTheSameAs(Ask other) {
        for (int i = 0; i < counters.length; i++) {
            Charge mine = charges.get(i);
            Charge its = other.charges.get(i);
            if (mine.cost() != its.cost()
                    || mine.limit().permits() != its.limit().permits()) {
                return false; // other costs, or a limit that is being changed
            }
        }
        return true;
    }

    /**
     * Ends it with the server's answer.
     *
     * @param after where each counter stands after it
     * @return whether it ends; false if the deadline was faster
     */
    final boolean answer(Standing[] after, boolean allowed) {
        boolean inTime = ended.compareAndSet(false, true);
        if (inTime) {
            answered(after, allowed);
        } else {
            answeredLate(after, allowed);
        }
        return inTime;
    }

    /** Ends it without a decision. */
    final void fail(RuntimeException why) {
        if (ended.compareAndSet(false, true)) {
            failed(why);
        }
    }

    final void expire() {
        if (!hasEnded()) {
            fail(Unanswered.late());
        }
    }

    abstract void answered(Standing[] after, boolean allowed);

    abstract void failed(RuntimeException why);

    /** The deadline was faster than the answer. */
    void answeredLate(Standing[] after, boolean allowed) {}

    /** One that its caller's thread waits for. */
    static final class Blocking extends Ask implements ForkJoinPool.ManagedBlocker {

        /** A wait for what another thread is writing already. */
        private static final long MOMENT_NANOS = 50_000;

        private final Thread caller = Thread.currentThread();
        private Standing @Nullable [] after;
        private @Nullable RuntimeException failure;
        private boolean allowed;
        private boolean interrupted; // while it waited
        private volatile boolean told;

        Blocking(List<Charge> charges, Counter[] counters, long deadline) {
            super(charges, counters, deadline);
        }

        @Override
        void answered(Standing[] after, boolean allowed) {
            this.after = after;
            this.allowed = allowed;
            tell();
        }

        @Override
        void failed(RuntimeException why) {
            this.failure = why;
            tell();
        }

        private void tell() {
            told = true;
            if (Thread.currentThread() != caller) { // else the caller's next wait would end at once
                LockSupport.unpark(caller);
            }
        }

        /**
         * Waits until it ends, also if the thread was interrupted: it takes no longer than the deadline.
         *
         * @throws RuntimeException why there is no decision
         */
        Decision await(RedisStore store) {
            try {
                ForkJoinPool.managedBlock(
                        this); // in such a pool, a further thread does meanwhile what this one would do
            } catch (InterruptedException e) {
                throw new AssertionError("block() does not throw it", e);
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            Standing[] standings = after;
            if (standings == null) {
                throw failure == null ? new IllegalStateException("told without an answer") : failure;
            }
            return Standing.decision(store, charges(), standings, allowed);
        }

        @Override
        public boolean isReleasable() {
            return told;
        }

        @Override
        public boolean block() {
            while (!told) {
                long left = deadline() - TimeSource.system().nanoTime();
                if (left <= 0) {
                    expire();
                }
                LockSupport.parkNanos(this, Math.max(left, MOMENT_NANOS));
                interrupted |= Thread.interrupted();
            }
            return true;
        }
    }

    /** One that completes a future on an executor: the code chained to it may take its time. */
    static final class Async extends Ask {

        private final CompletableFuture<Decision> future = new CompletableFuture<>();
        private final RedisStore store;
        private final Executor executor;

        Async(RedisStore store, List<Charge> charges, Counter[] counters, long deadline, Executor executor) {
            super(charges, counters, deadline);
            this.store = store;
            this.executor = executor;
        }

        CompletableFuture<Decision> future() {
            return future;
        }

        @Override
        boolean hasEnded() {
            return super.hasEnded() || future.isDone(); // cancelled
        }

        @Override
        void answered(Standing[] after, boolean allowed) {
            tell(() -> future.complete(Standing.decision(store, charges(), after, allowed)));
        }

        @Override
        void failed(RuntimeException why) {
            tell(() -> future.completeExceptionally(why));
        }

        private void tell(Runnable telling) {
            try {
                executor.execute(telling);
            } catch (RuntimeException e) { // it rejects, or is broken
                telling.run(); // better here than never
            }
        }
    }
}
