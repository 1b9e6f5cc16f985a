package io.github.ratelimit.spring.boot;

import io.github.ratelimit.Decision;
import io.github.ratelimit.DecisionListener;
import io.github.ratelimit.LimitStatus;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts what limiters have decided since the start. Safe for concurrent use. */
final class DecisionTotals implements DecisionListener {

    /**
     * The decisions of a limiter.
     *
     * @param allowed its permits sufficed
     * @param refused they did not
     * @param wouldRefuse they did not, and it is in shadow: the request went on
     * @param undecided the store did not answer, and nobody counted
     */
    record Totals(long allowed, long refused, long wouldRefuse, long undecided) {

        static final Totals NONE = new Totals(0, 0, 0, 0);
    }

    private static final class Counts {

        final LongAdder allowed = new LongAdder();
        final LongAdder refused = new LongAdder();
        final LongAdder wouldRefuse = new LongAdder();
        final LongAdder undecided = new LongAdder();
    }

    private final Map<String, Counts> byLimiter = new ConcurrentHashMap<>(); // as many as there are limiters

    @Override
    public void onDecision(String limiter, Decision decision, boolean shadow, long nanos) {
        Counts counts = byLimiter.computeIfAbsent(limiter, name -> new Counts());
        if (decision.source() == Decision.Source.NONE) {
            counts.undecided.increment();
        } else if (decision.allowed()) {
            counts.allowed.increment();
        } else if (decision.statuses(limiter).stream().anyMatch(LimitStatus::exceeded)) {
            (shadow ? counts.wouldRefuse : counts.refused).increment();
        } // else another limiter refused, and nothing was taken here
    }

    Totals of(String limiter) {
        Counts counts = byLimiter.get(limiter);
        return counts == null
                ? Totals.NONE
                : new Totals(
                        counts.allowed.sum(), counts.refused.sum(), counts.wouldRefuse.sum(), counts.undecided.sum());
    }
}
