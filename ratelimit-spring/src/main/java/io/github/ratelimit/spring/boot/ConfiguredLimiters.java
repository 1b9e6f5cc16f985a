package io.github.ratelimit.spring.boot;

import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.LimiterSpec.Rule;
import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.PathPattern;
import io.github.ratelimit.servlet.PathRule;
import io.github.ratelimit.spring.InvalidRateLimitException;
import io.github.ratelimit.spring.boot.RateLimitProperties.Http;
import io.github.ratelimit.spring.boot.RateLimitProperties.LimiterProperties;
import io.github.ratelimit.spring.boot.RateLimitProperties.PathProperties;
import io.github.ratelimit.spring.boot.RateLimitProperties.RuleProperties;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Makes of properties what they describe, and names the property by its full name where that cannot be done. */
final class ConfiguredLimiters {

    private ConfiguredLimiters() {}

    static ClientAddress clientAddress(Http http) {
        String proxies = "ratelimit.http.trusted-proxies";
        for (int i = 0; i < http.trustedProxies().size(); i++) {
            List<String> one = List.of(http.trustedProxies().get(i));
            valid(proxies + "[" + i + "]", () -> ClientAddress.of(one, ClientAddress.DEFAULT_IPV6_PREFIX));
        }
        return valid("ratelimit.http.ipv6-prefix", () -> ClientAddress.of(http.trustedProxies(), http.ipv6Prefix()));
    }

    static List<LimiterSpec<HttpCall>> specs(
            RateLimitProperties properties, Function<List<String>, KeyResolver<HttpCall>> keys) {
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
                        keys));
            }
            specs.add(valid(
                    path,
                    () -> new LimiterSpec<>(
                            name,
                            rules,
                            limiter.onStoreFailure() == null ? properties.onStoreFailure() : limiter.onStoreFailure(),
                            limiter.shadow())));
        });
        return specs;
    }

    private static Rule<HttpCall> rule(
            String path,
            String limiter,
            LimiterProperties of,
            RuleProperties rule,
            Function<List<String>, KeyResolver<HttpCall>> keys) {
        String name = rule.name() == null && of.rules().size() == 1 ? limiter : rule.name();
        String limitName = given(path + ".name", name, "a name that no other rule of this limiter has");
        long permits = given(path + ".permits", rule.permits(), "how many permits a window grants");
        Duration window = given(path + ".window", rule.window(), "the period to count over, for example 1m");
        // Each part beside harmless others: a message then is about the property that it names.
        valid(path + ".name", () -> Limit.of(limitName, 1, Duration.ofSeconds(1)));
        valid(path + ".permits", () -> Limit.of(limitName, permits, Duration.ofSeconds(1)));
        Limit limit = valid(path + ".window", () -> Limit.of(limitName, permits, window));
        return new Rule<>(limit, valid(path + ".key", () -> keys.apply(rule.key())));
    }

    /** On a Cluster one decision's counters have to stand together, which the first part of their keys decides. */
    static void requireSharedFirstParts(RateLimitProperties properties) {
        properties.limiters().forEach((name, limiter) -> {
            Set<String> firstParts = limiter.rules().stream()
                    .map(rule -> rule.key().get(0).strip())
                    .collect(Collectors.toCollection(TreeSet::new));
            if (firstParts.size() > 1) {
                throw new InvalidRateLimitException(
                        "ratelimit.limiters.%s.rules: their keys begin with different parts, %s, and cannot be counted as one on a Cluster"
                                .formatted(name, String.join(" and ", firstParts)),
                        "let key[0] be the same in all rules of a limiter, for example client-address");
            }
        });
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
            rules.add(new PathRule(valid(path + ".pattern", () -> PathPattern.parse(pattern)), methods, limiter));
        }
        return rules;
    }

    private static <T> T given(String property, @Nullable T value, String remedy) {
        if (value == null) {
            throw new InvalidRateLimitException(property + ": must be given", "give " + remedy);
        }
        return value;
    }

    static <T> T valid(String property, Supplier<T> made) {
        try {
            return made.get();
        } catch (IllegalArgumentException e) {
            throw new InvalidRateLimitException(property + ": " + e.getMessage(), "correct the value of " + property);
        }
    }
}
