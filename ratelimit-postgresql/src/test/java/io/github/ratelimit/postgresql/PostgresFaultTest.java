package io.github.ratelimit.postgresql;

import static io.github.ratelimit.postgresql.Outages.CHARGES;
import static io.github.ratelimit.postgresql.Outages.PATIENT;
import static io.github.ratelimit.postgresql.Outages.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Key;
import io.github.ratelimit.SharedSettings;
import io.github.ratelimit.StoreException;
import io.github.ratelimit.remote.StoreHealth.State;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The server's faults: decisions fail in time, one line tells why, and the store is back when the server is. */
class PostgresFaultTest {

    private static final String SCHEMA = "fault";

    private final PostgresServer server = PostgresServer.shared();
    private final Outages outages = new Outages(SCHEMA);

    @BeforeEach
    void begin() {
        server.createSchema(SCHEMA);
    }

    @AfterEach
    void end() {
        outages.close();
    }

    private static PostgresStore.Builder store(PostgresServer server) {
        return PostgresStore.builder()
                .dataSource(server.dataSource())
                .schema(SCHEMA)
                .timeout(Duration.ofMillis(500))
                .startTimeout(PATIENT);
    }

    /** What an operator does to the schema, and what takes it back. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ALTER TABLE fault.counter RENAME TO gone | ALTER TABLE fault.gone RENAME TO counter | run schema.sql",
                "ALTER FUNCTION fault.take_one_2 RENAME TO gone | ALTER FUNCTION fault.gone RENAME TO take_one_2 | run schema.sql",
                "ALTER SCHEMA fault RENAME TO gone | ALTER SCHEMA gone RENAME TO fault | run schema.sql",
                "COMMENT ON FUNCTION fault.decide_2 IS NULL; ALTER FUNCTION fault.take_one_2 RENAME TO gone |"
                        + " COMMENT ON FUNCTION fault.decide_2 IS 'ratelimit 2.2'; ALTER FUNCTION fault.gone RENAME TO take_one_2 |"
                        + " schema fault has not all tables and functions of version 2; run schema.sql"
            })
    void missingPartOfTheSchemaIsAnOutageUntilItIsThere(String breaks, String heals, String why) {
        try (PostgresStore store = store(server).build()) {
            outages.awaitDecision(store);
            server.run(breaks);
            outages.awaitDown(store, why);
            server.run(heals);
            outages.awaitBack(store);
        }
    }

    @Test
    void droppedSchemaIsMadeAnewWhereThatIsAllowed() {
        server.run("DROP SCHEMA fault CASCADE");
        try (PostgresStore store = store(server).createSchema(true).build();
                PostgresStore other = store(server).createSchema(true).build()) {
            outages.awaitDecision(store);
            assertThat(server.text("SELECT relpersistence FROM pg_class WHERE oid = 'fault.counter'::regclass"))
                    .isEqualTo("u");
            server.run("DROP SCHEMA fault CASCADE");
            await("both decide again", () -> outages.decides(store) && outages.decides(other));
        }
    }

    @Test
    void tableIsLoggedIfAskedFor() {
        server.run("DROP SCHEMA fault CASCADE");
        try (PostgresStore store = store(server).createSchema(true).logged(true).build()) {
            outages.awaitDecision(store);
            assertThat(server.text("SELECT relpersistence FROM pg_class WHERE oid = 'fault.counter'::regclass"))
                    .isEqualTo("p");
        }
    }

    @Test
    void roleThatMayExecuteIsEnough() {
        server.run("""
                DO $$ BEGIN CREATE ROLE limiter LOGIN PASSWORD 'postgres'; EXCEPTION WHEN duplicate_object THEN END $$;
                GRANT USAGE ON SCHEMA fault TO limiter;
                GRANT SELECT ON fault.counter TO limiter;
                GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA fault TO limiter
                """);
        try (PostgresStore store = store(server)
                .dataSource(PostgresServer.dataSource("limiter", server.port()))
                .timeout(PATIENT)
                .build()) {
            outages.awaitDecision(store);
            await(
                    "it cleans up",
                    () -> server.number(
                                    "SELECT count(*) FROM fault.counter WHERE key::text LIKE '00000000-%-000000000000'")
                            == 1);
            SharedSettings settings = store.sharedSettings().orElseThrow();
            settings.put(Map.of("api/shadow", "true")).join();
            assertThat(settings.read().join()).containsOnlyKeys("api/shadow");
            settings.remove(Set.of("api/shadow")).join();
            server.run("REVOKE EXECUTE ON FUNCTION fault.read_settings_2 FROM limiter");
            assertThatThrownBy(() -> settings.read().join())
                    .hasMessageContaining("permission denied for function read_settings_2");
            outages.awaitDecision(store);
            server.run("REVOKE EXECUTE ON FUNCTION fault.take_one_2 FROM limiter");
            outages.awaitDown(store, "permission denied for function take_one_2; https://");
            server.run("GRANT EXECUTE ON FUNCTION fault.take_one_2 TO limiter");
            outages.awaitBack(store);
        } finally {
            server.run("DROP OWNED BY limiter; DROP ROLE limiter");
        }
    }

    @Test
    void terminatedBackendsAreReplaced() {
        try (PostgresStore store = store(server).build()) {
            for (int i = 0; i < 3; i++) {
                outages.awaitDecision(store);
                server.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%fault%.%'"
                        + " AND pid <> pg_backend_pid()");
                await("it decides again", () -> outages.decides(store));
            }
            assertThat(store.statistics().total().connections()).isGreaterThan(1);
        }
    }

    @Test
    void readOnlyServerIsAnOutage() {
        try (PostgresStore store = store(server).build()) {
            outages.awaitDecision(store);
            server.run("ALTER ROLE postgres SET default_transaction_read_only = on");
            try {
                server.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%fault%.%'"
                        + " AND pid <> pg_backend_pid()");
                outages.awaitDown(store, "read-only transaction");
            } finally {
                server.run("SET default_transaction_read_only = off;"
                        + " ALTER ROLE postgres RESET default_transaction_read_only");
            }
            outages.awaitBack(store);
        }
    }

    /** A full disk may still let rows change that are there. Its errors are made by a trigger, as no test may fill a disk. */
    @ParameterizedTest
    @ValueSource(strings = {"INSERT", "INSERT OR UPDATE"})
    void fullDiskIsOneOutage(String writes) {
        server.run("""
                CREATE SEQUENCE fault.failures;
                CREATE FUNCTION fault.fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                PERFORM nextval('fault.failures');
                RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$
                """);
        try (PostgresStore store = store(server).build()) {
            outages.awaitDecision(store);
            server.run("CREATE TRIGGER full_disk BEFORE %s ON fault.counter FOR EACH ROW EXECUTE FUNCTION fault.fail()"
                    .formatted(writes));
            await(
                    "it is down",
                    () -> !decidesForNewClient(store) && store.health().state() == State.DOWN);
            assertThat(store.health().reason().orElseThrow()).contains("No space left on device");
            long failures = failures();
            await("probes fail", () -> failures() > failures + 3);
            assertThat(store.health().state()).isEqualTo(State.DOWN);
            server.run("DROP TRIGGER full_disk ON fault.counter");
            outages.awaitBack(store);
            outages.assertExact(store);
        }
    }

    private long failures() {
        return server.number("SELECT last_value FROM fault.failures");
    }

    private static boolean decidesForNewClient(PostgresStore store) {
        Charge known = CHARGES.get(0);
        Key client = Key.of(UUID.randomUUID().toString());
        try {
            return store.tryAcquire(List.of(new Charge(known.limiter(), known.limit(), client)))
                    .allowed();
        } catch (StoreException e) {
            return false;
        }
    }

    /** The server ends each call by itself, and no backend is left behind that decides later. */
    @Test
    void serverThatIsTooSlowIsAnOutage() throws SQLException {
        try (PostgresStore store = store(server).build();
                Connection slow = server.dataSource().getConnection();
                Statement statement = slow.createStatement()) {
            outages.awaitDecision(store);
            slow.setAutoCommit(false);
            statement.execute("LOCK TABLE fault.counter");
            await("it is down", () -> !outages.decides(store) && store.health().state() == State.DOWN);
            assertThat(server.number("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"))
                    .isLessThanOrEqualTo(2);
            slow.rollback();
            outages.awaitBack(store);
        }
    }

    /** Each attempt to connect ends by itself. */
    @Test
    void tableThatIsLockedAtTheStartKeepsNoBackends() throws SQLException {
        try (Connection other = server.dataSource().getConnection();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("LOCK TABLE fault.counter");
            try (PostgresStore store =
                    store(server).startTimeout(Duration.ofSeconds(5)).build()) {
                assertThat(server.number("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"))
                        .isLessThanOrEqualTo(2);
                other.rollback();
                outages.awaitDecision(store);
            }
        }
    }

    @Test
    void storeWithoutAServerIsMadeAllTheSame() {
        try (PostgresStore store = PostgresStore.builder()
                .dataSource(PostgresServer.dataSource("postgres", 1))
                .build()) {
            assertThat(store.health().state()).isEqualTo(State.DOWN);
            assertThat(store.health().reason().orElseThrow()).contains("cannot connect: Connection refused");
        }
    }

    @Test
    void closedStoreAnswersWaitingRequestsAndLeavesNoConnection() throws SQLException {
        PostgresStore store = store(server).timeout(PATIENT).build();
        try (Connection slow = server.dataSource().getConnection();
                Statement statement = slow.createStatement()) {
            slow.setAutoCommit(false);
            statement.execute("LOCK TABLE fault.counter");
            var waiting = List.of(
                    store.tryAcquireAsync(CHARGES), store.tryAcquireAsync(CHARGES), store.tryAcquireAsync(CHARGES));
            store.close();
            assertThat(waiting).allSatisfy(decision -> assertThat(decision).completesExceptionallyWithin(PATIENT));
            String decisions =
                    "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%\"fault\".%' AND pid <> pg_backend_pid()";
            long closed = System.nanoTime();
            await("no connection is left, whatever its call waits for", () -> server.number(decisions) == 0);
            assertThat(Duration.ofNanos(System.nanoTime() - closed)).isLessThan(PATIENT.dividedBy(2));
            slow.rollback();
        }
    }
}
