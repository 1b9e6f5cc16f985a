package io.github.ratelimit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Queues of callers that wait for permits: one for each list of counters, served in the order of arrival.
 *
 * <p>Only the first of a queue asks the store. After a rejection the queue sleeps until its retry-after. Callers whose turn comes too late leave
 * with that rejection. Empty queues are removed. Safe for concurrent use.
 */
final class Waiting {

    private final Decider decider;

    /** Its monitor guards all queues. Never held while a store is asked or a caller is told. */
    private final Map<List<Charge>, Queue> queues = new HashMap<>();

    Waiting(Decider decider) {
        this.decider = decider;
    }

    private static final class Waiter extends CompletableFuture<Decision> {

        final List<Group> request;
        final long cost;
        final long arrival;
        final long deadline;

        Waiter(List<Group> request, long cost, long arrival, Duration maxWait) {
            this.request = request;
            this.cost = cost;
            this.arrival = arrival;
            Duration bounded = maxWait.compareTo(Limit.MAX_WINDOW) > 0 ? Limit.MAX_WINDOW : maxWait;
            this.deadline = arrival + Math.max(0, bounded.toNanos());
        }
    }

    /** The callers that wait for the same counters. */
    private static final class Queue {

        final List<Charge> counters;
        final Set<Waiter> waiters = new LinkedHashSet<>();
        long totalCost;

        @Nullable
        Waiter asking;

        @Nullable
        Future<?> timer; // not null: the queue sleeps

        @Nullable
        Decision rejection; // the last one

        long opensAt;

        Queue(List<Charge> counters) {
            this.counters = counters;
        }

        @Nullable
        Waiter first() {
            return waiters.isEmpty() ? null : waiters.iterator().next();
        }

        void add(Waiter waiter) {
            waiters.add(waiter);
            totalCost += waiter.cost;
        }

        void remove(Waiter waiter) {
            totalCost -= waiters.remove(waiter) ? waiter.cost : 0;
        }

        /** Whether the windows that {@code costAhead} uses up end after the waiter's deadline. */
        boolean isTooLate(Waiter waiter, long costAhead) {
            long start = opensAt - waiter.arrival > 0 ? opensAt : waiter.arrival;
            long left = waiter.deadline - start;
            for (Charge counter : counters) {
                long windows = (costAhead + waiter.cost - 1)
                        / Math.max(counter.limit().permits(), counter.limit().capacity());
                if (windows > 0 && windows > left / counter.limit().window().toNanos()) {
                    return true;
                }
            }
            return left < 0;
        }

        List<Waiter> tooLate() {
            List<Waiter> late = new ArrayList<>();
            long ahead = 0;
            for (Waiter waiter : waiters) {
                if (ahead > 0 && isTooLate(waiter, ahead)) {
                    late.add(waiter);
                } else {
                    ahead += waiter.cost;
                }
            }
            return late;
        }
    }

    CompletableFuture<Decision> acquire(List<Group> request, long cost, Duration maxWait) {
        List<Charge> charges = request.get(0).charges();
        if (cost == 0
                || charges.isEmpty()
                || charges.stream().anyMatch(charge -> cost > charge.limit().capacity())) {
            return decider.decideAsync(request); // always fits, or never
        }
        Waiter waiter = new Waiter(request, cost, decider.time().nanoTime(), maxWait);
        Queue queue;
        Decision rejection = null;
        synchronized (queues) {
            queue = queues.computeIfAbsent(Decider.withoutCost(charges), Queue::new);
            if (queue.rejection != null && queue.isTooLate(waiter, queue.totalCost)) {
                rejection = queue.rejection;
            } else {
                queue.add(waiter);
            }
        }
        if (rejection != null) {
            waiter.complete(rejection);
            return waiter;
        }
        waiter.whenComplete((decision, failure) -> leave(queue, waiter));
        ask(queue);
        return waiter;
    }

    /** Asks the store for the first waiter, unless the queue asks or sleeps already. */
    private void ask(Queue queue) {
        Waiter first;
        synchronized (queues) {
            first = queue.first();
            if (first == null || queue.asking != null || queue.timer != null) {
                return;
            }
            queue.asking = first;
        }
        CompletableFuture.completedFuture(first.request)
                .thenCompose(decider::decideAsync) // inside a stage: the waiter gets the store's exceptions
                .whenComplete((decision, failure) -> answered(queue, first, decision, failure));
    }

    private void answered(Queue queue, Waiter first, @Nullable Decision decision, @Nullable Throwable failure) {
        List<Waiter> leaving = List.of();
        synchronized (queues) {
            queue.asking = null;
            if (decision != null && !decision.allowed() && queue.first() == first) {
                leaving = sleep(queue, first, decision);
            }
        }
        if (decision == null) {
            first.completeExceptionally(
                    failure != null ? failure : new NullPointerException("the store answered null"));
        } else if (!decision.allowed()) {
            leaving.forEach(waiter -> waiter.complete(decision));
        } else if (!first.complete(decision)) {
            decider.refund(decision); // cancelled in the meantime
        }
        next(queue);
    }

    /**
     * Lets the queue sleep until the rejection's retry-after.
     *
     * @return the waiters to reject: the first alone if it cannot wait that long, because those behind it may need less; else the others
     *     whose turn comes too late
     */
    private List<Waiter> sleep(Queue queue, Waiter first, Decision rejection) {
        long wait = rejection.retryAfter().map(Duration::toNanos).orElse(Long.MAX_VALUE);
        long now = decider.time().nanoTime();
        if (wait == 0 || wait > first.deadline - now) {
            return List.of(first);
        }
        queue.rejection = rejection;
        queue.opensAt = now + wait;
        queue.timer = decider.time().runAfter(wait, () -> {
            synchronized (queues) {
                queue.timer = null;
            }
            ask(queue);
        });
        return queue.tooLate();
    }

    /** Removes a waiter that was served, rejected or cancelled. If the queue slept for it, the next one may need less. */
    private void leave(Queue queue, Waiter gone) {
        synchronized (queues) {
            if (queue.timer != null && queue.first() == gone) {
                queue.timer.cancel(false);
                queue.timer = null;
            }
            queue.remove(gone);
        }
        next(queue);
    }

    /** Asks for the next waiter, on another stack because a queue may be long; or removes the queue. */
    private void next(Queue queue) {
        boolean goesOn;
        synchronized (queues) {
            boolean idle = queue.asking == null && queue.timer == null;
            goesOn = idle && !queue.waiters.isEmpty();
            if (idle && !goesOn) {
                queues.remove(queue.counters, queue);
            }
        }
        if (goesOn) {
            decider.time().runAfter(0, () -> ask(queue));
        }
    }
}
