package io.github.ratelimit;

import java.util.Collection;
import java.util.TreeSet;

/** A limiter was asked for by a name that no limiter has. */
public class UnknownLimiterException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    /**
     * Makes one that names the known limiters.
     *
     * @param name what was asked for
     * @param known the names there are
     */
    public UnknownLimiterException(String name, Collection<String> known) {
        super("no such limiter: '%s'; known: %s"
                .formatted(name, known.isEmpty() ? "none" : String.join(", ", new TreeSet<>(known))));
    }
}
