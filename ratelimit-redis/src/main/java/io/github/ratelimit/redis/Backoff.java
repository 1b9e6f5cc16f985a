package io.github.ratelimit.redis;

import io.github.ratelimit.TimeSource;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long to wait before the next connection is tried: a random part of a time that doubles up to half a second.
 *
 * <p>Starts anew only when no attempt was needed for a while. Lettuce starts anew with every connection that was made, and so would storm a
 * server that accepts connections and closes them. Safe for concurrent use.
 */
final class Backoff extends Delay {

    private static final long FIRST_MILLIS = 20;

    /** Chosen: a server that is back is found within a second, and a thousand nodes are two thousand attempts a second. */
    private static final long LONGEST_MILLIS = 500;

    private static final long CALM_NANOS = 5_000_000_000L;

    private static final TimeSource TIME = TimeSource.system();

    private int attempts;
    private long lastAt;

    @Override
    public Duration createDelay(long attempt) {
        return next();
    }

    synchronized Duration next() {
        long now = TIME.nanoTime();
        attempts = lastAt == 0 || now - lastAt > CALM_NANOS ? 0 : attempts + 1;
        long longest = Math.min(FIRST_MILLIS << Math.min(attempts, 10), LONGEST_MILLIS);
        long millis = ThreadLocalRandom.current().nextLong(longest / 2, longest + 1);
        lastAt = now + millis * 1_000_000;
        return Duration.ofMillis(millis);
    }
}
