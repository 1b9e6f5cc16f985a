/**
 * Joins the store on Redis to Spring: its connection and its settings.
 *
 * <p>Nothing here is loaded without {@code ratelimit-redis}.
 */
@NullMarked
package io.github.ratelimit.spring.internal.redis;

import org.jspecify.annotations.NullMarked;
