package io.github.ratelimit.spring.internal.web.servlet.current;

import io.github.ratelimit.http.HttpDecisions;
import io.github.ratelimit.servlet.RateLimitFilter;
import io.github.ratelimit.servlet.ServletCall;
import io.github.ratelimit.spring.RateLimitedCall;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/** The request of a thread on Spring MVC, for the code that settles it. */
public final class CurrentRequest {

    private CurrentRequest() {}

    /** The thread's; null if it has none that was decided about. */
    public static @Nullable RateLimitedCall find() {
        HttpDecisions decisions = decisions();
        return decisions == null || decisions.last().charges().isEmpty() ? null : of(decisions);
    }

    /** A request by what was decided about it. */
    public static RateLimitedCall of(HttpDecisions decisions) {
        return new RateLimitedCall(decisions::last, (limiter, actual) -> settle(decisions, limiter, actual), null);
    }

    /** With the header fields if this is the request's thread: a request that has completed is another one's. */
    @SuppressWarnings("ReferenceEquality") // the very same one
    private static CompletableFuture<Void> settle(HttpDecisions decisions, String limiter, long actual) {
        return decisions() == decisions
                        && RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes now
                ? RateLimitFilter.settle(now.getRequest(), limiter, actual)
                : decisions.settle(limiter, actual);
    }

    private static @Nullable HttpDecisions decisions() {
        try {
            return RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes now
                    ? ServletCall.of(now.getRequest()).decisions()
                    : null;
        } catch (IllegalStateException e) {
            return null; // it has completed, and somebody has given it to another thread
        }
    }
}
