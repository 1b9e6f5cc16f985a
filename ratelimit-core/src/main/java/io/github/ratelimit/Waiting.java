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
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Queues of callers that wait for permits: one for each list of counters, served in the order of arrival.
 *
 * <p>Only the first of a queue asks the store. After a rejection the queue sleeps until its retry-after, or until permits come back in this
 * process: {@link #wake}. Callers whose deadline is before that retry-after leave with that rejection. Nobody knows when a permit of a concurrency
 * limit comes back, so its callers stay until their deadline. Empty queues are removed. Safe for concurrent use.
 */
final class Waiting {

    /** Chosen: permits may have come back on another node since; so a newcomer believes a rejection that is older no more. */
    private static final long BELIEVED_NANOS = 1_000_000_000;

    private final Decider decider;
    private final UnaryOperator<List<ChargeGroup>> current;

    /** Names the counters. */
    private final Digest digest = Digest.random();

    /** By the digests of their counters. Its monitor guards all queues. Never held during a call of a store or a caller. */
    private final Map<List<Long>, Queue> queues = new HashMap<>();

    private final Map<Long, Set<Queue>> byCounter = new HashMap<>(); // guarded by queues

    /**
     * Makes it, and hears from now on what comes back.
     *
     * @param current applies the present limits to a request that was resolved before
     */
    Waiting(Decider decider, UnaryOperator<List<ChargeGroup>> current) {
        this.decider = decider;
        this.current = current;
        decider.onReturn(this::wake);
    }

    private static final class Waiter extends CompletableFuture<Decision> {

        final List<ChargeGroup> request;
        final long deadline;

        Waiter(List<ChargeGroup> request, long deadline) {
            this.request = request;
            this.deadline = deadline;
        }
    }

    /** The callers that wait for the same counters. */
    private static final class Queue {

        final List<Charge> charges;
        final List<Long> counters;
        final Set<Waiter> waiters = new LinkedHashSet<>();

        @Nullable
        Waiter asking;

        boolean asksAgain; // something came back while it asks

        @Nullable
        Future<?> timer; // not null: the queue sleeps

        long wakesAt;

        @Nullable
        Decision rejection; // why it sleeps

        long rejectedAt;
        long fitsAt; // by the windows; that of concurrency limits is not known

        Queue(List<Charge> charges, List<Long> counters) {
            this.charges = charges;
            this.counters = counters;
        }

        @Nullable
        Waiter first() {
            return waiters.isEmpty() ? null : waiters.iterator().next();
        }

        boolean isTooLateFor(Waiter waiter, long now) {
            return fitsAt - waiter.deadline > 0 || waiter.deadline - now < 0;
        }

        void stopSleeping() {
            if (timer != null) {
                timer.cancel(false);
                timer = null;
            }
        }
    }

    CompletableFuture<Decision> acquire(List<ChargeGroup> request, Duration maxWait) {
        List<Charge> charges = request.get(0).charges();
        if (charges.stream().allMatch(charge -> charge.cost() == 0)
                || charges.stream()
                        .anyMatch(charge -> charge.cost() > charge.limit().capacity())) {
            return decider.decideAsync(request); // always fits, or never
        }
        Duration longest = maxWait.compareTo(Limit.MAX_WINDOW) > 0 ? Limit.MAX_WINDOW : maxWait;
        long now = decider.time().nanoTime();
        Waiter waiter = new Waiter(request, now + Math.max(0, longest.toNanos()));
        Queue queue;
        Decision rejection = null;
        synchronized (queues) {
            queue = queueOf(charges);
            if (queue.timer != null && queue.isTooLateFor(waiter, now) && now - queue.rejectedAt <= BELIEVED_NANOS) {
                rejection = requireNonNull(queue.rejection).later(now - queue.rejectedAt);
            } else {
                queue.waiters.add(waiter);
                if (queue.timer != null && queue.isTooLateFor(waiter, now + 1)) {
                    queue.stopSleeping(); // asks now
                } else if (queue.timer != null && waiter.deadline - queue.wakesAt < 0) {
                    sleepUntil(queue, waiter.deadline);
                }
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

    private Queue queueOf(List<Charge> charges) {
        return queues.computeIfAbsent(charges.stream().map(digest::of).toList(), names -> {
            Queue made = new Queue(charges, names);
            names.forEach(each -> byCounter
                    .computeIfAbsent(each, name -> new LinkedHashSet<>())
                    .add(made));
            return made;
        });
    }

    private void remove(Queue queue) {
        if (queues.remove(queue.counters, queue)) {
            for (Long each : queue.counters) {
                byCounter.computeIfPresent(each, (name, all) -> all.remove(queue) && all.isEmpty() ? null : all);
            }
        }
    }

    /** Asks for all callers that wait for some of these counters: permits came back, or their limits were changed. */
    private void wake(List<Charge> returned) {
        List<Queue> woken = new ArrayList<>();
        synchronized (queues) {
            if (!queues.isEmpty()) {
                returned.forEach(charge -> woken.addAll(byCounter.getOrDefault(digest.of(charge), Set.of())));
                woken.forEach(this::wake);
            }
        }
    }

    /** Asks for all callers that wait for a limiter. */
    void wake(String limiter) {
        synchronized (queues) {
            for (Queue queue : queues.values()) {
                if (queue.charges.stream().anyMatch(charge -> charge.limiter().equals(limiter))) {
                    wake(queue);
                }
            }
        }
    }

    private void wake(Queue queue) {
        queue.asksAgain = queue.asking != null;
        if (queue.timer != null) {
            sleepUntil(queue, decider.time().nanoTime()); // on another thread: whoever gives back waits for nobody
        }
    }

    private void sleepUntil(Queue queue, long moment) {
        queue.stopSleeping();
        queue.wakesAt = moment;
        long wait = Math.max(0, moment - decider.time().nanoTime());
        queue.timer = decider.time().runAfter(wait, () -> {
            synchronized (queues) {
                queue.timer = null;
            }
            ask(queue);
        });
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
            queue.asksAgain = false;
        }
        CompletableFuture.completedFuture(first.request)
                .thenApply(current)
                .thenCompose(decider::decideAsync) // inside a stage: the waiter gets the store's exceptions
                .whenComplete((decision, failure) -> answered(queue, first, decision, failure));
    }

    private void answered(Queue queue, Waiter first, @Nullable Decision decision, @Nullable Throwable failure) {
        List<Waiter> leaving = List.of();
        synchronized (queues) {
            queue.asking = null;
            if (decision != null && !decision.allowed() && queue.first() == first && !queue.asksAgain) {
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
     * Lets the queue sleep until the rejection's retry-after, or until the first deadline.
     *
     * @return the waiters to reject: the first alone if it cannot wait that long, because those behind it may need less; else the others
     *     whose deadline comes before
     */
    private List<Waiter> sleep(Queue queue, Waiter first, Decision rejection) {
        long now = decider.time().nanoTime();
        long wait = rejection.retryAfter().map(Duration::toNanos).orElse(0L);
        long byWindows = rejection.statuses().stream()
                .filter(status -> status.exceeded() && !status.limit().shape().isConcurrent())
                .mapToLong(status -> status.retryAfter().map(Duration::toNanos).orElse(0L))
                .max()
                .orElse(0);
        queue.rejection = rejection;
        queue.rejectedAt = now;
        queue.fitsAt = now + byWindows;
        if (wait == 0 || queue.isTooLateFor(first, now + 1)) {
            return List.of(first);
        }
        List<Waiter> late = new ArrayList<>();
        long until = now + wait;
        for (Waiter waiter : queue.waiters) {
            if (queue.isTooLateFor(waiter, now + 1)) {
                late.add(waiter);
            } else if (waiter.deadline - until < 0) {
                until = waiter.deadline;
            }
        }
        sleepUntil(queue, until);
        return late;
    }

    /** Removes a waiter that was served, rejected or cancelled. If the queue slept for it, the next one may need less. */
    private void leave(Queue queue, Waiter gone) {
        synchronized (queues) {
            if (queue.first() == gone) {
                queue.stopSleeping();
            }
            queue.waiters.remove(gone);
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
                remove(queue);
            }
        }
        if (goesOn) {
            decider.time().runAfter(0, () -> ask(queue));
        }
    }
}
