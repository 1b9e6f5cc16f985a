package io.github.ratelimit.postgresql;

import static io.github.ratelimit.postgresql.Outages.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.ratelimit.remote.StoreHealth.State;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store on an application's pool: its connections go back as they came, and an outage is one warning. */
class PooledConnectionsTest {

    private static final String SCHEMA = "borrowed";
    private static final int SIZE = 4;

    private final Outages outages = new Outages(SCHEMA);
    private final PrintStream err = System.err;
    private final ByteArrayOutputStream logged = new ByteArrayOutputStream();

    @BeforeEach
    void begin() {
        System.setErr(new PrintStream(logged, true, UTF_8));
    }

    @AfterEach
    void end() {
        System.setErr(err);
        outages.close();
    }

    /** What the pool has warned of, with its stack traces. */
    private List<String> warned() {
        return logged.toString(UTF_8)
                .lines()
                .filter(line -> line.contains("hikari") && line.contains("WARN"))
                .toList();
    }

    /** A pool with settings of its own. */
    private static HikariDataSource pool(PostgresServer server, String user, long leakMillis) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(PostgresServer.dataSource(user, server.port()));
        config.setMaximumPoolSize(SIZE);
        config.setMinimumIdle(SIZE);
        config.setConnectionTimeout(500);
        config.setAutoCommit(false);
        config.setLeakDetectionThreshold(leakMillis);
        config.setConnectionInitSql("SET statement_timeout = '7s'; COMMIT");
        config.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
        HikariDataSource pool = new HikariDataSource(config);
        await("the pool is full", () -> pool.getHikariPoolMXBean().getTotalConnections() == SIZE);
        return pool;
    }

    private static PostgresStore store(HikariDataSource pool) {
        return PostgresStore.builder()
                .dataSource(pool)
                .schema(SCHEMA)
                .timeout(Duration.ofMillis(500))
                .startTimeout(Duration.ofSeconds(1))
                .build();
    }

    private interface Reader {
        String read(Connection connection) throws SQLException;
    }

    private static Set<String> of(HikariDataSource pool, Reader reader) throws SQLException {
        Set<String> values = new TreeSet<>();
        List<Connection> connections = new ArrayList<>();
        try {
            for (int i = 0; i < SIZE; i++) {
                connections.add(pool.getConnection());
                values.add(reader.read(connections.get(i)));
            }
        } finally {
            for (Connection each : connections) {
                each.close();
            }
        }
        return values;
    }

    private static String ask(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getString(1);
        }
    }

    private static Set<String> processes(HikariDataSource pool) throws SQLException {
        return of(pool, connection -> ask(connection, "SELECT pg_backend_pid()"));
    }

    private static void assertAsTheyCame(HikariDataSource pool) throws SQLException {
        Set<String> settings = of(
                pool,
                connection -> "%s, %s, %s, %s"
                        .formatted(
                                connection.getAutoCommit(),
                                connection.getTransactionIsolation(),
                                connection.getNetworkTimeout(),
                                ask(connection, "SHOW statement_timeout")));
        assertThat(settings).containsExactly("false, %d, 0, 7s".formatted(Connection.TRANSACTION_SERIALIZABLE));
    }

    @Test
    void roleWithoutItsRightsCostsThePoolNothing() throws SQLException {
        PostgresServer server = PostgresServer.shared();
        server.createSchema(SCHEMA);
        server.run(
                "DO $$ BEGIN CREATE ROLE borrower LOGIN PASSWORD 'postgres'; EXCEPTION WHEN duplicate_object THEN END $$");
        try (HikariDataSource pool = pool(server, "borrower", 2000)) { // the least that there is
            Set<String> before = processes(pool);
            try (PostgresStore store = store(pool)) {
                outages.awaitDown(store, "permission denied");
                LockSupport.parkNanos(3_000_000_000L); // several attempts
                assertThat(store.health().state()).isEqualTo(State.DOWN);
                assertThat(warned()).isEmpty();
                assertThat(outages.told()).hasSize(1);
                assertThat(processes(pool)).isEqualTo(before);
                assertAsTheyCame(pool);
                server.run("GRANT USAGE ON SCHEMA borrowed TO borrower");
                server.run("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA borrowed TO borrower");
                server.run("GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA borrowed TO borrower");
                outages.awaitBack(store);
                await("both connections that the store keeps are reported", () -> warned().size() == 2);
            }
            assertThat(warned()).allMatch(line -> line.contains("leak detection"));
            assertThat(processes(pool)).isEqualTo(before);
            assertAsTheyCame(pool);
        } finally {
            server.run("DROP SCHEMA borrowed CASCADE; DROP ROLE borrower");
        }
    }

    /** A connection that a decision used when the function vanished is no broken one. */
    @Test
    void missingFunctionCostsThePoolNothing() throws SQLException {
        PostgresServer server = PostgresServer.shared();
        server.createSchema(SCHEMA);
        try (HikariDataSource pool = pool(server, "postgres", 0)) {
            Set<String> before = processes(pool);
            try (PostgresStore store = store(pool)) {
                outages.awaitDecision(store);
                server.run("ALTER FUNCTION borrowed.take_one_2 RENAME TO gone");
                outages.awaitDown(store, "run schema.sql");
                server.run("ALTER FUNCTION borrowed.gone RENAME TO take_one_2");
                outages.awaitBack(store);
            }
            assertThat(processes(pool)).isEqualTo(before);
            assertAsTheyCame(pool);
            assertThat(warned()).isEmpty();
        }
    }

    /** The pool warns once of each connection that the server ended. */
    @Test
    void restartIsOneOutage(@TempDir Path data) throws SQLException {
        try (PostgresServer server = PostgresServer.start(data)) {
            server.createSchema(SCHEMA);
            try (HikariDataSource pool = pool(server, "postgres", 0)) {
                try (PostgresStore store = store(pool)) {
                    outages.awaitDecision(store);
                    server.stop();
                    outages.awaitDown(store, "");
                    LockSupport.parkNanos(3_000_000_000L); // several attempts
                    assertThat(outages.told()).hasSize(1);
                    server.restart();
                    outages.awaitBack(store);
                }
                await("the pool is whole", () -> pool.getHikariPoolMXBean().getIdleConnections() == SIZE);
                assertAsTheyCame(pool);
                assertThat(warned()).as(String.join("\n", warned())).hasSizeLessThanOrEqualTo(SIZE);
            }
        }
    }
}
