package io.github.ratelimit.servlet;

import jakarta.servlet.http.HttpServletRequest;

/**
 * Says how many permits a request costs: for example as many as a batch has parts.
 *
 * <p>Asked before the request is served, at most once for each limiter that it meets. Safe for concurrent use.
 */
@FunctionalInterface
public interface RequestCost {

    /** One permit for every request. */
    RequestCost ONE = (limiter, request) -> 1;

    /**
     * The cost.
     *
     * @param limiter the name of the limiter that is about to decide
     * @param request with an unread body; to read it here, wrap the request earlier, so that the body can be read again
     * @return permits to take, 0 or more; 0 reads without taking
     */
    long of(String limiter, HttpServletRequest request);
}
