package io.github.ratelimit.content.widget.api;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;

/**
 * Passes the caller of {@link BearerTokenFilter} to a controller. Without a caller, a parameter of type {@code T} is answered 401, and one
 * of type {@code Optional<T>} is empty. It comes after the limiter, so that rejected requests count too.
 *
 * @param <T> the type of caller
 */
public final class RequestAttributeArgument<T> implements HandlerMethodArgumentResolver {
    private final Class<T> type;
    private final String rejection;

    /**
     * Creates a resolver.
     *
     * @param type the type of caller
     * @param rejection the message of the 401
     */
    public RequestAttributeArgument(Class<T> type, String rejection) {
        this.type = type;
        this.rejection = rejection;
    }

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.nestedIfOptional().getNestedParameterType() == type;
    }

    @Override
    public Object resolveArgument(
            MethodParameter parameter,
            @Nullable ModelAndViewContainer container,
            NativeWebRequest request,
            @Nullable WebDataBinderFactory binders) {
        Object caller = request.getAttribute(type.getName(), RequestAttributes.SCOPE_REQUEST);
        if (parameter.getParameterType() == Optional.class) {
            return Optional.ofNullable(caller);
        }
        if (caller == null) {
            throw ApiException.unauthorized(rejection);
        }
        return caller;
    }
}
