/**
 * The server's own cache of what strangers may read, and the routes of the cache.
 *
 * <p>{@link io.github.ratelimit.content.cms.cache.PageCache} keeps public pages and answers. {@code CacheGate} fills it with answers,
 * {@code PageCacheFilter} with pages.
 */
@NullMarked
package io.github.ratelimit.content.cms.cache;

import org.jspecify.annotations.NullMarked;
