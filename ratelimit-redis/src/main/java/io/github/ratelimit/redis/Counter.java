package io.github.ratelimit.redis;

import org.jspecify.annotations.Nullable;

/**
 * The name of a counter, here and in Redis: digests, so that no text of a user reaches a key.
 *
 * <p>Immutable and safe for concurrent use. Equal counters have equal names of 128 bits.
 */
final class Counter {

    private final long high;
    private final long low;
    private final long tag;
    private final byte[] redisKey;

    /**
     * Names a counter.
     *
     * @param high one half of the digest
     * @param low the other half
     * @param tag the digest of the key's first part, which decides the Cluster's slot
     * @param redisKey the name in Redis; not copied, nobody writes to it
     */
    Counter(long high, long low, long tag, byte[] redisKey) {
        this.high = high;
        this.low = low;
        this.tag = tag;
        this.redisKey = redisKey;
    }

    /** The part that all counters of one slot share; they travel together. */
    long tag() {
        return tag;
    }

    /** Not a copy: only to be read. */
    byte[] redisKey() {
        return redisKey;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Counter counter && high == counter.high && low == counter.low;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(low);
    }
}
