package io.github.ratelimit.contract;

import io.github.ratelimit.TimeSource;
import java.time.Duration;
import java.time.Instant;

/**
 * A clock moved by hand: nothing waits for a window in a test. Safe for concurrent use.
 *
 * <p>Its calendar can be set apart from the time that passes, as people and machines do to real ones.
 */
public final class TestClock implements TimeSource {

    private long nanos =
            Long.MAX_VALUE - 1_000_000_000L; // overflows after a second: who compares moments by size is found out
    private Instant calendar;

    /** Starts in the middle of a second of 2026. */
    public TestClock() {
        this(Instant.parse("2026-11-20T10:00:00.250Z"));
    }

    /** Starts at a moment of the calendar. */
    public TestClock(Instant calendar) {
        this.calendar = calendar;
    }

    /** Lets time pass. */
    public synchronized void advance(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException(
                    "time only goes forward, was to advance by " + duration + "; setCalendar jumps");
        }
        nanos += duration.toNanos();
        calendar = calendar.plus(duration);
    }

    /** Sets the calendar forward or back. No time passes. */
    public synchronized void setCalendar(Instant calendar) {
        this.calendar = calendar;
    }

    @Override
    public synchronized long nanoTime() {
        return nanos;
    }

    @Override
    public synchronized Instant instant() {
        return calendar;
    }
}
