/**
 * Limits requests in any container of Servlet 6.0 or later.
 *
 * <p>{@link io.github.ratelimit.servlet.RateLimitFilter} limits by path. Other code on servlets asks
 * {@link io.github.ratelimit.http.HttpRateLimiter} about a {@link io.github.ratelimit.servlet.ServletCall} and writes the answer with
 * {@link io.github.ratelimit.servlet.ServletVerdict}. Both keep the decisions with the request, so that each limiter charges it once.
 */
@NullMarked
package io.github.ratelimit.servlet;

import org.jspecify.annotations.NullMarked;
