package io.github.ratelimit.races;

import io.github.ratelimit.TimeSource;
import java.time.Duration;
import java.time.Instant;

/** Stands still until it is moved. */
final class MovedClock implements TimeSource {

    private volatile long nanos;

    void moveTo(Duration moment) {
        nanos = moment.toNanos();
    }

    @Override
    public long nanoTime() {
        return nanos;
    }

    @Override
    public Instant instant() {
        return Instant.EPOCH.plusNanos(nanos);
    }
}
