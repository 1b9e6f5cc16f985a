package io.github.ratelimit.spring;

import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.http.HttpVerdict;
import io.github.ratelimit.http.adapter.ExcludedPaths;
import io.github.ratelimit.servlet.RequestCost;
import io.github.ratelimit.servlet.ServletCall;
import io.github.ratelimit.servlet.ServletOrigin;
import io.github.ratelimit.servlet.ServletVerdict;
import io.github.ratelimit.spring.internal.annotation.AnnotatedBeans;
import io.github.ratelimit.spring.internal.annotation.Handlers;
import io.github.ratelimit.spring.internal.method.CurrentCall.Pending;
import io.github.ratelimit.spring.internal.web.servlet.current.CurrentRequest;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.AsyncHandlerInterceptor;

/**
 * Asks all limiters of a controller's method before it is called, in one decision, and sets the header fields.
 *
 * <p>A request is charged once by each limiter, also where a filter has asked the same one before or the request is dispatched again.
 * Preflight requests reach no controller and are not counted; a {@code HEAD} is served, and counted, as the {@code GET} it stands for.
 * A request that was rejected is not rejected again, so that the application may forward it to a page that answers for it.
 *
 * <p>Safe for concurrent use; holds no resources.
 */
public final class RateLimitInterceptor implements AsyncHandlerInterceptor {

    private final HttpRateLimiter limiter;
    private final AnnotatedBeans annotated;
    private final RequestCost cost;
    private final ServletOrigin origin;
    private final ExcludedPaths excluded;

    /** Limits the methods of these controllers: one permit each, with a request's origin from the container. */
    public RateLimitInterceptor(HttpRateLimiter limiter, Class<?>... controllers) {
        this(limiter, AnnotatedBeans.of(List.of(controllers)));
    }

    /** Makes one that charges one permit and takes a request's origin from the container. */
    public RateLimitInterceptor(HttpRateLimiter limiter, AnnotatedBeans annotated) {
        this(limiter, annotated, RequestCost.ONE, ServletOrigin.ofContainer(), ExcludedPaths.NONE);
    }

    /**
     * Makes one.
     *
     * @param limiter knows every limiter that an annotation names or describes
     * @param annotated which limiters a method has
     * @param cost the cost of requests; asked once for each limiter, also if a request is dispatched again
     * @param origin finds where a request comes from
     * @param excluded paths on which no method is limited
     */
    public RateLimitInterceptor(
            HttpRateLimiter limiter,
            AnnotatedBeans annotated,
            RequestCost cost,
            ServletOrigin origin,
            ExcludedPaths excluded) {
        this.limiter = limiter;
        this.annotated = annotated;
        this.cost = cost;
        this.origin = origin;
        this.excluded = excluded;
    }

    /**
     * Lets the request go on, or rejects it.
     *
     * @throws RateLimitException if a limiter rejects it
     */
    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        DispatcherType dispatch = request.getDispatcherType();
        if (!(handler instanceof HandlerMethod method)
                || dispatch == DispatcherType.ERROR
                || dispatch == DispatcherType.INCLUDE) {
            return true; // an included part can neither set a status nor be rejected for itself
        }
        List<String> names = annotated.namesFor(Handlers.controller(method), method.getMethod());
        if (names.isEmpty()) {
            return true;
        }
        ServletCall call = ServletCall.of(request, origin);
        if (excluded.contains(call)) {
            return true;
        }
        if (call.decisions().isRejected()) {
            return true; // the client has been told: rejected again, a rejection that is worded by a limited page would
            // never end
        }
        Class<?> controller = Handlers.controller(method);
        if (annotated.costs(controller, method.getMethod()).isEmpty()) {
            decide(names, limiter, call, request, response);
            return true;
        }
        if (!AopUtils.isAopProxy(method.getBean())) {
            throw new IllegalStateException(
                    "%s has no proxy that reads the cost of @RateLimit: it needs the auto-configuration of ratelimit-spring"
                            .formatted(method));
        }
        Function<UnaryOperator<HttpRateLimiter>, RateLimitedCall> decision =
                costs -> decide(names, costs.apply(limiter), call, request, response);
        Method called = AopUtils.getMostSpecificMethod(method.getMethod(), controller);
        request.setAttribute(Pending.ATTRIBUTE, new Pending<>(called, decision));
        return true;
    }

    private RateLimitedCall decide(
            List<String> names,
            HttpRateLimiter knowing,
            ServletCall call,
            HttpServletRequest request,
            HttpServletResponse response) {
        HttpVerdict verdict = knowing.check(names, call, name -> cost.of(name, request));
        ServletVerdict.writeFields(verdict, request, response);
        if (!verdict.allowed()) {
            throw RateLimitException.of(verdict);
        }
        return CurrentRequest.of(call.decisions());
    }

    /** Where no filter does, ends the request: permits of concurrency limits are given back. */
    @Override
    public void afterCompletion(
            HttpServletRequest request, HttpServletResponse response, Object handler, @Nullable Exception failure) {
        ServletVerdict.end(request, response, failure == null);
    }

    /** As {@link #afterCompletion}, when the asynchronous part is complete. */
    @Override
    public void afterConcurrentHandlingStarted(
            HttpServletRequest request, HttpServletResponse response, Object handler) {
        ServletVerdict.end(request, response, true);
    }
}
