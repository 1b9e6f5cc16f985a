package io.github.ratelimit.http;

import static java.time.temporal.ChronoUnit.SECONDS;

import io.github.ratelimit.Limit;
import io.github.ratelimit.Limit.Shape;
import io.github.ratelimit.LimitStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Header fields from statuses. Seconds are rounded up, so that no client comes back too early.
 *
 * <p>Safe for concurrent use.
 */
final class RateLimitFields {

    private static final long LARGEST_INTEGER = 999_999_999_999_999L;

    private final FieldStyle style;

    RateLimitFields(FieldStyle style) {
        this.style = style;
    }

    /**
     * Writes the fields of a response.
     *
     * @param decisions the decisions about the request
     * @param status 200, 429 or 503
     * @param response takes a name and its only value
     */
    void write(HttpDecisions decisions, int status, BiConsumer<String, String> response) {
        if (status == HttpVerdict.SERVICE_UNAVAILABLE) {
            response.accept("Retry-After", "1"); // unknown; the store is tried at least once a second
        }
        Optional<LimitStatus> most = decisions.mostRestrictive();
        if (most.isEmpty()) {
            return;
        }
        LimitStatus tightest = most.get();
        if (style.hasXRateLimit()) {
            // Rule: docs/design/rules.md, "X-RateLimit fields".
            response.accept("X-RateLimit-Limit", Long.toString(tightest.limit().capacity()));
            response.accept("X-RateLimit-Remaining", Long.toString(tightest.remaining()));
            resetAt(tightest)
                    .ifPresent(reset -> response.accept("X-RateLimit-Reset", Long.toString(epochSecondsUp(reset))));
        }
        if (style.hasIetf()) {
            List<LimitStatus> statuses = decisions.statuses();
            response.accept("RateLimit-Policy", policies(statuses));
            response.accept("RateLimit", standings(statuses));
        }
        if (status == HttpVerdict.TOO_MANY_REQUESTS) {
            // A cost that never fits has no moment to come back at, and gets none.
            tightest.retryAfter()
                    .ifPresent(wait -> response.accept("Retry-After", Long.toString(Math.max(1, secondsUp(wait)))));
        }
    }

    /** Of a concurrency limit nobody knows it. A rejection tells its {@code Retry-After}, in place of what another limit has told. */
    private static Optional<Instant> resetAt(LimitStatus status) {
        if (!status.limit().shape().isConcurrent()) {
            // The calendar ends at a whole second, and two clocks may differ by some milliseconds about it.
            boolean isCalendar = status.limit().shape().calendar() != null;
            return Optional.of(isCalendar ? status.resetAt().plusMillis(500).truncatedTo(SECONDS) : status.resetAt());
        }
        Instant now = status.resetAt().minus(status.resetAfter());
        return status.exceeded() ? status.retryAfter().map(now::plus) : Optional.empty();
    }

    private static String policies(List<LimitStatus> statuses) {
        StringBuilder list = new StringBuilder(64);
        for (LimitStatus status : statuses) {
            startItem(list, status, statuses)
                    .append(";q=")
                    .append(integer(status.limit().capacity()));
            if (status.limit().shape().isConcurrent()) {
                list.append(";qu=\"concurrent-requests\"");
            } else {
                list.append(";w=")
                        .append(secondsUp(
                                returnTime(status.limit(), status.limit().capacity())));
            }
        }
        return list.toString();
    }

    private static String standings(List<LimitStatus> statuses) {
        StringBuilder list = new StringBuilder(64);
        for (LimitStatus status : statuses) {
            startItem(list, status, statuses).append(";r=").append(integer(status.remaining()));
            if (status.exceeded() || !status.limit().shape().isConcurrent()) {
                list.append(";t=").append(secondsUp(moreAfter(status)));
            }
        }
        return list.toString();
    }

    /** The time until more permits are available. Rule: docs/design/rules.md, "RateLimit fields". */
    private static Duration moreAfter(LimitStatus status) {
        if (status.exceeded() && !status.neverFits()) {
            return status.retryAfter().get();
        }
        long used = status.limit().capacity() - status.remaining();
        Duration more = status.limit().shape().kind() == Shape.Kind.BUCKET
                ? status.resetAfter().minus(returnTime(status.limit(), Math.max(0, used - 1)))
                : status.resetAfter();
        return more.isNegative() ? Duration.ZERO : more;
    }

    /** The time in which so many permits come back. A bucket's product fits, see {@link Limit}. */
    private static Duration returnTime(Limit limit, long permits) {
        return permits == limit.permits()
                ? limit.window()
                : Duration.of(permits * limit.window().toMillis() * 1000 / limit.permits(), ChronoUnit.MICROS);
    }

    /** If two limits have one name, their limiters' names tell them apart. */
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

    /** Larger numbers are no integers of structured fields; clients would ignore the whole field. Rule: RFC 9651 §3.3.1. */
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
