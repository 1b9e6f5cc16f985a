/**
 * Limits calls to other servers: by a limiter of one's own, and by what the other side says of its limits.
 *
 * <p>An {@link io.github.ratelimit.http.client.OutgoingLimit} decides; {@link io.github.ratelimit.http.client.LimitedHttpClient} asks it for
 * {@code java.net.http}, and the adapters of other clients do.
 */
@NullMarked
package io.github.ratelimit.http.client;

import org.jspecify.annotations.NullMarked;
