package io.github.ratelimit.content.accesslog;

import io.github.ratelimit.TimeSource;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** The time of an access log: that of the latest line. Used by one thread. */
final class LogTime implements TimeSource {

    /** Chosen: no answer takes a day, and clocks that are set by hand are mostly wrong by more. */
    private static final long DAY = TimeUnit.DAYS.toSeconds(1);

    private long second;

    /** Whether lines of these moments may stand side by side. */
    static boolean areNear(long one, long other) {
        return Math.abs(one - other) <= DAY;
    }

    /** Whether a line of that moment may come now. */
    boolean isNear(long epochSecond) {
        return areNear(second, epochSecond);
    }

    boolean isBehind(long epochSecond) {
        return second < epochSecond;
    }

    /** Moves it to a line's second. A server writes a line when the answer is sent, so some come late: for them time stands still. */
    void advanceTo(long epochSecond) {
        second = Math.max(second, epochSecond);
    }

    long second() {
        return second;
    }

    @Override
    public long nanoTime() {
        return TimeUnit.SECONDS.toNanos(second);
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochSecond(second);
    }
}
