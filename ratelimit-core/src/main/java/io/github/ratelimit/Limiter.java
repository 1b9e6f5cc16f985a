package io.github.ratelimit;

import static java.util.Objects.requireNonNull;

import io.github.ratelimit.LimiterSpec.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * Decides by name: resolves a request's keys, asks the store, and answers for the store when it does not.
 *
 * <p>Made by {@link Limiters}. Safe for concurrent use; holds no resources of its own.
 *
 * @param <R> what is limited
 */
public final class Limiter<R> {

    private final LimiterSpec<R> spec;
    private final Store store;
    private final Store standIn;
    private final DecisionListener listener;
    private final TimeSource time;

    Limiter(LimiterSpec<R> spec, Store store, Store standIn, DecisionListener listener, TimeSource time) {
        this.spec = spec;
        this.store = store;
        this.standIn = standIn;
        this.listener = listener;
        this.time = time;
    }

    /** The limiter as it was described. */
    public LimiterSpec<R> spec() {
        return spec;
    }

    /** Takes one permit from every limit, or from none. Never waits for permits. */
    public Decision tryAcquire(R request) {
        return tryAcquire(request, 1);
    }

    /**
     * Takes {@code cost} permits from every limit, or from none.
     *
     * <p>Never waits for permits. Waits for the store no longer than the store's own deadline; when that passes or the store fails,
     * {@link LimiterSpec#onStoreFailure()} decides and {@link Decision#source()} says so.
     *
     * @param cost permits to take, 0 or more; 0 looks without taking
     * @throws IllegalArgumentException if {@code cost} is negative
     */
    public Decision tryAcquire(R request, long cost) {
        List<Charge> charges = charges(request);
        if (listener == DecisionListener.NONE) { // nobody to tell: no clock is read
            return answer(decide(charges, cost));
        }
        long start = time.nanoTime();
        return told(decide(charges, cost), start);
    }

    /**
     * The same without waiting.
     *
     * @param cost permits to take, 0 or more; 0 looks without taking
     * @return completes with the decision; not exceptionally for a store that fails
     * @throws IllegalArgumentException if {@code cost} is negative
     */
    public CompletionStage<Decision> tryAcquireAsync(R request, long cost) {
        List<Charge> charges = charges(request);
        long start = time.nanoTime();
        return store.tryAcquireAsync(spec.name(), charges, cost)
                .exceptionally(failure -> withoutStore(charges, cost, storeException(failure)))
                .thenApply(decision -> told(decision, start));
    }

    /**
     * Gives back {@code cost} permits that this request took and did not use.
     *
     * @see Store#refundAsync
     */
    public CompletionStage<Void> refund(R request, long cost) {
        List<Charge> charges = charges(request);
        return onBoth(store.refundAsync(spec.name(), charges, cost), standIn.refundAsync(spec.name(), charges, cost));
    }

    /** Forgets what was counted for this request's keys. */
    public CompletionStage<Void> reset(R request) {
        List<Charge> charges = charges(request);
        return onBoth(store.resetAsync(spec.name(), charges), standIn.resetAsync(spec.name(), charges));
    }

    /** The stand-in is told as well: it may have counted while the store was away. */
    private static CompletionStage<Void> onBoth(CompletionStage<Void> store, CompletionStage<Void> standIn) {
        return CompletableFuture.allOf(store.toCompletableFuture(), standIn.toCompletableFuture());
    }

    private List<Charge> charges(R request) {
        List<Rule<R>> rules = spec.rules();
        if (rules.size() == 1) {
            return List.of(charge(rules.get(0), request));
        }
        List<Charge> charges = new ArrayList<>(rules.size());
        for (Rule<R> rule : rules) {
            charges.add(charge(rule, request));
        }
        return charges;
    }

    private Charge charge(Rule<R> rule, R request) {
        Key key = requireNonNull(
                rule.key().resolve(request),
                () -> "limiter '%s': the key resolver of limit '%s' answered null; answer Key.absent()"
                        .formatted(spec.name(), rule.limit().name()));
        return new Charge(rule.limit(), key);
    }

    private Decision decide(List<Charge> charges, long cost) {
        try {
            return store.tryAcquire(spec.name(), charges, cost);
        } catch (StoreException e) {
            return withoutStore(charges, cost, e);
        }
    }

    private Decision withoutStore(List<Charge> charges, long cost, StoreException cause) {
        listener.onStoreFailure(spec.name(), cause);
        return switch (spec.onStoreFailure()) {
            case LOCAL -> standIn.tryAcquire(spec.name(), charges, cost).fromStandIn();
            case ALLOW -> Decision.withoutStore(true);
            case REFUSE -> Decision.withoutStore(false);
        };
    }

    private Decision told(Decision decision, long start) {
        listener.onDecision(spec.name(), decision, spec.shadow(), time.nanoTime() - start);
        return answer(decision);
    }

    private Decision answer(Decision decision) {
        return spec.shadow() && !decision.allowed() ? decision.inShadow() : decision;
    }

    /** What is no {@link StoreException} is a defect, not an outage: it goes on as it is. */
    private static StoreException storeException(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof StoreException e) {
            return e;
        }
        throw failure instanceof CompletionException e ? e : new CompletionException(cause);
    }
}
