package io.github.ratelimit.content.widget.api;

import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;

/**
 * Hands a controller what an early filter proved about the caller, or refuses the caller. A method that takes such a
 * parameter cannot be reached without proof. It comes after the limiter, so that who cannot prove anything is counted
 * as well.
 *
 * @param <T> the type of proof; the request attribute has the name of its class
 */
public final class RequestAttributeArgument<T> implements HandlerMethodArgumentResolver {

    private final Class<T> type;
    private final String refusal;

    /**
     * Creates a resolver.
     *
     * @param type what is proven; also names the attribute
     * @param refusal the message of the 401
     */
    public RequestAttributeArgument(Class<T> type, String refusal) {
        this.type = type;
        this.refusal = refusal;
    }

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.getParameterType() == type;
    }

    @Override
    public Object resolveArgument(
            MethodParameter parameter,
            @Nullable ModelAndViewContainer container,
            NativeWebRequest request,
            @Nullable WebDataBinderFactory binders) {
        Object proof = request.getAttribute(type.getName(), RequestAttributes.SCOPE_REQUEST);
        if (proof == null) {
            throw ApiException.unauthorized(refusal);
        }
        return proof;
    }
}
