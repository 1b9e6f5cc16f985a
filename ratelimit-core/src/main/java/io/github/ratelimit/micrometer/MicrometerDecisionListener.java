package io.github.ratelimit.micrometer;

import io.github.ratelimit.Decision;
import io.github.ratelimit.DecisionListener;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.StoreException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Meters every decision. Tags are the limiter's name and a handful of outcomes, never a key.
 *
 * <ul>
 *   <li>{@code ratelimit.decisions{limiter, outcome=allowed|exceeded|rejected|no-store, mode=enforced|shadow}}: {@code exceeded} is
 *       allowed above a soft limit; {@code no-store} means that the store did not answer and the policy decided. When one limiter rejects a request, the others record nothing.
 *   <li>{@code ratelimit.store.duration{limiter}}: the store's time to decide
 *   <li>{@code ratelimit.store.failures{limiter}}: calls that the store did not answer
 *   <li>{@code ratelimit.near.limit{limiter}}: allowed decisions after which less than a fifth of a limit remained, the earliest sign that
 *       a limit is too tight
 *   <li>{@code ratelimit.settled{limiter}}: permits by which a settlement differed from what the decision took, with the sum of those taken
 *       later under {@code direction=taken}, and of those given back under {@code direction=returned}
 * </ul>
 *
 * <p>Safe for concurrent use.
 */
public final class MicrometerDecisionListener implements DecisionListener {

    private final MeterRegistry registry;
    private final Map<String, Meters> meters = new ConcurrentHashMap<>(); // as many as there are limiters

    /** Makes a listener that meters into this registry. */
    // Not a transitive module: nobody without Micrometer on his path could compile against this one.
    @SuppressWarnings("exports")
    public MicrometerDecisionListener(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void onDecision(String limiter, Decision decision, boolean shadow, long nanos) {
        Meters of = meters(limiter);
        of.duration.record(nanos, TimeUnit.NANOSECONDS);
        if (decision.source() == Decision.Source.NONE) {
            of.count("no-store", shadow);
        } else if (decision.allowed()) {
            List<LimitStatus> own = decision.statuses(limiter);
            of.count(own.stream().anyMatch(LimitStatus::overSoftLimit) ? "exceeded" : "allowed", shadow);
            if (own.stream().anyMatch(MicrometerDecisionListener::isNear)) {
                of.nearLimit.increment();
            }
        } else if (decision.statuses(limiter).stream().anyMatch(LimitStatus::exceeded)) {
            of.count("rejected", shadow);
        }
    }

    @Override
    public void onStoreFailure(String limiter, StoreException cause) {
        meters(limiter).failures.increment();
    }

    @Override
    public void onSettlement(String limiter, Decision part, long actual) {
        long more = actual - part.charges().get(0).cost();
        Counter.builder("ratelimit.settled")
                .description("Permits taken after the decision, or given back")
                .baseUnit("permits")
                .tags("limiter", limiter, "direction", more < 0 ? "returned" : "taken")
                .register(registry)
                .increment((double) Math.abs(more));
    }

    private static boolean isNear(LimitStatus status) {
        return status.remaining() < status.limit().capacity() / 5.0;
    }

    private Meters meters(String limiter) {
        return meters.computeIfAbsent(limiter, name -> new Meters(registry, name));
    }

    /** The meters of one limiter: found once, as a registry takes longer to find one than a store to decide. */
    private static final class Meters {

        private final MeterRegistry registry;
        private final String limiter;
        private final Timer duration;
        private final Counter failures;
        private final Counter nearLimit;
        private final Map<String, Counter> enforced = new ConcurrentHashMap<>(); // by outcome
        private final Map<String, Counter> shadow = new ConcurrentHashMap<>();

        Meters(MeterRegistry registry, String limiter) {
            this.registry = registry;
            this.limiter = limiter;
            this.duration = Timer.builder("ratelimit.store.duration")
                    .description("How long the store takes to decide")
                    .tag("limiter", limiter)
                    .register(registry);
            this.failures = Counter.builder("ratelimit.store.failures")
                    .description("Decisions that the store did not answer")
                    .tag("limiter", limiter)
                    .register(registry);
            this.nearLimit = Counter.builder("ratelimit.near.limit")
                    .description("Allowed decisions after which less than a fifth of a limit remained")
                    .tag("limiter", limiter)
                    .register(registry);
        }

        void count(String outcome, boolean inShadow) {
            Map<String, Counter> counters = inShadow ? shadow : enforced;
            counters.computeIfAbsent(
                            outcome,
                            name -> Counter.builder("ratelimit.decisions")
                                    .description(
                                            "Decisions: allowed, exceeded (above a soft limit), rejected, or no-store if no store decided")
                                    .tags("limiter", limiter, "outcome", name, "mode", inShadow ? "shadow" : "enforced")
                                    .register(registry))
                    .increment();
        }
    }
}
