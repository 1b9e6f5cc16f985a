package io.github.ratelimit.spring.internal.web.reactive;

import io.github.ratelimit.Decision;
import org.springframework.core.MethodParameter;
import org.springframework.web.reactive.BindingContext;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.result.method.SyncHandlerMethodArgumentResolver;
import org.springframework.web.reactive.result.method.annotation.ArgumentResolverConfigurer;
import org.springframework.web.server.ServerWebExchange;

/** Gives the last decision about an exchange to the controller's method that asks for it. */
public final class DecisionArgument implements SyncHandlerMethodArgumentResolver, WebFluxConfigurer {

    @Override
    public void configureArgumentResolvers(ArgumentResolverConfigurer configurer) {
        configurer.addCustomResolver(this);
    }

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.getParameterType() == Decision.class;
    }

    @Override
    public Object resolveArgumentValue(MethodParameter parameter, BindingContext binding, ServerWebExchange exchange) {
        return ExchangeState.of(exchange).decision();
    }
}
