package io.github.ratelimit;

import static java.util.Objects.requireNonNull;

/**
 * A rule with its key resolved: what a store takes a cost from.
 *
 * <p>Immutable and safe for concurrent use.
 *
 * @param limit how much may happen
 * @param key whose count it is
 */
public record Charge(Limit limit, Key key) {

    /** Checks that both parts are there. */
    public Charge {
        requireNonNull(limit, "limit");
        requireNonNull(key, "key");
    }
}
