package io.github.ratelimit.spring.boot;

import io.github.ratelimit.http.RefusalBody;
import io.github.ratelimit.spring.RateLimitExceededException;
import io.github.ratelimit.spring.webflux.ExchangeCall;
import io.github.ratelimit.spring.webflux.ExchangeOrigin;
import io.github.ratelimit.spring.webflux.ExchangeVerdict;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;

/** Knows which methods WebFlux maps requests to, and answers refusals of others that these call. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(DispatcherHandler.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
class ReactiveMappingsConfiguration {

    @Bean
    MappedMethods rateLimitMappedMethods(ObjectProvider<RequestMappingHandlerMapping> mappings) {
        return limits -> mappings.stream()
                .flatMap(mapping -> mapping.getHandlerMethods().values().stream())
                .forEach(handler -> MappedMethods.leaveToAdapter(handler, limits));
    }

    /**
     * Answers refusals of methods behind a controller, which nobody words: before Spring Boot's own handler, at -1, that would make a failure of the
     * application's of them.
     */
    @Bean
    @Order(-2)
    WebExceptionHandler rateLimitRefusals(RefusalBody refusalBody, ExchangeOrigin origin) {
        return (exchange, failure) -> failure instanceof RateLimitExceededException refused
                        && !exchange.getResponse().isCommitted()
                ? ExchangeVerdict.refuse(
                        refused.verdict(), refusalBody, ExchangeCall.beforeAuthentication(exchange, origin))
                : Mono.error(failure);
    }
}
