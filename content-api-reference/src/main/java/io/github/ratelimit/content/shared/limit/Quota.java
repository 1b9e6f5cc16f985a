package io.github.ratelimit.content.shared.limit;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Limiter;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.http.HttpVerdict;
import io.github.ratelimit.servlet.ServletCall;
import io.github.ratelimit.servlet.ServletOrigin;
import io.github.ratelimit.servlet.ServletVerdict;
import io.github.ratelimit.spring.RateLimitExceededException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Bounds what callers may leave on the server, by a limiter that no header field shows: the documented fields of a route
 * tell about its documented limiter alone, until this one refuses. Safe for concurrent use.
 */
public final class Quota {

    private static final String REMAINING = "X-RateLimit-Remaining";

    private final String name;
    private final HttpRateLimiter limiters;
    private final @Nullable Limiter<HttpCall> limiter;
    private final ServletOrigin origin;

    /**
     * Creates the quota. Without its limiter anybody could fill the disk, so the server does not start.
     *
     * @param name of the limiter
     * @param limiters knows it
     * @param origin finds where a request comes from
     * @param enabled whether anything is limited
     * @throws io.github.ratelimit.UnknownLimiterException if there is none of that name
     */
    public Quota(String name, HttpRateLimiter limiters, ServletOrigin origin, boolean enabled) {
        this.name = name;
        this.limiters = limiters;
        this.limiter = enabled ? limiters.limiters().get(name) : null;
        this.origin = origin;
    }

    /**
     * Takes from what a caller may still leave.
     *
     * @param request who calls
     * @param response gets the fields of a refusal
     * @param cost 1 or more
     * @throws RateLimitExceededException if it is more than is left
     */
    public void take(HttpServletRequest request, HttpServletResponse response, long cost) {
        if (limiter == null) {
            return;
        }
        ServletCall call = ServletCall.of(request, origin);
        Decision decision = limiter.tryAcquire(call, cost);
        if (!decision.allowed()) {
            HttpVerdict verdict = limiters.check(List.of(name), call, known -> cost);
            ServletVerdict.writeFields(verdict, request, response);
            if (!verdict.allowed()) {
                // What is left is too little for this request; the documents promise a refused client a zero.
                if (response.containsHeader(REMAINING)) {
                    response.setHeader(REMAINING, "0");
                }
                throw new RateLimitExceededException(verdict);
            }
        }
    }

    /**
     * Takes from what a caller may still leave, whose answer is made.
     *
     * @param request who calls
     * @param cost 1 or more
     * @return whether that much was left
     */
    public boolean take(HttpServletRequest request, long cost) {
        return limiter == null
                || limiter.tryAcquire(ServletCall.of(request, origin), cost).allowed();
    }

    /**
     * Takes from what an account may still leave.
     *
     * @param account its id
     * @param cost 1 or more
     * @return what refuses it, if that much is not left
     */
    public Optional<Decision> refusal(long account, long cost) {
        return Optional.ofNullable(limiter)
                .map(known -> known.tryAcquire(AccountCall.of(account, Map.of()), cost))
                .filter(decision -> !decision.allowed());
    }
}
