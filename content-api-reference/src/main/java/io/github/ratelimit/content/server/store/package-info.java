/**
 * How features ask a database: statements with a time limit, and transactions that start over where another writer was faster.
 * {@link io.github.ratelimit.content.server.store.ContentGeneration} counts public changes.
 */
@NullMarked
package io.github.ratelimit.content.server.store;

import org.jspecify.annotations.NullMarked;
