/**
 * Limits the calls of Spring's clients to other servers.
 *
 * <p>{@link io.github.ratelimit.spring.client.OutgoingInterceptor} ({@code RestClient}, {@code RestTemplate}) and {@link
 * io.github.ratelimit.spring.client.OutgoingFilter} ({@code WebClient}) ask an {@link io.github.ratelimit.http.client.OutgoingLimit}.
 */
@NullMarked
package io.github.ratelimit.spring.client;

import org.jspecify.annotations.NullMarked;
