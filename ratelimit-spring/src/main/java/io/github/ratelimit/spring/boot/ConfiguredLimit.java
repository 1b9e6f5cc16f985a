package io.github.ratelimit.spring.boot;

import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitResolver;
import io.github.ratelimit.Phase;
import io.github.ratelimit.http.HttpCall;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The limit of a rule of the properties: the same for all, or by plan, and none where a condition holds. Can tell why. Immutable and safe for
 * concurrent use.
 */
final class ConfiguredLimit implements LimitResolver<HttpCall> {

    /**
     * What permits depend on.
     *
     * @param permits by plan
     * @param by names the plan
     */
    private record Plans(Map<String, Long> permits, KeyResolver<HttpCall> by) {}

    private final LimitResolver<HttpCall> limit;
    private final @Nullable Plans plans;
    private final List<SkipCondition> skips;

    private ConfiguredLimit(LimitResolver<HttpCall> limit, @Nullable Plans plans, List<SkipCondition> skips) {
        this.limit = limit;
        this.plans = plans;
        this.skips = List.copyOf(skips);
    }

    static ConfiguredLimit constant(Limit limit, List<SkipCondition> skips) {
        return new ConfiguredLimit(LimitResolver.constant(limit), null, skips);
    }

    /** @throws IllegalArgumentException if there is no plan, or the permits of one are out of range */
    static ConfiguredLimit byPlan(
            String name,
            Duration window,
            Map<String, Long> permits,
            KeyResolver<HttpCall> by,
            List<SkipCondition> skips) {
        return new ConfiguredLimit(
                LimitResolver.byPlan(name, window, permits, by), new Plans(new TreeMap<>(permits), by), skips);
    }

    /** What resolves the same with the fewest steps. */
    LimitResolver<HttpCall> simplest() {
        return isConstant() ? limit : this;
    }

    /** Whether it is the same for every request. */
    boolean isConstant() {
        return plans == null && skips.isEmpty();
    }

    @Override
    public Optional<Limit> resolve(HttpCall call) {
        for (SkipCondition skip : skips) {
            if (skip.holds().test(call)) {
                return Optional.empty();
            }
        }
        return limit.resolve(call);
    }

    @Override
    public List<Limit> known() {
        return limit.known();
    }

    @Override
    public Phase phase() {
        boolean late = skips.stream().anyMatch(skip -> skip.phase() == Phase.AFTER_AUTHENTICATION);
        return late ? Phase.AFTER_AUTHENTICATION : limit.phase();
    }

    /** Why it applies to a call as it does; empty where nothing depends on the call. Names no plan but those that are known. */
    Optional<String> reason(HttpCall call) {
        for (SkipCondition skip : skips) {
            if (skip.holds().test(call)) {
                return Optional.of("skip-if '%s' holds".formatted(skip.text()));
            }
        }
        Plans known = plans;
        if (known == null) {
            return Optional.empty();
        }
        String plan = KeyParts.firstPresent(known.by().resolve(call)).orElse("");
        return Optional.of(
                known.permits().containsKey(plan)
                        ? "plan '%s'".formatted(plan)
                        : "plan-by names none of the plans %s: the smallest applies"
                                .formatted(String.join(", ", known.permits().keySet())));
    }

    /**
     * The same with other permits.
     *
     * @param plan whose; null where there are no plans
     * @throws IllegalArgumentException if there is no such plan, or the permits are out of range
     */
    ConfiguredLimit withPermits(@Nullable String plan, long permits) {
        Limit any = known().get(0);
        if (plans == null) {
            if (plan != null) {
                throw new IllegalArgumentException("rule '%s' has no plans; leave plan out".formatted(any.name()));
            }
            return constant(Limit.of(any.name(), permits, any.window()), skips);
        }
        if (plan == null || !plans.permits().containsKey(plan)) {
            throw new IllegalArgumentException("rule '%s' has permits by plan: plan must be one of %s, was %s"
                    .formatted(any.name(), String.join(", ", plans.permits().keySet()), plan));
        }
        Map<String, Long> changed = new TreeMap<>(plans.permits());
        changed.put(plan, permits);
        return byPlan(any.name(), any.window(), changed, plans.by(), skips);
    }
}
