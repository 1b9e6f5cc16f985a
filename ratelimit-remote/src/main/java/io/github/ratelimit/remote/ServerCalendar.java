package io.github.ratelimit.remote;

import io.github.ratelimit.TimeSource;
import java.time.Instant;

/** The calendar of a server, as its replies have it. Days and months end by it, not by this machine's date. */
final class ServerCalendar {

    private static final long DIFFERENCE_MILLIS = 60_000;

    /** Chosen: far less than the difference that is reported. */
    private static final long QUICK_NANOS = 1_000_000_000;

    private static final TimeSource TIME = TimeSource.system(); // runs on while a test's clock stands still

    private final Server server;
    private final EngineSettings settings;
    private final Server.Listener listener;
    private long aheadMillis; // of this machine's
    private boolean isFar;
    private boolean isReported;
    private long farSince;

    ServerCalendar(Server server, EngineSettings settings, Server.Listener listener) {
        this.server = server;
        this.settings = settings;
        this.listener = listener;
    }

    /**
     * Follows a reply. A difference is reported after a second reply: the first one may have waited here while this process or its machine was
     * stopped.
     *
     * @param sentAt when the question was sent, by the system's {@link TimeSource}
     */
    void update(long serverMillis, long sentAt) {
        Instant here = settings.clock().instant();
        aheadMillis = serverMillis - here.toEpochMilli();
        long now = TIME.nanoTime();
        boolean wasFar = isFar;
        isFar = Math.abs(aheadMillis) > DIFFERENCE_MILLIS;
        if (!wasFar || !isFar) {
            isReported = false;
            farSince = now;
        } else if (!isReported && sentAt - farSince >= 0 && now - sentAt < QUICK_NANOS) {
            isReported = true;
            listener.clocksDiffer(server, here, Instant.ofEpochMilli(serverMillis));
        }
    }

    Instant now() {
        return settings.clock().instant().plusMillis(aheadMillis);
    }
}
