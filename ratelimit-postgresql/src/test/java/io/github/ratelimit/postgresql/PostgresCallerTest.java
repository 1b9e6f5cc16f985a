package io.github.ratelimit.postgresql;

import static io.github.ratelimit.postgresql.Outages.CHARGES;
import static io.github.ratelimit.postgresql.Outages.PATIENT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.contract.FaultProxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A caller that makes its call itself, as nothing else is under way. */
class PostgresCallerTest {

    private static final String SCHEMA = "caller";

    private final PostgresServer server = PostgresServer.shared();
    private final Outages outages = new Outages(SCHEMA);
    private final FaultProxy proxy = new FaultProxy(server.port(), 4_000);

    @BeforeEach
    void begin() {
        server.createSchema(SCHEMA);
    }

    @AfterEach
    void end() {
        proxy.close();
        outages.close();
    }

    private static PostgresStore.Builder store(DataSource dataSource) {
        return PostgresStore.builder().dataSource(dataSource).schema(SCHEMA).startTimeout(PATIENT);
    }

    private PostgresStore.Builder distant() throws SQLException {
        DataSource dataSource = PostgresServer.dataSource("postgres", proxy.port());
        dataSource.setLoginTimeout(2);
        return store(dataSource);
    }

    /** The next call on its connection has its own time. */
    @Test
    void callThatTheServerRejectsLeavesNoDeadlineBehind() throws SQLException {
        try (PostgresStore store = store(server.dataSource())
                        .lines(1)
                        .timeout(Duration.ofMillis(500))
                        .build();
                Connection other = server.dataSource().getConnection();
                Statement statement = other.createStatement()) {
            outages.awaitDecision(store);
            other.setAutoCommit(false);
            statement.execute("SELECT FROM caller.counter WHERE key = '%s' FOR UPDATE"
                    .formatted(store.keys(CHARGES).get(0)));
            assertThatThrownBy(() -> store.tryAcquire(CHARGES)).hasMessageContaining("lock timeout");
            other.rollback();
            server.run("""
                    CREATE FUNCTION caller.take_long() RETURNS trigger LANGUAGE plpgsql AS
                    $$ BEGIN PERFORM pg_sleep(0.05); RETURN NULL; END $$;
                    CREATE TRIGGER takes_long AFTER UPDATE ON caller.counter FOR EACH ROW EXECUTE FUNCTION caller.take_long();
                    """);
            assertThat(store.tryAcquireAsync(CHARGES).join().allowed()).isTrue();
            assertThat(store.statistics().total().connections()).isEqualTo(1);
        }
    }
}
