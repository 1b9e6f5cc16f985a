package io.github.ratelimit;

import org.jspecify.annotations.Nullable;

/**
 * The name of one count: limiter, limit, window and key. How many permits the limit grants is no part of it, so that a changed limit
 * applies to the count that is there.
 *
 * <p>Ordered, so that among counters whose hashes were made to collide a look-up still takes logarithmic time.
 */
final class Counter implements Comparable<Counter> {

    private final String limiter;
    private final Limit limit;
    private final Key key;
    private final int hash;

    Counter(String limiter, Limit limit, Key key) {
        this.limiter = limiter;
        this.limit = limit;
        this.key = key;
        // The window takes no part: it only differs between counters of one name while a limit is being changed.
        this.hash = 31 * (31 * limiter.hashCode() + limit.name().hashCode()) + key.hashCode();
    }

    String limiter() {
        return limiter;
    }

    Limit limit() {
        return limit;
    }

    Key key() {
        return key;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Counter counter
                && hash == counter.hash
                && key.equals(counter.key)
                && limiter.equals(counter.limiter)
                && isSame(limit, counter.limit);
    }

    @SuppressWarnings(
            "ReferenceEquality") // a limiter's limit is nearly always the same object; only a changed one is compared
    private static boolean isSame(Limit one, Limit other) {
        return one == other || (one.name().equals(other.name()) && one.window().equals(other.window()));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public int compareTo(Counter other) {
        int order = key.compareTo(other.key);
        if (order == 0) {
            order = limiter.compareTo(other.limiter);
        }
        if (order == 0) {
            order = limit.name().compareTo(other.limit.name());
        }
        return order != 0 ? order : limit.window().compareTo(other.limit.window());
    }
}
