package io.github.ratelimit.spring.internal.properties;

import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.Phase;
import io.github.ratelimit.Rule;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.Outcomes;
import io.github.ratelimit.spring.internal.Diagnostic;
import io.github.ratelimit.spring.internal.InvalidRateLimitException;
import io.github.ratelimit.spring.internal.properties.RateLimitProperties.Http;
import io.github.ratelimit.spring.internal.properties.RateLimitProperties.InProcess;
import io.github.ratelimit.spring.internal.properties.RateLimitProperties.StoreKind;
import io.github.ratelimit.spring.internal.properties.SkipConditions.SkipCondition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Makes of properties what they describe, and names the property by its full name where that cannot be done. */
public final class ConfiguredLimiters {

    public static final int BILLION = 1_000_000_000;

    private static final Duration A_SECOND = Duration.ofSeconds(1);

    /** Chosen: long enough for a node that stops for some seconds, short enough for users who wait for a dead one. */

    /** Two of the latter hold all. */
    private static final Pattern HALF_OF_ALL = Pattern.compile(".*/[01]");

    private ConfiguredLimiters() {}

    public static ClientAddress clientAddress(Http http) {
        String proxies = "ratelimit.http.trusted-proxies";
        for (int i = 0; i < http.trustedProxies().size(); i++) {
            String range = http.trustedProxies().get(i);
            if (HALF_OF_ALL.matcher(range.strip()).matches()) {
                throw new InvalidRateLimitException(
                        Diagnostic.EVERYBODY_TRUSTED,
                        "%s[%d]: '%s' holds half of all addresses or more, so clients could choose their address"
                                .formatted(proxies, i, range),
                        "name only the addresses of your proxies");
            }
            valid(proxies + "[" + i + "]", () -> ClientAddress.of(List.of(range), ClientAddress.DEFAULT_IPV6_PREFIX));
        }
        return valid("ratelimit.http.ipv6-prefix", () -> ClientAddress.of(http.trustedProxies(), http.ipv6Prefix()));
    }

    public static InProcessStore inProcessStore(InProcess inProcess, TimeSource time) {
        InProcessStore.Builder store = InProcessStore.builder().time(time).whenFull(inProcess.whenFull());
        valid("ratelimit.in-process.maximum-counters", () -> store.maximumCounters(inProcess.maximumCounters()));
        return store.build();
    }

    /** The share of limits while the shared store does not answer, of a {@link #BILLION}. */
    public static int localBillionths(RateLimitProperties properties) {
        boolean isPostgres = properties.store() == StoreKind.POSTGRESQL;
        double share = properties.localShare();
        if (!(share > 0 && share <= 1)) {
            String property = "ratelimit.%s.local-share".formatted(isPostgres ? "postgresql" : "redis");
            throw new InvalidRateLimitException(
                    "%s: must be more than 0 and at most 1, for example 0.25, was %s".formatted(property, share),
                    "correct the value of " + property);
        }
        return (int) Math.max(1, Math.round(share * BILLION));
    }

    static LimiterSpec<HttpCall> spec(
            String name, LimiterProperties limiter, OnStoreFailure onStoreFailure, LimiterSource source) {
        Phase ofBeans = limiter.phase() == null ? Phase.AFTER_AUTHENTICATION : limiter.phase();
        HttpKeyResolvers keys = source.keys().apply(ofBeans);
        SkipConditions conditions = source.conditions().apply(ofBeans);
        String path = "ratelimit.limiters." + name;
        List<Rule<HttpCall>> rules = new ArrayList<>();
        if (limiter.rules().isEmpty()) {
            rules.add(rule(path, name, limiter.direct(), keys, conditions));
        } else {
            requireNothingBeside(path, limiter);
            limiter.rules().forEach((rule, of) -> rules.add(rule(path + ".rules." + rule, rule, of, keys, conditions)));
        }
        LimiterSpec<HttpCall> whole = valid(path, () -> new LimiterSpec<>(name, rules));
        double atMost = limiter.atMost() == null ? 1 : limiter.atMost();
        LimiterSpec<HttpCall> spec = valid(path + ".at-most", () -> whole.withAtMost(atMost))
                .withOnStoreFailure(limiter.onStoreFailure() == null ? onStoreFailure : limiter.onStoreFailure())
                .withShadow(limiter.shadow())
                .withCount(valid(path + ".count", () -> new Outcomes(limiter.count())));
        Phase phase = limiter.phase();
        return phase == null ? spec : inPhase(path + ".phase", spec, phase);
    }

    /** Otherwise one of the two limits would be dropped. */
    private static void requireNothingBeside(String path, LimiterProperties limiter) {
        if (!limiter.direct().isEmpty()) {
            throw new InvalidRateLimitException(
                    "%s: settings such as permits or window stand beside rules: %s"
                            .formatted(path, String.join(", ", limiter.rules().keySet())),
                    "move them below a rule's name, for example %s.rules.%s.permits"
                            .formatted(path, limiter.rules().keySet().iterator().next()));
        }
    }

    private static LimiterSpec<HttpCall> inPhase(String property, LimiterSpec<HttpCall> spec, Phase phase) {
        return valid(Diagnostic.PRINCIPAL_TOO_EARLY, property, () -> spec.withPhase(phase));
    }

    private static Rule<HttpCall> rule(
            String path, String name, RuleProperties rule, HttpKeyResolvers keys, SkipConditions conditions) {
        // Each part beside harmless others: a message then is about the property that it names.
        valid(path, () -> Limit.of(name, 1, A_SECOND));
        List<SkipCondition> skips = new ArrayList<>();
        List<String> skipIf = rule.skipIf() == null ? List.of() : rule.skipIf();
        for (int i = 0; i < skipIf.size(); i++) {
            String condition = skipIf.get(i);
            skips.add(valid(path + ".skip-if[" + i + "]", () -> conditions.apply(condition)));
        }
        List<String> parts = rule.key() == null ? List.of("client-address") : rule.key();
        KeyResolver<HttpCall> key = valid(path + ".key", () -> keys.apply(parts));
        String permitsBy = rule.permitsBy();
        Rule<HttpCall> made = permitsBy != null
                ? byName(path, name, rule, permitsBy, keys, key)
                : rule.plans() == null && rule.planBy() == null
                        ? constant(path, name, rule, key)
                        : byPlan(path, name, rule, keys, key);
        String anchorBy = rule.anchorBy();
        if (anchorBy != null) {
            Rule<HttpCall> whole = made;
            made = valid(path + ".anchor-by", () -> whole.anchoredBy(keys.anchors(anchorBy)));
        }
        for (SkipCondition skip : skips) {
            made = made.unless(skip);
            made = skip.phase() == Phase.AFTER_AUTHENTICATION ? made.afterAuthentication() : made;
        }
        return made;
    }

    private static Rule<HttpCall> constant(String path, String name, RuleProperties rule, KeyResolver<HttpCall> key) {
        long permits =
                given(path + ".permits", rule.permits(), "how many permits a window grants, or plans and plan-by");
        valid(path + ".permits", () -> Limit.of(name, permits, A_SECOND));
        return Rule.of(ConfiguredLimit.of(path, name, permits, rule), key);
    }

    private static Rule<HttpCall> byName(
            String path,
            String name,
            RuleProperties rule,
            String permitsBy,
            HttpKeyResolvers keys,
            KeyResolver<HttpCall> key) {
        if (rule.plans() != null) {
            throw new InvalidRateLimitException(
                    path + ".plans: must not be given beside permits-by",
                    "give permits by plan in properties, or by a bean");
        }
        String planBy = rule.planBy();
        KeyResolver<HttpCall> named =
                planBy == null ? key : valid(path + ".plan-by", () -> keys.apply(List.of(planBy)));
        Rule<HttpCall> own = constant(path, name, rule, key);
        return valid(path + ".permits-by", () -> own.permitsBy(named, keys.permits(permitsBy)));
    }

    private static Rule<HttpCall> byPlan(
            String path, String name, RuleProperties rule, HttpKeyResolvers keys, KeyResolver<HttpCall> key) {
        if (rule.permits() != null) {
            throw new InvalidRateLimitException(
                    path + ".permits: must not be given beside " + (rule.plans() != null ? "plans" : "plan-by"),
                    "give either permits, or plans and plan-by");
        }
        Map<String, Long> plans = given(path + ".plans", rule.plans(), "permits by plan, for example plans.free=100");
        String planBy = given(
                path + ".plan-by",
                rule.planBy(),
                "what names the plan, for example attribute:plan, or a KeyResolver bean");
        plans.forEach((plan, permits) -> valid(path + ".plans." + plan, () -> Limit.of(name, permits, A_SECOND)));
        KeyResolver<HttpCall> by = valid(path + ".plan-by", () -> keys.plan(path + ".plan-by", planBy, plans.keySet()));
        long most = plans.values().stream().mapToLong(permits -> permits).max().orElse(1);
        Limit each = ConfiguredLimit.of(path, name, most, rule);
        return valid(path + ".plans", () -> Rule.byPlan(each, plans, by, key));
    }

    static <T> T given(String property, @Nullable T value, String remedy) {
        if (value == null) {
            throw new InvalidRateLimitException(property + ": must be given", "give " + remedy);
        }
        return value;
    }

    public static <T> T valid(String property, Supplier<T> made) {
        return valid(null, property, made);
    }

    public static <T> T valid(@Nullable Diagnostic diagnostic, String property, Supplier<T> made) {
        try {
            return made.get();
        } catch (IllegalArgumentException e) {
            String message = property + ": " + e.getMessage();
            String orBean = message.contains(" bean")
                    ? ", or declare the bean; a test slice needs @Import of its configuration"
                    : "";
            throw new InvalidRateLimitException(diagnostic, message, "correct the value of " + property + orBean);
        }
    }
}
