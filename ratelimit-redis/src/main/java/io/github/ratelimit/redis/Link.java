package io.github.ratelimit.redis;

import io.lettuce.core.api.StatefulConnection;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The one connection: made at start, and made anew whenever it breaks, by a thread that never asks twice at once.
 *
 * <p>A connection that broke is closed and never used again, whatever its client would do about it: a command is sent once. Attempts
 * come after a random part of a delay that doubles up to a second, so that many nodes do not come back in one moment. Safe for
 * concurrent use.
 */
final class Link implements AutoCloseable {

    /** Hears of what becomes of the connection, on the connecting thread. Does not throw. */
    interface Listener {
        void onConnected(StatefulConnection<byte[], byte[]> connection);

        void onConnectFailure(RuntimeException failure);
    }

    private static final long FIRST_DELAY_MILLIS = 20;
    private static final long LONGEST_DELAY_MILLIS = 1000;
    private static final long CLOSE_MILLIS = 500;

    private final Server server;
    private final Listener listener;
    private final ScheduledThreadPoolExecutor connector;
    private volatile @Nullable StatefulConnection<byte[], byte[]> current;
    private volatile boolean closed;
    private final LongAdder made = new LongAdder();
    private int failures; // of the connecting thread alone

    Link(Server server, Listener listener) {
        this.server = server;
        this.listener = listener;
        this.connector = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "ratelimit-redis-connector");
            thread.setDaemon(true);
            return thread;
        });
    }

    void open() {
        server.onDisconnect(this::isCurrent, this::renew);
        connector.execute(this::connect);
    }

    /** The connection; null while there is none. */
    @Nullable
    StatefulConnection<byte[], byte[]> current() {
        return current;
    }

    /** Gives up a connection that does not serve any more, and makes another one. */
    void renew() {
        StatefulConnection<byte[], byte[]> connection = current;
        if (connection != null) {
            retire(connection);
        }
    }

    private boolean isCurrent(Object connection) {
        return connection.equals(current);
    }

    /** How many connections were made so far. */
    long made() {
        return made.sum();
    }

    @SuppressWarnings("ReferenceEquality") // this one and not another
    private void retire(StatefulConnection<byte[], byte[]> connection) {
        synchronized (this) {
            if (current != connection) {
                return;
            }
            current = null;
        }
        close(connection);
        later(FIRST_DELAY_MILLIS);
    }

    private void connect() {
        if (closed || current != null) {
            return;
        }
        StatefulConnection<byte[], byte[]> connection;
        try {
            connection = server.connect();
        } catch (RuntimeException e) {
            if (closed) {
                return; // interrupted by closing
            }
            listener.onConnectFailure(e);
            failures++;
            later(Math.min(FIRST_DELAY_MILLIS << Math.min(failures, 10), LONGEST_DELAY_MILLIS));
            return;
        }
        failures = 0;
        made.increment();
        current = connection;
        if (closed || !connection.isOpen()) { // broke before it could be told of
            retire(connection);
            return;
        }
        listener.onConnected(connection);
    }

    private void later(long delayMillis) {
        if (!closed) {
            long jittered = ThreadLocalRandom.current().nextLong(delayMillis / 2, delayMillis + 1);
            Future<?> unused = connector.schedule(this::connect, jittered, TimeUnit.MILLISECONDS);
        }
    }

    private static void close(StatefulConnection<byte[], byte[]> connection) {
        // A failure to close what is broken is no news.
        Ends.of(connection.closeAsync(), (closed, failure) -> {});
    }

    @Override
    public void close() {
        closed = true;
        connector.shutdownNow();
        StatefulConnection<byte[], byte[]> connection = current;
        current = null;
        if (connection != null) {
            // Waited for: a client that is shut down meanwhile would warn of a connection that it closes twice.
            connection
                    .closeAsync()
                    .completeOnTimeout(null, CLOSE_MILLIS, TimeUnit.MILLISECONDS)
                    .exceptionally(failure -> null)
                    .join();
        }
    }
}
