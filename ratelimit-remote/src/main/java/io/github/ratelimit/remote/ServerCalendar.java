package io.github.ratelimit.remote;

import io.github.ratelimit.TimeSource;
import java.time.Instant;

/** The calendar of a server, as its replies tell it. Days and months end by it, not by this machine's date. */
final class ServerCalendar {

    private static final long DIFFERENCE_MILLIS = 60_000;

    /** Chosen: far less than the difference that is told. */
    private static final long QUICK_NANOS = 1_000_000_000;

    private static final TimeSource TIME = TimeSource.system(); // runs on while a test's clock stands still

    private final Shard shard;
    private final EngineSettings settings;
    private final Shard.Listener listener;
    private long aheadMillis; // of this machine's
    private boolean isFar;
    private boolean isTold;
    private long farSince;

    ServerCalendar(Shard shard, EngineSettings settings, Shard.Listener listener) {
        this.shard = shard;
        this.settings = settings;
        this.listener = listener;
    }

    /**
     * Hears a reply. A difference is told after a second reply: the first one may have waited here while this process or its machine was
     * stopped.
     *
     * @param sentAt when the question was sent, by the system's {@link TimeSource}
     */
    void hear(long serverMillis, long sentAt) {
        Instant here = settings.clock().instant();
        aheadMillis = serverMillis - here.toEpochMilli();
        long now = TIME.nanoTime();
        boolean wasFar = isFar;
        isFar = Math.abs(aheadMillis) > DIFFERENCE_MILLIS;
        if (!wasFar || !isFar) {
            isTold = false;
            farSince = now;
        } else if (!isTold && sentAt - farSince >= 0 && now - sentAt < QUICK_NANOS) {
            isTold = true;
            listener.clocksDiffer(shard, here, Instant.ofEpochMilli(serverMillis));
        }
    }

    Instant now() {
        return settings.clock().instant().plusMillis(aheadMillis);
    }
}
