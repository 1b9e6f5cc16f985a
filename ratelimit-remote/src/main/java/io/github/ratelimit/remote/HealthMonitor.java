package io.github.ratelimit.remote;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import io.github.ratelimit.remote.StoreHealth.State;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Knows whether a store's servers answer, and reports each change once, to the log and to a listener. */
final class HealthMonitor {

    private final System.Logger log;
    private final InstantSource clock;
    private final String server;
    private final Executor executor;
    private final Consumer<StoreHealth> listener;
    private final CountDownLatch firstKnown = new CountDownLatch(1);
    private final CountDownLatch firstUp = new CountDownLatch(1);
    private volatile StoreHealth current;
    private CompletableFuture<?> reported = CompletableFuture.completedFuture(null);

    /**
     * Makes it.
     *
     * @param server its name in the log
     * @param executor runs the listener
     */
    HealthMonitor(
            System.Logger log, InstantSource clock, String server, Executor executor, Consumer<StoreHealth> listener) {
        this.log = log;
        this.clock = clock;
        this.server = server;
        this.executor = executor;
        this.listener = listener;
        this.current = new StoreHealth(State.STARTING, clock.instant(), Optional.empty(), List.of());
    }

    /** The last reported state, with the current masters and reason. */
    StoreHealth current(List<StoreHealth.Shard> shards) {
        StoreHealth known = current;
        Optional<String> first = known.reason();
        return new StoreHealth(
                known.state(),
                known.since(),
                first.isEmpty() ? first : reason(shards).or(() -> first),
                shards);
    }

    /** Waits until something is known: every master has answered, or one does not. */
    void awaitKnown(long nanos) throws InterruptedException {
        boolean unused = firstKnown.await(nanos, TimeUnit.NANOSECONDS);
    }

    /** Waits until everything has answered once. */
    boolean awaitUp(long nanos) throws InterruptedException {
        return firstUp.await(nanos, TimeUnit.NANOSECONDS);
    }

    /** Hears that a master has changed. Does not throw. For the event loop. */
    void update(List<StoreHealth.Shard> shards) {
        State state = state(shards);
        if (state == current.state()) {
            return;
        }
        boolean again = current.state() != State.STARTING;
        Optional<String> reason = reason(shards);
        Instant now = clock.instant();
        StoreHealth changed = new StoreHealth(state, now, reason, shards);
        current = changed;
        firstKnown.countDown();
        switch (state) {
            case UP -> {
                log.log(again ? INFO : DEBUG, "{0} answers: limits are shared", server);
                firstUp.countDown();
            }
            case DEGRADED, DOWN ->
                log.log(
                        WARNING,
                        "{0} {1}, limiters decide by their on-store-failure: {2}",
                        server,
                        state == State.DOWN ? "does not answer" : "does not answer for some of the keys",
                        reason.orElse(""));
            case STARTING -> {}
        }
        // One after the other, or a listener might hear an older state last. An executor that rejects costs this
        // news and nothing else.
        reported = reported.handleAsync((done, failure) -> report(changed), executor);
    }

    private boolean report(StoreHealth changed) {
        try {
            listener.accept(changed);
            return true;
        } catch (RuntimeException e) {
            log.log(WARNING, "A listener to the health of " + server + " has failed", e);
            return false;
        }
    }

    /** A new master changes nothing: its decisions wait until it is connected. */
    private State state(List<StoreHealth.Shard> shards) {
        long down = shards.stream().filter(shard -> shard.state() == State.DOWN).count();
        long up = shards.stream().filter(shard -> shard.state() == State.UP).count();
        if (down == 0) {
            return up == shards.size() || firstUp.getCount() == 0 ? State.UP : State.STARTING;
        }
        return up == 0 ? State.DOWN : State.DEGRADED;
    }

    private static Optional<String> reason(List<StoreHealth.Shard> shards) {
        return shards.stream()
                .filter(shard -> shard.state() == State.DOWN)
                .map(shard -> shard.reason().orElse(""))
                .findFirst();
    }
}
