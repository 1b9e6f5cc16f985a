package io.github.ratelimit;

import static java.util.Objects.requireNonNull;

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
 * <p>Only the first of a queue asks the store. After a rejection the queue sleeps until its retry-after. Callers whose turn comes too late, as
 * {@link Turns} tells it, leave with that rejection. Empty queues are removed. Safe for concurrent use.
 */
final class Waiting {

    private final Decider decider;

    /** Its monitor guards all queues. Never held during a call of a store or a caller. */
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

        @Nullable
        Waiter asking;

        @Nullable
        Future<?> timer; // not null: the queue sleeps

        @Nullable
        Turns last; // after the last rejection and those who were served since

        @Nullable
        Turns turns; // after all waiters; null: to be computed from the last

        Queue(List<Charge> counters) {
            this.counters = counters;
        }

        @Nullable
        Waiter first() {
            return waiters.isEmpty() ? null : waiters.iterator().next();
        }

        /** Adds a waiter, unless its turn comes too late. */
        boolean add(Waiter waiter) {
            if (last != null) {
                Turns before = turns;
                if (before == null) {
                    before = last;
                    for (Waiter each : waiters) {
                        before = before.after(each);
                    }
                }
                turns = before.after(waiter);
                if (turns.isTooLateFor(waiter)) {
                    turns = before;
                    return false;
                }
            }
            return waiters.add(waiter);
        }

        void remove(Waiter waiter, boolean served) {
            if (waiters.remove(waiter) && served && last != null) {
                last = last.after(waiter);
            } else {
                turns = null;
            }
        }

        /** Computes all turns after a rejection. */
        List<Waiter> tooLate(Waiter first, Turns rejected) {
            List<Waiter> late = new ArrayList<>();
            last = rejected;
            turns = rejected;
            for (Waiter waiter : waiters) {
                Turns next = turns.after(waiter);
                if (waiter != first && next.isTooLateFor(waiter)) {
                    late.add(waiter);
                } else {
                    turns = next;
                }
            }
            return late;
        }
    }

    /**
     * When the turns of a queue come, computed from a rejection: each cost is taken in order, at the first moment at which all counters have it.
     * Of a sliding window and of other callers too little is known, so a turn is then the earliest possible one. Immutable.
     *
     * @param at the turn of the last waiter
     * @param left of each counter: what its window has left
     * @param end of each counter: when its window ends, or when its bucket is full
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Turns(Decision rejection, long rejectedAt, long at, long[] left, long[] end) {

        static Turns of(Decision rejection, long now) {
            List<LimitStatus> statuses = rejection.statuses();
            long[] left = statuses.stream().mapToLong(LimitStatus::remaining).toArray();
            long[] end = new long[left.length];
            for (int i = 0; i < end.length; i++) {
                LimitStatus status = statuses.get(i);
                Shape shape = status.limit().shape();
                boolean isUnknown = shape.kind() == Shape.Kind.SLIDING || shape.isConcurrent();
                end[i] = now + (isUnknown ? status.retryAfter().orElseThrow() : status.resetAfter()).toNanos();
            }
            return new Turns(rejection, now, now, left, end);
        }

        Turns after(Waiter waiter) {
            long turn = later(at, waiter.arrival);
            long[] newLeft = left.clone();
            long[] newEnd = end.clone();
            for (int i = 0; i < end.length; i++) {
                Limit limit = rejection.charges().get(i).limit();
                if (limit.shape().kind() == Shape.Kind.BUCKET) {
                    turn = later(turn, end[i] - returnNanos(limit, limit.capacity() - waiter.cost) - 1000);
                } else if (left[i] < waiter.cost && turn - end[i] < 0) {
                    if (limit.shape().kind() == Shape.Kind.BLOCKING && at != rejectedAt) {
                        newEnd[i] = turn + limit.shape().block().toNanos(); // from the moment at which it is asked for
                    }
                    turn = newEnd[i];
                }
            }
            for (int i = 0; i < end.length; i++) {
                Limit limit = rejection.charges().get(i).limit();
                if (limit.shape().kind() == Shape.Kind.BUCKET) {
                    newEnd[i] = later(end[i], turn) + returnNanos(limit, waiter.cost);
                } else if (limit.shape().isConcurrent()) {
                    newEnd[i] = turn; // permits may come back at any time
                } else if (turn - newEnd[i] >= 0) {
                    newEnd[i] = turn + limit.window().toNanos();
                    newLeft[i] = limit.permits();
                }
                newLeft[i] -= waiter.cost;
            }
            return new Turns(rejection, rejectedAt, turn, newLeft, newEnd);
        }

        boolean isTooLateFor(Waiter waiter) {
            return at - waiter.deadline > 0;
        }

        private static long later(long one, long other) {
            return one - other > 0 ? one : other;
        }

        /** How long a bucket takes for so many permits, less than a microsecond too short. */
        private static long returnNanos(Limit limit, long permits) {
            return permits * limit.window().toMillis() * 1000 / limit.permits() * 1000;
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
            if (!queue.add(waiter)) {
                Turns last = requireNonNull(queue.last);
                rejection = last.rejection.later(waiter.arrival - last.rejectedAt);
            }
        }
        if (rejection != null) {
            waiter.complete(rejection);
            return waiter;
        }
        waiter.whenComplete((decision, failure) -> leave(queue, waiter, decision != null && decision.allowed()));
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
        queue.timer = decider.time().runAfter(wait, () -> {
            synchronized (queues) {
                queue.timer = null;
            }
            ask(queue);
        });
        return queue.tooLate(first, Turns.of(rejection, now));
    }

    /** Removes a waiter that was served, rejected or cancelled. If the queue slept for it, the next one may need less. */
    private void leave(Queue queue, Waiter gone, boolean served) {
        synchronized (queues) {
            if (queue.timer != null && queue.first() == gone) {
                queue.timer.cancel(false);
                queue.timer = null;
            }
            queue.remove(gone, served);
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
