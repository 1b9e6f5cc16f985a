package io.github.ratelimit.postgresql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;

/** A JDBC connection for calls alone, each its own transaction. */
final class Line {

    private final Connection jdbc;
    private final int networkTimeout; // as it was
    private final PreparedStatement decide;

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
            networkTimeout = jdbc.getNetworkTimeout();
            jdbc.setNetworkTimeout(Runnable::run, Math.toIntExact(patience.toMillis()));
            jdbc.setAutoCommit(true);
            jdbc.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED); // others fail where calls meet
            if (creates) {
                schema.create(jdbc);
            }
            schema.check(jdbc);
            set("statement_timeout = " + deadline.toMillis());
            decide = jdbc.prepareStatement(schema.call("decide(?, ?)"));
        } catch (SQLException | RuntimeException e) {
            abort();
            throw e;
        }
    }

    private void set(String setting) throws SQLException {
        try (Statement statement = jdbc.createStatement()) {
            statement.execute("SET " + setting);
        }
    }

    Connection jdbc() {
        return jdbc;
    }

    PreparedStatement decide() {
        return decide;
    }

    /** Hands the connection back as it came: the data source may be a pool. */
    void close() {
        try (jdbc) {
            set("statement_timeout = DEFAULT");
            jdbc.setNetworkTimeout(Runnable::run, networkTimeout);
        } catch (SQLException e) { // it is broken
            abort();
        }
    }

    /** Breaks the connection at any time. */
    void abort() {
        try (jdbc) {
            jdbc.abort(Runnable::run);
        } catch (SQLException e) { // there is nothing left to end
        }
    }
}
