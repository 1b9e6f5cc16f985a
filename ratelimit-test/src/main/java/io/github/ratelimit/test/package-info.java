/**
 * For tests of code that is limited: a clock that is moved by hand, and a JUnit extension that gives each test fresh budgets.
 *
 * <p>For tests under Spring, {@code ratelimit-spring-test} builds on this.
 */
@NullMarked
package io.github.ratelimit.test;

import org.jspecify.annotations.NullMarked;
