/**
 * Limits the methods of Spring's controllers.
 *
 * <p>{@link io.github.ratelimit.spring.RateLimit} names or describes the limiter of a controller or of one of its methods. In Spring MVC,
 * {@link io.github.ratelimit.spring.RateLimitInterceptor} asks it before the method is called; in WebFlux, what the package {@code webflux}
 * has. Spring Boot's auto-configuration sets all of this up.
 */
@NullMarked
package io.github.ratelimit.spring;

import org.jspecify.annotations.NullMarked;
