/**
 * Shared by Spring MVC and WebFlux: the search for the application's own answer to a rejection.
 *
 * <p>Only types that both frameworks have come in.
 */
@NullMarked
package io.github.ratelimit.spring.internal.web;

import org.jspecify.annotations.NullMarked;
