package io.github.ratelimit;

import static java.util.Objects.requireNonNull;

/**
 * A rule with its limit and its key resolved: what a store takes a cost from.
 *
 * <p>The counter that it names belongs to the scope, the limit's name, its window and the key. Immutable and safe for concurrent use.
 *
 * @param scope the name of the limiter that the rule belongs to
 * @param limit how much may happen
 * @param key whose count it is
 */
public record Charge(String scope, Limit limit, Key key) {

    /** Checks that all parts are there. */
    public Charge {
        requireNonNull(scope, "scope");
        requireNonNull(limit, "limit");
        requireNonNull(key, "key");
    }

    /** Whether both name one counter but for the key: the same scope, limit name and window. */
    boolean sharesCountersWith(Charge other) {
        return scope.equals(other.scope)
                && limit.name().equals(other.limit.name())
                && limit.window().equals(other.limit.window());
    }
}
