package io.github.ratelimit;

import java.util.List;

/**
 * Receives every decision, once for each limiter that took part.
 *
 * <p>Called on the thread that decided: an implementation is quick, safe for concurrent use, and does not throw.
 */
public interface DecisionListener {

    /** Ignores all decisions. */
    DecisionListener NONE = new DecisionListener() {};

    /**
     * Receives a decision that a limiter took part in.
     *
     * <p>{@link Decision#statuses(String)} tells this limiter's limits from those of others that took part in the same decision. Where it
     * is rejected though none of this limiter's is exceeded, another one rejected, and nothing was taken here.
     *
     * @param limiter the limiter's name
     * @param decision the decision as the store made it: of a limiter in shadow it may be rejected though the request goes on
     * @param shadow whether the limiter only counts and reports
     * @param nanos the store's time to decide, in nanoseconds
     */
    default void onDecision(String limiter, Decision decision, boolean shadow, long nanos) {}

    /**
     * Receives a failure of the store. A decision without the store follows.
     *
     * @param limiter the limiter's name
     * @param cause the failure
     */
    default void onStoreFailure(String limiter, StoreException cause) {}

    /**
     * Receives a settlement that succeeded, or a refund, which settles by 0.
     *
     * @param limiter the limiter's name
     * @param part the limiter's part of the decision: its charges tell limit, key and the cost that was taken, the same in each of them
     * @param actual the real cost of the request
     */
    default void onSettlement(String limiter, Decision part, long actual) {}

    /** A listener that calls all of these, in order. */
    static DecisionListener all(List<? extends DecisionListener> listeners) {
        List<DecisionListener> copy = List.copyOf(listeners);
        return switch (copy.size()) {
            case 0 -> NONE;
            case 1 -> copy.get(0);
            default ->
                new DecisionListener() {
                    @Override
                    public void onDecision(String limiter, Decision decision, boolean shadow, long nanos) {
                        copy.forEach(listener -> listener.onDecision(limiter, decision, shadow, nanos));
                    }

                    @Override
                    public void onStoreFailure(String limiter, StoreException cause) {
                        copy.forEach(listener -> listener.onStoreFailure(limiter, cause));
                    }

                    @Override
                    public void onSettlement(String limiter, Decision part, long actual) {
                        copy.forEach(listener -> listener.onSettlement(limiter, part, actual));
                    }
                };
        };
    }
}
