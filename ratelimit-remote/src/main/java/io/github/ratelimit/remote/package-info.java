/**
 * The engine of stores behind a network: it names counters, gathers requests into calls, keeps deadlines, remembers rejections and knows
 * whether a server answers. A store brings a {@link io.github.ratelimit.remote.Connection} and says which server has which counter.
 */
@NullMarked
package io.github.ratelimit.remote;

import org.jspecify.annotations.NullMarked;
