package io.github.ratelimit.content.cms.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import com.github.benmanes.caffeine.cache.stats.CacheStats;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Keeps public pages and answers for strangers, for some seconds and within a memory bound. Safe for concurrent use.
 *
 * <p>Each key carries the generation of the content. A commit raises the generation, and older entries are never found again.
 */
public final class PageCache {
    /** Chosen: the memory of an entry beside its texts. */
    private static final int OVERHEAD = 512;

    private final LongSupplier generation;
    private final Cache<Key, Page> entries;

    /**
     * Creates an empty cache.
     *
     * @param generation tells the number of the newest content
     * @param ticker tells how old entries are
     * @param maxBytes the memory that entries may take
     * @param ttl how long an entry is kept
     */
    PageCache(LongSupplier generation, Ticker ticker, long maxBytes, Duration ttl) {
        this.generation = generation;
        this.entries = Caffeine.newBuilder()
                .ticker(ticker)
                .maximumWeight(maxBytes)
                .weigher((Key key, Page page) ->
                        page.length() + 2 * (key.target().length() + key.base().length()) + OVERHEAD)
                .expireAfterWrite(ttl)
                .recordStats()
                .build();
    }

    /**
     * Names an entry.
     *
     * @param kind separates pages from answers
     * @param base the address of the site, as the request names it
     * @param target path and query
     * @param generation of the content that the entry is made of
     */
    record Key(String kind, String base, String target, long generation) {}

    /** An entry. Never changed. */
    interface Page {
        /** Returns its size in bytes. */
        int length();
    }

    /** Makes the key of an entry in the current generation. Call it before the content is read. */
    Key key(String kind, String base, String target) {
        return new Key(kind, base, target, generation.getAsLong());
    }

    Optional<Page> find(Key key) {
        return Optional.ofNullable(entries.getIfPresent(key));
    }

    void put(Key key, Page page) {
        entries.put(key, page);
    }

    /** Makes the server forget all entries. */
    public void clear() {
        entries.invalidateAll();
    }

    long size() {
        entries.cleanUp();
        return entries.estimatedSize();
    }

    CacheStats stats() {
        return entries.stats();
    }
}
