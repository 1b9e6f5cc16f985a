/**
 * Limits, keys, named limiters and the stores that count for them.
 *
 * <p>A {@link io.github.ratelimit.Limit limit} is data, a {@link io.github.ratelimit.KeyResolver key} is a function, a
 * {@link io.github.ratelimit.Limiter limiter} is a named list of both. A {@link io.github.ratelimit.Store store} takes a cost from all
 * limits or from none and answers with a {@link io.github.ratelimit.Decision decision}.
 */
@NullMarked
package io.github.ratelimit;

import org.jspecify.annotations.NullMarked;
