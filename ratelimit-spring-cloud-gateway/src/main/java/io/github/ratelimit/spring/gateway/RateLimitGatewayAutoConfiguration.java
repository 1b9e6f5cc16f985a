package io.github.ratelimit.spring.gateway;

import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.spring.ExchangeCost;
import io.github.ratelimit.spring.ExchangeOrigin;
import io.github.ratelimit.spring.autoconfigure.RateLimitWebFluxAutoConfiguration;
import io.github.ratelimit.spring.internal.diagnostics.LimitedRequests;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.cloud.gateway.config.GatewayProperties;
import org.springframework.cloud.gateway.filter.factory.RequestRateLimiterGatewayFilterFactory;
import org.springframework.cloud.gateway.filter.ratelimit.KeyResolver;
import org.springframework.cloud.gateway.filter.ratelimit.RateLimiter;
import org.springframework.cloud.gateway.support.ConfigurationService;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Fallback;
import org.springframework.web.filter.reactive.ServerWebExchangeContextFilter;

/**
 * Offers limiters to the filter {@code RequestRateLimiter} of Spring Cloud Gateway's routes.
 *
 * <p>Public so that it can be named, in {@code exclude} of {@code @SpringBootApplication} or in {@code @AutoConfigureAfter}. It is of no other
 * use.
 */
@AutoConfiguration(
        after = RateLimitWebFluxAutoConfiguration.class,
        afterName = "org.springframework.cloud.gateway.config.GatewayRedisAutoConfiguration",
        beforeName = "org.springframework.cloud.gateway.config.GatewayAutoConfiguration")
// By name: Java drops an annotation whose class is not there.
@ConditionalOnClass(name = "org.springframework.cloud.gateway.filter.ratelimit.RateLimiter")
@ConditionalOnProperty(name = "spring.cloud.gateway.server.webflux.enabled", matchIfMissing = true)
@ConditionalOnBean(value = RateLimitWebFluxAutoConfiguration.class, search = SearchStrategy.CURRENT)
public final class RateLimitGatewayAutoConfiguration {

    /** Makes it. */
    public RateLimitGatewayAutoConfiguration() {}

    /** The default in an application without another rate limiter. First: its condition must not meet the rate limiter below. */
    @Bean("io.github.ratelimit.gatewayDefaultKeyResolver")
    @ConditionalOnMissingBean({RateLimiter.class, KeyResolver.class})
    KeyResolver gatewayDefaultKeyResolver() {
        return GatewayRateLimiter.OWN_KEYS;
    }

    /** For routes of an application with another default. */
    @Bean(value = "ratelimitGatewayKey", defaultCandidate = false)
    KeyResolver ratelimitGatewayKey() {
        return GatewayRateLimiter.OWN_KEYS;
    }

    /** Another rate limiter of the application, such as the gateway's own on Redis, stays the default. */
    @Bean("ratelimitGateway")
    @Fallback
    GatewayRateLimiter ratelimitGateway(
            HttpRateLimiter limiter, ExchangeCost cost, ExchangeOrigin origin, ConfigurationService configurations) {
        return new GatewayRateLimiter(limiter, cost, origin, configurations);
    }

    /** Reads the routes of properties before the application serves: a mistake in one stops the startup. */
    @Bean("io.github.ratelimit.gatewayRoutes")
    LimitedRequests.Routes gatewayRoutes(
            GatewayRateLimiter limiter,
            GatewayProperties properties,
            ObjectProvider<RequestRateLimiterGatewayFilterFactory> filters) {
        RequestRateLimiterGatewayFilterFactory filter = filters.getIfAvailable();
        return GatewayRoutes.read(limiter, properties, filter != null && filter.getDefaultRateLimiter() == limiter);
    }

    @Bean("io.github.ratelimit.gatewayExchanges")
    @ConditionalOnMissingBean
    ServerWebExchangeContextFilter gatewayExchanges() {
        return new ServerWebExchangeContextFilter();
    }
}
