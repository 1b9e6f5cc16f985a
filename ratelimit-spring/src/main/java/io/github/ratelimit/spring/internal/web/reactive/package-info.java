/**
 * Limits the requests of Spring WebFlux, by path and by controller, without blocking a thread.
 *
 * <p>Only types of Spring WebFlux and Reactor come in; beans are made in {@code autoconfigure}.
 */
@NullMarked
package io.github.ratelimit.spring.internal.web.reactive;

import org.jspecify.annotations.NullMarked;
