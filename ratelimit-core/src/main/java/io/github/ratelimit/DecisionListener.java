package io.github.ratelimit;

import java.util.List;

/**
 * Hears of every decision, once for each limiter that took part, whatever adapter it came through.
 *
 * <p>Called on the thread that decided: an implementation is quick, safe for concurrent use, and does not throw.
 */
public interface DecisionListener {

    /** Hears nothing. */
    DecisionListener NONE = new DecisionListener() {};

    /**
     * A decision was made that a limiter took part in.
     *
     * <p>{@link Decision#statuses(String)} tells this limiter's limits from those of others that took part in the same decision. Where it
     * is refused though none of this limiter's is exceeded, another one refused, and nothing was taken here.
     *
     * @param limiter the limiter's name
     * @param decision the decision as the store made it: of a limiter in shadow it may be refused though the request goes on
     * @param shadow whether the limiter only counts and reports
     * @param nanos how long the store took, in nanoseconds
     */
    default void onDecision(String limiter, Decision decision, boolean shadow, long nanos) {}

    /**
     * A store did not answer. A decision without it follows.
     *
     * @param limiter the limiter's name
     * @param cause what went wrong
     */
    default void onStoreFailure(String limiter, StoreException cause) {}

    /** One listener that tells all of these, in order. */
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
                };
        };
    }
}
