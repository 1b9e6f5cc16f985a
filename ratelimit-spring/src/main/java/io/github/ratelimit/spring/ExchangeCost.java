package io.github.ratelimit.spring;

import org.springframework.web.server.ServerWebExchange;

/**
 * Says how many permits a request costs: for example as many as a batch has parts.
 *
 * <p>Asked before the request is served, once for each limiter that it meets, also where it is dispatched again within the server. Must not
 * block. Safe for concurrent use.
 */
@FunctionalInterface
public interface ExchangeCost {

    /** One permit for every request. */
    ExchangeCost ONE = (limiter, exchange) -> 1;

    /**
     * The cost.
     *
     * @param limiter the name of the limiter that is about to decide
     * @param exchange its body has not been read; a cost that needs the body caches it in an earlier filter
     * @return permits to take, 0 or more; 0 reads without taking
     */
    long of(String limiter, ServerWebExchange exchange);
}
