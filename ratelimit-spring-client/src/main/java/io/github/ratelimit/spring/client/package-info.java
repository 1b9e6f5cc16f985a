/**
 * Limits calls to other servers: by a limiter of one's own, and by what the other side says of its limits.
 *
 * <p>An {@link io.github.ratelimit.spring.client.OutgoingLimit} decides; {@link io.github.ratelimit.spring.client.OutgoingInterceptor} ({@code
 * RestClient}, {@code RestTemplate}), {@link io.github.ratelimit.spring.client.OutgoingFilter} ({@code WebClient}) and {@link
 * io.github.ratelimit.spring.client.LimitedHttpClient} ({@code java.net.http}) ask it.
 */
@NullMarked
package io.github.ratelimit.spring.client;

import org.jspecify.annotations.NullMarked;
