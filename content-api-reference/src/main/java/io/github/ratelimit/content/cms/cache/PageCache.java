package io.github.ratelimit.content.cms.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Keeps what anybody may read, under tags by which it is purged.
 *
 * <p>A purge gives its tags a new version; an entry counts only while the versions are those that its loading began with. So
 * what was loaded from before a write is never seen after it, however long the loading took. Safe for concurrent use.
 */
public final class PageCache {

    /** What every entry depends on: any post, page, file, term or account. */
    public static final String CONTENT = "content";

    /** Bytes that an entry takes beside its body. Chosen: generous. */
    private static final int OVERHEAD = 512;

    /** Versions are kept for so many tags; more addresses than this share versions, which purges some entries early. */
    private static final int MOST_TAGS = 1 << 14;

    private final Cache<Key, Entry> entries;
    private final Map<Integer, AtomicLong> versions = new ConcurrentHashMap<>();
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder purges = new LongAdder();

    /**
     * What an entry is found by.
     *
     * @param kind {@code page} or {@code answer}
     * @param base the site's address as the visitor knows it
     * @param target path and query as they were sent
     */
    public record Key(String kind, String base, String target) {}

    /** A kept answer, in the form in which whoever keeps it sends it: nothing is made anew for each visitor. Immutable. */
    public interface Page {
        /**
         * Tells how much memory the body takes.
         *
         * @return its bytes
         */
        int length();
    }

    /** A loading that is under way: remembers the versions that it began with. */
    public final class Loading {

        private final Key key;
        private final Set<String> tags;
        private final long version;

        private Loading(Key key, Set<String> tags) {
            this.key = key;
            this.tags = tags;
            this.version = versionOf(tags);
        }

        /** Keeps what was loaded, unless something was purged meanwhile. */
        public void store(Page page) {
            if (versionOf(tags) == version) {
                entries.put(key, new Entry(page, tags, version));
            }
        }
    }

    private record Entry(Page page, Set<String> tags, long version) {}

    /**
     * Creates a cache.
     *
     * @param ticker counts the time that entries are kept
     * @param maxBytes the most memory, in bytes
     * @param ttl how long an entry is kept
     */
    public PageCache(Ticker ticker, long maxBytes, Duration ttl) {
        entries = Caffeine.newBuilder()
                .ticker(ticker)
                .maximumWeight(maxBytes)
                .weigher((Key key, Entry entry) -> entry.page().length()
                        + 2 * (key.target().length() + key.base().length())
                        + OVERHEAD)
                .expireAfterWrite(ttl)
                .build();
    }

    /**
     * Finds an entry.
     *
     * @return empty if there is none, or if it was purged
     */
    public Optional<Page> find(Key key) {
        Optional<Page> found = peek(key);
        (found.isPresent() ? hits : misses).increment();
        return found;
    }

    /** Finds an entry without counting the look. */
    public Optional<Page> peek(Key key) {
        Entry entry = entries.getIfPresent(key);
        return entry == null || versionOf(entry.tags()) != entry.version()
                ? Optional.empty()
                : Optional.of(entry.page());
    }

    /**
     * Begins to load an entry; to be called before anything is read.
     *
     * @param tags what it depends on; {@link #CONTENT} is among them in any case
     */
    public Loading begin(Key key, Set<String> tags) {
        var all = new HashSet<>(tags);
        all.add(CONTENT);
        return new Loading(key, Set.copyOf(all));
    }

    /**
     * Purges every entry with one of these tags; to be called after a change is visible to others.
     *
     * @param tags {@link #CONTENT} for all
     */
    public void purge(String... tags) {
        for (String tag : tags) {
            version(tag).incrementAndGet();
        }
        purges.increment();
        if (Set.of(tags).contains(CONTENT)) {
            // They no longer count; this gives their memory back.
            entries.invalidateAll();
        }
    }

    /** Returns how many entries there are, purged ones included. */
    public long size() {
        entries.cleanUp();
        return entries.estimatedSize();
    }

    /** Returns how many looks found something. */
    public long hits() {
        return hits.sum();
    }

    /** Returns how many looks found nothing. */
    public long misses() {
        return misses.sum();
    }

    /** Returns how often something was purged. */
    public long purges() {
        return purges.sum();
    }

    /** Versions only grow, so their sum changes when any of them does. */
    private long versionOf(Set<String> tags) {
        long sum = 0;
        for (String tag : tags) {
            sum += version(tag).get();
        }
        return sum;
    }

    private AtomicLong version(String tag) {
        return versions.computeIfAbsent(Math.floorMod(tag.hashCode(), MOST_TAGS), ignored -> new AtomicLong());
    }
}
