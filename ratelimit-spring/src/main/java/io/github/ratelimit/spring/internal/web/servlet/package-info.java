/**
 * Finds the handler and the error page that answer a rejection in Spring MVC, and registers the interceptor.
 *
 * <p>Only types of Spring MVC and the servlet adapter come in; beans are made in {@code autoconfigure}.
 */
@NullMarked
package io.github.ratelimit.spring.internal.web.servlet;

import org.jspecify.annotations.NullMarked;
