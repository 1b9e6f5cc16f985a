package io.github.ratelimit;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * One limit after a decision. Example: with 10 permits per minute, a third request 20 seconds into the window leaves 7 remaining, reset after
 * 40 seconds, retry after zero.
 *
 * <p>Holds numbers, and makes durations when asked: each decision makes one for each charge. Stores without a need for {@code used} or
 * {@code window} make it by {@link #of}. Immutable and safe for concurrent use.
 *
 * @param charge the charge that was asked for
 * @param used permits that count as taken, above the capacity in debt; negative if a block keeps them until its end
 * @param resetAfterNanos see {@link #resetAfter}
 * @param resetAtMillis see {@link #resetAt}
 * @param retryAfterNanos see {@link #retryAfter}: 0 if the cost fits, or {@link #NEVER}
 * @param window tells the store in a settlement which window the permits came from
 */
public record LimitStatus(
        Charge charge, long used, long resetAfterNanos, long resetAtMillis, long retryAfterNanos, long window) {

    /** A wait in nanoseconds that means "never". */
    public static final long NEVER = Long.MAX_VALUE;

    private static final Optional<Duration> NOW = Optional.of(Duration.ZERO);

    /**
     * Checks the parts.
     *
     * @throws IllegalArgumentException if a duration is negative
     */
    public LimitStatus {
        requireNonNull(charge, "charge");
        if (resetAfterNanos < 0 || retryAfterNanos < 0) {
            throw new IllegalArgumentException(
                    "limit '%s': resetAfter and retryAfter must not be negative, were %d ns and %d ns"
                            .formatted(charge.limit().name(), resetAfterNanos, retryAfterNanos));
        }
    }

    /**
     * Makes it from what a store reports.
     *
     * @param charge the charge that was asked for
     * @param remaining permits left after the decision, 0 to {@code limit.capacity()}
     * @param retryAfter zero if the cost fits now, empty if it never fits
     * @throws IllegalArgumentException if {@code remaining} is out of range, or a duration is negative
     */
    public static LimitStatus of(
            Charge charge, long remaining, Duration resetAfter, Instant resetAt, Optional<Duration> retryAfter) {
        long capacity = charge.limit().capacity();
        if (remaining < 0 || remaining > capacity) {
            throw new IllegalArgumentException("limit '%s': remaining must be 0..%d, was %d"
                    .formatted(charge.limit().name(), capacity, remaining));
        }
        long end = resetAt.toEpochMilli();
        long wait = retryAfter.map(Duration::toNanos).orElse(NEVER);
        return new LimitStatus(charge, capacity - remaining, resetAfter.toNanos(), end, wait, end);
    }

    /** The same some time later: its times are shorter. */
    public LimitStatus later(long nanos) {
        boolean waits = exceeded() && !neverFits();
        return new LimitStatus(
                charge,
                used,
                Math.max(0, resetAfterNanos - nanos),
                resetAtMillis,
                waits ? Math.max(1, retryAfterNanos - nanos) : retryAfterNanos,
                window);
    }

    /** The same for a settlement that leaves the window open, though this decision opened it and nothing else is used. For stores. */
    public LimitStatus leavingOpen() {
        return new LimitStatus(charge, used, resetAfterNanos, resetAtMillis, retryAfterNanos, Math.abs(window));
    }

    /** The same of a charge whose limit has other permits. */
    LimitStatus about(Charge charge) {
        return new LimitStatus(charge, used, resetAfterNanos, resetAtMillis, retryAfterNanos, window);
    }

    /** Whether it is a soft limit, and more is used than its permits. */
    public boolean overSoftLimit() {
        return limit().soft() && used > limit().permits();
    }

    /** The limiter's name. */
    public String limiter() {
        return charge.limiter();
    }

    /** The limit. */
    public Limit limit() {
        return charge.limit();
    }

    /** Permits left after the decision, 0 to {@code limit.capacity()}. */
    public long remaining() {
        return Math.max(0, limit().capacity() - Math.abs(used));
    }

    /**
     * Time from the decision until all permits are back if nobody takes more: the end of the window or of the block, the moment at which a
     * bucket is full, the end of the last lease of a concurrency limit. It can be longer than the window: four thirds of a sliding one, the
     * length of a block, the time that a bucket needs to fill. Zero if nothing is counted.
     */
    public Duration resetAfter() {
        return Duration.ofNanos(resetAfterNanos);
    }

    /** The moment of that reset by the store's wall clock, the same in each decision of one window. */
    public Instant resetAt() {
        return Instant.ofEpochMilli(resetAtMillis);
    }

    /** Time from the decision until this limit admits the cost: zero if it fits now, empty if it never fits. */
    public Optional<Duration> retryAfter() {
        return !exceeded() ? NOW : neverFits() ? Optional.empty() : Optional.of(Duration.ofNanos(retryAfterNanos));
    }

    /** Whether this limit rejected the cost. */
    public boolean exceeded() {
        return retryAfterNanos != 0;
    }

    /** Whether the cost is larger than the limit, so that waiting is pointless. */
    public boolean neverFits() {
        return retryAfterNanos == NEVER;
    }

    /** The moment of the decision by the store's wall clock, in milliseconds. For stores. */
    public long decidedAtMillis() {
        return resetAtMillis - resetAfterNanos / 1_000_000;
    }

    /** Rule: docs/design/rules.md, "The most restrictive limit". */
    static int mostRestrictiveFirst(LimitStatus one, LimitStatus other) {
        int order = Long.compare(other.retryAfterNanos, one.retryAfterNanos);
        order = order != 0 ? order : Boolean.compare(one.isConcurrent(), other.isConcurrent());
        order = order != 0 ? order : Long.compare(one.remaining(), other.remaining());
        return order != 0 ? order : Long.compare(other.resetAtMillis, one.resetAtMillis);
    }

    boolean isConcurrent() {
        return limit().shape().isConcurrent();
    }

    /** The limit's name, the remaining permits and the time until the reset. Shows no key. */
    @Override
    public String toString() {
        return "%s: %d remaining, reset after %s".formatted(limit().name(), remaining(), resetAfter());
    }
}
