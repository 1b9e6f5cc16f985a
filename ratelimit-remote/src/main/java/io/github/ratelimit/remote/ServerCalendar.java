package io.github.ratelimit.remote;

import java.time.Instant;

/** The calendar of a server, as its replies tell it. Days and months end by it, not by this machine's date. */
final class ServerCalendar {

    private static final long DIFFERENCE_MILLIS = 60_000;

    private final Shard shard;
    private final EngineSettings settings;
    private final Shard.Listener listener;
    private long aheadMillis; // of this machine's
    private boolean differs;

    ServerCalendar(Shard shard, EngineSettings settings, Shard.Listener listener) {
        this.shard = shard;
        this.settings = settings;
        this.listener = listener;
    }

    void hear(long serverMillis) {
        Instant here = settings.clock().instant();
        aheadMillis = serverMillis - here.toEpochMilli();
        boolean before = differs;
        differs = Math.abs(aheadMillis) > DIFFERENCE_MILLIS;
        if (differs && !before) {
            listener.clocksDiffer(shard, here, Instant.ofEpochMilli(serverMillis));
        }
    }

    Instant now() {
        return settings.clock().instant().plusMillis(aheadMillis);
    }
}
