package io.github.ratelimit;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Where one limit stands after a decision. Of 10 permits per minute, after a third request 20 seconds into the window:
 * 7 remaining, reset after 40 seconds, retry after zero.
 *
 * <p>Immutable and safe for concurrent use.
 *
 * @param limiter the name of the limiter that the limit belongs to
 * @param limit the limit
 * @param remaining permits left after the decision, 0 to {@code limit.permits()}
 * @param resetAfter time until the window's permits are back, from the decision on; at most one window; zero where no window is open
 * @param resetAt the moment of that reset by the store's calendar, the same in every decision of one window
 * @param retryAfter zero: the cost fits now; positive: it fits then; empty: it never fits this limit
 */
public record LimitStatus(
        String limiter,
        Limit limit,
        long remaining,
        Duration resetAfter,
        Instant resetAt,
        Optional<Duration> retryAfter) {

    /**
     * Checks the parts.
     *
     * @throws IllegalArgumentException if {@code remaining} is not 0 to {@code limit.permits()}, or a duration is negative
     */
    public LimitStatus {
        requireNonNull(limiter, "limiter");
        requireNonNull(resetAt, "resetAt");
        if (remaining < 0 || remaining > limit.permits()) {
            throw new IllegalArgumentException(
                    "limit '%s': remaining must be 0..%d, was %d".formatted(limit.name(), limit.permits(), remaining));
        }
        if (resetAfter.isNegative() || retryAfter.filter(Duration::isNegative).isPresent()) {
            throw new IllegalArgumentException(
                    "limit '%s': resetAfter and retryAfter must not be negative, were %s and %s"
                            .formatted(limit.name(), resetAfter, retryAfter));
        }
    }

    /** Whether this limit did not admit the cost. */
    public boolean exceeded() {
        return retryAfter.isEmpty() || !retryAfter.get().isZero();
    }
}
