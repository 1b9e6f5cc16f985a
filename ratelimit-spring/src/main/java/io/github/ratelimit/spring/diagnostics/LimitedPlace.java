package io.github.ratelimit.spring.diagnostics;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a limiter limits.
 *
 * @param methods none: all
 * @param paths patterns, as they are written
 * @param except patterns of paths that are left out
 * @param handler the annotated method; null: whatever serves the path
 * @param limiter its name
 * @param phase when it is decided, as properties write it
 */
public record LimitedPlace(
        List<String> methods,
        List<String> paths,
        List<String> except,
        @Nullable String handler,
        String limiter,
        String phase) {}
