package io.github.ratelimit.content.cms.cache;

import io.github.ratelimit.content.cms.item.ItemsPublished;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Empties the cache when items are published that no request wrote. */
@Component
class PublicationListener {
    private final PageCache cache;

    PublicationListener(PageCache cache) {
        this.cache = cache;
    }

    @EventListener
    void published(ItemsPublished event) {
        cache.purge(PageCache.CONTENT);
    }
}
