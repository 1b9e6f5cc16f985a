package io.github.ratelimit.spring;

import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.http.HttpVerdict;
import io.github.ratelimit.servlet.PeerAddress;
import io.github.ratelimit.servlet.RequestCost;
import io.github.ratelimit.servlet.ServletCall;
import io.github.ratelimit.servlet.ServletVerdict;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Asks the limiters of a controller's method before it is called, and sets the header fields.
 *
 * <p>A request is charged once by each limiter, also where a filter has asked the same one before or the request is dispatched again.
 * Preflight requests reach no controller and are not counted; a {@code HEAD} is served, and counted, as the {@code GET} it stands for.
 * An error page is never refused.
 *
 * <p>Safe for concurrent use; holds no resources of its own.
 */
public final class RateLimitInterceptor implements HandlerInterceptor {

    private final HttpRateLimiter limiter;
    private final AnnotatedLimiters annotated;
    private final RequestCost cost;
    private final PeerAddress peerAddress;

    /** Makes one that charges one permit and takes the peer's address from the container. */
    public RateLimitInterceptor(HttpRateLimiter limiter, AnnotatedLimiters annotated) {
        this(limiter, annotated, RequestCost.ONE, PeerAddress.ofContainer());
    }

    /**
     * Makes one.
     *
     * @param limiter knows every limiter that an annotation names or describes
     * @param annotated which limiters a method has
     * @param cost what requests cost
     * @param peerAddress finds the socket's peer
     */
    public RateLimitInterceptor(
            HttpRateLimiter limiter, AnnotatedLimiters annotated, RequestCost cost, PeerAddress peerAddress) {
        this.limiter = limiter;
        this.annotated = annotated;
        this.cost = cost;
        this.peerAddress = peerAddress;
    }

    /**
     * Lets the request go on, or refuses it.
     *
     * @throws RateLimitExceededException if a limiter refuses it
     */
    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (!(handler instanceof HandlerMethod method) || request.getDispatcherType() == DispatcherType.ERROR) {
            return true;
        }
        List<String> names = annotated.namesFor(method);
        if (names.isEmpty()) {
            return true;
        }
        ServletCall call = ServletCall.of(request, peerAddress);
        for (String name : names) {
            HttpVerdict verdict = limiter.check(name, call, cost.of(name, request));
            ServletVerdict.writeFields(verdict, request, response);
            if (!verdict.allowed()) {
                throw new RateLimitExceededException(verdict);
            }
        }
        return true;
    }
}
