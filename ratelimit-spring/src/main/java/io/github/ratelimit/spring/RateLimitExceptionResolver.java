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
import org.springframework.core.Ordered;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Answers a {@link RateLimitExceededException} that no handler of the application's own has taken.
 *
 * <p>Comes after everything else. Needs no message converter. Safe for concurrent use.
 */
public final class RateLimitExceptionResolver implements HandlerExceptionResolver, Ordered {

    private final RefusalBody body;
    private final ServletOrigin origin;

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

    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception failure) {
        if (!(failure instanceof RateLimitExceededException refused)) {
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
