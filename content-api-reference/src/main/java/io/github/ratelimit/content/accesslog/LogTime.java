package io.github.ratelimit.content.accesslog;

import io.github.ratelimit.TimeSource;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** The time of an access log: that of the latest line. Used by one thread. */
final class LogTime implements TimeSource {

    private long second;

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
