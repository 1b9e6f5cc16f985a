package io.github.ratelimit.internal;

import java.time.Duration;

/** Durations as properties write them, for messages. */
public final class Durations {

    private static final String[] UNITS = {"d", "h", "m", "s", "ms"};
    private static final long[] MILLIS = {86_400_000, 3_600_000, 60_000, 1_000, 1};
    private static final long MOST_SECONDS = Long.MAX_VALUE / 1_001;

    private Durations() {}

    /** {@code 1m}, {@code 90m} or {@code 1500ms}; {@code PT0.0015S} if it has parts of milliseconds. */
    public static String text(Duration duration) {
        if (duration.isZero()) {
            return "0s";
        }
        if (duration.toNanosPart() % 1_000_000 != 0 || Math.abs(duration.toSeconds()) > MOST_SECONDS) {
            return duration.toString();
        }
        int unit = 0;
        while (duration.toMillis() % MILLIS[unit] != 0) {
            unit++;
        }
        return duration.toMillis() / MILLIS[unit] + UNITS[unit];
    }

    /** The text of a measured duration, in whole seconds: {@code 1s} of 20 ms. */
    public static String seconds(Duration duration) {
        return text(Duration.ofSeconds(duration.plusNanos(999_999_999).toSeconds()));
    }
}
