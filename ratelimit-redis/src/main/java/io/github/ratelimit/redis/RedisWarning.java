package io.github.ratelimit.redis;

/**
 * A warning about a server, from its own report. Immutable.
 *
 * @param kind which it is
 * @param message the fault and its remedy; contains no key and no password
 */
public record RedisWarning(Kind kind, String message) {

    /** The faults of a server. */
    public enum Kind {
        /** It may evict counters when its memory is full. */
        EVICTS,
        /** It is older than what the store needs. */
        TOO_OLD,
        /** It is one node of a Cluster, and used as if it were all of it. */
        NODE_OF_A_CLUSTER,
        /** It has lost counters since a minute ago: it was restarted or flushed, or has evicted keys. */
        COUNTS_LOST,
        /** Its clock and this machine's differ by more than a minute. */
        CLOCKS_DIFFER
    }
}
