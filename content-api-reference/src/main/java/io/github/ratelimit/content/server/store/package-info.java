/**
 * The database: a time limit for each statement, and one write of content at a time.
 *
 * <p>{@link io.github.ratelimit.content.server.store.ContentGeneration} counts public changes.
 */
@NullMarked
package io.github.ratelimit.content.server.store;

import org.jspecify.annotations.NullMarked;
