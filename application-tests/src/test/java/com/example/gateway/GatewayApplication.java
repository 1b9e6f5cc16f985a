package com.example.gateway;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.cloud.gateway.filter.ratelimit.KeyResolver;
import org.springframework.context.annotation.Bean;
import reactor.core.publisher.Mono;

/** Spring Cloud Gateway before a service. */
@SpringBootApplication
public class GatewayApplication {

    /** What applications had before: it names the tenant. */
    @Bean(defaultCandidate = false)
    KeyResolver tenant() {
        return exchange -> Mono.justOrEmpty(exchange.getRequest().getHeaders().getFirst("X-Tenant"));
    }
}
