package io.github.ratelimit;

import java.time.Instant;

/** The one place of the library that reads the machine's clocks. */
enum SystemTime implements TimeSource {
    INSTANCE;

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public Instant instant() {
        return Instant.now();
    }

    @Override
    public long millis() {
        return System.currentTimeMillis();
    }
}
