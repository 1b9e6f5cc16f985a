package io.github.ratelimit.remote;

import io.github.ratelimit.TimeSource;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The pause before the next attempt to connect: a random part of a time that doubles up to half a second. It starts anew only when no
 * attempt was needed for a while, so that a server that accepts connections and closes them is not stormed. For one thread.
 */
final class Backoff {

    private static final long FIRST_MILLIS = 20;

    /** Chosen: a server that is back is found within a second, and a thousand nodes are two thousand attempts a second. */
    private static final long LONGEST_MILLIS = 500;

    private static final long CALM_NANOS = 5_000_000_000L;

    private static final TimeSource TIME = TimeSource.system();

    private int attempts;
    private long lastAt;

    long nextMillis() {
        long now = TIME.nanoTime();
        attempts = lastAt == 0 || now - lastAt > CALM_NANOS ? 0 : attempts + 1;
        long longest = Math.min(FIRST_MILLIS << Math.min(attempts, 10), LONGEST_MILLIS);
        long millis = ThreadLocalRandom.current().nextLong(longest / 2, longest + 1);
        lastAt = now + millis * 1_000_000;
        return millis;
    }
}
