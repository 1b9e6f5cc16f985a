package io.github.ratelimit;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * One limit after a decision. Example: with 10 permits per minute, a third request 20 seconds into the window leaves 7 remaining, reset after
 * 40 seconds, retry after zero.
 *
 * <p>Immutable and safe for concurrent use.
 *
 * @param limiter the limiter's name
 * @param limit the limit
 * @param remaining permits left after the decision, 0 to {@code limit.capacity()}
 * @param resetAfter time from the decision until all permits are back if nobody takes more: the end of the window or of the block, the moment at
 *     which a bucket is full, the end of the last lease of a concurrency limit. It can be longer than the window: four thirds of a sliding one, the
 *     length of a block, the time that a bucket needs to fill. Zero if nothing is counted
 * @param resetAt the moment of that reset by the store's wall clock, the same in each decision of one window
 * @param retryAfter time from the decision until this limit admits the cost: zero if it fits now, empty if it never fits
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
     * @throws IllegalArgumentException if {@code remaining} is not 0 to {@code limit.capacity()}, or a duration is negative
     */
    public LimitStatus {
        requireNonNull(limiter, "limiter");
        requireNonNull(resetAt, "resetAt");
        if (remaining < 0 || remaining > limit.capacity()) {
            throw new IllegalArgumentException(
                    "limit '%s': remaining must be 0..%d, was %d".formatted(limit.name(), limit.capacity(), remaining));
        }
        if (resetAfter.isNegative() || retryAfter.filter(Duration::isNegative).isPresent()) {
            throw new IllegalArgumentException(
                    "limit '%s': resetAfter and retryAfter must not be negative, were %s and %s"
                            .formatted(limit.name(), resetAfter, retryAfter));
        }
    }

    /** Whether this limit rejected the cost. */
    public boolean exceeded() {
        return neverFits() || !retryAfter.get().isZero();
    }

    /** Whether the cost is larger than the limit, so that waiting is pointless. */
    public boolean neverFits() {
        return retryAfter.isEmpty();
    }
}
