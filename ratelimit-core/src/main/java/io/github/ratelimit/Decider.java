package io.github.ratelimit;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The one path of all decisions: asks the store once for all limiters of a request, and applies {@link OnStoreFailure} if the store fails.
 *
 * <p>The first group of a request enforces: its charges are one call, all or nothing. Then each group in shadow is asked by itself, only
 * after an allowed decision, so that it changes no outcome and counts no request that was not served. Safe for concurrent use.
 */
final class Decider {

    private final Store store;
    private final Store fallback;
    private final LocalShare localShare;
    private final DecisionListener listener;
    private volatile Function<List<Charge>, @Nullable Decision> rejection = charges -> null;
    private volatile Consumer<List<Charge>> returned = charges -> {};

    Decider(Store store, Store fallback, LocalShare localShare, DecisionListener listener) {
        this.store = store;
        this.fallback = fallback;
        this.localShare = localShare;
        this.listener = listener;
    }

    /** Tells from now on which counters have got permits back. */
    void onReturn(Consumer<List<Charge>> returned) {
        this.returned = returned;
    }

    /** Asks this from now on before each call of the store; null: no rejection. */
    void rejectBy(Function<List<Charge>, @Nullable Decision> rejection) {
        this.rejection = rejection;
    }

    Store fallback() {
        return fallback;
    }

    Store store() {
        return store;
    }

    Decision decide(List<ChargeGroup> request) {
        Decision decision = ask(request.get(0));
        for (int i = 1; i < request.size() && decision.allowed(); i++) {
            decision = decision.withShadow(ask(request.get(i)));
        }
        return decision;
    }

    CompletableFuture<Decision> decideAsync(List<ChargeGroup> request) {
        CompletableFuture<Decision> answer = askAsync(request.get(0));
        for (ChargeGroup shadow : request.subList(1, request.size())) {
            answer = answer.thenCompose(decision -> decision.allowed()
                    ? askAsync(shadow).thenApply(decision::withShadow)
                    : CompletableFuture.completedFuture(decision));
        }
        return answer.isDone() ? answer : givenBackIfCancelled(answer);
    }

    /** Nobody gets the decision of a future that ends before it comes. */
    private CompletableFuture<Decision> givenBackIfCancelled(CompletableFuture<Decision> answer) {
        CompletableFuture<Decision> given = new CompletableFuture<>();
        answer.whenComplete((decision, failure) -> {
            if (failure != null) {
                given.completeExceptionally(failure);
            } else if (!given.complete(decision)) {
                refund(decision);
            }
        });
        return given;
    }

    /** Reads from the store alone, without telling the listener. */
    Decision look(List<Charge> charges) {
        return charges.isEmpty() ? Decision.unlimited() : ask(store, withoutCost(charges));
    }

    /**
     * Checks that both stores decide about all limits of a limiter.
     *
     * @throws IllegalArgumentException if one does not; names the limiter, the limit, the shape, the store and the remedy
     */
    void requireSupported(LimiterSpec<?> spec) {
        for (Store each : List.of(store, fallback)) {
            for (Rule<?> rule : spec.rules()) {
                Limit limit = rule.limits().get(0);
                if (!each.supports(limit.shape().kind())) {
                    throw new IllegalArgumentException(
                            "limiter '%s': limit '%s' has the shape %s, which the store %s does not support; use another shape or store, or override Store.supports"
                                    .formatted(
                                            spec.name(),
                                            limit.name(),
                                            limit.shape().kind(),
                                            each.getClass().getName()));
                }
            }
        }
    }

    static List<Charge> withoutCost(List<Charge> charges) {
        return charges.stream().map(charge -> charge.withCost(0)).toList();
    }

    static void requireCost(long actual) {
        if (actual < 0) {
            throw new IllegalArgumentException("the actual cost must be 0 or more, was " + actual);
        }
    }

    /**
     * Settles what limiters took of a request, also in shadow, each once and in the store that decided. Permits of concurrency limits stay.
     *
     * @param limiters the limiters' names
     */
    CompletableFuture<Void> settle(Decision decision, Predicate<String> limiters, long actual) {
        requireNonNull(decision, "decision must not be null; settle the decision of tryAcquire");
        return CompletableFuture.allOf(decision.parts().stream()
                .filter(part -> !part.isConcurrent()
                        && limiters.test(part.charges().get(0).limiter()))
                .map(part -> settle(part, actual))
                .toArray(CompletableFuture<?>[]::new));
    }

    private CompletableFuture<Void> settle(Decision part, long actual) {
        boolean isFirst = part.allowed() && !part.isSettled();
        CompletableFuture<Void> done = called(() -> storeOf(part).settleAsync(part, charge -> actual));
        if (isFirst && listener != DecisionListener.NONE) {
            done.thenRun(() -> listener.onSettlement(part.charges().get(0).limiter(), part, actual));
        }
        return returning(part.charges(), done);
    }

    CompletableFuture<Void> refund(Decision decision) {
        return CompletableFuture.allOf(
                settle(decision, limiter -> true, 0),
                CompletableFuture.allOf(decision.parts().stream()
                        .filter(Decision::isConcurrent)
                        .map(this::giveBack)
                        .toArray(CompletableFuture<?>[]::new)));
    }

    /** Gives back the permits of concurrency limits. The listener does not hear of it: it is the end of each request. */
    CompletableFuture<Void> giveBack(Decision part) {
        return returning(part.charges(), called(() -> storeOf(part).refundAsync(part)));
    }

    /** Begins the leases of a part anew, if it still has its permits. */
    CompletableFuture<Boolean> renew(Decision part) {
        return called(() -> storeOf(part).renewAsync(part));
    }

    private Store storeOf(Decision part) {
        return part.source() == Decision.Source.LOCAL ? fallback : store;
    }

    /** Then resets the fallback, too: it may have counted during an outage. */
    CompletableFuture<Void> reset(List<Charge> charges) {
        return charges.isEmpty()
                ? CompletableFuture.completedFuture(null)
                : returning(
                        charges,
                        called(() -> store.resetAsync(charges))
                                .thenCompose(done -> called(() -> fallback.resetAsync(charges))));
    }

    private CompletableFuture<Void> returning(List<Charge> charges, CompletableFuture<Void> done) {
        done.thenRun(() -> returned.accept(charges));
        return done;
    }

    TimeSource time() {
        return store.time();
    }

    private static Decision ask(Store store, List<Charge> charges) {
        return haveSoft(charges) ? store.tryAcquire(asked(charges)).about(charges) : store.tryAcquire(charges);
    }

    private CompletableFuture<Decision> askAsync(List<Charge> charges) {
        return haveSoft(charges)
                ? store.tryAcquireAsync(asked(charges)).thenApply(decision -> decision.about(charges))
                : store.tryAcquireAsync(charges);
    }

    private static boolean haveSoft(List<Charge> charges) {
        boolean soft = false;
        for (int i = 0; i < charges.size(); i++) { // no iterator: this runs for each request
            soft |= charges.get(i).limit().soft();
        }
        return soft;
    }

    private static List<Charge> asked(List<Charge> charges) {
        return charges.stream().map(Charge::asked).toList();
    }

    private Decision ask(ChargeGroup group) {
        return ask(group.limiters(), group.charges(), group.shadow());
    }

    /** Asks without a group: so a decision of one limiter makes no object but itself, its status, its charge and its key. */
    Decision ask(List<? extends LimiterSpec<?>> limiters, List<Charge> charges, boolean shadow) {
        if (charges.isEmpty()) {
            return Decision.unlimited();
        }
        boolean timed = listener != DecisionListener.NONE;
        long start = timed ? time().nanoTime() : 0;
        Decision decision = rejection.apply(charges);
        StoreException failure = null;
        try {
            decision = decision == null ? ask(store, charges) : decision;
        } catch (StoreException e) {
            failure = e; // handled below: a list that a handler uses is always an object
        }
        if (decision == null) {
            decision = withoutStore(limiters, charges, requireNonNull(failure));
        }
        return timed ? told(limiters, shadow, decision, start) : decision;
    }

    private CompletableFuture<Decision> askAsync(ChargeGroup group) {
        if (group.charges().isEmpty()) {
            return CompletableFuture.completedFuture(Decision.unlimited());
        }
        long start = time().nanoTime();
        Decision blocked = rejection.apply(group.charges());
        if (blocked != null) {
            return CompletableFuture.completedFuture(told(group.limiters(), group.shadow(), blocked, start));
        }
        return called(() -> askAsync(group.charges()))
                .exceptionally(failure -> withoutStore(group.limiters(), group.charges(), storeException(failure)))
                .thenApply(decision -> told(group.limiters(), group.shadow(), decision, start));
    }

    /** Decides by policy: one REJECT rejects, ALLOW takes no part, and the fallback decides once for all LOCAL limiters. */
    private Decision withoutStore(List<? extends LimiterSpec<?>> limiters, List<Charge> charges, StoreException cause) {
        List<Charge> local = new ArrayList<>();
        boolean rejected = false;
        for (LimiterSpec<?> limiter : limiters) {
            listener.onStoreFailure(limiter.name(), cause);
            rejected |= limiter.onStoreFailure() == OnStoreFailure.REJECT;
            if (limiter.onStoreFailure() == OnStoreFailure.LOCAL) {
                charges.stream()
                        .filter(charge -> charge.limiter().equals(limiter.name()))
                        .map(localShare::of)
                        .forEach(local::add);
            }
        }
        return rejected || local.isEmpty()
                ? Decision.withoutStore(!rejected)
                : ask(fallback, local).fromFallback();
    }

    private Decision told(List<? extends LimiterSpec<?>> limiters, boolean shadow, Decision decision, long start) {
        long nanos = time().nanoTime() - start;
        for (LimiterSpec<?> limiter : limiters) {
            listener.onDecision(limiter.name(), decision, shadow, nanos);
        }
        return decision;
    }

    /** A store that throws its failure has answered with it. */
    private static <T> CompletableFuture<T> called(Supplier<CompletableFuture<T>> call) {
        try {
            return call.get();
        } catch (StoreException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Any other exception is a defect, not an outage, and goes on unchanged. */
    private static StoreException storeException(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof StoreException e) {
            return e;
        }
        throw failure instanceof CompletionException e ? e : new CompletionException(cause);
    }
}
