/**
 * Joins the store on Redis to Spring: its connection, its start, its health and its meters.
 *
 * <p>Nothing here is loaded without {@code ratelimit-redis}.
 */
@NullMarked
package io.github.ratelimit.spring.autoconfigure.redis;

import org.jspecify.annotations.NullMarked;
