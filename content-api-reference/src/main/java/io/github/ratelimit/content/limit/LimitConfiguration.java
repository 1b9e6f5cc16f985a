package io.github.ratelimit.content.limit;

import io.github.ratelimit.content.web.RestAddress;
import io.github.ratelimit.content.web.RestAnswer;
import io.github.ratelimit.content.web.RestGate;
import io.github.ratelimit.content.web.RestParts;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.http.PathPattern;
import io.github.ratelimit.servlet.PeerAddress;
import io.github.ratelimit.servlet.RequestCost;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
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

    /** Before every other gate. The library is absent where {@code ratelimit.enabled} is false; nothing is limited then. */
    @Bean
    @Order(0)
    RestGate routeLimits(
            Environment environment, ObjectProvider<HttpRateLimiter> limiter, ObjectProvider<PeerAddress> peer) {
        HttpRateLimiter known = limiter.getIfAvailable();
        List<RouteLimits.Rule> rules = rules(environment);
        if (known == null || rules.isEmpty()) {
            return (request, http, response) -> Optional.<RestAnswer>empty();
        }
        return new RouteLimits(rules, known, peer.getIfAvailable(PeerAddress::ofContainer));
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
        return Optional.of(new RouteLimits.Rule(PathPattern.parse(pattern), methods, limiter));
    }
}
