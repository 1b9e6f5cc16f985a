package io.github.ratelimit.micrometer;

import io.github.ratelimit.Decision;
import io.github.ratelimit.DecisionListener;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.StoreException;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;

/**
 * Writes onto the span of a request which limiters rejected it. A decision adds key values to the span of the request, and has no span,
 * because it takes microseconds.
 *
 * <ul>
 *   <li>{@code ratelimit.rejected}: the limiters that rejected
 *   <li>{@code ratelimit.would.reject}: those in shadow that would have rejected
 *   <li>{@code ratelimit.store.failed}: those whose store did not answer
 * </ul>
 *
 * <p>Values are names of limiters with commas between them, and never a key. All are of high cardinality in Micrometer's sense: spans have
 * them, meters do not. Nothing is done about a request that is allowed, nor where no observation is current on the thread that decided.
 *
 * <p>Safe for concurrent use.
 */
public final class ObservationDecisionListener implements DecisionListener {

    private final ObservationRegistry registry;

    /** Makes a listener that writes onto this registry's current observation. */
    // Not a transitive module, as with MicrometerDecisionListener.
    @SuppressWarnings("exports")
    public ObservationDecisionListener(ObservationRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void onDecision(String limiter, Decision decision, boolean shadow, long nanos) {
        if (!decision.allowed() && rejects(limiter, decision)) {
            add(shadow ? "ratelimit.would.reject" : "ratelimit.rejected", limiter);
        }
    }

    @Override
    public void onStoreFailure(String limiter, StoreException cause) {
        add("ratelimit.store.failed", limiter);
    }

    /** Not one whose permits sufficed while another one rejected. Without a store there are no statuses, and all of them reject. */
    private static boolean rejects(String limiter, Decision decision) {
        return decision.source() == Decision.Source.NONE
                || decision.statuses(limiter).stream().anyMatch(LimitStatus::exceeded);
    }

    private void add(String name, String limiter) {
        Observation current = registry.getCurrentObservation();
        if (current != null) {
            KeyValue before = current.getContextView().getHighCardinalityKeyValue(name);
            current.highCardinalityKeyValue(name, before == null ? limiter : before.getValue() + "," + limiter);
        }
    }
}
