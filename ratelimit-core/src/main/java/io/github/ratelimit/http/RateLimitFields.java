package io.github.ratelimit.http;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/** Header fields from statuses. Seconds are rounded up: a client told too little comes back too early. */
final class RateLimitFields {

    private RateLimitFields() {}

    /**
     * The fields of a response.
     *
     * @param statuses of every limit that the request has met, in order; empty where nobody counted
     * @param status 200, 429 or 503
     */
    static Map<String, String> of(List<LimitStatus> statuses, int status, FieldStyle style) {
        Map<String, String> fields = new LinkedHashMap<>();
        if (!statuses.isEmpty()) {
            LimitStatus tightest =
                    statuses.stream().min(Decision.MOST_RESTRICTIVE_FIRST).orElseThrow();
            if (style.hasLegacy()) {
                // Rule: docs/rules.md, "X-RateLimit fields".
                fields.put("X-RateLimit-Limit", Long.toString(tightest.limit().permits()));
                fields.put("X-RateLimit-Remaining", Long.toString(tightest.remaining()));
                fields.put("X-RateLimit-Reset", Long.toString(epochSecondsUp(tightest.resetAt())));
            }
            if (style.hasDraft()) {
                fields.put("RateLimit-Policy", policies(statuses));
                fields.put("RateLimit", limits(statuses));
            }
            if (status == HttpVerdict.TOO_MANY_REQUESTS) {
                // A cost that never fits has no moment to come back at, and gets none.
                tightest.retryAfter().ifPresent(wait -> fields.put("Retry-After", Long.toString(retryAfter(wait))));
            }
        }
        if (status == HttpVerdict.SERVICE_UNAVAILABLE) {
            fields.put("Retry-After", "1"); // nobody knows; the store is asked again at least once a second
        }
        return fields;
    }

    /** Rule: RFC 9110 §10.2.3, whole seconds; zero would mean "at once", which is no wait. */
    private static long retryAfter(Duration wait) {
        return Math.max(1, secondsUp(wait));
    }

    private static String policies(List<LimitStatus> statuses) {
        StringJoiner list = new StringJoiner(", ");
        for (LimitStatus status : statuses) {
            Limit limit = status.limit();
            list.add("\"" + limit.name() + "\";q=" + limit.permits() + ";w=" + secondsUp(limit.window()));
        }
        return list.toString();
    }

    private static String limits(List<LimitStatus> statuses) {
        StringJoiner list = new StringJoiner(", ");
        for (LimitStatus status : statuses) {
            list.add("\"" + status.limit().name() + "\";r=" + status.remaining() + ";t="
                    + secondsUp(status.resetAfter()));
        }
        return list.toString();
    }

    private static long secondsUp(Duration duration) {
        return duration.getSeconds() + (duration.getNano() > 0 ? 1 : 0);
    }

    private static long epochSecondsUp(Instant instant) {
        return instant.getEpochSecond() + (instant.getNano() > 0 ? 1 : 0);
    }
}
