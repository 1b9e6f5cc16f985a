package io.github.ratelimit.postgresql;

import static java.lang.System.Logger.Level.WARNING;

import io.github.ratelimit.TimeSource;
import io.github.ratelimit.remote.Batch;
import io.github.ratelimit.remote.Connection;
import io.github.ratelimit.remote.Reply;
import io.github.ratelimit.remote.Server;
import io.github.ratelimit.remote.UnansweredException;
import io.github.ratelimit.remote.UnansweredException.Meaning;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Phaser;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The connection to PostgreSQL: as many lines as calls may be on their way, each a JDBC connection. A call is made by its caller's thread if
 * nothing else is under way, otherwise by one of the lines' threads. All else is for the engine's thread.
 */
final class PostgresConnection implements Connection {

    /** Chosen: no call waits noticeably longer behind a round of clean-up. */
    private static final long LONGEST_CLEAN_UP_MILLIS = 10;

    /** Chosen: so long a closed store waits for a call that is stuck. */
    private static final long LONGEST_LAST_CALL_NANOS = 1_000_000_000;

    /** Chosen: a server that answers ends a cancelled call sooner. */
    private static final long CANCEL_NANOS = 300_000_000;

    private static final Engine.Threads CANCELS = new Engine.Threads("cancel");

    private static final long PAUSE_AFTER_FAILURE_NANOS = 60_000_000_000L;

    private static final TimeSource TIME = TimeSource.system();

    private final Server server;
    private final Engine engine;
    private final Schema schema;
    private final Duration timeout;
    private final ThreadPoolExecutor threads; // one for each line
    private final LinePool lines; // of which callers take one, too
    private final Phaser callers = new Phaser(1); // that make a call
    private volatile boolean warned;
    private volatile long cleanUpAt = TIME.nanoTime();

    /**
     * Uses lines.
     *
     * @param threads as many as lines; ended with this
     */
    PostgresConnection(
            Server server, Engine engine, Duration timeout, Schema schema, ThreadPoolExecutor threads, LinePool lines) {
        this.server = server;
        this.engine = engine;
        this.timeout = timeout;
        this.schema = schema;
        this.threads = threads;
        this.lines = lines;
    }

    @Override
    public void send(List<Batch> batches) {
        for (Batch batch : batches) {
            FunctionCall call = new FunctionCall(batch);
            if (!lines.isAllIdle() || !batch.leaveToCaller(until -> endByCaller(batch, call, until))) {
                NextCall.make(() -> end(batch, call::make), threads);
            }
        }
    }

    private void endByCaller(Batch batch, FunctionCall call, long until) {
        callers.register();
        try {
            end(batch, line -> line.make(call, until));
        } finally {
            callers.arriveAndDeregister();
        }
    }

    private void end(Batch batch, Call<Line, Reply> call) {
        try {
            Reply reply = make(call);
            if (reply == null) {
                batch.fail(UnansweredException.late("PostgreSQL"));
            } else {
                batch.answer(reply);
            }
        } catch (UnansweredException e) {
            batch.fail(e);
        }
    }

    private UnansweredException failure(SQLException error) {
        Meaning meaning = ServerErrors.meaning(error);
        if (meaning == Meaning.LOST) {
            server.disconnected(this); // which closes it
        }
        String what = meaning == Meaning.LOST ? "the connection to PostgreSQL failed: " : "PostgreSQL rejected: ";
        return new UnansweredException(meaning, what + ServerErrors.explained(error), null);
    }

    @Override
    public CompletionStage<Map<String, String>> readSettings() {
        String read = Line.rows(Line.statement(timeout), schema.call("read_settings()"));
        return onLine(read, call -> {
            Map<String, String> settings = new HashMap<>();
            try (ResultSet row = call.executeQuery()) {
                while (row.next()) {
                    settings.put(row.getString(1), row.getString(2));
                }
            }
            return settings;
        });
    }

    @Override
    public CompletionStage<Void> putSettings(Map<String, String> settings) {
        return change("put_settings(?, ?)", settings);
    }

    @Override
    public CompletionStage<Void> removeSettings(Map<String, String> seen) {
        return change("remove_settings(?, ?)", seen);
    }

    private CompletionStage<Void> change(String function, Map<String, String> settings) {
        List<String> names = List.copyOf(settings.keySet());
        return onLine(Line.statement(timeout, schema.call(function)), call -> {
                    Object[] values = names.stream().map(settings::get).toArray();
                    call.setArray(1, call.getConnection().createArrayOf("text", names.toArray()));
                    call.setArray(2, call.getConnection().createArrayOf("text", values));
                    return call.execute();
                })
                .thenAccept(done -> {});
    }

    /** Reads the answer of a call. */
    private interface Call<C, T> {
        @Nullable
        T make(C on) throws SQLException;
    }

    private <T> CompletableFuture<T> onLine(String sql, Call<PreparedStatement, T> made) {
        return onLine(line -> {
            try (PreparedStatement call = line.once(sql)) {
                // In whole seconds. The commit of a changed setting may wait for a standby for good.
                call.setQueryTimeout((int) Math.max(1, timeout.toSeconds()));
                return made.make(call);
            }
        });
    }

    private <T> CompletableFuture<T> onLine(Call<Line, T> call) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        threads.execute(() -> {
            try {
                answer.complete(make(call));
            } catch (UnansweredException e) {
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }

    /** Makes a call, once a line is idle. */
    private <T> @Nullable T make(Call<Line, T> call) {
        Line line = lines.take(timeout);
        try {
            return call.make(line);
        } catch (SQLException e) {
            throw line.isGivenUp() ? UnansweredException.late("PostgreSQL") : failure(e);
        } catch (RuntimeException | LinkageError e) { // the driver's
            throw new UnansweredException(Meaning.SERVER, "the call failed: " + UnansweredException.words(e), e);
        } finally {
            lines.release(line);
        }
    }

    @Override
    public void tick() {
        if (!isOpen()) {
            return;
        }
        lines.refill(threads);
        if (TIME.nanoTime() - cleanUpAt >= 0) {
            cleanUpAt = TIME.nanoTime() + PAUSE_AFTER_FAILURE_NANOS;
            long millis = Math.min(timeout.toMillis() / 10, LONGEST_CLEAN_UP_MILLIS);
            String cleanUp = schema.call("clean_up(%d)".formatted(millis));
            onLine(Line.statement(timeout, Line.UNFLUSHED, cleanUp), call -> {
                        try (ResultSet row = call.executeQuery()) {
                            row.next();
                            return row.getLong(3);
                        }
                    })
                    .whenComplete(this::cleanedUp);
        }
    }

    private void cleanedUp(@Nullable Long pauseMillis, @Nullable Throwable failure) {
        if (pauseMillis != null) {
            cleanUpAt = TIME.nanoTime() + pauseMillis * 1_000_000;
        } else if (failure instanceof UnansweredException why && why.meaning() == Meaning.SERVER && !warned) {
            warned = true;
            Connector.LOG.log(WARNING, "cannot delete expired counters: {0}", why.getMessage());
        }
    }

    @Override
    public boolean isOpen() {
        return lines.isOpen();
    }

    @Override
    public void close() {
        if (!isOpen()) {
            return;
        }
        // A call may end by itself; a pool would lose an aborted connection.
        lines.close(line -> threads.execute(line::close), this::cancelLater);
        threads.execute(callers::arriveAndAwaitAdvance); // a store that closes waits for them, too
        threads.shutdown();
    }

    private void cancelLater(Line line) {
        long patience = Math.min(timeout.toNanos(), LONGEST_LAST_CALL_NANOS);
        Runnable cancel = () -> CANCELS.newThread(line::cancel).start(); // which may block
        engine.schedule(cancel, patience, TimeUnit.NANOSECONDS);
        engine.schedule(line::abortUnlessClosed, patience + CANCEL_NANOS, TimeUnit.NANOSECONDS);
    }
}
