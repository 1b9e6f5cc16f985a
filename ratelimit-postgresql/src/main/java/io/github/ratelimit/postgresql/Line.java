package io.github.ratelimit.postgresql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import javax.sql.DataSource;

/** A JDBC connection for calls alone, each its own transaction. */
final class Line {

    /** A change of a setting. */
    private interface Change {
        void make() throws SQLException;
    }

    private final Connection jdbc;
    private final Deque<Change> returns = new ArrayDeque<>(); // of changed settings to their values, the last one first
    private final PreparedStatement decide;
    private final PreparedStatement take;
    private final PreparedStatement takeOne;
    private volatile boolean closed;

    /**
     * Takes a connection from the data source, and prepares it.
     *
     * @param deadline of a call, which the server keeps
     * @param patience how long the server may be silent before the connection counts as broken
     * @param creates whether to make the schema if it is missing
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
            returns.push(() -> jdbc.setTransactionIsolation(isolation));
            jdbc.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED); // others fail where calls meet
            if (creates) {
                schema.create(jdbc);
            }
            schema.check(jdbc);
            String statementTimeout = statementTimeout();
            returns.push(() -> setStatementTimeout(statementTimeout));
            setStatementTimeout(deadline.toMillis() + "ms");
            decide = jdbc.prepareStatement(schema.call("decide(?, ?)"));
            take = jdbc.prepareStatement(schema.rows("take(?, ?, ?, ?, ?)"));
            takeOne = jdbc.prepareStatement(schema.call("take_one(?, ?, ?, ?, ?)"));
        } catch (SQLException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private String statementTimeout() throws SQLException {
        try (Statement statement = jdbc.createStatement();
                ResultSet row = statement.executeQuery("SHOW statement_timeout")) {
            row.next();
            return row.getString(1);
        }
    }

    private void setStatementTimeout(String time) throws SQLException {
        try (Statement statement = jdbc.createStatement()) {
            statement.execute("SET statement_timeout = '%s'".formatted(time));
        }
    }

    Connection jdbc() {
        return jdbc;
    }

    PreparedStatement decide() {
        return decide;
    }

    PreparedStatement take() {
        return take;
    }

    PreparedStatement takeOne() {
        return takeOne;
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
