/**
 * The engine of stores behind a network: it names counters, gathers requests into calls, keeps deadlines, remembers rejections and knows
 * whether a server answers. A store brings a {@link io.github.ratelimit.remote.Connection} and says which server has which counter.
 *
 * <p>The engine's thread is the one that carries out a task of the engine's executor: always the same one, or the one that brought the task.
 * Tasks run one after the other, and each sees the effects of those before it.
 */
@NullMarked
package io.github.ratelimit.remote;

import org.jspecify.annotations.NullMarked;
