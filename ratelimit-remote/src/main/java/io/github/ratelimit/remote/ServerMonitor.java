package io.github.ratelimit.remote;

import static java.lang.System.Logger.Level.WARNING;

import io.github.ratelimit.TimeSource;
import io.github.ratelimit.remote.StoreHealth.State;
import io.github.ratelimit.remote.UnansweredException.Meaning;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Knows whether a server answers, and keeps the connection to it.
 *
 * <p>A server is asked only after it has answered a probe, which carries out each step of a decision. After a failure, probes follow soon. After
 * five failures in a row it is down: requests fail at once until a probe is answered. After three of them and silence for three timeouts, the
 * connection is replaced.
 *
 * <p>Belongs to the engine's thread, except for {@link #state}, {@link #trouble} and {@link #connections}. Only this changes its fields.
 */
final class ServerMonitor {

    /** Chosen: five failures are no accident. */
    private static final int FAILURES = 5;

    /** Chosen: one lost reply is a hiccup, and a process that stood still finds its replies at the next look. */
    private static final int SILENT = 3;

    /** Chosen: what a first connection and its first answer may take while a busy process still loads its classes. */
    private static final long START_NANOS = 5_000_000_000L;

    private static final long FIRST_PAUSE_MILLIS = 20;

    /** Chosen: a server that is back is found within a second, and a thousand nodes are two thousand attempts a second. */
    private static final long LONGEST_PAUSE_MILLIS = 500;

    private static final long REPLACEMENT_PAUSE_NANOS = 1_000_000_000;

    private static final long IDLE_NANOS = 1_000_000_000;
    private static final long TICK_NANOS = 250_000_000;
    private static final TimeSource TIME = TimeSource.system(); // runs on while a test's clock stands still

    private final Server server;
    private final Supplier<? extends CompletionStage<? extends Connection>> connector;
    private final EngineSettings settings;
    private final Server.Listener listener;

    final LongAdder connections = new LongAdder(); // that were made
    volatile State state = State.STARTING;
    volatile String trouble = "nothing was tried yet";

    @Nullable
    Connection connection;

    boolean ready; // it has answered on this connection, so that requests may be sent
    private boolean closed;
    private boolean probing;
    private boolean warnedOfStart;
    private int failures; // in a row
    private int attempts; // to connect, since the last answer
    private long heardAt;
    private long openedAt;
    private long replacedAt = TIME.nanoTime() - REPLACEMENT_PAUSE_NANOS;

    /**
     * Makes it; {@link #open} connects.
     *
     * @param server gathers and sends the requests
     */
    ServerMonitor(
            Server server,
            Supplier<? extends CompletionStage<? extends Connection>> connector,
            EngineSettings settings,
            Server.Listener listener) {
        this.server = server;
        this.connector = connector;
        this.settings = settings;
        this.listener = listener;
    }

    /** Whether it has failed since its last answer. */
    boolean isFailing() {
        return failures > 0 || state == State.DOWN;
    }

    // ---- the rule

    /** A reply has come, in time or not. */
    void heard() {
        heardAt = TIME.nanoTime();
    }

    /** A decision has come in time. */
    void succeeded() {
        failures = 0;
        attempts = 0;
    }

    /** A call, a probe or an attempt to connect has failed. */
    void failed(UnansweredException why) {
        failures++;
        trouble = String.valueOf(why.getMessage());
        long now = TIME.nanoTime();
        boolean isSilent = failures >= SILENT && now - heardAt > SILENT * settings.timeoutNanos();
        boolean isOther = why.meaning() == Meaning.CONNECTION && now - replacedAt >= REPLACEMENT_PAUSE_NANOS;
        if (connection != null && (isSilent || isOther)) {
            replace(trouble);
        } else if (failures >= FAILURES
                || state == State.DOWN
                || (state == State.STARTING && now - openedAt >= START_NANOS)) {
            down(trouble);
        }
    }

    /** Requests have waited in vain. */
    void late() {
        if (state != State.STARTING) {
            failed(UnansweredException.late(settings.product()));
        } else if (!warnedOfStart) {
            warnedOfStart = true;
            settings.log().log(
                    WARNING,
                    "{0} ({1}) has not answered yet, limiters decide by their on-store-failure: {2}",
                    settings.product(),
                    server.address(),
                    trouble);
        }
    }

    void down(String why) {
        change(State.DOWN, why);
    }

    private void change(State to, String why) {
        trouble = why;
        ready = to == State.UP;
        if (state != to) {
            failures = 0;
            state = to;
            listener.stateChanged(server);
        }
        server.send();
    }

    // ---- probes

    /** Looks after the connection, several times a second. */
    private void tick() {
        if (closed) {
            return;
        }
        // First, so that no error ends the chain.
        settings.executor().schedule(this::tick, TICK_NANOS, TimeUnit.NANOSECONDS);
        if (!ready || failures > 0 || TIME.nanoTime() - heardAt > IDLE_NANOS) {
            probe();
        }
        if (connection != null) {
            connection.tick();
        }
        server.send(); // also what a caller has queued while its flag was being set
    }

    private void probe() {
        Connection on = connection;
        Counter counter = on == null || probing ? null : listener.probed(server);
        if (counter == null) {
            return;
        }
        probing = true;
        // Only at the start longer: a server that is too slow for decisions would be down again after five of them.
        long patience =
                state == State.STARTING ? Math.max(START_NANOS, settings.timeoutNanos()) : settings.timeoutNanos();
        Batch probe = Batch.probe(server, counter, TIME.nanoTime() + patience);
        probe.answered().whenComplete((answers, failure) -> {
            if (on == connection) {
                probing = false;
                probed(on, failure == null ? null : (UnansweredException) failure.getCause());
            }
        });
        server.dispatch(List.of(probe));
    }

    private void probed(@Nullable Connection on, @Nullable UnansweredException failure) {
        if (failure == null) {
            succeeded();
            change(State.UP, "");
        } else if (failure.meaning() == Meaning.LOST) { // also if nobody was told of its end
            disconnected(on);
        } else {
            // One late reply is no outage, and neither is a counter that moves: the next probe is at another one.
            boolean isSure = failure.meaning() != Meaning.LATE && failure.meaning() != Meaning.REQUEST;
            failures = isSure ? FAILURES : failures;
            failed(failure);
        }
    }

    // ---- the connection

    void open() {
        openedAt = TIME.nanoTime();
        connect();
        tick();
    }

    private void connect() {
        if (closed) {
            return;
        }
        CompletionStage<? extends Connection> attempt;
        try {
            attempt = connector.get();
        } catch (Throwable e) { // also an error: the client cannot run on this library, or there is no memory now
            attempt = CompletableFuture.failedFuture(e);
        }
        attempt.whenComplete((made, failure) -> server.execute(() -> {
            if (made != null) {
                connected(made);
            } else if (!closed) {
                failed(new UnansweredException("cannot connect: " + UnansweredException.words(failure)));
                connectLater();
            }
        }));
    }

    /** After a random part of a time that doubles, so that a thousand nodes do not come at once. */
    private void connectLater() {
        long longest = Math.min(FIRST_PAUSE_MILLIS << Math.min(attempts++, 10), LONGEST_PAUSE_MILLIS);
        long pause = ThreadLocalRandom.current().nextLong(longest / 2, longest + 1);
        settings.executor().schedule(this::connect, pause, TimeUnit.MILLISECONDS);
    }

    private void connected(Connection made) {
        if (closed) {
            made.close();
            return;
        }
        connection = made;
        connections.increment();
        probing = false;
        heard();
        settings.rejections().clear(); // they may be stale
        made.tick();
        probe();
    }

    /** Requests wait for the next connection, each until its deadline. */
    void disconnected(@Nullable Connection broken) {
        if (broken != null && broken == connection) {
            boolean hasAnswered = ready;
            giveUp(broken);
            if (!hasAnswered) {
                failed(new UnansweredException("the connection was lost"));
            }
        }
    }

    /** Gives up the connection for another one. */
    void replace(String why) {
        if (connection != null) {
            replacedAt = TIME.nanoTime();
            giveUp(connection);
            down(why);
        }
    }

    private void giveUp(Connection old) {
        connection = null;
        ready = false;
        old.close();
        connectLater();
        server.sweepLater();
    }

    void close(boolean closesConnection) {
        closed = true;
        Connection old = connection;
        connection = null;
        if (old != null && closesConnection) {
            old.close();
        }
    }
}
