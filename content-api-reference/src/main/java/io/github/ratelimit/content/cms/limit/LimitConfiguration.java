package io.github.ratelimit.content.cms.limit;

import io.github.ratelimit.content.cms.rest.RestAddress;
import io.github.ratelimit.content.cms.rest.RestParts;
import io.github.ratelimit.content.cms.rest.RestStep;
import io.github.ratelimit.content.shared.limit.Quota;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.servlet.PathPattern;
import io.github.ratelimit.servlet.RequestCost;
import io.github.ratelimit.servlet.ServletOrigin;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/** Lets {@code ratelimit.http.paths} name the interface as a whole, or single routes of it. */
@Configuration(proxyBeanMethods = false)
class LimitConfiguration {

    /** An entry of {@code ratelimit.http.paths}, whose rules the library checks. */
    record PathEntry(
            @Nullable String pattern,
            @Nullable Set<String> methods,
            @Nullable String limiter) {}

    @Bean
    RequestCost requestCost() {
        return (limiter, request) -> Math.max(1, RestParts.of(request).size());
    }

    /** The first step. While limits are switched off there is none: rules may name limiters then that are not there. */
    @Bean
    @Order(0)
    @ConditionalOnProperty(name = "ratelimit.enabled", matchIfMissing = true)
    RestStep routeLimits(Environment environment, HttpRateLimiter limiter, ServletOrigin origin) {
        return new RouteLimits(rules(environment), limiter, origin);
    }

    /** Behind the limits of routes: what these refuse costs nothing here. */
    @Bean
    @Order(1)
    @ConditionalOnProperty(name = "ratelimit.enabled", matchIfMissing = true)
    RestStep workLimits(HttpRateLimiter limiter, ServletOrigin origin) {
        return new WorkLimits(
                new Quota("searches", limiter, origin, true), new Quota("batch-requests", limiter, origin, true));
    }

    private static List<RouteLimits.Rule> rules(Environment environment) {
        return Binder.get(environment)
                .bind("ratelimit.http.paths", Bindable.listOf(PathEntry.class))
                .orElse(List.of())
                .stream()
                .flatMap(entry -> rule(entry).stream())
                .toList();
    }

    private static Optional<RouteLimits.Rule> rule(PathEntry entry) {
        String pattern = entry.pattern();
        String limiter = entry.limiter();
        if (pattern == null || limiter == null || !pattern.startsWith(RestAddress.PATH + "/")) {
            return Optional.empty();
        }
        Set<String> methods = entry.methods() == null ? Set.of() : entry.methods();
        // In capital letters, as the library reads them from the same property.
        methods =
                methods.stream().map(method -> method.toUpperCase(Locale.ROOT)).collect(Collectors.toSet());
        return Optional.of(new RouteLimits.Rule(PathPattern.parse(pattern), methods, limiter));
    }
}
