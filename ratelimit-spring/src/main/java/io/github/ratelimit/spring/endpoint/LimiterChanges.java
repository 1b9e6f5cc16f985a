package io.github.ratelimit.spring.endpoint;

import io.github.ratelimit.Limit;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.Phase;
import io.github.ratelimit.Rule;
import io.github.ratelimit.http.HttpCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Changes permits and shadow of limiters until the next start. Counts stay: a changed limit applies to what was used. Safe for concurrent use.
 *
 * @param limiters what is changed
 */
public record LimiterChanges(Limiters<HttpCall> limiters) {

    /**
     * Changes one.
     *
     * @param shadow null: as it is
     * @param permits null: as they are
     * @param rule whose permits; null where there is one rule
     * @param plan whose permits; null where the rule has no plans
     * @throws IllegalArgumentException if there is nothing to change, no such rule or plan, or the permits are out of range
     */
    public synchronized void
            change( // one after the other: what is made of a spec must not undo what was made of it meanwhile
                    String limiter,
                    @Nullable Boolean shadow,
                    @Nullable Long permits,
                    @Nullable String rule,
                    @Nullable String plan) {
        if (shadow == null && permits == null) {
            throw new IllegalArgumentException("nothing to change: give shadow (true or false) or permits");
        }
        LimiterSpec<HttpCall> spec = limiters.spec(limiter);
        LimiterSpec<HttpCall> changed = permits == null ? spec : withPermits(spec, permits, rule, plan);
        limiters.change(shadow == null ? changed : changed.withShadow(shadow));
    }

    private static LimiterSpec<HttpCall> withPermits(
            LimiterSpec<HttpCall> spec, long permits, @Nullable String rule, @Nullable String plan) {
        List<String> names = spec.rules().stream().map(LimiterChanges::name).toList();
        String wanted = rule == null && names.size() == 1 ? names.get(0) : rule;
        int at = wanted == null ? -1 : names.indexOf(wanted);
        if (at < 0) {
            throw new IllegalArgumentException("limiter '%s': rule must be one of %s, was %s"
                    .formatted(spec.name(), String.join(", ", names), rule));
        }
        List<Rule<HttpCall>> rules = new ArrayList<>(spec.rules());
        rules.set(at, withPermits(rules.get(at), plan, permits));
        return new LimiterSpec<>(spec.name(), rules, spec.onStoreFailure(), spec.shadow(), spec.phase(), spec.count());
    }

    private static Rule<HttpCall> withPermits(Rule<HttpCall> rule, @Nullable String plan, long permits) {
        Limit any = rule.limits().get(0);
        Map<String, Limit> plans = rule.plans();
        if (plans.isEmpty() && plan != null) {
            throw new IllegalArgumentException("rule '%s' has no plans; leave plan out".formatted(any.name()));
        }
        if (!plans.isEmpty() && (plan == null || !plans.containsKey(plan))) {
            throw new IllegalArgumentException("rule '%s' has permits by plan: plan must be one of %s, was %s"
                    .formatted(any.name(), String.join(", ", plans.keySet()), plan));
        }
        Map<String, Long> byPlan = new TreeMap<>();
        plans.forEach((name, limit) -> byPlan.put(name, name.equalsIgnoreCase(plan) ? permits : limit.permits()));
        Rule<HttpCall> changed = plans.isEmpty()
                ? Rule.of(any.withPermits(permits), rule.key())
                : Rule.byPlan(any, byPlan, rule.planBy().orElseThrow(), rule.key());
        changed = rule.anchorBy().map(changed::anchoredBy).orElse(changed);
        for (Predicate<? super HttpCall> exception : rule.exceptions()) {
            changed = changed.unless(exception);
        }
        return rule.phase() == Phase.AFTER_AUTHENTICATION ? changed.afterAuthentication() : changed;
    }

    private static String name(Rule<HttpCall> rule) {
        return rule.limits().get(0).name();
    }
}
