package io.github.ratelimit.postgresql;

import io.github.ratelimit.Store;
import io.github.ratelimit.contract.FaultProxy;
import io.github.ratelimit.contract.HoldFaultContract;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

@EnabledIfSystemProperty(named = "full", matches = "true")
class PostgresHoldFaultTest extends HoldFaultContract {

    private static final String SCHEMA = "hold";

    private static PostgresServer server;
    private static FaultProxy proxy;
    private @Nullable Connection slow;

    @BeforeAll
    static void start(@TempDir Path data) {
        server = PostgresServer.start(data);
        server.createSchema(SCHEMA);
        proxy = new FaultProxy(server.port(), 300);
    }

    @AfterAll
    static void stop() {
        proxy.close();
        server.close();
    }

    @Override
    protected Store store() {
        DataSource dataSource = PostgresServer.dataSource("postgres", proxy.port());
        try {
            dataSource.setLoginTimeout(2);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return PostgresStore.builder()
                .dataSource(dataSource)
                .schema(SCHEMA)
                .timeout(Duration.ofMillis(100))
                .build();
    }

    @Override
    protected FaultProxy proxy() {
        return proxy;
    }

    @Override
    protected List<Outage> outagesOfTheServer() {
        return List.of(
                new Outage("server stands still", () -> server.signal("STOP"), () -> server.signal("CONT")),
                new Outage("table is locked", this::lock, this::unlock),
                new Outage("server is restarted", server::stop, server::restart),
                new Outage("server crashes", server::crash, () -> {}, true),
                new Outage("backends are terminated", PostgresHoldFaultTest::terminateBackends, () -> {}),
                new Outage("function is missing", () -> rename("decide_2", "gone"), () -> rename("gone", "decide_2")));
    }

    private static void terminateBackends() {
        server.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%hold%.%'"
                + " AND pid <> pg_backend_pid()");
    }

    private static void rename(String from, String to) {
        server.run("ALTER FUNCTION hold.%s RENAME TO %s".formatted(from, to));
    }

    private void lock() {
        try {
            slow = server.dataSource().getConnection();
            slow.setAutoCommit(false);
            try (Statement statement = slow.createStatement()) {
                statement.execute("LOCK TABLE hold.counter");
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void unlock() {
        try {
            if (slow != null) {
                slow.close();
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
