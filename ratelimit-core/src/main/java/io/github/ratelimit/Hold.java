package io.github.ratelimit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Holds the permits that a decision took of concurrency limits: renews them while a task runs, and gives them back at its end.
 *
 * <p>Made by {@link Limiter#hold}. The code that makes it closes it. If its process dies, the permits come back when their leases end.
 * Permits of other limits stay taken. Safe for concurrent use.
 *
 * <pre>{@code
 * Decision decision = limiter.tryAcquire("ann");
 * if (decision.allowed()) {
 *     try (Hold hold = limiter.hold(decision)) {
 *         // work for her
 *     }
 * }
 * }</pre>
 */
public abstract sealed class Hold implements AutoCloseable {

    /** Holds nothing. */
    public static final Hold NOTHING = new Nothing();

    private Hold() {}

    static Hold of(Decision decision, Decider decider) {
        return decision.takesConcurrent() ? new Renewed(decision, decider) : NOTHING;
    }

    /** Gives the permits back, once. Waits for no store: if it does not answer, the permits come back when their leases end. */
    @Override
    public abstract void close();

    private static final class Nothing extends Hold {

        @Override
        public void close() {}
    }

    private static final class Renewed extends Hold {

        private final Decider decider;
        private final long renewalNanos;

        /** The part of each limiter, or its last renewal. */
        private final List<Decision> held;

        private @Nullable Future<?> renewal; // null: closed

        Renewed(Decision decision, Decider decider) {
            this.decider = decider;
            this.held = new ArrayList<>(decision.parts().stream()
                    .filter(part -> part.allowed() && part.isConcurrent())
                    .toList());
            // Chosen: a third of the shortest lease. If the store does not answer once, there is time for another
            // renewal.
            this.renewalNanos = held.stream()
                            .flatMap(part -> part.charges().stream())
                            .map(charge -> charge.limit().window())
                            .min(Duration::compareTo)
                            .orElseThrow()
                            .toNanos()
                    / 3;
            synchronized (this) { // a short lease may be renewed before the constructor ends
                renewLater();
            }
        }

        private void renewLater() {
            renewal = decider.time().runAfter(renewalNanos, this::renew);
        }

        private void renew() {
            List<Decision> due;
            synchronized (this) {
                if (renewal == null) {
                    return;
                }
                due = List.copyOf(held);
            }
            takeAgain(due); // throws if the store was closed: nothing is renewed any more
            synchronized (this) {
                if (renewal != null) {
                    renewLater();
                }
            }
        }

        private void takeAgain(List<Decision> due) {
            for (int i = 0; i < due.size(); i++) {
                int at = i;
                Decision old = due.get(i);
                if (!old.isSettled()) { // else a refund gave it back
                    decider.takeAgain(old).whenComplete((taken, failure) -> {
                        if (taken != null && taken.allowed()) { // else the next turn tries again
                            giveBack(replace(at, old, taken) ? old : taken);
                        }
                    });
                }
            }
        }

        /** Whether it is held from now on; not if it was closed, or renewed in the meantime. */
        @SuppressWarnings("ReferenceEquality") // the very same one
        private synchronized boolean replace(int at, Decision old, Decision taken) {
            boolean holds = renewal != null && held.get(at) == old;
            if (holds) {
                held.set(at, taken);
            }
            return holds;
        }

        @Override
        public void close() {
            List<Decision> last;
            synchronized (this) {
                if (renewal == null) {
                    return;
                }
                renewal.cancel(false);
                renewal = null;
                last = List.copyOf(held);
            }
            last.forEach(this::giveBack);
        }

        private void giveBack(Decision part) {
            decider.giveBack(part).exceptionally(failure -> null);
        }
    }
}
