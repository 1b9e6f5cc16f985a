package io.github.ratelimit;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * Decides about requests: resolves limits and keys, asks the store, and applies {@link OnStoreFailure} if the store fails.
 *
 * <p>A limiter has one name, or is a union of several: then it takes permits from all of them or from none, in one decision. Created by
 * {@link #of} or by {@link Limiters}. Safe for concurrent use; holds no resources.
 *
 * <pre>{@code
 * Limiter<String> search = Limiter.of("search", Limit.of(10, Duration.ofSeconds(1)), Key::of);
 *
 * if (search.tryAcquire("ann").allowed()) {
 *     // search for her
 * }
 * Decision patient = search.acquire("ann", 1, Duration.ofSeconds(2)); // waits if necessary
 * }</pre>
 *
 * @param <R> the type of request
 */
public final class Limiter<R> {

    /** The current spec of each limiter, shared with {@link Limiters#change}. */
    private final List<CurrentSpec<R>> specs;

    private final Decider decider;
    private final Waiting waiting;

    Limiter(List<CurrentSpec<R>> specs, Decider decider, Waiting waiting) {
        this.specs = specs;
        this.decider = decider;
        this.waiting = waiting;
    }

    /**
     * Creates a limiter that counts in this process' memory. All limiters created here share one bound of memory; their counts stay apart,
     * even if two have the same name.
     *
     * @param name 1 to 64 of {@code A-Z a-z 0-9 . _ -}
     * @param limit the limit
     * @param key the key to count by, for example {@code Key::of} for texts
     * @throws IllegalArgumentException if the name is malformed
     */
    public static <R> Limiter<R> of(String name, Limit limit, KeyResolver<? super R> key) {
        return of(LimiterSpec.of(name, limit, key), InProcessStore.ofOneLimiter());
    }

    /**
     * Creates a limiter without keys, which counts all calls of {@link #tryAcquire()} together in this process' memory.
     *
     * @param name 1 to 64 of {@code A-Z a-z 0-9 . _ -}
     * @throws IllegalArgumentException if the name is malformed
     */
    public static Limiter<Void> of(String name, Limit limit) {
        return of(name, limit, KeyResolver.everybody());
    }

    /** Creates a limiter over a store. The code that created the store closes it. */
    public static <R> Limiter<R> of(LimiterSpec<R> spec, Store store) {
        return Limiters.<R>builder(store).add(spec).build().get(spec.name());
    }

    /** The name; of a union, all names joined with {@code +}. */
    public String name() {
        return specs.stream().map(spec -> spec.get().name()).collect(Collectors.joining("+"));
    }

    /**
     * Takes one permit of a limiter without keys.
     *
     * @throws IllegalStateException if a rule looks at the request: then call {@link #tryAcquire(Object)}
     */
    @SuppressWarnings({"unchecked", "NullAway"}) // no rule looks at the request
    public Decision tryAcquire() {
        for (CurrentSpec<R> spec : specs) {
            if (!spec.get().rules().stream().allMatch(Rule::ignoresRequest)) {
                throw new IllegalStateException(
                        "limiter '%s' needs the request for its key, plan or condition; call tryAcquire(request)"
                                .formatted(spec.get().name()));
            }
        }
        return tryAcquire((R) null, 1);
    }

    /** Takes one permit from every limit, or from none. Never waits for permits. */
    public Decision tryAcquire(R request) {
        return tryAcquire(request, Limiter::onePermit);
    }

    /**
     * Takes {@code cost} permits from every limit, or from none.
     *
     * <p>Never waits for permits. Waits for the store no longer than the store's deadline. If the store fails,
     * {@link LimiterSpec#onStoreFailure()} decides, and {@link Decision#source()} tells it.
     *
     * @param cost permits to take, 0 or more
     * @throws IllegalArgumentException if {@code cost} is negative
     */
    public Decision tryAcquire(R request, long cost) {
        return tryAcquire(request, name -> cost);
    }

    /**
     * Takes a cost for each limiter of a union, or none, in one decision.
     *
     * @param cost permits to take by the limiter's name, 0 or more; called once for each limiter
     * @throws IllegalArgumentException if a cost is negative
     */
    public Decision tryAcquire(R request, ToLongFunction<String> cost) {
        if (specs.size() == 1) {
            List<LimiterSpec<R>> alone = specs.get(0).alone();
            LimiterSpec<R> spec = alone.get(0);
            if (!spec.shadow()) { // the usual case, without a group
                return decider.ask(alone, spec.charges(request, cost.applyAsLong(spec.name()), true), false);
            }
        }
        return decider.decide(resolve(request, cost, true));
    }

    /** As {@link #tryAcquire(Object)}, without waiting for the store. Cancelling the future before the decision gives back what it takes. */
    public CompletableFuture<Decision> tryAcquireAsync(R request) {
        return tryAcquireAsync(request, Limiter::onePermit);
    }

    /** As {@link #tryAcquire(Object, long)}, without waiting for the store. Completes normally even if the store fails. */
    public CompletableFuture<Decision> tryAcquireAsync(R request, long cost) {
        return tryAcquireAsync(request, name -> cost);
    }

    /** As {@link #tryAcquire(Object, ToLongFunction)}, without waiting for the store. Completes normally even if the store fails. */
    public CompletableFuture<Decision> tryAcquireAsync(R request, ToLongFunction<String> cost) {
        return decider.decideAsync(resolve(request, cost, false));
    }

    /**
     * Takes {@code cost} permits, and waits for them if necessary.
     *
     * <p>Retries after {@link Decision#retryAfter()} of a rejection, and as soon as permits come back in this process: by a refund, a settlement, a
     * reset, a raised limit, or the end of a task of a concurrency limit. Callers of this process that wait for the same counters are served in
     * the order of their arrival. A caller is rejected at once if the first of them has to wait longer than this one may. Otherwise it waits for
     * its turn until its {@code maxWait} is over. Nobody knows when a task of a concurrency limit ends, so its callers always wait so long; what
     * ends on another node is seen after a second.
     *
     * @param cost permits to take, 0 or more
     * @param maxWait the longest wait for permits, in addition to the store's deadline
     * @throws IllegalArgumentException if {@code cost} is negative
     * @throws InterruptedException if the thread is interrupted while it waits: then nothing was taken
     */
    public Decision acquire(R request, long cost, Duration maxWait) throws InterruptedException {
        CompletableFuture<Decision> turn = acquireAsync(request, cost, maxWait, true);
        try {
            return turn.get();
        } catch (InterruptedException e) {
            if (!turn.cancel(false)) {
                turn.thenAccept(this::refund); // served in the same moment
            }
            throw e;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new StoreException("the store failed: " + e.getMessage(), e);
        }
    }

    /** As {@link #acquire}, without a waiting thread. Cancelling the future ends the wait; then nothing was taken. */
    public CompletableFuture<Decision> acquireAsync(R request, long cost, Duration maxWait) {
        return acquireAsync(request, cost, maxWait, false);
    }

    private CompletableFuture<Decision> acquireAsync(R request, long cost, Duration maxWait, boolean waits) {
        return waiting.acquire(resolve(request, name -> cost, waits), maxWait);
    }

    /**
     * Runs a task if it is allowed. At its end, also by an exception, gives the permits of concurrency limits back; renews them until then.
     *
     * @return the decision; if it is rejected, the task did not run
     */
    @SuppressWarnings("try") // the hold is closed, and not used
    public Decision run(R request, Runnable task) {
        Decision decision = tryAcquire(request);
        if (decision.allowed()) {
            try (Hold hold = hold(decision)) {
                task.run();
            }
        }
        return decision;
    }

    /**
     * As {@link #run}, for a task that ends with a stage.
     *
     * @return completes with the decision when the stage ends, exceptionally if the task or the stage fails. If it is cancelled or times out
     *     before the decision, the task does not start, and what was taken is given back; later it does not end the task
     */
    public CompletableFuture<Decision> runAsync(R request, Supplier<? extends CompletionStage<?>> task) {
        CompletableFuture<Decision> ended = new CompletableFuture<>();
        tryAcquireAsync(request)
                .thenCompose(decision -> {
                    if (ended.isDone()) {
                        return refund(decision).thenApply(nothing -> decision);
                    }
                    return decision.allowed() ? start(decision, task) : CompletableFuture.completedFuture(decision);
                })
                .whenComplete((decision, failure) -> {
                    if (failure != null) {
                        ended.completeExceptionally(failure);
                    } else {
                        ended.complete(decision);
                    }
                });
        return ended;
    }

    private CompletionStage<Decision> start(Decision decision, Supplier<? extends CompletionStage<?>> task) {
        Hold hold = hold(decision);
        try {
            return task.get().whenComplete((result, failure) -> hold.close()).thenApply(result -> decision);
        } catch (Throwable e) {
            hold.close();
            throw e;
        }
    }

    /** Holds the permits that a decision took of concurrency limits, once for each decision: close it when the task ends. */
    public Hold hold(Decision decision) {
        return Hold.of(decision, decider);
    }

    /**
     * Reads the status of the request's limits without taking permits, also of limiters in shadow.
     *
     * @return allowed; one status for each limit
     * @throws StoreException if the store does not answer; there is no fallback
     */
    public Decision look(R request) {
        return decider.look(charges(request, true));
    }

    /**
     * Gives back the permits of a decision, once: to their store, to windows that are still open. Includes the permits of limiters in shadow. A
     * failed refund can be repeated until it succeeds. If the store's answer was lost for good, that can give permits back twice; those of
     * concurrency limits never.
     *
     * @param decision of this limiter; a rejected one gives nothing back
     * @return completes when it is done, or exceptionally with {@link StoreException}
     */
    public CompletableFuture<Void> refund(Decision decision) {
        return decider.refund(decision);
    }

    /**
     * Settles a decision once, by the real cost of its request, in place of a refund. A smaller cost gives permits back. A larger one takes
     * more, even above the limit. In a decision of several limiters, what the others took stays. A failed settlement can be repeated until it
     * succeeds. If the store's answer was lost for good, that can change the counts twice.
     *
     * <pre>{@code
     * Decision decision = limiter.tryAcquire(user, 1_000); // an estimate
     * if (decision.allowed()) {
     *     limiter.settle(decision, model.answer(question).tokens());
     * }
     * }</pre>
     *
     * @param decision of this limiter; a rejected one changes nothing
     * @param actual permits, 0 or more
     * @return completes when it is done, or exceptionally with {@link StoreException}
     * @throws IllegalArgumentException if {@code actual} is negative, or this is a union: then call {@link Limiters#settle}
     */
    public CompletableFuture<Void> settle(Decision decision, long actual) {
        Decider.requireCost(actual);
        if (specs.size() > 1) {
            throw new IllegalArgumentException(
                    "limiters '%s' take costs of their own; settle each by its name: Limiters.settle(decision, name, %d)"
                            .formatted(name(), actual));
        }
        return decider.settle(decision, name()::equals, actual);
    }

    /** Resets the counters of the request's keys, in the store and in its fallback. */
    public CompletableFuture<Void> reset(R request) {
        return decider.reset(charges(request, false));
    }

    private static long onePermit(String name) {
        return 1;
    }

    private List<Charge> charges(R request, boolean waits) {
        return resolve(request, Limiter::onePermit, waits).stream()
                .flatMap(group -> group.charges().stream())
                .toList();
    }

    private List<ChargeGroup> resolve(R request, ToLongFunction<String> cost, boolean waits) {
        return specs.size() == 1
                ? ChargeGroup.joined(List.of(ChargeGroup.of(specs.get(0).alone(), request, cost, waits)))
                : ChargeGroup.joined(specs.stream()
                        .map(spec -> ChargeGroup.of(spec.alone(), request, cost, waits))
                        .toList());
    }

    /** The name and the limits, for example {@code Limiter[search: 10 per 1s (default)]}. */
    @Override
    public String toString() {
        return specs.stream()
                .map(spec -> spec.get().name() + ": "
                        + spec.get().rules().stream()
                                .flatMap(rule -> rule.limits().stream())
                                .map(Limit::toString)
                                .collect(Collectors.joining(", ")))
                .collect(Collectors.joining("; ", "Limiter[", "]"));
    }
}
