package io.github.ratelimit.spring.internal.properties;

import io.github.ratelimit.http.adapter.ExcludedPaths;
import io.github.ratelimit.http.adapter.PathPattern;
import io.github.ratelimit.http.adapter.PathRule;
import io.github.ratelimit.spring.internal.Diagnostic;
import io.github.ratelimit.spring.internal.InvalidRateLimitException;
import io.github.ratelimit.spring.internal.properties.RateLimitProperties.Http;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.env.Environment;

/** Makes of properties which paths are limited, and names the property by its full name where that cannot be done. */
public final class ConfiguredPaths {

    private ConfiguredPaths() {}

    /**
     * The rules of all limiters.
     *
     * @param limiters the names of all limiters
     */
    public static List<PathRule> rules(RateLimitProperties properties, Collection<String> limiters) {
        List<PathRule> rules = new ArrayList<>();
        properties.limiters().forEach((written, limiter) -> {
            String property = "ratelimit.limiters." + written;
            String name = LimiterSource.known(written, limiters);
            if (!limiters.contains(name)) {
                throw new InvalidRateLimitException(
                        Diagnostic.UNKNOWN_LIMITER,
                        "%s: no such limiter: '%s' has paths and no permits, and nothing else describes it; known: %s"
                                .formatted(
                                        property,
                                        name,
                                        limiters.isEmpty() ? "none" : String.join(", ", new TreeSet<>(limiters))),
                        "correct the name, or give %s.permits and %s.window".formatted(property, property));
            }
            ExcludedPaths exclude = excluded(property + ".exclude", limiter.exclude());
            for (int i = 0; i < limiter.paths().size(); i++) {
                rules.add(rule(
                        "%s.paths[%d]".formatted(property, i), limiter.paths().get(i), name, exclude));
            }
        });
        return rules;
    }

    /** Reads {@code POST /login}, or a pattern alone for every method. */
    private static PathRule rule(String property, String written, String limiter, ExcludedPaths exclude) {
        String[] parts = written.strip().split("\\s+", 2);
        Set<String> methods = parts.length == 1 ? Set.of() : Set.of(parts[0].toUpperCase(Locale.ROOT));
        PathPattern pattern = ConfiguredLimiters.valid(property, () -> PathPattern.parse(parts[parts.length - 1]));
        return ConfiguredLimiters.valid(
                Diagnostic.UNKNOWN_METHOD, property, () -> new PathRule(pattern, methods, limiter, exclude));
    }

    /** The excluded paths: the configured ones, or else those of health probes. */
    public static ExcludedPaths excluded(Http http, BeanFactory beans, Environment environment) {
        List<String> said = http.exclude();
        return said == null ? HealthProbes.paths(beans, environment) : excluded("ratelimit.http.exclude", said);
    }

    private static ExcludedPaths excluded(String property, List<String> patterns) {
        List<PathPattern> parsed = new ArrayList<>();
        for (int i = 0; i < patterns.size(); i++) {
            String pattern = patterns.get(i);
            parsed.add(ConfiguredLimiters.valid(property + "[" + i + "]", () -> PathPattern.parse(pattern)));
        }
        return new ExcludedPaths(parsed);
    }
}
