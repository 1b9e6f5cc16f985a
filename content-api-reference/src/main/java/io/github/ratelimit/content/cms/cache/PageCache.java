package io.github.ratelimit.content.cms.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.content.cms.rest.RestAnswer;
import io.github.ratelimit.content.cms.settings.CmsSettings;
import io.github.ratelimit.content.server.store.ContentGeneration;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Keeps public answers for some seconds and within a memory bound. Safe for concurrent use.
 *
 * <p>Each key carries the generation of the content. A commit raises the generation, and older entries are never found again.
 */
@Component
public final class PageCache {
    /** Chosen: the memory of an entry beside its texts. */
    private static final int OVERHEAD = 512;

    private final ContentGeneration generation;
    private final Cache<Key, Entry> entries;

    PageCache(ContentGeneration generation, TimeSource clock, CmsSettings settings) {
        this.generation = generation;
        this.entries = Caffeine.newBuilder()
                .ticker(clock::nanoTime)
                .maximumWeight(settings.cache().maxSize().toBytes())
                .weigher((Key key, Entry entry) ->
                        entry.length() + 2 * (key.query().length() + key.base().length()) + OVERHEAD)
                .expireAfterWrite(settings.cache().ttl())
                .build();
    }

    /**
     * Names an entry.
     *
     * @param base the address of the site, as the request names it
     * @param query the query of the request
     * @param generation of the content that the entry is made of
     */
    record Key(String base, String query, long generation) {}

    private record Entry(RestAnswer answer, int length) {}

    /** Makes the key of an entry in the current generation. Call it before the content is read. */
    Key key(String base, String query) {
        return new Key(base, query, generation.number());
    }

    Optional<RestAnswer> find(Key key) {
        return Optional.ofNullable(entries.getIfPresent(key)).map(Entry::answer);
    }

    void put(Key key, RestAnswer answer, int length) {
        entries.put(key, new Entry(answer, length));
    }

    /** Makes the server forget all entries. */
    public void clear() {
        entries.invalidateAll();
    }

    long size() {
        return entries.estimatedSize();
    }
}
