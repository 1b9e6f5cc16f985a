/**
 * Limits the routes of Spring Cloud Gateway, by the gateway's own filter.
 *
 * <p>Only types of the gateway and of {@code web.reactive} come in; beans are made in {@code autoconfigure}.
 */
@NullMarked
package io.github.ratelimit.spring.internal.web.gateway;

import org.jspecify.annotations.NullMarked;
