/**
 * Limits the controllers of Spring MVC by an interceptor, and answers rejections as Spring MVC answers exceptions.
 *
 * <p>Only types of Spring MVC and the servlet adapter come in; beans are made in {@code autoconfigure}.
 */
@NullMarked
package io.github.ratelimit.spring.internal.web.servlet;

import org.jspecify.annotations.NullMarked;
