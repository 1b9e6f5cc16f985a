/**
 * For tests of Spring applications whose requests are limited: limits in slices, a clock that is moved by hand, fresh budgets for each test, and
 * assertions about requests.
 *
 * <p>{@link io.github.ratelimit.spring.test.AutoConfigureRateLimit} on the test class sets all of it up. Assertions begin with {@code
 * assertThatRequest} of {@link io.github.ratelimit.spring.test.MockMvcRequests}, {@link io.github.ratelimit.spring.test.WebTestClientRequests} or
 * {@link io.github.ratelimit.spring.test.RestTestClientRequests}: one class for each client, as not every class path has all of them.
 */
@NullMarked
package io.github.ratelimit.spring.test;

import org.jspecify.annotations.NullMarked;
