package io.github.ratelimit.spring.gateway;

import static java.util.Objects.requireNonNull;

import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.spring.ExchangeCost;
import io.github.ratelimit.spring.ExchangeOrigin;
import io.github.ratelimit.spring.RateLimitException;
import io.github.ratelimit.spring.internal.Diagnostic;
import io.github.ratelimit.spring.internal.InvalidRateLimitException;
import io.github.ratelimit.spring.internal.web.reactive.ExchangeCall;
import io.github.ratelimit.spring.internal.web.reactive.ExchangeVerdict;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.gateway.event.RefreshRoutesEvent;
import org.springframework.cloud.gateway.filter.ratelimit.AbstractRateLimiter;
import org.springframework.cloud.gateway.filter.ratelimit.KeyResolver;
import org.springframework.cloud.gateway.route.RouteDefinitionRouteLocator;
import org.springframework.cloud.gateway.support.ConfigurationService;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.web.filter.reactive.ServerWebExchangeContextFilter;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Lets the gateway's filter {@code RequestRateLimiter} ask limiters by their names: {@code ratelimit.limiter} among the filter's {@code args}.
 *
 * <p>The limiters resolve their own keys, from the request before the route changes it. A rejection is a {@link RateLimitException}, so it has
 * the status and the body of all other rejections. Needs {@link ServerWebExchangeContextFilter}. Safe for concurrent use; blocks no thread.
 */
public final class GatewayRateLimiter extends AbstractRateLimiter<GatewayRateLimiter.Config> {

    /** The attribute of the exchange that has the key of a route's {@code key-resolver}, for limiters with the key {@code attribute:gateway-key}. */
    public static final String KEY_ATTRIBUTE = "gateway-key";

    /** Resolves the same key for every request: the limiters have keys of their own. */
    public static final KeyResolver OWN_KEYS = exchange -> Mono.just("-");

    private final HttpRateLimiter limiter;
    private final ExchangeCost cost;
    private final ExchangeOrigin origin;
    private final Map<String, Config> configs = new Configs();
    private final AtomicInteger round = new AtomicInteger(); // of reading all routes

    /**
     * Makes one.
     *
     * @param cost the cost of a request
     * @param origin finds where a request comes from
     * @param configurations binds the {@code args} of filters
     */
    public GatewayRateLimiter(
            HttpRateLimiter limiter, ExchangeCost cost, ExchangeOrigin origin, ConfigurationService configurations) {
        super(Config.class, "ratelimit", configurations);
        this.limiter = requireNonNull(limiter, "limiter");
        this.cost = requireNonNull(cost, "cost");
        this.origin = requireNonNull(origin, "origin");
    }

    /**
     * Asks the limiters of all filters of a route, in one decision, about the request that the subscriber serves.
     *
     * @param key of the route's {@code key-resolver}
     * @return completes if the request is allowed; fails with {@link RateLimitException} if it is rejected
     */
    @Override
    public Mono<Response> isAllowed(String routeId, String key) {
        List<String> names = limiters(routeId);
        return Mono.deferContextual(context -> {
            ServerWebExchange exchange = ServerWebExchangeContextFilter.getExchange(context)
                    .orElseThrow(() -> new IllegalStateException(
                            "route '%s': no request in the context; register ServerWebExchangeContextFilter"
                                    .formatted(routeId)));
            exchange.getAttributes().put(KEY_ATTRIBUTE, key);
            return ExchangeCall.afterAuthentication(exchange, origin)
                    .flatMap(call -> ExchangeVerdict.of(limiter, names, call, cost))
                    .flatMap(verdict -> {
                        if (!verdict.allowed()) {
                            return Mono.error(RateLimitException.of(verdict));
                        }
                        ExchangeVerdict.writeFields(
                                verdict, exchange); // the filter would add them to those of earlier limiters
                        return Mono.just(new Response(true, Map.of()));
                    });
        });
    }

    /**
     * The limiters of all filters of a route.
     *
     * @throws InvalidRateLimitException if there are none
     */
    public List<String> limiters(String routeId) {
        List<String> names = Stream.of(RouteDefinitionRouteLocator.DEFAULT_FILTERS, routeId)
                .map(id -> getConfig().getOrDefault(id, new Config()))
                .flatMap(config -> config.getLimiter().stream())
                .distinct()
                .toList();
        if (names.isEmpty()) {
            throw invalid(routeId, "the filter RequestRateLimiter names no limiter");
        }
        return names;
    }

    private InvalidRateLimitException invalid(String routeId, String mistake) {
        return new InvalidRateLimitException(
                Diagnostic.UNKNOWN_LIMITER,
                "route '%s': %s; known: %s"
                        .formatted(
                                routeId,
                                mistake,
                                String.join(", ", limiter.limiters().names())),
                "set 'ratelimit.limiter' in the args of its filter RequestRateLimiter to one of them, or describe the limiter under ratelimit.limiters");
    }

    /** Of each route by its id. A second filter of a route adds its limiters to those of the first one. */
    @Override
    public Map<String, Config> getConfig() {
        return configs;
    }

    /** Called before the gateway reads the routes anew. */
    @EventListener
    @Order(Ordered.HIGHEST_PRECEDENCE)
    void refresh(RefreshRoutesEvent event) {
        round.incrementAndGet();
    }

    /** The gateway puts the configuration of each filter, by the id of its route alone. */
    private final class Configs extends ConcurrentHashMap<String, Config> {

        private static final long serialVersionUID = 1;

        @Override
        public @Nullable Config put(String routeId, Config config) {
            for (String name : config.limiter) {
                if (!limiter.limiters().names().contains(name)) {
                    throw invalid(routeId, "no such limiter: '" + name + "'");
                }
            }
            config.round = round.get();
            return merge(routeId, config, (known, added) -> known.round == added.round ? known.and(added) : added);
        }
    }

    /** What {@code args} of a route's filter say below {@code ratelimit}. For one thread. */
    public static final class Config {

        private List<String> limiter = List.of();
        private int round;

        /** Makes one without limiters. */
        public Config() {}

        /** The names of the limiters that decide together. */
        public List<String> getLimiter() {
            return limiter;
        }

        /** Sets the names of the limiters. */
        public void setLimiter(List<String> limiter) {
            this.limiter = List.copyOf(limiter);
        }

        private Config and(Config other) {
            Config both = new Config();
            both.round = round;
            both.limiter = Stream.concat(limiter.stream(), other.limiter.stream())
                    .distinct()
                    .toList();
            return both;
        }
    }
}
