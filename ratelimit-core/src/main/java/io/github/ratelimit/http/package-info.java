/**
 * Limits HTTP calls of any server: keys of a call, header fields and bodies of a decision. No servlet types.
 *
 * <p>An adapter describes a request as an {@link io.github.ratelimit.http.HttpCall}, asks
 * {@link io.github.ratelimit.http.HttpRateLimiter} and writes the {@link io.github.ratelimit.http.HttpVerdict}; it decides, formats and
 * counts nothing itself. {@code HttpContract} in {@code ratelimit-test} tests whether it does so correctly.
 */
@NullMarked
package io.github.ratelimit.http;

import org.jspecify.annotations.NullMarked;
