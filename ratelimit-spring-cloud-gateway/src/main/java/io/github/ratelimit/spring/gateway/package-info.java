/**
 * Limiters for the routes of Spring Cloud Gateway on WebFlux.
 *
 * <p>The gateway's filter {@code RequestRateLimiter} asks {@link io.github.ratelimit.spring.gateway.GatewayRateLimiter}.
 */
@NullMarked
package io.github.ratelimit.spring.gateway;

import org.jspecify.annotations.NullMarked;
