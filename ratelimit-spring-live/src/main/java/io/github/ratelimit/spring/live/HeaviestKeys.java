package io.github.ratelimit.spring.live;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * The keys that are rejected most, in memory that does not grow: a Space-Saving sketch.
 *
 * <p>While no more keys are seen than it holds, counts are exact. A key without a place takes that of the smallest count and goes on from there.
 * A count is never too small, and too large by at most its {@link Seen#error()}. Used by one thread at a time. Rule: Metwally, Agrawal
 * and El Abbadi, "Efficient computation of frequent and top-k elements in data streams".
 */
final class HeaviestKeys {

    /** Chosen: six times the number on the page, so that its order is right in practice. */
    static final int PLACES = 128;

    /**
     * A rejected rule of a limiter, and the digest of its key.
     *
     * @param digest of the key
     */
    record Rejected(String limiter, String rule, long digest) {}

    /**
     * How often it was.
     *
     * @param count at least as often as it was
     * @param error how much too large the count may be
     */
    record Seen(Rejected rejected, long count, long error) {

        Seen plus(long count, long error) {
            return new Seen(rejected, this.count + count, this.error + error);
        }
    }

    private final Map<Rejected, Seen> places = new HashMap<>();

    void add(Rejected rejected) {
        Seen seen = places.get(rejected);
        if (seen != null) {
            places.put(rejected, seen.plus(1, 0));
        } else if (places.size() < PLACES) {
            places.put(rejected, new Seen(rejected, 1, 0));
        } else {
            Seen smallest = smallest();
            places.remove(smallest.rejected());
            places.put(rejected, new Seen(rejected, smallest.count() + 1, smallest.count()));
        }
    }

    private Seen smallest() {
        Seen smallest = places.values().iterator().next();
        for (Seen seen : places.values()) {
            if (seen.count() < smallest.count()) {
                smallest = seen;
            }
        }
        return smallest;
    }

    Collection<Seen> seen() {
        return places.values();
    }
}
