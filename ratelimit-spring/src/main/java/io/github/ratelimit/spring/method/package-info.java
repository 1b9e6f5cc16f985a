/**
 * Limits calls of methods that no request is mapped to: of services, of scheduled methods, of listeners to messages.
 *
 * <p>{@link io.github.ratelimit.spring.RateLimit} on a bean that is no controller puts a proxy around it, which asks the limiters about a
 * {@link io.github.ratelimit.spring.method.MethodCall}. Spring Boot's auto-configuration sets this up; nothing here needs Spring Web.
 */
@NullMarked
package io.github.ratelimit.spring.method;

import org.jspecify.annotations.NullMarked;
