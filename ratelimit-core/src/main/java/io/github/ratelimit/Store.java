package io.github.ratelimit;

import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * Where counts are kept: what a backend implements. {@code StoreContract} in {@code ratelimit-test} tests whether it does so correctly.
 *
 * <p>A count belongs to a scope (a limiter's name), a limit's name, its window and a key. It is a count of what was taken, so that a limit
 * whose permits change applies to the count that is there. Implementations are safe for concurrent use, bring a deadline of their
 * own, and are closed by whoever made them.
 *
 * <pre>{@code
 * Store store = InProcessStore.create();
 * Charge own = new Charge("mail", Limit.of("own", 5, Duration.ofMinutes(1)), Key.of("ann"));
 * Charge all = new Charge("mail", Limit.of("all", 9, Duration.ofHours(1)), Key.absent());
 *
 * Decision decision = store.tryAcquire(List.of(own, all), 3); // from both, or from none
 * store.refundAsync(decision);
 * }</pre>
 */
public interface Store extends AutoCloseable {

    /**
     * Takes {@code cost} permits from every charge, or from none.
     *
     * <p>The decision is atomic across all charges, whichever limiters they belong to: two callers never both receive the last permit,
     * and a refused call changes no count and starts no window. The store's clock decides, not the caller's. A store whose counters
     * lie on several servers says in its own documents what it promises across them.
     *
     * @param charges what to take from; at least one; no two of one scope with the same limit name
     * @param cost permits to take, 0 or more; 0 reads without taking, starts no window and is always allowed
     * @return completes with the decision, within the store's deadline, or exceptionally with {@link StoreException} when the
     *     backend did not answer
     * @throws IllegalArgumentException if {@code cost} is negative, there is no charge, or two charges name one limit of one scope
     */
    CompletionStage<Decision> tryAcquireAsync(List<Charge> charges, long cost);

    /**
     * The same, waited for. A store that decides without waiting answers directly instead.
     *
     * @throws StoreException if the backend did not answer
     * @throws IllegalArgumentException if {@code cost} is negative, there is no charge, or two charges name one limit of one scope
     */
    default Decision tryAcquire(List<Charge> charges, long cost) {
        return joined(tryAcquireAsync(charges, cost));
    }

    /**
     * Gives back what a decision of this store took, to the windows that it was taken from.
     *
     * <p>A window that is over gets nothing back, nor does one that followed it or that began after a reset; no count falls below
     * zero. A decision is given back once: begin with {@link Decision#markRefunded()}, and do nothing if it says no.
     *
     * @param decision a decision of this store
     * @return completes when it is done, or exceptionally with {@link StoreException}: then it may or may not have been given back
     */
    CompletionStage<Void> refundAsync(Decision decision);

    /**
     * Forgets what was counted: the next request starts new windows.
     *
     * @param charges whose counts to forget
     * @return completes when it is done, or exceptionally with {@link StoreException}
     * @throws IllegalArgumentException if there is no charge
     */
    CompletionStage<Void> resetAsync(List<Charge> charges);

    /** The clock that limiters over this store measure and wait by; the machine's if not said otherwise. */
    default TimeSource time() {
        return TimeSource.system();
    }

    /** Releases what the store holds. Calls after that fail with {@link IllegalStateException} or are answered as before. */
    @Override
    default void close() {}

    /**
     * Checks what every store is given.
     *
     * @throws IllegalArgumentException if {@code cost} is negative, there is no charge, or two charges name one limit of one scope
     */
    static void requireValid(List<Charge> charges, long cost) {
        if (cost < 0) {
            throw new IllegalArgumentException(
                    "cost must be 0 or more, was %d; refund gives permits back".formatted(cost));
        }
        if (charges.isEmpty()) {
            throw new IllegalArgumentException("charges must not be empty; where no limit applies, no store is asked");
        }
        for (int i = 1; i < charges.size(); i++) {
            Charge charge = charges.get(i);
            for (int j = 0; j < i; j++) {
                Charge earlier = charges.get(j);
                if (charge.limit().name().equals(earlier.limit().name())
                        && charge.scope().equals(earlier.scope())) {
                    throw new IllegalArgumentException(
                            "limiter '%s': two charges for limit '%s'; give each its own name"
                                    .formatted(charge.scope(), charge.limit().name()));
                }
            }
        }
    }

    /** Waits for a store's answer and throws what went wrong as it is, without the wrapper of the completion. */
    private static <T> T joined(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new StoreException("the store failed: " + e.getMessage(), e);
        }
    }
}
