/**
 * Limits the requests of Spring WebFlux applications without blocking a thread.
 *
 * <p>{@link io.github.ratelimit.spring.webflux.RateLimitWebFilter} limits by path, and
 * {@link io.github.ratelimit.spring.webflux.RateLimitHandlerAdapter} the methods that carry {@link io.github.ratelimit.spring.RateLimit}.
 * Whatever else serves requests asks {@link io.github.ratelimit.http.HttpRateLimiter#checkAsync} about an
 * {@link io.github.ratelimit.spring.webflux.ExchangeCall} and writes the answer with
 * {@link io.github.ratelimit.spring.webflux.ExchangeVerdict}. All of them keep with the exchange what was decided, so that each limiter
 * charges it once. Spring Boot's auto-configuration sets all of this up.
 */
@NullMarked
package io.github.ratelimit.spring.webflux;

import org.jspecify.annotations.NullMarked;
