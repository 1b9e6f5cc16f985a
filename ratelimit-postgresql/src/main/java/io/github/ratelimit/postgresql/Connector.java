package io.github.ratelimit.postgresql;

import static java.lang.System.Logger.Level.WARNING;

import io.github.ratelimit.TimeSource;
import io.github.ratelimit.remote.Server;
import io.github.ratelimit.remote.UnansweredException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import javax.sql.DataSource;

/** Connects to PostgreSQL without blocking the engine's thread, however long the data source takes. */
final class Connector implements AutoCloseable {

    /** Chosen: so many attempts may be stuck in the data source, or connections in a call, before further attempts are rare. */
    private static final int FEW_ATTEMPTS = 4;

    private static final long RARELY_NANOS = 10_000_000_000L;
    private static final long CLOSING_NANOS = 2_000_000_000;
    private static final Duration SHORTEST_PATIENCE = Duration.ofMillis(500);
    private static final Duration LONGEST_PATIENCE = Duration.ofSeconds(5);
    private static final TimeSource TIME = TimeSource.system();
    static final System.Logger LOG = System.getLogger(PostgresStore.class.getName());

    private final DataSource dataSource;
    private final Schema schema;
    private final boolean creates;
    private final Engine engine;
    private final Duration timeout;
    private final int size;
    private final Duration patience;
    private final Engine.Threads factory = new Engine.Threads("call");
    private final Set<ExecutorService> threads =
            ConcurrentHashMap.newKeySet(); // of attempts, and connections that are in use or stuck
    private final AtomicLong keptSince = new AtomicLong(); // by the connection before; 0 if there was none
    private final LongAdder losses = new LongAdder();
    private long attemptAt = TIME.nanoTime(); // for the engine's thread

    /**
     * Connects to nothing yet.
     *
     * @param timeout of a decision
     * @param size how many lines a connection has
     */
    Connector(DataSource dataSource, Schema schema, boolean creates, Engine engine, Duration timeout, int size) {
        this.dataSource = dataSource;
        this.schema = schema;
        this.creates = creates;
        this.engine = engine;
        this.timeout = timeout;
        this.size = size;
        Duration several = Collections.max(List.of(SHORTEST_PATIENCE, timeout.multipliedBy(3)));
        this.patience = Collections.max(List.of(timeout, Collections.min(List.of(several, LONGEST_PATIENCE))));
    }

    /** Connects. On the engine's thread. */
    CompletableFuture<PostgresConnection> connect(Server server) {
        CompletableFuture<PostgresConnection> attempt = new CompletableFuture<>();
        threads.removeIf(ExecutorService::isTerminated);
        if (threads.size() >= FEW_ATTEMPTS && TIME.nanoTime() - attemptAt < RARELY_NANOS) {
            attempt.completeExceptionally(new UnansweredException(
                    "the data source gives no connection, or calls are stuck: %d wait".formatted(threads.size())));
            return attempt;
        }
        attemptAt = TIME.nanoTime();
        ThreadPoolExecutor own = (ThreadPoolExecutor) Executors.newFixedThreadPool(size, factory);
        threads.add(own);
        own.execute(() -> attempt(attempt, server, own));
        engine.schedule(
                () -> attempt.completeExceptionally(
                        new UnansweredException("the data source gave no connection in time")),
                patience.toMillis(),
                TimeUnit.MILLISECONDS);
        return attempt;
    }

    private void attempt(CompletableFuture<PostgresConnection> attempt, Server server, ThreadPoolExecutor own) {
        List<Line> lines = new ArrayList<>();
        try {
            while (lines.size() < size) {
                lines.add(line(creates && lines.isEmpty()));
            }
            noticeLoss(schema.keptSince(lines.get(0).jdbc(), timeout));
            PostgresConnection made = new PostgresConnection(
                    server, engine, timeout, schema, own, new LinePool(lines, () -> line(false)));
            if (!attempt.complete(made)) {
                made.close();
            }
        } catch (SQLException e) {
            lines.forEach(Line::close);
            attempt.completeExceptionally(new UnansweredException(ServerErrors.explained(e)));
        } catch (RuntimeException | LinkageError e) { // the data source's, or the driver's
            lines.forEach(Line::close);
            attempt.completeExceptionally(e);
        } finally {
            if (attempt.isCompletedExceptionally()) {
                own.shutdown();
            }
        }
    }

    private Line line(boolean creates) throws SQLException {
        return new Line(dataSource, schema, timeout, patience, creates);
    }

    private void noticeLoss(long since) {
        long before = keptSince.getAndSet(since);
        if (before != 0 && before != since) {
            losses.increment();
            LOG.log(
                    WARNING,
                    "the table {0}.counter was emptied: clients start with a full limit ({1})",
                    schema.name(),
                    ServerErrors.PAGE);
        }
    }

    /** How often counters were found to be lost. */
    long losses() {
        return losses.sum();
    }

    /** Waits until no line's thread is in a call any more, but not for ever. */
    @Override
    public void close() {
        long end = TIME.nanoTime() + CLOSING_NANOS;
        try {
            for (ExecutorService one : threads) {
                boolean unused = one.awaitTermination(Math.max(0, end - TIME.nanoTime()), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
