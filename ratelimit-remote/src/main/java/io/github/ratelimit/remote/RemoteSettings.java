package io.github.ratelimit.remote;

import static java.lang.System.Logger.Level.WARNING;

import io.github.ratelimit.Charge;
import io.github.ratelimit.SharedSettings;
import io.github.ratelimit.StoreException;
import io.github.ratelimit.remote.StoreHealth.State;
import io.github.ratelimit.remote.UnansweredException.Meaning;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;

/** Settings on a server, by the connection that its decisions use. */
final class RemoteSettings implements SharedSettings {

    /** Chosen: an operator waits so long, and no decision waits for it. */
    private static final long SHORTEST_TIMEOUT_NANOS = 2_000_000_000;

    private final Supplier<Server> serverNow;
    private final EngineSettings engine;
    private final Executor executor;
    private final Function<Charge, String> names;
    private final AtomicBoolean warned = new AtomicBoolean();

    /**
     * Makes it.
     *
     * @param serverNow the server of the settings; asked on the engine's thread
     * @param executor completes answers
     */
    RemoteSettings(
            Supplier<Server> serverNow, EngineSettings engine, Executor executor, Function<Charge, String> names) {
        this.serverNow = serverNow;
        this.engine = engine;
        this.executor = executor;
        this.names = names;
    }

    @Override
    public CompletableFuture<Map<String, String>> read() {
        return ask(Connection::readSettings);
    }

    @Override
    public CompletableFuture<Void> put(Map<String, String> settings) {
        return ask(connection -> connection.putSettings(settings));
    }

    @Override
    public CompletableFuture<Void> remove(Set<String> names) {
        return read().thenCompose(all -> {
            Map<String, String> seen = new HashMap<>(all);
            seen.keySet().retainAll(names);
            return remove(seen);
        });
    }

    @Override
    public CompletableFuture<Void> remove(Map<String, String> seen) {
        return ask(connection -> connection.removeSettings(seen));
    }

    @Override
    public String digest(Charge charge) {
        return names.apply(charge);
    }

    private <T> CompletableFuture<T> ask(Function<Connection, CompletionStage<T>> call) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        long timeout = Math.max(SHORTEST_TIMEOUT_NANOS, engine.timeoutNanos());
        try {
            engine.executor().execute(() -> ask(call, answer));
            engine.executor()
                    .schedule(
                            () -> answer.completeExceptionally(UnansweredException.late(engine.product())),
                            timeout,
                            TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            answer.completeExceptionally(new UnansweredException("the store was closed"));
        }
        return answer.whenCompleteAsync((done, failure) -> {}, executor);
    }

    /** On the engine's thread. */
    private <T> void ask(Function<Connection, CompletionStage<T>> call, CompletableFuture<T> answer) {
        Server server = serverNow.get();
        Connection connection = server.connection();
        if (server.state() == State.DOWN || connection == null || !connection.isOpen()) {
            answer.completeExceptionally(server.notAsked());
            return;
        }
        try {
            call.apply(connection).whenComplete((done, failure) -> {
                if (failure == null) {
                    warned.set(false);
                    answer.complete(done);
                } else {
                    answer.completeExceptionally(failed(failure));
                }
            });
        } catch (RuntimeException e) { // the connection was closed
            answer.completeExceptionally(failed(e));
        }
    }

    private StoreException failed(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (!(cause instanceof UnansweredException why)) {
            return UnansweredException.lost(engine.product(), cause);
        }
        if (why.meaning() != Meaning.LOST && why.meaning() != Meaning.LATE && warned.compareAndSet(false, true)) {
            engine.log().log(
                    WARNING,
                    "changes of limiters do not reach other nodes, and this node keeps its last known ones: {0}",
                    why.getMessage());
        }
        return why;
    }
}
