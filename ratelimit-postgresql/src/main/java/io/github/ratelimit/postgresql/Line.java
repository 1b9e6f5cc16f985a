package io.github.ratelimit.postgresql;

import io.github.ratelimit.TimeSource;
import io.github.ratelimit.remote.Reply;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A JDBC connection for calls alone, each its own transaction. For one thread at a time, except for ending a stuck call. */
final class Line {

    /** A change of a setting. */
    private interface Change {
        void make() throws SQLException;
    }

    /** Of calls that a crash of the server may take back: no decision waits for the log or for a standby. */
    static final String UNFLUSHED = "set_config('synchronous_commit', 'off', true)";

    /** Socket timeouts are in whole milliseconds. */
    private static final long CLOSE_NANOS = 2_000_000;

    private final Connection jdbc;
    private final Deque<Change> returns = new ArrayDeque<>(); // of changed settings to their values, the last one first
    private final PreparedStatement decide;
    private final PreparedStatement take;
    private final PreparedStatement takeOne;
    private final PreparedStatement takeSeveral;
    private int patience; // in milliseconds
    private long deadline; // of a call that its caller makes; 0 if none
    private boolean isGivenUp; // by the thread that has it
    private volatile @Nullable Statement running;
    private volatile boolean closed;

    /**
     * Takes a connection from the data source, and prepares it.
     *
     * @param deadline of a call
     * @param patience how long the server may be silent while the connection is made
     * @param creates whether to make the schema if a part of it is missing or older
     */
    Line(DataSource from, Schema schema, Duration deadline, Duration patience, boolean creates) throws SQLException {
        jdbc = from.getConnection();
        try {
            int networkTimeout = jdbc.getNetworkTimeout();
            returns.push(() -> jdbc.setNetworkTimeout(Runnable::run, networkTimeout));
            jdbc.setNetworkTimeout(Runnable::run, Math.toIntExact(patience.toMillis()));
            boolean autoCommit = jdbc.getAutoCommit();
            returns.push(() -> jdbc.setAutoCommit(autoCommit));
            jdbc.setAutoCommit(true);
            int isolation = jdbc.getTransactionIsolation();
            // Others fail where calls meet, and no statement can change its own. The usual one is left alone.
            if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
                returns.push(() -> jdbc.setTransactionIsolation(isolation));
                jdbc.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            }
            if (creates) {
                schema.create(jdbc);
            }
            schema.check(jdbc, deadline);
            // The engine cancels a stuck call sooner: the driver would leave its backend behind.
            this.patience = Math.toIntExact(4 * patience.toMillis());
            jdbc.setNetworkTimeout(Runnable::run, this.patience);
            decide = jdbc.prepareStatement(statement(deadline, UNFLUSHED, schema.call("decide(?, ?)")));
            takeOne = jdbc.prepareStatement(statement(deadline, UNFLUSHED, schema.call("take_one(?, ?, ?, ?, ?)")));
            take = jdbc.prepareStatement(rows(statement(deadline, UNFLUSHED), schema.call("take(?, ?, ?, ?, ?)")));
            takeSeveral = jdbc.prepareStatement(
                    rows(statement(deadline, UNFLUSHED), schema.call("take_several(?, ?, ?, ?, ?, ?, ?)")));
        } catch (SQLException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * A call as one statement, whose settings end with its transaction: those of a session would reach other clients of a pooler. PostgreSQL
     * evaluates them from left to right, so that the last one is the call.
     *
     * @param deadline of the call; a wait for a lock ends shortly before, so that the connection is not given up for it
     */
    static String statement(Duration deadline, String... calls) {
        StringBuilder statement = new StringBuilder(
                "SELECT set_config('lock_timeout', '%d', true)".formatted(Math.max(1, deadline.toMillis() * 9 / 10)));
        Arrays.stream(calls).forEach(call -> statement.append(", ").append(call));
        return statement.toString();
    }

    /** The call of a function that returns rows, as one statement with its settings. */
    static String rows(String settings, String call) {
        return "SELECT called.* FROM (%s OFFSET 0) AS settings, LATERAL %s AS called".formatted(settings, call);
    }

    Connection jdbc() {
        return jdbc;
    }

    PreparedStatement decide() throws SQLException {
        return inTime(decide);
    }

    PreparedStatement take() throws SQLException {
        return inTime(take);
    }

    PreparedStatement takeOne() throws SQLException {
        return inTime(takeOne);
    }

    PreparedStatement takeSeveral() throws SQLException {
        return inTime(takeSeveral);
    }

    /** Prepares a statement for once. */
    PreparedStatement once(String sql) throws SQLException {
        return inTime(jdbc.prepareStatement(sql));
    }

    private PreparedStatement inTime(PreparedStatement statement) throws SQLException {
        running = statement;
        if (deadline != 0) {
            long left =
                    TimeUnit.NANOSECONDS.toMillis(deadline - TimeSource.system().nanoTime());
            jdbc.setNetworkTimeout(Runnable::run, Math.toIntExact(Math.max(1, left)));
        }
        return statement;
    }

    /** Makes a call on its caller's thread, which returns at the deadline: a server that is silent until then costs this connection. */
    @Nullable
    Reply make(FunctionCall call, long until) throws SQLException {
        deadline = until;
        try {
            return call.make(this);
        } finally {
            deadline = 0;
            if (!jdbc.isClosed()) {
                jdbc.setNetworkTimeout(Runnable::run, patience);
            } else if (TimeSource.system().nanoTime() - until > -CLOSE_NANOS) {
                isGivenUp = true;
            }
        }
    }

    /** Whether its caller had to return before the server answered, which costs the connection and tells nothing of the server. */
    boolean isGivenUp() {
        return isGivenUp;
    }

    /** Hands the connection back as it came: the data source may be a pool. */
    void close() {
        closed = true;
        try {
            for (Change each : returns) {
                each.make();
            }
            jdbc.close();
        } catch (SQLException e) { // it is broken
            abort();
        }
    }

    /** Has the server end the call that is stuck: its backend would stay for as long as it waits. */
    void cancel() {
        Statement stuck = running;
        try {
            if (stuck != null) {
                stuck.cancel();
            }
        } catch (SQLException e) { // the server is out of reach
        }
    }

    /** Breaks the connection, on which a call is stuck. */
    void abortUnlessClosed() {
        if (!closed) {
            abort();
        }
    }

    private void abort() {
        try (jdbc) {
            jdbc.abort(Runnable::run);
        } catch (SQLException e) { // there is nothing left to end
        }
    }
}
