package io.github.ratelimit;

import static java.util.Objects.requireNonNull;

/**
 * A cost that a request takes from one counter.
 *
 * <p>Limiter, limit name, window, kind of shape and key name the counter. Immutable and safe for concurrent use.
 *
 * @param limiter the limiter's name
 * @param limit the limit to apply
 * @param key the key to count by
 * @param cost permits to take, 0 or more; 0 reads without taking
 */
public record Charge(String limiter, Limit limit, Key key, long cost) {

    /**
     * Checks the parts.
     *
     * @throws IllegalArgumentException if the cost is negative
     */
    public Charge {
        requireNonNull(limiter, "limiter");
        requireNonNull(limit, "limit");
        requireNonNull(key, "key");
        if (cost < 0) {
            throw new IllegalArgumentException(
                    "limiter '%s': cost must be 0 or more, was %d; refund gives permits back".formatted(limiter, cost));
        }
    }

    /** A charge of one permit. */
    public Charge(String limiter, Limit limit, Key key) {
        this(limiter, limit, key, 1);
    }

    /** The same counter with another cost. */
    public Charge withCost(long cost) {
        return cost == this.cost ? this : new Charge(limiter, limit, key, cost);
    }

    /** The same key and cost by another limit. */
    Charge withLimit(Limit limit) {
        return new Charge(limiter, limit, key, cost);
    }

    /** What a store is asked: of a soft limit the largest permits, so that it rejects nothing. */
    Charge asked() {
        return limit.soft() ? withLimit(limit.withPermits(Limit.MAX_PERMITS)) : this;
    }

    /** Whether both charges name the same counter. */
    boolean sharesCounterWith(Charge other) {
        return limit.name().equals(other.limit.name())
                && limiter.equals(other.limiter)
                && key.equals(other.key)
                && limit.window().equals(other.limit.window())
                && limit.shape().kind() == other.limit.shape().kind();
    }
}
