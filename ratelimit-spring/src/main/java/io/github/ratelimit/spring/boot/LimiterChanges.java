package io.github.ratelimit.spring.boot;

import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitResolver;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.LimiterSpec.Rule;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.http.HttpCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes permits and shadow of limiters until the next start. Counts stay: a changed limit applies to what was used. Safe for concurrent use.
 *
 * @param limiters what is changed
 */
record LimiterChanges(Limiters<HttpCall> limiters) {

    private static final Class<?> CONSTANT =
            LimitResolver.constant(Limit.of("any", 1, Duration.ofSeconds(1))).getClass();

    /**
     * Changes one.
     *
     * @param shadow null: as it is
     * @param permits null: as they are
     * @param rule whose permits; null where there is one rule
     * @param plan whose permits; null where the rule has no plans
     * @throws IllegalArgumentException if there is nothing to change, no such rule or plan, or the permits are out of range
     */
    synchronized void change( // one after the other: what is made of a spec must not undo what was made of it meanwhile
            String limiter,
            @Nullable Boolean shadow,
            @Nullable Long permits,
            @Nullable String rule,
            @Nullable String plan) {
        if (shadow == null && permits == null) {
            throw new IllegalArgumentException("nothing to change: give shadow (true or false) or permits");
        }
        LimiterSpec<HttpCall> spec = limiters.get(limiter).spec();
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
        rules.set(
                at,
                new Rule<>(limit(rules.get(at), plan, permits), rules.get(at).key()));
        return new LimiterSpec<>(spec.name(), rules, spec.onStoreFailure(), spec.shadow(), spec.phase());
    }

    private static LimitResolver<HttpCall> limit(Rule<HttpCall> rule, @Nullable String plan, long permits) {
        if (rule.limit() instanceof ConfiguredLimit configured) {
            return configured.withPermits(plan, permits);
        }
        if (rule.limit().getClass() != CONSTANT) {
            throw new IllegalArgumentException(
                    "rule '%s': its limit is the application's own, and cannot be changed here".formatted(name(rule)));
        }
        return ConfiguredLimit.constant(rule.limit().known().get(0), List.of())
                .withPermits(plan, permits)
                .simplest();
    }

    private static String name(Rule<HttpCall> rule) {
        return rule.limit().known().stream().findFirst().map(Limit::name).orElse("by request");
    }
}
