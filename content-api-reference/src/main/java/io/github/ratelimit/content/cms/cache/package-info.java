/**
 * The server's own cache of what anybody may read, and the routes that show and steer it.
 *
 * <p>{@link io.github.ratelimit.content.cms.cache.PageCache} keeps public pages and anonymous answers. {@code CacheGate} fills it
 * with answers, {@code PageCacheFilter} with pages, and {@code Crawler} fetches again what was purged. {@link
 * io.github.ratelimit.content.shared.storage.Parts} tells what each is made of, and what was changed, whoever changed it.
 */
@NullMarked
package io.github.ratelimit.content.cms.cache;

import org.jspecify.annotations.NullMarked;
