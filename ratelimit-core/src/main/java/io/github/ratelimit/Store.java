package io.github.ratelimit;

import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * Where counts are kept. What a backend implements; {@code StoreContract} in this module's test jar says whether it does so right.
 *
 * <p>A count belongs to a limiter's name, a limit's name, its window and a key. It is a count of what was taken, so that a limit
 * whose permits change applies to the count that is there. Implementations are safe for concurrent use, bring a deadline of their
 * own, and are closed by whoever made them.
 */
public interface Store extends AutoCloseable {

    /**
     * Takes {@code cost} permits from every charge, or from none.
     *
     * <p>The decision is atomic across all charges: two callers never both receive the last permit, and a refused call changes
     * no count. The store's clock decides, not the caller's.
     *
     * @param limiter the limiter's name, the scope of the counts
     * @param charges one for each rule of the limiter, in order; at least one; no two with the same limit name
     * @param cost permits to take, 0 or more; 0 reads without taking and starts no window
     * @return completes with the decision, within the store's deadline, or exceptionally with {@link StoreException} when the
     *     backend did not answer
     * @throws IllegalArgumentException if {@code cost} is negative or there is no charge
     */
    CompletionStage<Decision> tryAcquireAsync(String limiter, List<Charge> charges, long cost);

    /**
     * The same, waited for. A store that decides without waiting answers directly instead.
     *
     * @throws StoreException if the backend did not answer
     * @throws IllegalArgumentException if {@code cost} is negative or there is no charge
     */
    default Decision tryAcquire(String limiter, List<Charge> charges, long cost) {
        return joined(tryAcquireAsync(limiter, charges, cost));
    }

    /**
     * Gives back {@code cost} permits that an earlier decision took, to the windows that are open now; no count falls below zero.
     *
     * <p>Give back what was not used after all. A window that ended since gets nothing back, but the one that followed it may: refund
     * soon or not at all.
     *
     * @param limiter the limiter's name
     * @param charges what was charged
     * @param cost permits to give back, 0 or more
     * @return completes when it is done, or exceptionally with {@link StoreException}
     * @throws IllegalArgumentException if {@code cost} is negative or there is no charge
     */
    CompletionStage<Void> refundAsync(String limiter, List<Charge> charges, long cost);

    /**
     * Forgets what was counted: the next request starts new windows.
     *
     * @param limiter the limiter's name
     * @param charges whose counts to forget
     * @return completes when it is done, or exceptionally with {@link StoreException}
     * @throws IllegalArgumentException if there is no charge
     */
    CompletionStage<Void> resetAsync(String limiter, List<Charge> charges);

    /** Releases what the store holds. Calls after that fail with {@link IllegalStateException} or are answered as before. */
    @Override
    default void close() {}

    /**
     * Checks what every store is given.
     *
     * @throws IllegalArgumentException if {@code cost} is negative or there is no charge
     */
    static void requireValid(List<Charge> charges, long cost) {
        if (cost < 0) {
            throw new IllegalArgumentException(
                    "cost must be 0 or more, was %d; refund gives permits back".formatted(cost));
        }
        if (charges.isEmpty()) {
            throw new IllegalArgumentException("charges must not be empty; a limiter has at least one rule");
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
