package io.github.ratelimit.spring.internal.web.reactive;

import io.github.ratelimit.Decision;
import io.github.ratelimit.spring.RateLimitedCall;
import org.springframework.core.MethodParameter;
import org.springframework.web.reactive.BindingContext;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.result.method.SyncHandlerMethodArgumentResolver;
import org.springframework.web.reactive.result.method.annotation.ArgumentResolverConfigurer;
import org.springframework.web.server.ServerWebExchange;

/** Gives the last decision about an exchange, or what settles it, to the controller's method that asks for it. */
public final class DecisionArgument implements SyncHandlerMethodArgumentResolver, WebFluxConfigurer {

    @Override
    public void configureArgumentResolvers(ArgumentResolverConfigurer configurer) {
        configurer.addCustomResolver(this);
    }

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.getParameterType() == Decision.class || parameter.getParameterType() == RateLimitedCall.class;
    }

    @Override
    public Object resolveArgumentValue(MethodParameter parameter, BindingContext binding, ServerWebExchange exchange) {
        ExchangeState state = ExchangeState.of(exchange);
        return parameter.getParameterType() == Decision.class ? state.decision() : state.call(exchange);
    }
}
