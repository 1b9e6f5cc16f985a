/**
 * The one way in which this server fetches an address that somebody else chose.
 *
 * <p>{@link io.github.ratelimit.content.server.fetch.OutgoingClient} resolves a name once, rejects every address that is not
 * globally routable, connects to the address that it checked, follows redirects by hand under the same checks, and gives
 * every failure the same shape. Nothing else in this server opens a connection that a request
 * can steer.
 */
@NullMarked
package io.github.ratelimit.content.server.fetch;

import org.jspecify.annotations.NullMarked;
