/**
 * The server's own cache of what anybody may read, and the routes that show and steer it.
 *
 * <p>{@link io.github.ratelimit.content.cms.cache.PageCache} keeps public pages and anonymous answers. {@code CacheGate} fills it
 * with answers and empties it after writes, {@code PageCacheFilter} fills it with pages, {@code Crawler} fetches again what
 * was emptied. Whoever changes content without a request calls {@link
 * io.github.ratelimit.content.cms.cache.PageCache#purge}.
 */
@NullMarked
package io.github.ratelimit.content.cms.cache;

import org.jspecify.annotations.NullMarked;
