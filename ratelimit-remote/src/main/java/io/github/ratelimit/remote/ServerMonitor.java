package io.github.ratelimit.remote;

import static java.lang.System.Logger.Level.WARNING;

import io.github.ratelimit.TimeSource;
import io.github.ratelimit.remote.StoreHealth.State;
import io.github.ratelimit.remote.UnansweredException.Meaning;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Knows whether a server answers, and keeps the connection to it: connects, probes, and replaces a connection that does not serve any more.
 *
 * <p>A server is asked only after it has answered a probe, which carries out each step of a decision. It is down after five of its last ten
 * calls failed; then requests fail at once, until a probe is answered again. A connection that stays silent three times is replaced.
 *
 * <p>Belongs to the engine's thread, except for {@link #state} and {@link #trouble}.
 */
final class ServerMonitor {

    /** Chosen: five failures are no accident. */
    private static final int FAILURES = 5;

    private static final int LAST_CALLS = (1 << 10) - 1;

    /** Chosen: one lost reply is a hiccup. After three in a row, and silence for three timeouts, the connection is gone. */
    private static final int SILENT = 3;

    /** Chosen: what a first connection and its first answer may take while a busy process still loads its classes. */
    private static final long START_NANOS = 5_000_000_000L;

    /** Chosen: an attempt that fails sooner was refused; one that takes longer timed out, perhaps in this process. */
    private static final long SLOW_ATTEMPT_NANOS = 250_000_000;

    private static final long IDLE_NANOS = 1_000_000_000;
    private static final long TICK_NANOS = 250_000_000;
    private static final long REPLACEMENT_PAUSE_NANOS = 1_000_000_000;
    private static final TimeSource TIME = TimeSource.system(); // runs on while a test's clock stands still

    private final Shard shard;
    private final Supplier<? extends CompletionStage<? extends Connection>> connector;
    private final EngineSettings settings;
    private final Shard.Listener listener;
    private final Backoff backoff = new Backoff();
    private final LongAdder connections = new LongAdder();

    private volatile State state = State.STARTING;
    private volatile String trouble = "nothing was tried yet";

    private @Nullable Connection connection;
    private boolean ready;
    private boolean closed;
    private boolean probing;
    private boolean warnedOfStart;
    private int silent;
    private int lastCalls; // a bit for each, set where it failed
    private long heardAt = TIME.nanoTime();
    private long openedAt = heardAt;
    private long lostAt;
    private long replacedAt = heardAt - REPLACEMENT_PAUSE_NANOS;

    /**
     * Makes it; {@link #open} connects.
     *
     * @param shard gathers and sends the requests
     */
    ServerMonitor(
            Shard shard,
            Supplier<? extends CompletionStage<? extends Connection>> connector,
            EngineSettings settings,
            Shard.Listener listener) {
        this.shard = shard;
        this.connector = connector;
        this.settings = settings;
        this.listener = listener;
    }

    State state() {
        return state;
    }

    String trouble() {
        return trouble;
    }

    /** How often it has connected. Any thread may call it. */
    long connections() {
        return connections.sum();
    }

    @Nullable
    Connection connection() {
        return connection;
    }

    /** Whether requests may be sent. */
    boolean isReady() {
        return ready;
    }

    // ---- what calls tell

    /** Sends nothing until a probe is answered. */
    void doubt() {
        ready = false;
    }

    void hear() {
        heardAt = TIME.nanoTime();
        silent = 0;
    }

    /** A call was answered; null, or what its failure says of the server. */
    void count(@Nullable String failure) {
        lastCalls = (lastCalls << 1 | (failure == null ? 0 : 1)) & LAST_CALLS;
        if (failure != null && state == State.UP && Integer.bitCount(lastCalls) >= FAILURES) {
            down(failure);
        }
    }

    /** A call has passed its time without an answer. */
    void hearSilence(long now) {
        if (++silent >= SILENT && now - heardAt > SILENT * settings.timeoutNanos()) {
            replace("no answer from %s in time, %d times in a row".formatted(settings.product(), SILENT));
        }
    }

    /** Gives up a lost connection that does not come back. */
    void sweep(long now) {
        if (connection == null && state == State.UP && now - lostAt > settings.timeoutNanos()) {
            down("the connection was lost");
        }
    }

    /** Gives up the connection for another one after such a failure, but not again and again. */
    void replaceAfter(UnansweredException why) {
        if (why.meaning() == Meaning.CONNECTION && TIME.nanoTime() - replacedAt >= REPLACEMENT_PAUSE_NANOS) {
            replace(String.valueOf(why.getMessage()));
        }
    }

    /** Requests have waited in vain. */
    void warnOfStart() {
        if (state == State.STARTING && !warnedOfStart) {
            warnedOfStart = true;
            settings.log().log(
                    WARNING,
                    "{0} ({1}) has not answered yet, limiters decide by their on-store-failure: {2}",
                    settings.product(),
                    shard.address(),
                    trouble);
        }
    }

    // ---- the state

    private void change(State to, String why) {
        trouble = why;
        ready = to == State.UP;
        if (state != to) {
            lastCalls = 0;
            state = to;
            listener.stateChanged(shard);
        }
        shard.send();
    }

    void down(String why) {
        change(State.DOWN, why);
    }

    /** Looks after the connection, several times a second. */
    private void tick() {
        if (closed) {
            return;
        }
        // First, so that no error ends the chain.
        settings.executor().schedule(this::tick, TICK_NANOS, TimeUnit.NANOSECONDS);
        if (!ready || TIME.nanoTime() - heardAt > (silent > 0 ? TICK_NANOS : IDLE_NANOS)) {
            probe();
        }
        if (connection != null) {
            connection.tick();
        }
        shard.send(); // also what a caller has queued while its flag was being set
    }

    private void probe() {
        Connection on = connection;
        Counter counter = on == null || probing ? null : listener.probed(shard);
        if (counter == null) {
            return;
        }
        probing = true;
        // Only a first probe waits longer: a server that is too slow for decisions would be down again after five of
        // them.
        long patience = settings.timeoutNanos();
        if (state == State.STARTING) {
            patience = Math.max(patience, openedAt + START_NANOS - TIME.nanoTime());
        }
        Batch probe = Batch.probe(shard, counter, TIME.nanoTime() + patience);
        probe.answered().whenComplete((answers, failure) -> {
            if (on == connection) {
                probing = false;
                probed(failure instanceof CompletionException ? failure.getCause() : failure);
            }
        });
        shard.dispatch(List.of(probe));
    }

    private void probed(@Nullable Throwable failure) {
        if (failure == null) {
            change(State.UP, "");
            return;
        }
        // One lost reply is no outage, and neither is a counter that moves: the next probe is at another one.
        Meaning meaning = failure instanceof UnansweredException unanswered ? unanswered.meaning() : Meaning.SERVER;
        if (meaning == Meaning.LOST && connection != null && isStarting()) { // it may have timed out in this process
            giveUp(connection);
        } else if (meaning
                == Meaning.LOST) { // also if nobody was told of its end, as of one that ends while it is made
            replace(UnansweredException.words(failure));
        } else if (state != State.UP || (meaning != Meaning.LATE && meaning != Meaning.REQUEST)) {
            down(UnansweredException.words(failure));
        }
    }

    /** Whether a busy process may still be at its own start. */
    private boolean isStarting() {
        return state == State.STARTING && TIME.nanoTime() - openedAt < START_NANOS;
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
        long begun = TIME.nanoTime();
        try {
            attempt = connector.get();
        } catch (Throwable e) { // also an error: the client cannot run on this library, or there is no memory now
            attempt = CompletableFuture.failedFuture(e);
        }
        attempt.whenComplete((made, failure) -> shard.execute(() -> {
            if (made != null) {
                connected(made);
            } else if (!closed) {
                long now = TIME.nanoTime();
                trouble = "cannot connect: " + UnansweredException.words(failure);
                if (!isStarting() || now - begun < SLOW_ATTEMPT_NANOS) {
                    down(trouble);
                }
                connectLater();
            }
        }));
    }

    private void connectLater() {
        settings.executor().schedule(this::connect, backoff.nextMillis(), TimeUnit.MILLISECONDS);
    }

    private void connected(Connection made) {
        if (closed) {
            made.close();
            return;
        }
        connection = made;
        connections.increment();
        probing = false;
        hear();
        settings.rejections().clear(); // they may be stale
        made.tick();
        probe();
        if (!made.isOpen()) {
            disconnected(made);
        }
    }

    /** Requests wait for the next connection, each until its deadline. */
    void disconnected(Connection broken) {
        if (broken == connection) {
            lostAt = TIME.nanoTime();
            ready = false;
            giveUp(broken);
        }
    }

    /** Gives up the connection for another one. */
    void replace(String why) {
        Connection old = connection;
        if (old != null) {
            replacedAt = TIME.nanoTime();
            silent = 0;
            giveUp(old);
            down(why);
        }
    }

    private void giveUp(Connection old) {
        connection = null;
        old.close();
        connectLater();
        shard.sweepLater();
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
