package io.github.ratelimit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Queues of callers that wait for permits of a limiter: one for each list of charges, served in the order of arrival.
 *
 * <p>Only the first of a queue asks the store; where it is refused, all wait as long as the refusal's retry-after. Whoever cannot be served in
 * time leaves with that refusal. Keeps no queue that is empty. Safe for concurrent use.
 */
final class Waiting<R> {

    private final Limiter<R> limiter;

    /** Its monitor is the lock: never held while a store is asked or a caller is told. */
    private final Map<List<Charge>, Line<R>> lines = new HashMap<>();

    Waiting(Limiter<R> limiter) {
        this.limiter = limiter;
    }

    Decision tryAcquire(R request, long cost, Duration maxWait) throws InterruptedException {
        CompletableFuture<Decision> turn = tryAcquireAsync(request, cost, maxWait);
        try {
            return turn.get();
        } catch (InterruptedException e) {
            if (!turn.cancel(false)) {
                CompletionStage<Decision> served = turn; // its turn came at that very moment
                served.thenAccept(limiter::refund);
            }
            throw e;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new StoreException("the store failed: " + e.getMessage(), e);
        }
    }

    CompletableFuture<Decision> tryAcquireAsync(R request, long cost, Duration maxWait) {
        if (cost < 0) {
            throw new IllegalArgumentException("cost must be 0 or more, was %d".formatted(cost));
        }
        List<Charge> charges = limiter.charges(request);
        if (cost == 0
                || charges.stream().anyMatch(charge -> cost > charge.limit().permits())) {
            return limiter.tryAcquireAsync(request, cost)
                    .toCompletableFuture(); // it always fits, or never: nobody waits before or behind it
        }
        Waiter<R> waiter = new Waiter<>(request, cost, limiter.time().nanoTime(), maxWait);
        Decision tooLate = null;
        boolean first = false;
        synchronized (lines) {
            Line<R> line = lines.computeIfAbsent(charges, Line::new);
            tooLate = line.join(waiter);
            first = line.first() == waiter;
        }
        if (tooLate != null) {
            waiter.complete(tooLate);
        } else {
            if (first) {
                serve(charges, waiter);
            }
            if (!waiter.isDone()) {
                CompletionStage<Decision> turn = waiter;
                turn.whenComplete((decision, failure) -> leave(charges, waiter));
            }
        }
        return waiter;
    }

    /** Forgets whoever does not wait any more, for example as it was cancelled: its place and what it asked for. */
    private void leave(List<Charge> charges, Waiter<R> gone) {
        boolean holdsUp = false;
        synchronized (lines) {
            Line<R> line = lines.get(charges);
            if (line != null && line.first() == gone) {
                line.forget(gone);
                holdsUp = gone.asleep; // else it is being served, and the line goes on once it has been
            } else if (line != null) {
                line.remove(gone);
            }
        }
        if (holdsUp) {
            next(charges, gone);
        }
    }

    /** Asks again for who slept until its permits were promised, if it is still the first. */
    private void wake(List<Charge> charges, Waiter<R> sleeper) {
        synchronized (lines) {
            Line<R> line = lines.get(charges);
            if (line == null || line.first() != sleeper) {
                return;
            }
            sleeper.asleep = false;
        }
        serve(charges, sleeper);
    }

    /** Asks for the first of a line. */
    private void serve(List<Charge> charges, Waiter<R> first) {
        if (first.isDone()) {
            next(charges, first); // it was cancelled
            return;
        }
        // Asked within a stage: what a resolver or a store throws is told to who waits, and the line goes on.
        CompletableFuture.completedStage(first.request)
                .thenCompose(request -> limiter.tryAcquireAsync(request, first.cost))
                .thenApply(Objects::requireNonNull)
                .whenComplete((decision, failure) -> {
                    if (failure != null) {
                        next(charges, first);
                        first.completeExceptionally(failure);
                    } else if (decision.allowed()) {
                        next(charges, first);
                        if (!first.complete(decision)) {
                            limiter.refund(decision); // it was cancelled meanwhile
                        }
                    } else {
                        waitFor(charges, first, decision);
                    }
                });
    }

    private void waitFor(List<Charge> charges, Waiter<R> first, Decision refusal) {
        long now = limiter.time().nanoTime();
        long wait = refusal.retryAfter().map(Duration::toNanos).orElse(0L);
        List<Waiter<R>> leaving = List.of();
        boolean sleeps;
        synchronized (lines) {
            Line<R> line = lines.get(charges);
            if (line != null) {
                leaving = line.refused(refusal, now + wait);
            }
            first.asleep = !first.isDone() && (leaving.isEmpty() || leaving.get(0) != first);
            sleeps = first.asleep;
        }
        if (sleeps) {
            limiter.time().runAfter(wait, () -> wake(charges, first));
        } else {
            next(charges, first);
        }
        leaving.forEach(waiter -> waiter.complete(refusal));
    }

    /** Lets the next one of the line be served, if there is one. */
    private void next(List<Charge> charges, Waiter<R> served) {
        Waiter<R> next = null;
        synchronized (lines) {
            Line<R> line = lines.get(charges);
            if (line != null && line.first() == served) { // else somebody has let the next one be served before
                line.remove(served);
                next = line.first();
                if (next == null) {
                    lines.remove(charges);
                }
            }
        }
        if (next != null) {
            Waiter<R> first = next;
            limiter.time().runAfter(0, () -> serve(charges, first)); // not on this stack: a line may be long
        }
    }

    /** Somebody who waits. */
    private static final class Waiter<R> extends CompletableFuture<Decision> {

        final R request;
        final long cost;
        final long arrival;
        final long longestWait;
        boolean counts; // guarded by the lock: among what its line asks for
        boolean asleep; // guarded by the lock: the first, until the moment that it was promised

        Waiter(R request, long cost, long arrival, Duration maxWait) {
            this.request = request;
            this.cost = cost;
            this.arrival = arrival;
            Duration bounded = maxWait.compareTo(Limit.MAX_WINDOW) > 0 ? Limit.MAX_WINDOW : maxWait;
            this.longestWait = bounded.isNegative() ? 0 : bounded.toNanos();
        }
    }

    /** Those who wait for the same counters. */
    private static final class Line<R> {

        private final Set<Waiter<R>> waiters = new LinkedHashSet<>();
        private final List<Charge> charges;
        private @Nullable Decision refusal;
        private long opensAt;
        private long asked; // by all together

        Line(List<Charge> charges) {
            this.charges = charges;
        }

        @Nullable
        Waiter<R> first() {
            return waiters.isEmpty() ? null : waiters.iterator().next();
        }

        void remove(Waiter<R> waiter) {
            if (waiters.remove(waiter)) {
                forget(waiter);
            }
        }

        void forget(Waiter<R> waiter) {
            asked -= waiter.counts ? waiter.cost : 0;
            waiter.counts = false;
        }

        /** Lets somebody join; or says why not, where his turn would come too late. */
        @Nullable
        Decision join(Waiter<R> waiter) {
            if (refusal != null && isTooLate(waiter, asked)) {
                return refusal;
            }
            waiters.add(waiter);
            waiter.counts = true;
            asked += waiter.cost;
            return null;
        }

        /**
         * Nobody is served before that moment. Takes out those whose turn would come too late. Where that is the first, it leaves alone:
         * those behind it may ask for less, and hear it from answers of their own.
         */
        List<Waiter<R>> refused(Decision by, long opens) {
            Waiter<R> first = waiters.iterator().next();
            if (by.retryAfter().isEmpty() || opens - first.arrival > first.longestWait) {
                return List.of(first); // stays in the line until it has been told
            }
            refusal = by;
            opensAt = opens;
            List<Waiter<R>> leaving = new ArrayList<>();
            long ahead = 0;
            for (Waiter<R> waiter : waiters) {
                if (waiter != first && isTooLate(waiter, ahead)) {
                    leaving.add(waiter);
                } else if (!waiter.isDone()) {
                    ahead += waiter.cost;
                }
            }
            leaving.forEach(this::remove);
            return leaving;
        }

        /** Whether the windows that those ahead use up end later than the waiter can wait. */
        private boolean isTooLate(Waiter<R> waiter, long ahead) {
            long left = waiter.longestWait - Math.max(0, opensAt - waiter.arrival);
            for (Charge charge : charges) {
                long windows =
                        Math.max(0, ahead + waiter.cost - 1) / charge.limit().permits();
                if (windows > left / charge.limit().window().toNanos() && windows > 0) {
                    return true;
                }
            }
            return left < 0;
        }
    }
}
