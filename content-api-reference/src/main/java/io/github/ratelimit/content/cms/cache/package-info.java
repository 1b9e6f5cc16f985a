/**
 * The server's own cache of what strangers may read, and the routes of the cache.
 *
 * <p>{@link io.github.ratelimit.content.cms.cache.PageCache} keeps public answers. {@code CacheGate} fills it.
 */
@NullMarked
package io.github.ratelimit.content.cms.cache;

import org.jspecify.annotations.NullMarked;
