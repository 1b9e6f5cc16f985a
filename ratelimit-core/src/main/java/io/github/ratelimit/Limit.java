package io.github.ratelimit;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * How much may happen within a window.
 *
 * <p>Immutable and safe for concurrent use.
 *
 * <pre>{@code
 * Limit second = Limit.of(10, Duration.ofSeconds(1)); // the only one of its limiter
 * Limit hourly = Limit.of("hourly", 30_000, Duration.ofHours(1));
 * }</pre>
 *
 * @param name the name in its limiter and in header fields; 1 to 64 of {@code A-Z a-z 0-9 . _ -}
 * @param permits the permits of one window, 1 to {@value #MAX_PERMITS}
 * @param window the period it counts over, whole milliseconds from 1 ms to 366 days
 */
public record Limit(String name, long permits, Duration window) {

    /** The largest count that a script of a Redis server, whose numbers are doubles, holds exactly: 2^53 - 1. */
    public static final long MAX_PERMITS = (1L << 53) - 1;

    /** The shortest window: the resolution of stored expiries. */
    public static final Duration MIN_WINDOW = Duration.ofMillis(1);

    /** The longest window. Chosen: a leap year, far inside the range of monotonic nanoseconds. */
    public static final Duration MAX_WINDOW = Duration.ofDays(366);

    /**
     * Checks the parts.
     *
     * @throws IllegalArgumentException if a part is out of its range; names the limit, the part, the value and the range
     */
    public Limit {
        Names.require("limit", name);
        requireNonNull(window, () -> "limit '%s': window must not be null".formatted(name));
        if (permits < 1 || permits > MAX_PERMITS) {
            throw new IllegalArgumentException(
                    "limit '%s': permits must be 1..%d, was %d".formatted(name, MAX_PERMITS, permits));
        }
        if (window.compareTo(MIN_WINDOW) < 0 || window.compareTo(MAX_WINDOW) > 0) {
            throw new IllegalArgumentException(
                    "limit '%s': window must be 1 ms to 366 days (PT0.001S..PT8784H), was %s".formatted(name, window));
        }
        if (window.toNanosPart() % 1_000_000 != 0) {
            throw new IllegalArgumentException(
                    "limit '%s': window must be whole milliseconds, was %s; round it".formatted(name, window));
        }
    }

    /**
     * Makes a fixed-window limit called {@code default}: for a limiter that has no other.
     *
     * @param permits the permits of one window, 1 to {@value #MAX_PERMITS}
     * @param window the period it counts over, whole milliseconds from 1 ms to 366 days
     * @throws IllegalArgumentException if a part is out of its range
     */
    public static Limit of(long permits, Duration window) {
        return of("default", permits, window);
    }

    /**
     * Makes a fixed-window limit.
     *
     * @param name the name
     * @param permits the permits of one window, 1 to {@value #MAX_PERMITS}
     * @param window the period it counts over, whole milliseconds from 1 ms to 366 days
     * @throws IllegalArgumentException if a part is out of its range
     */
    public static Limit of(String name, long permits, Duration window) {
        return new Limit(name, permits, window);
    }

    /** {@code 1000 per PT1M (burst)}. */
    @Override
    public String toString() {
        return "%s per %s (%s)".formatted(permits, window, name);
    }
}
