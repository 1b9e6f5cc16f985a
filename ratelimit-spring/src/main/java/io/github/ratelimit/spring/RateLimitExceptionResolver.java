package io.github.ratelimit.spring;

import io.github.ratelimit.http.RefusalBody;
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

    /** Makes one that words refusals like this. */
    public RateLimitExceptionResolver(RefusalBody body) {
        this.body = body;
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
            ServletVerdict.refuse(refused.verdict(), body, request, response);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new ModelAndView(); // answered: nothing to render
    }
}
