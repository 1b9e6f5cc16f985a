package io.github.ratelimit.spring;

import io.github.ratelimit.http.RefusalBody;
import io.github.ratelimit.servlet.ServletCall;
import io.github.ratelimit.servlet.ServletOrigin;
import io.github.ratelimit.servlet.ServletVerdict;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.core.Ordered;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Answers a {@link RateLimitException}, unless Spring MVC would give it to a handler that the application has for it.
 *
 * <p>A handler is for it if it names the exception, or a superclass that is narrower than {@code RuntimeException}. Others take whatever
 * fails, and would make a failure of a refusal. Comes before other resolvers, but for one of the very highest precedence. Needs no message
 * converter. Safe for concurrent use.
 */
public final class RateLimitExceptionResolver implements HandlerExceptionResolver, Ordered, ApplicationContextAware {

    private final RefusalBody body;
    private final ServletOrigin origin;
    private @Nullable RefusalHandlers handlers;

    /** Makes one that answers by this body, and takes a request's origin from the container. */
    public RateLimitExceptionResolver(RefusalBody body) {
        this(body, ServletOrigin.ofContainer());
    }

    /**
     * Makes one.
     *
     * @param body makes the answer to a refused request
     * @param origin finds where a request comes from, for a body that depends on the call
     */
    public RateLimitExceptionResolver(RefusalBody body, ServletOrigin origin) {
        this.body = body;
        this.origin = origin;
    }

    /** Where the application's handlers are looked for; without it there are none, and this resolver answers every refusal. */
    @Override
    public void setApplicationContext(ApplicationContext context) {
        this.handlers = new RefusalHandlers(context);
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE + 1; // the very first one belongs to whoever insists on it
    }

    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception failure) {
        if (!(failure instanceof RateLimitException refused)) {
            return null;
        }
        if (handlers != null && handlers.haveOneFor(refused, handler, request, response)) {
            return null;
        }
        try {
            ServletVerdict.refuse(refused.verdict(), body, ServletCall.of(request, origin), response);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new ModelAndView(); // answered: nothing to render
    }
}
