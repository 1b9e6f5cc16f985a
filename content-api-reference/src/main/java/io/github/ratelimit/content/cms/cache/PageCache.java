package io.github.ratelimit.content.cms.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.github.ratelimit.content.shared.storage.ChangeListener;
import io.github.ratelimit.content.shared.storage.Parts;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Keeps what anybody may read, under tags by which it is purged: what of the database it is made of, and its address.
 *
 * <p>Purges are numbered, and each tag has the number of its last one; an entry counts only while no tag of it was purged after its loading began. So
 * what was loaded from before a write is never seen after it, however long the loading took. Safe for concurrent use.
 */
public final class PageCache implements ChangeListener {
    /** What every entry depends on. */
    public static final String CONTENT = Parts.ANY;

    /** Bytes that an entry takes beside its body and its tags. Chosen: generous. */
    private static final int OVERHEAD = 512;

    /** Numbers are kept for so many tags; more than these share numbers, which purges some entries early. A power of two. */
    private static final int MOST_TAGS = 1 << 14;

    private final Cache<Key, Entry> entries;
    private final AtomicLong purged = new AtomicLong();
    private final AtomicLongArray lastPurges = new AtomicLongArray(MOST_TAGS);
    /** Which tags have had an entry since they were purged: a purge of others is none. */
    private final AtomicIntegerArray uses = new AtomicIntegerArray(MOST_TAGS);

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

    /** A loading that is under way: what it depends on is known when it ends, and counts from when it began. */
    public final class Loading {
        private final Key key;
        private final long begun = purged.get();

        private Loading(Key key) {
            this.key = key;
        }

        /**
         * Keeps what was loaded, unless some of what it depends on was purged meanwhile.
         *
         * @param tags what it depends on; {@link #CONTENT} and its address are among them in any case
         */
        public void store(Page page, Set<String> tags) {
            int[] slots = IntStream.concat(
                            Stream.of(CONTENT, key.target()).mapToInt(PageCache::slot),
                            tags.stream().mapToInt(PageCache::slot))
                    .distinct()
                    .toArray();
            Entry entry = new Entry(page, slots, begun);
            if (isCurrent(entry)) {
                for (int slot : slots) {
                    uses.set(slot, 1);
                }
                entries.put(key, entry);
            }
        }
    }

    @SuppressWarnings("ArrayRecordComponent") // Never compared as a value.
    private record Entry(Page page, int[] slots, long begun) {}

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
                        + Integer.BYTES * entry.slots().length
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
        if (entry == null) {
            return Optional.empty();
        }
        if (!isCurrent(entry)) {
            entries.asMap().remove(key, entry);
            return Optional.empty();
        }
        return Optional.of(entry.page());
    }

    /** Begins to load an entry; to be called before anything is read. */
    public Loading begin(Key key) {
        return new Loading(key);
    }

    /**
     * Purges every entry with one of these tags; to be called after a change is visible to others.
     *
     * @param tags {@link #CONTENT} for all
     */
    @Override
    public void changed(Set<String> tags) {
        // First: what begins to load behind this reads what was changed.
        long number = purged.incrementAndGet();
        int used = 0;
        for (String tag : tags) {
            int slot = slot(tag);
            lastPurges.accumulateAndGet(slot, number, Math::max);
            used += uses.getAndSet(slot, 0);
        }
        if (used > 0) {
            purges.increment();
        }
        if (tags.contains(CONTENT)) {
            // They no longer count; this gives their memory back. Of others it comes back when they are looked for, or
            // too old.
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

    /** Returns how often something was purged that an entry depended on. */
    public long purges() {
        return purges.sum();
    }

    private boolean isCurrent(Entry entry) {
        for (int slot : entry.slots()) {
            if (lastPurges.get(slot) > entry.begun()) {
                return false;
            }
        }
        return true;
    }

    private static int slot(String tag) {
        return tag.hashCode() & (MOST_TAGS - 1);
    }
}
