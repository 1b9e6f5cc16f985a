package io.github.ratelimit.http;

import io.github.ratelimit.LimitStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Header fields from statuses. Seconds are rounded up: a client told too little comes back too early.
 *
 * <p>Safe for concurrent use.
 */
final class RateLimitFields {

    /** A number as it is written, so that it is written once for many responses. */
    private record Written(long number, String text) {}

    /** Chosen: the resets of an hour, and permits of all limits in use; so many texts are a third of a megabyte. */
    private static final int REMEMBERED = 4096;

    private static final long LARGEST_INTEGER = 999_999_999_999_999L;

    private final FieldStyle style;

    // Without a lock: a number that two threads write at once is only
    // written twice, and a record is never seen half made.
    private final @Nullable Written[] written = new Written[REMEMBERED];

    RateLimitFields(FieldStyle style) {
        this.style = style;
    }

    /**
     * Hands out the fields of a response.
     *
     * @param decisions all that were made about the request
     * @param status 200, 429 or 503
     * @param response takes a name and its only value
     */
    void write(HttpDecisions decisions, int status, BiConsumer<String, String> response) {
        if (status == HttpVerdict.SERVICE_UNAVAILABLE) {
            response.accept("Retry-After", "1"); // nobody knows; the store is asked again at least once a second
        }
        Optional<LimitStatus> most = decisions.mostRestrictive();
        if (most.isEmpty()) {
            return;
        }
        LimitStatus tightest = most.get();
        if (style.hasLegacy()) {
            // Rule: docs/rules.md, "X-RateLimit fields".
            response.accept("X-RateLimit-Limit", text(tightest.limit().permits()));
            response.accept("X-RateLimit-Remaining", remaining(tightest.remaining()));
            response.accept("X-RateLimit-Reset", text(epochSecondsUp(tightest.resetAt())));
        }
        if (style.hasDraft()) {
            List<LimitStatus> statuses = decisions.statuses();
            response.accept("RateLimit-Policy", policies(statuses));
            response.accept("RateLimit", standings(statuses));
        }
        if (status == HttpVerdict.TOO_MANY_REQUESTS) {
            // A cost that never fits has no moment to come back at, and gets none.
            tightest.retryAfter().ifPresent(wait -> response.accept("Retry-After", text(Math.max(1, secondsUp(wait)))));
        }
    }

    /** Large ones come and go too fast to be worth remembering. */
    private String remaining(long permits) {
        return permits < REMEMBERED ? text(permits) : Long.toString(permits);
    }

    private String text(long number) {
        int at = Math.floorMod(number, REMEMBERED);
        Written there = written[at];
        if (there == null || there.number != number) {
            there = new Written(number, Long.toString(number));
            written[at] = there;
        }
        return there.text;
    }

    private static String policies(List<LimitStatus> statuses) {
        StringBuilder list = new StringBuilder(64);
        for (LimitStatus status : statuses) {
            startItem(list, status, statuses)
                    .append(";q=")
                    .append(integer(status.limit().permits()))
                    .append(";w=")
                    .append(secondsUp(status.limit().window()));
        }
        return list.toString();
    }

    private static String standings(List<LimitStatus> statuses) {
        StringBuilder list = new StringBuilder(64);
        for (LimitStatus status : statuses) {
            startItem(list, status, statuses)
                    .append(";r=")
                    .append(integer(status.remaining()))
                    .append(";t=")
                    .append(secondsUp(status.resetAfter()));
        }
        return list.toString();
    }

    /** Limits of two limiters that share a name have their limiter's before it: a policy's name is whose figures these are. */
    private static StringBuilder startItem(StringBuilder list, LimitStatus status, List<LimitStatus> all) {
        list.append(list.length() == 0 ? "\"" : ", \"");
        String name = status.limit().name();
        int uses = 0;
        for (LimitStatus each : all) {
            uses += each.limit().name().equals(name) ? 1 : 0;
        }
        if (uses > 1) {
            list.append(status.limiter()).append(':');
        }
        return list.append(name).append('"');
    }

    /** What is larger is no integer there, and the whole field would be ignored. Rule: RFC 9651 §3.3.1. */
    private static long integer(long number) {
        return Math.min(number, LARGEST_INTEGER);
    }

    private static long secondsUp(Duration duration) {
        return duration.getSeconds() + (duration.getNano() > 0 ? 1 : 0);
    }

    private static long epochSecondsUp(Instant instant) {
        return instant.getEpochSecond() + (instant.getNano() > 0 ? 1 : 0);
    }
}
