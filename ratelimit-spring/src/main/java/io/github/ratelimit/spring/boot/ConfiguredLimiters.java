package io.github.ratelimit.spring.boot;

import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.LimiterSpec.Rule;
import io.github.ratelimit.Phase;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.servlet.ExcludedPaths;
import io.github.ratelimit.servlet.PathPattern;
import io.github.ratelimit.servlet.PathRule;
import io.github.ratelimit.spring.Diagnostic;
import io.github.ratelimit.spring.InvalidRateLimitException;
import io.github.ratelimit.spring.boot.RateLimitProperties.Http;
import io.github.ratelimit.spring.boot.RateLimitProperties.InProcess;
import io.github.ratelimit.spring.boot.RateLimitProperties.LimiterProperties;
import io.github.ratelimit.spring.boot.RateLimitProperties.PathProperties;
import io.github.ratelimit.spring.boot.RateLimitProperties.RuleProperties;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;

/** Makes of properties what they describe, and names the property by its full name where that cannot be done. */
final class ConfiguredLimiters {

    private static final Duration A_SECOND = Duration.ofSeconds(1);

    private ConfiguredLimiters() {}

    static ClientAddress clientAddress(Http http) {
        String proxies = "ratelimit.http.trusted-proxies";
        for (int i = 0; i < http.trustedProxies().size(); i++) {
            String range = http.trustedProxies().get(i);
            valid(
                    EveryAddress.is(List.of(range)) ? Diagnostic.EVERYBODY_TRUSTED : null,
                    proxies + "[" + i + "]",
                    () -> ClientAddress.of(List.of(range), ClientAddress.DEFAULT_IPV6_PREFIX));
        }
        if (EveryAddress.is(http.trustedProxies())) {
            throw new InvalidRateLimitException(
                    Diagnostic.EVERYBODY_TRUSTED,
                    "%s: these ranges together hold every address, and so every client could choose its own address"
                            .formatted(proxies),
                    "give the addresses of your own proxies alone");
        }
        return valid("ratelimit.http.ipv6-prefix", () -> ClientAddress.of(http.trustedProxies(), http.ipv6Prefix()));
    }

    static InProcessStore inProcessStore(InProcess inProcess, TimeSource time) {
        InProcessStore.Builder store = InProcessStore.builder().time(time).whenFull(inProcess.whenFull());
        valid("ratelimit.in-process.maximum-counters", () -> store.maximumCounters(inProcess.maximumCounters()));
        return store.build();
    }

    static List<LimiterSpec<HttpCall>> specs(
            RateLimitProperties properties,
            Function<List<String>, KeyResolver<HttpCall>> keys,
            Function<String, SkipCondition> conditions) {
        List<LimiterSpec<HttpCall>> specs = new ArrayList<>();
        properties.limiters().forEach((name, limiter) -> {
            String path = "ratelimit.limiters." + name;
            List<Rule<HttpCall>> rules = new ArrayList<>();
            for (int i = 0; i < limiter.rules().size(); i++) {
                rules.add(rule(
                        path + ".rules[" + i + "]",
                        name,
                        limiter,
                        limiter.rules().get(i),
                        keys,
                        conditions));
            }
            LimiterSpec<HttpCall> spec = valid(path, () -> new LimiterSpec<>(name, rules))
                    .withOnStoreFailure(
                            limiter.onStoreFailure() == null ? properties.onStoreFailure() : limiter.onStoreFailure())
                    .withShadow(limiter.shadow());
            Phase phase = limiter.phase();
            specs.add(phase == null ? spec : inPhase(path + ".phase", spec, phase));
        });
        return specs;
    }

    private static LimiterSpec<HttpCall> inPhase(String property, LimiterSpec<HttpCall> spec, Phase phase) {
        return valid(Diagnostic.PRINCIPAL_TOO_EARLY, property, () -> spec.withPhase(phase));
    }

    private static Rule<HttpCall> rule(
            String path,
            String limiter,
            LimiterProperties of,
            RuleProperties rule,
            Function<List<String>, KeyResolver<HttpCall>> keys,
            Function<String, SkipCondition> conditions) {
        String name = rule.name() == null && of.rules().size() == 1 ? limiter : rule.name();
        String limitName = given(path + ".name", name, "a name that no other rule of this limiter has");
        // Each part beside harmless others: a message then is about the property that it names.
        valid(path + ".name", () -> Limit.of(limitName, 1, A_SECOND));
        List<SkipCondition> skips = new ArrayList<>();
        for (int i = 0; i < rule.skipIf().size(); i++) {
            String condition = rule.skipIf().get(i);
            skips.add(valid(path + ".skip-if[" + i + "]", () -> conditions.apply(condition)));
        }
        ConfiguredLimit limit = rule.plans() == null && rule.planBy() == null
                ? constant(path, limitName, rule, skips)
                : byPlan(path, limitName, rule, keys, skips);
        return new Rule<>(limit.simplest(), valid(path + ".key", () -> keys.apply(rule.key())));
    }

    private static ConfiguredLimit constant(String path, String name, RuleProperties rule, List<SkipCondition> skips) {
        long permits =
                given(path + ".permits", rule.permits(), "how many permits a window grants, or plans and plan-by");
        valid(path + ".permits", () -> Limit.of(name, permits, A_SECOND));
        Duration window = window(path, name, rule);
        return ConfiguredLimit.constant(Limit.of(name, permits, window), skips);
    }

    private static ConfiguredLimit byPlan(
            String path,
            String name,
            RuleProperties rule,
            Function<List<String>, KeyResolver<HttpCall>> keys,
            List<SkipCondition> skips) {
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
        KeyResolver<HttpCall> by = valid(path + ".plan-by", () -> keys.apply(List.of(planBy)));
        Duration window = window(path, name, rule);
        return valid(path + ".plans", () -> ConfiguredLimit.byPlan(name, window, plans, by, skips));
    }

    private static Duration window(String path, String name, RuleProperties rule) {
        Duration window = given(path + ".window", rule.window(), "the period to count over, for example 1m");
        valid(path + ".window", () -> Limit.of(name, 1, window));
        return window;
    }

    static List<PathRule> pathRules(Http http, Collection<String> limiters) {
        List<PathRule> rules = new ArrayList<>();
        for (int i = 0; i < http.paths().size(); i++) {
            String path = "ratelimit.http.paths[" + i + "]";
            PathProperties of = http.paths().get(i);
            String pattern = given(path + ".pattern", of.pattern(), "for example /api/**");
            String limiter = given(path + ".limiter", of.limiter(), "the name of a limiter");
            if (!limiters.contains(limiter)) {
                throw new InvalidRateLimitException(
                        Diagnostic.UNKNOWN_LIMITER,
                        "%s.limiter: no such limiter: '%s'; known: %s"
                                .formatted(
                                        path,
                                        limiter,
                                        limiters.isEmpty() ? "none" : String.join(", ", new TreeSet<>(limiters))),
                        "correct the name, or describe the limiter under ratelimit.limiters." + limiter);
            }
            Set<String> methods = of.methods().stream()
                    .map(method -> method.toUpperCase(Locale.ROOT))
                    .collect(Collectors.toSet());
            PathPattern parsed = valid(path + ".pattern", () -> PathPattern.parse(pattern));
            ExcludedPaths exclude = excludedPaths(path + ".exclude", of.exclude());
            rules.add(valid(
                    Diagnostic.UNKNOWN_METHOD,
                    path + ".methods",
                    () -> new PathRule(parsed, methods, limiter, exclude)));
        }
        return rules;
    }

    /** The paths that nothing limits: what is said, or else those of health probes. */
    static ExcludedPaths excludedPaths(Http http, Environment environment) {
        List<String> said = http.exclude();
        return said == null ? HealthProbes.paths(environment) : excludedPaths("ratelimit.http.exclude", said);
    }

    private static ExcludedPaths excludedPaths(String property, List<String> patterns) {
        List<PathPattern> parsed = new ArrayList<>();
        for (int i = 0; i < patterns.size(); i++) {
            String pattern = patterns.get(i);
            parsed.add(valid(property + "[" + i + "]", () -> PathPattern.parse(pattern)));
        }
        return new ExcludedPaths(parsed);
    }

    private static <T> T given(String property, @Nullable T value, String remedy) {
        if (value == null) {
            throw new InvalidRateLimitException(property + ": must be given", "give " + remedy);
        }
        return value;
    }

    static <T> T valid(String property, Supplier<T> made) {
        return valid(null, property, made);
    }

    private static <T> T valid(@Nullable Diagnostic diagnostic, String property, Supplier<T> made) {
        try {
            return made.get();
        } catch (IllegalArgumentException e) {
            throw new InvalidRateLimitException(
                    diagnostic, property + ": " + e.getMessage(), "correct the value of " + property);
        }
    }
}
