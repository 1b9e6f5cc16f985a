package io.github.ratelimit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Asks a store about all limiters that a request meets, once, and answers for the store when it does not.
 *
 * <p>The charges of all limiters are one call: all or nothing. Limiters in shadow are asked on their own and after an allowed decision only,
 * so that they change no outcome and count no request that is not served. Safe for concurrent use.
 */
record Decider(Store store, Store standIn, LocalShare localShare, DecisionListener listener) {

    <R> Decision decide(List<Limiter<R>> limiters, R request, long cost) {
        List<Charge> charges = charges(limiters, request, false);
        List<List<Charge>> shadowed = shadowed(limiters, request);
        Decision decision = charges.isEmpty() ? unlimited(cost) : ask(limiters, charges, cost, false);
        return decision.allowed() && !shadowed.isEmpty() ? withShadows(decision, limiters, shadowed, cost) : decision;
    }

    private <R> Decision withShadows(
            Decision decision, List<Limiter<R>> limiters, List<List<Charge>> shadowed, long cost) {
        List<Decision> shadows = new ArrayList<>();
        for (int i = 0; i < limiters.size(); i++) {
            if (!shadowed.get(i).isEmpty()) {
                shadows.add(ask(List.of(limiters.get(i)), shadowed.get(i), cost, true));
            }
        }
        return decision.withShadows(shadows);
    }

    <R> CompletionStage<Decision> decideAsync(List<Limiter<R>> limiters, R request, long cost) {
        List<Charge> charges = charges(limiters, request, false);
        List<List<Charge>> shadowed = shadowed(limiters, request); // on the caller's thread, as all keys are
        CompletionStage<Decision> answer = charges.isEmpty()
                ? CompletableFuture.completedFuture(unlimited(cost))
                : askAsync(limiters, charges, cost, false);
        for (int i = 0; i < shadowed.size(); i++) {
            List<Limiter<R>> limiter = List.of(limiters.get(i));
            List<Charge> own = shadowed.get(i);
            if (!own.isEmpty()) {
                answer = answer.thenCompose(decision -> !decision.allowed()
                        ? CompletableFuture.completedFuture(decision)
                        : askAsync(limiter, own, cost, true).thenApply(shadow -> {
                            List<Decision> all = new ArrayList<>(decision.shadows());
                            all.add(shadow);
                            return decision.withShadows(all);
                        }));
            }
        }
        return answer;
    }

    /** Gives back where it was taken: to the store or to the one that stood in for it, and for limiters in shadow as well. */
    CompletionStage<Void> refund(Decision decision) {
        Store taken = decision.source() == Decision.Source.LOCAL ? standIn : store;
        CompletionStage<Void> done = stage(() -> taken.refundAsync(decision));
        for (Decision shadow : decision.shadows()) {
            done = onBoth(done, refund(shadow));
        }
        return done;
    }

    /** The stand-in is told as well: it may have counted while the store was away. */
    CompletionStage<Void> reset(List<Charge> charges) {
        return charges.isEmpty()
                ? CompletableFuture.completedFuture(null)
                : onBoth(store.resetAsync(charges), standIn.resetAsync(charges));
    }

    Decision look(List<Charge> charges) {
        return store.tryAcquire(charges, 0);
    }

    TimeSource time() {
        return store.time();
    }

    private static CompletionStage<Void> onBoth(CompletionStage<Void> one, CompletionStage<Void> other) {
        return CompletableFuture.allOf(one.toCompletableFuture(), other.toCompletableFuture());
    }

    private static Decision unlimited(long cost) {
        if (cost < 0) {
            throw new IllegalArgumentException("cost must be 0 or more, was %d".formatted(cost));
        }
        return Decision.UNLIMITED;
    }

    private static <R> List<Charge> charges(List<Limiter<R>> limiters, R request, boolean shadow) {
        if (limiters.size() == 1) {
            return limiters.get(0).spec().shadow() == shadow ? limiters.get(0).charges(request) : List.of();
        }
        List<Charge> charges = new ArrayList<>(limiters.size());
        for (Limiter<R> limiter : limiters) {
            if (limiter.spec().shadow() == shadow) {
                limiter.addCharges(request, charges);
            }
        }
        return charges;
    }

    /** What those in shadow would be asked, by limiter; nothing where none is. Found before anything is taken, as it may throw. */
    private static <R> List<List<Charge>> shadowed(List<Limiter<R>> limiters, R request) {
        List<List<Charge>> shadowed = List.of();
        for (int i = 0; i < limiters.size(); i++) {
            if (limiters.get(i).spec().shadow()) {
                if (shadowed.isEmpty()) {
                    shadowed = new ArrayList<>(Collections.nCopies(limiters.size(), List.of()));
                }
                shadowed.set(i, limiters.get(i).charges(request));
            }
        }
        return shadowed;
    }

    private <R> Decision ask(List<Limiter<R>> limiters, List<Charge> charges, long cost, boolean shadow) {
        boolean heard = listener != DecisionListener.NONE; // nobody to tell: no clock is read
        long start = heard ? time().nanoTime() : 0;
        Decision decision;
        try {
            decision = store.tryAcquire(charges, cost);
        } catch (StoreException e) {
            decision = withoutStore(limiters, charges, cost, e);
        }
        return heard ? told(limiters, charges, decision, shadow, start) : decision;
    }

    private <R> CompletionStage<Decision> askAsync(
            List<Limiter<R>> limiters, List<Charge> charges, long cost, boolean shadow) {
        long start = time().nanoTime();
        return stage(() -> store.tryAcquireAsync(charges, cost))
                .exceptionally(failure -> withoutStore(limiters, charges, cost, storeException(failure)))
                .thenApply(decision -> told(limiters, charges, decision, shadow, start));
    }

    /** By each limiter's {@link OnStoreFailure}: one that refuses is enough, those that allow take no part, the others are one decision. */
    private <R> Decision withoutStore(
            List<Limiter<R>> limiters, List<Charge> charges, long cost, StoreException cause) {
        List<Charge> local = new ArrayList<>(charges.size());
        boolean refused = false;
        for (Limiter<R> limiter : limiters) {
            if (takesPart(limiter, charges)) {
                String name = limiter.spec().name();
                listener.onStoreFailure(name, cause);
                switch (limiter.spec().onStoreFailure()) {
                    case LOCAL ->
                        charges.stream()
                                .filter(charge -> charge.scope().equals(name))
                                .map(localShare::of)
                                .forEach(local::add);
                    case ALLOW -> {}
                    case REFUSE -> refused = true;
                }
            }
        }
        if (refused || local.isEmpty()) {
            return Decision.withoutStore(!refused);
        }
        return standIn.tryAcquire(local, cost).fromStandIn();
    }

    private <R> Decision told(
            List<Limiter<R>> limiters, List<Charge> charges, Decision decision, boolean shadow, long start) {
        long nanos = time().nanoTime() - start;
        for (Limiter<R> limiter : limiters) {
            if (takesPart(limiter, charges)) {
                listener.onDecision(limiter.spec().name(), decision, shadow, nanos);
            }
        }
        return decision;
    }

    /** What a store answers; a store that throws its failure has answered with it. */
    private static <T> CompletionStage<T> stage(Supplier<CompletionStage<T>> call) {
        try {
            return call.get();
        } catch (StoreException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Whether a limiter's rules are among those that apply. */
    private static boolean takesPart(Limiter<?> limiter, List<Charge> charges) {
        for (int i = 0; i < charges.size(); i++) {
            if (charges.get(i).scope().equals(limiter.spec().name())) {
                return true;
            }
        }
        return false;
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
