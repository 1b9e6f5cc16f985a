package com.example.gateway;

import io.github.ratelimit.spring.gateway.GatewayRateLimiter;
import java.util.List;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.cloud.gateway.filter.ratelimit.KeyResolver;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.route.builder.RouteLocatorBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import reactor.core.publisher.Mono;

/** Spring Cloud Gateway before a service. */
@SpringBootApplication
public class GatewayApplication {

    /** What applications had before: it names the tenant. */
    @Bean(defaultCandidate = false)
    KeyResolver tenant() {
        return exchange -> Mono.justOrEmpty(exchange.getRequest().getHeaders().getFirst("X-Tenant"));
    }

    @Bean
    @ConditionalOnProperty("routes-in-code")
    RouteLocator routesInCode(RouteLocatorBuilder routes, Environment environment) {
        return routes.routes()
                .route(
                        "coded",
                        route -> route.path("/coded/**")
                                .filters(filters -> filters.requestRateLimiter()
                                        .rateLimiter(
                                                GatewayRateLimiter.class,
                                                limits -> limits.setLimiter(
                                                        List.of(environment.getRequiredProperty("routes-in-code"))))
                                        .configure(config -> {})
                                        .rewritePath("/coded/(?<rest>.*)", "/service/${rest}"))
                                .uri(environment.getRequiredProperty("service")))
                .build();
    }
}
