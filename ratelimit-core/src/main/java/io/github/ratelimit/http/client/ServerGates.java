package io.github.ratelimit.http.client;

import io.github.ratelimit.TimeSource;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Which servers asked not to be called for a while. Safe for concurrent use. */
final class ServerGates {

    /** Chosen: more servers than an application calls; those whose time is over make room first. */
    private static final int MOST = 10_000;

    private final Map<String, Long> closedUntil = new ConcurrentHashMap<>();
    private final TimeSource time;
    private final long longest;

    ServerGates(TimeSource time, Duration longest) {
        this.time = time;
        this.longest = longest.toNanos();
    }

    /** Closes a gate for so long, at most for the longest time; never opens one earlier than it would. */
    void close(String server, Duration wait) {
        long now = time.nanoTime();
        if (closedUntil.size() >= MOST) {
            closedUntil.values().removeIf(until -> until - now <= 0);
        }
        if (closedUntil.size() >= MOST) {
            closedUntil.clear(); // the servers will say so again
        }
        long nanos = wait.compareTo(Duration.ofNanos(longest)) > 0 ? longest : wait.toNanos();
        closedUntil.merge(server, now + nanos, (one, other) -> one - other > 0 ? one : other);
    }

    /** Nanoseconds until a gate opens; 0 if it is open. */
    long closedFor(String server) {
        Long until = closedUntil.get(server);
        return until == null ? 0 : Math.max(0, until - time.nanoTime());
    }
}
