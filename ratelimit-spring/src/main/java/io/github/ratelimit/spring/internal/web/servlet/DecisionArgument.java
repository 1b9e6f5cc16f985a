package io.github.ratelimit.spring.internal.web.servlet;

import io.github.ratelimit.Decision;
import io.github.ratelimit.spring.RateLimitedCall;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Gives the decision about a request, or what settles it, to the controller's method that asks for it. */
public final class DecisionArgument implements HandlerMethodArgumentResolver, WebMvcConfigurer {

    @Override
    public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
        resolvers.add(this);
    }

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.getParameterType() == Decision.class || parameter.getParameterType() == RateLimitedCall.class;
    }

    @Override
    public Object resolveArgument(
            MethodParameter parameter,
            @Nullable ModelAndViewContainer container,
            NativeWebRequest request,
            @Nullable WebDataBinderFactory binders) {
        RateLimitedCall call = RateLimitedCall.current();
        return parameter.getParameterType() == Decision.class ? call.decision() : call;
    }
}
