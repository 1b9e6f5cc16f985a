package io.github.ratelimit.http.adapter;

import io.github.ratelimit.http.HttpCall;
import java.util.List;

/**
 * Paths that are not limited, for example those of health probes.
 *
 * <p>A path that can be read in more than one way is never one of them, whatever is done with such paths otherwise: the server could serve
 * another path than the one that is compared here, and that one would be without a limit. Immutable and safe for concurrent use.
 *
 * @param patterns of decoded paths below the application's root
 */
public record ExcludedPaths(List<PathPattern> patterns) {

    /** No path at all. */
    public static final ExcludedPaths NONE = new ExcludedPaths(List.of());

    /** Copies the patterns. */
    public ExcludedPaths {
        patterns = List.copyOf(patterns);
    }

    /**
     * Reads patterns.
     *
     * @param patterns see {@link PathPattern}
     * @throws IllegalArgumentException if a pattern is malformed
     */
    public static ExcludedPaths of(List<String> patterns) {
        return new ExcludedPaths(patterns.stream().map(PathPattern::parse).toList());
    }

    /** Whether a call's path is excluded, in any method. */
    public boolean contains(HttpCall call) {
        return !patterns.isEmpty() && contains(call, call.path());
    }

    boolean contains(HttpCall call, String path) {
        for (int i = 0; i < patterns.size(); i++) { // without an iterator: asked with each limited request
            if (patterns.get(i).matches(path)) {
                return !RawPath.isAmbiguous(call.origin().target());
            }
        }
        return false;
    }
}
