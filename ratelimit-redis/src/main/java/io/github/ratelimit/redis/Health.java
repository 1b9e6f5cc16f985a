package io.github.ratelimit.redis;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;

/** Whether Redis answers: tells each change once, to the log and to a listener. Safe for concurrent use. */
final class Health {

    private static final System.Logger LOG = System.getLogger(RedisStore.class.getName());

    private final InstantSource clock;
    private final String server;
    private final Consumer<RedisHealth> listener;
    private volatile RedisHealth current;

    Health(InstantSource clock, String server, Consumer<RedisHealth> listener) {
        this.clock = clock;
        this.server = server;
        this.listener = listener;
        this.current = new RedisHealth(RedisHealth.State.STARTING, clock.instant(), Optional.empty());
    }

    RedisHealth current() {
        return current;
    }

    void up() {
        boolean again = current.state() == RedisHealth.State.DOWN;
        if (changes(RedisHealth.State.UP, Optional.empty())) {
            LOG.log(again ? INFO : DEBUG, "Redis ({0}) answers: limits are shared", server);
        }
    }

    void down(String reason) {
        if (changes(RedisHealth.State.DOWN, Optional.of(reason))) {
            LOG.log(
                    WARNING,
                    "Redis ({0}) does not answer, limiters decide by their on-store-failure: {1}",
                    server,
                    reason);
        }
    }

    private boolean changes(RedisHealth.State state, Optional<String> reason) {
        if (current.state() == state) {
            return false; // the usual case, without a lock
        }
        synchronized (this) {
            if (current.state() == state) {
                return false;
            }
            current = new RedisHealth(state, clock.instant(), reason);
            listener.accept(current);
            return true;
        }
    }
}
