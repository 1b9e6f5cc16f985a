package io.github.ratelimit;

import java.util.List;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Holds the permits that a decision took of concurrency limits while a task runs, and gives them back at its end.
 *
 * <p>Made by {@link Limiter#hold}. The code that makes it closes it. In a store behind a network it renews the permits' lease, so that they come
 * back when the process dies. In process they have no lease any more. Permits of other limits stay taken. Safe for concurrent use.
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
public final class Hold implements AutoCloseable {

    /** Holds nothing, and so loses nothing. */
    public static final Hold NOTHING = new Hold();

    private final @Nullable Decider decider; // null: nothing is held
    private final List<Part> parts;
    private @Nullable Future<?> renewal;
    private volatile boolean closed;

    /** The part of one limiter. */
    private static final class Part {

        final Decision decision;
        final boolean isLocal;
        final long lease;
        private long begin; // of the lease, at the latest
        private boolean over;

        Part(Decision decision, long now) {
            this.decision = decision;
            this.isLocal = decision.store() instanceof InProcessStore;
            this.lease = decision.charges().stream()
                    .mapToLong(charge -> charge.limit().window().toNanos())
                    .min()
                    .orElseThrow();
            this.begin = now;
        }

        synchronized void answered(long asked, boolean isThere) {
            begin = asked - begin > 0 ? asked : begin;
            over |= !isThere;
        }

        /** Whether the store may still have it, however late its answers are. */
        synchronized boolean goesOn() {
            return !over && !decision.isSettled();
        }

        synchronized boolean isHeld(long now) {
            return goesOn() && (isLocal || now - begin < lease);
        }
    }

    private Hold() {
        decider = null;
        parts = List.of();
    }

    private Hold(Decision decision, Decider decider) {
        long now = decider.time().nanoTime();
        this.decider = decider;
        this.parts = decision.parts().stream()
                .filter(part -> part.isConcurrent() && part.takesConcurrent())
                .map(part -> new Part(part, now))
                .toList();
        renew(decider, true);
        renewLater(decider);
    }

    static Hold of(Decision decision, Decider decider) {
        return decision.takesConcurrent() ? new Hold(decision, decider) : NOTHING;
    }

    /**
     * Whether the permits are still held. No longer after {@link #close} or a refund, if the store said that they are gone, such as after a
     * reset, or if it has not answered for a whole lease: other tasks may have them then.
     */
    public boolean isHeld() {
        if (decider == null) {
            return true;
        }
        renew(decider, true); // asks whether they are still there
        long now = decider.time().nanoTime();
        return !closed && parts.stream().allMatch(each -> each.isHeld(now));
    }

    private void renew(Decider decider, boolean local) {
        for (Part each : parts) {
            if (each.isLocal == local && each.goesOn()) {
                long now = decider.time().nanoTime();
                decider.renew(each.decision).thenAccept(isThere -> each.answered(now, isThere));
            }
        }
    }

    /** Chosen: after a third of the shortest lease. If the store does not answer once, there is time for another renewal. */
    private synchronized void renewLater(Decider decider) {
        parts.stream()
                .filter(each -> !closed && !each.isLocal && each.goesOn())
                .mapToLong(each -> each.lease / 3)
                .min()
                .ifPresent(wait -> renewal = decider.time().runAfter(wait, () -> {
                    renew(decider, false); // throws if the store was closed: nothing is renewed any more
                    renewLater(decider);
                }));
    }

    /** Gives the permits back, once. Waits for no store: if it does not answer, the permits come back when their leases end. */
    @Override
    public void close() {
        synchronized (this) {
            if (closed || decider == null) {
                return;
            }
            closed = true;
            if (renewal != null) {
                renewal.cancel(false);
            }
        }
        parts.forEach(each -> decider.giveBack(each.decision).exceptionally(failure -> null));
    }
}
