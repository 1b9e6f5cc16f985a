package io.github.ratelimit.spring.gateway;

import io.github.ratelimit.spring.internal.InvalidRateLimitException;
import io.github.ratelimit.spring.internal.diagnostics.LimitedRequests.Route;
import io.github.ratelimit.spring.internal.diagnostics.LimitedRequests.Routes;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.cloud.gateway.config.GatewayProperties;
import org.springframework.cloud.gateway.event.FilterArgsEvent;
import org.springframework.cloud.gateway.filter.FilterDefinition;
import org.springframework.cloud.gateway.route.RouteDefinition;

/** Finds the routes of Spring Cloud Gateway on WebFlux. */
final class GatewayRoutes {

    private GatewayRoutes() {}

    /**
     * Tells the rate limiter of each filter, as the gateway does later, when a mistake fails single requests only.
     *
     * @param byDefault whether filters that name no rate limiter ask this one
     * @throws InvalidRateLimitException if a filter names no limiter or an unknown one
     */
    static Routes read(GatewayRateLimiter limiter, GatewayProperties properties, boolean byDefault) {
        Map<String, List<String>> predicates = new HashMap<>();
        for (RouteDefinition route : properties.getRoutes()) {
            String id = String.valueOf(route.getId());
            predicates.put(
                    id,
                    route.getPredicates().stream()
                            .filter(predicate -> predicate.getName().equals("Path"))
                            .flatMap(predicate -> predicate.getArgs().values().stream())
                            .toList());
            List<FilterDefinition> asking = Stream.of(properties.getDefaultFilters(), route.getFilters())
                    .flatMap(Collection::stream)
                    .filter(filter -> filter.getName().equals("RequestRateLimiter")
                            && (filter.getArgs().containsKey("rate-limiter")
                                    ? filter.getArgs().get("rate-limiter").contains("@ratelimitGateway")
                                    : byDefault))
                    .toList();
            if (asking.stream()
                            .map(filter -> filter.getArgs().getOrDefault("key-resolver", ""))
                            .distinct()
                            .count()
                    > 1) {
                throw new InvalidRateLimitException(
                        "route '%s': several filters RequestRateLimiter, default-filters included, have different key-resolvers, and their limiters are one decision"
                                .formatted(id),
                        "name all limiters in one filter, for example 'ratelimit.limiter: small,large'");
            }
            if (!asking.isEmpty()) {
                asking.forEach(filter ->
                        limiter.onApplicationEvent(new FilterArgsEvent(limiter, id, new HashMap<>(filter.getArgs()))));
                limiter.limiters(id);
            }
        }
        return () -> Stream.concat(predicates.keySet().stream(), limiter.getConfig().keySet().stream())
                .distinct()
                .sorted()
                .map(id -> Route.of(
                        id,
                        predicates.getOrDefault(id, List.of()).stream(),
                        limiter.getConfig().containsKey(id) ? limiter.limiters(id) : List.of()))
                .toList();
    }
}
