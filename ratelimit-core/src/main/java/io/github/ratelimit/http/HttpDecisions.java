package io.github.ratelimit.http;

import io.github.ratelimit.Decision;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was decided about one request, by limiter: so that it is charged once whatever it passes.
 *
 * <p>A door keeps one with each request. Used by one thread at a time.
 */
public final class HttpDecisions {

    /** A decision and what it was asked for. */
    record Taken(Decision decision, long cost) {}

    private final Map<String, Taken> byLimiter = new LinkedHashMap<>(2);

    /** Makes an empty one. */
    public HttpDecisions() {}

    @Nullable
    Taken get(String limiter) {
        return byLimiter.get(limiter);
    }

    void put(String limiter, Taken taken) {
        byLimiter.put(limiter, taken);
    }

    Map<String, Taken> all() {
        return byLimiter;
    }
}
