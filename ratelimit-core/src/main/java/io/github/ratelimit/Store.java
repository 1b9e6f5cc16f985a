package io.github.ratelimit;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.ToLongFunction;

/**
 * Keeps counters: the interface for backends. {@code StoreContract} in {@code ratelimit-test} checks an implementation.
 *
 * <p>A counter belongs to a limiter's name, a limit's name, its window, the kind of its shape and a key. It counts permits taken, so that a changed limit applies to
 * the existing count. Implementations are safe for concurrent use and have a deadline of their own. The code that creates a store closes it.
 *
 * <pre>{@code
 * Store store = InProcessStore.create();
 * Charge own = new Charge("mail", Limit.of("own", 5, Duration.ofMinutes(1)), Key.of("ann"), 3);
 * Charge all = new Charge("mail", Limit.of("all", 9, Duration.ofHours(1)), Key.absent(), 3);
 *
 * Decision decision = store.tryAcquire(List.of(own, all)); // from both, or from none
 * store.refundAsync(decision);
 * }</pre>
 */
public interface Store extends AutoCloseable {

    /** The largest number of charges in one call. Chosen: far above any request's limits, small enough to decide at once. */
    int MAX_CHARGES = 256;

    /**
     * Takes the cost of every charge, or of none.
     *
     * <p>The decision is atomic across all charges, also those of different limiters: two callers never both get the last permit. A rejected
     * call changes no count and starts no window. A charge with cost 0 reads without taking, starts no window and always fits. The store's
     * clock decides. A store with several servers documents its guarantees across them.
     *
     * @param charges 1 to {@value #MAX_CHARGES} different counters
     * @return completes with the decision within the store's deadline, or exceptionally with {@link StoreException} if the backend did not
     *     answer
     * @throws IllegalArgumentException if there is no charge, too many, or two name the same counter
     */
    CompletableFuture<Decision> tryAcquireAsync(List<Charge> charges);

    /**
     * As {@link #tryAcquireAsync}, but waits for the answer.
     *
     * @throws StoreException if the backend did not answer
     * @throws IllegalArgumentException if there is no charge, too many, or two name the same counter
     */
    default Decision tryAcquire(List<Charge> charges) {
        try {
            return tryAcquireAsync(charges).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new StoreException("the store failed: " + e.getMessage(), e);
        }
    }

    /**
     * Settles a decision of this store by what its request has really cost.
     *
     * <p>A smaller cost gives permits back to their windows. A closed window gets nothing back, nor does a window that followed it or began
     * after a reset; a bucket and a sliding window get back what has not come back by time already. No count falls below zero. A larger
     * cost takes more from the open window or from a new one, even above the limit. Run the settlement through {@link Decision#settleOnce},
     * which makes it happen once.
     *
     * @param decision a decision of this store
     * @param actual the real cost of each charge, 0 or more
     * @return completes when it is done, or exceptionally with {@link StoreException}: then try again. An answer that comes
     *     late counts: a second try sends nothing again that was answered. If an answer is lost for good, a second try can give permits back
     *     twice; those of concurrency limits never.
     */
    CompletableFuture<Void> settleAsync(Decision decision, ToLongFunction<Charge> actual);

    /** Gives back all permits of a decision: settles it as if it had cost nothing. */
    default CompletableFuture<Void> refundAsync(Decision decision) {
        return settleAsync(decision, charge -> 0);
    }

    /**
     * Begins the lease of a decision's ticket anew, so that what it took of concurrency limits stays taken while its task runs. May be repeated.
     *
     * <p>By default, the store that decided is asked: so a store that delegates needs no method of its own.
     *
     * @param decision a decision of this store that has a ticket
     * @return completes with whether the ticket was still there, or exceptionally with {@link StoreException}: then try again
     */
    @SuppressWarnings("ReferenceEquality") // this store, and not one like it
    default CompletableFuture<Boolean> renewAsync(Decision decision) {
        Store made = decision.store();
        return made == null || made == this ? CompletableFuture.completedFuture(false) : made.renewAsync(decision);
    }

    /**
     * Resets counters: the next request starts new windows.
     *
     * @param charges 1 to {@value #MAX_CHARGES} different counters; the costs do not matter
     * @return completes when it is done, or exceptionally with {@link StoreException}
     * @throws IllegalArgumentException if there is no charge, too many, or two name the same counter
     */
    CompletableFuture<Void> resetAsync(List<Charge> charges);

    /**
     * Whether this store decides about limits of a shape; by default only fixed windows. Limiters with other limits are not created over it. A
     * store that delegates to another one asks it.
     */
    default boolean supports(Limit.Shape.Kind kind) {
        return kind == Limit.Shape.Kind.FIXED;
    }

    /** Settings that all nodes share; by default none, and then a change by an operator holds on its node alone. */
    default Optional<SharedSettings> sharedSettings() {
        return Optional.empty();
    }

    /** The clock that limiters over this store measure and wait by; by default the machine's. */
    default TimeSource time() {
        return TimeSource.system();
    }

    /** Releases resources. Later calls fail with {@link IllegalStateException} or are answered as before. */
    @Override
    default void close() {}

    /**
     * Checks the charges of a call, for every store.
     *
     * @throws IllegalArgumentException if there is no charge, too many, or two name the same counter
     */
    static void requireValid(List<Charge> charges) {
        if (charges.isEmpty() || charges.size() > MAX_CHARGES) {
            throw new IllegalArgumentException(
                    "charges must be 1..%d, were %d; split them".formatted(MAX_CHARGES, charges.size()));
        }
        for (int i = 1; i < charges.size(); i++) {
            for (int j = 0; j < i; j++) {
                if (charges.get(i).sharesCounterWith(charges.get(j))) {
                    throw new IllegalArgumentException(
                            "limiter '%s': two charges for limit '%s' with the same key; add their costs"
                                    .formatted(
                                            charges.get(i).limiter(),
                                            charges.get(i).limit().name()));
                }
            }
        }
    }
}
