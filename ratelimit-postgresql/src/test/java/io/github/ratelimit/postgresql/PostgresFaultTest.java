package io.github.ratelimit.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.SharedSettings;
import io.github.ratelimit.StoreException;
import io.github.ratelimit.remote.StoreHealth.State;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The server's faults: decisions fail in time, one line tells why, and the store is back when the server is. */
class PostgresFaultTest {

    private static final String SCHEMA = "fault";
    private static final Duration PATIENT = Duration.ofSeconds(60);
    private static final List<Charge> CHARGES =
            List.of(new Charge("api", Limit.of("only", 1_000_000, Duration.ofHours(1)), Key.of("somebody")));

    private final PostgresServer server = PostgresServer.shared();
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Logger logger = Logger.getLogger("io.github.ratelimit.postgresql");
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord told) {
            lines.add(new SimpleFormatter().formatMessage(told));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void begin() {
        server.createSchema(SCHEMA);
        logger.addHandler(handler);
    }

    @AfterEach
    void end() {
        logger.removeHandler(handler);
    }

    private static PostgresStore.Builder store(PostgresServer server) {
        return PostgresStore.builder()
                .dataSource(server.dataSource())
                .schema(SCHEMA)
                .timeout(Duration.ofMillis(500))
                .startTimeout(PATIENT);
    }

    private static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENT.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - end).as("waiting until " + what).isNegative();
            LockSupport.parkNanos(10_000_000);
        }
    }

    private static boolean decides(PostgresStore store) {
        try {
            return store.tryAcquire(CHARGES).allowed();
        } catch (StoreException e) {
            return false;
        }
    }

    private static void awaitDecision(PostgresStore store) {
        await("it decides", () -> decides(store));
    }

    private static void awaitDown(PostgresStore store, String why) {
        await("it is down", () -> !decides(store) && store.health().state() == State.DOWN);
        assertThat(store.health().reason().orElseThrow()).contains(why);
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> store.tryAcquire(CHARGES))
                .withMessageContaining("does not answer and is not asked");
    }

    /** What is told of outages: how each begins and ends. */
    private List<String> outages() {
        return lines.stream()
                .filter(line -> line.startsWith("PostgreSQL (schema fault) "))
                .filter(line -> line.contains("answer"))
                .toList();
    }

    private void awaitBack(PostgresStore store) {
        await("it decides again", () -> decides(store));
        await("it says so", () -> outages().size() % 2 == 0);
        assertThat(outages()).isNotEmpty();
        for (int i = 0; i < outages().size(); i++) { // more than one where a slow machine misses a deadline
            assertThat(outages().get(i)).contains(i % 2 == 0 ? " does not answer" : " answers: limits are shared");
        }
    }

    /** What an operator does to the schema, and what takes it back. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ALTER TABLE fault.counter RENAME TO gone | ALTER TABLE fault.gone RENAME TO counter | run schema.sql",
                "ALTER FUNCTION fault.decide RENAME TO gone | ALTER FUNCTION fault.gone RENAME TO decide | run schema.sql",
                "ALTER SCHEMA fault RENAME TO gone | ALTER SCHEMA gone RENAME TO fault | run schema.sql",
                "COMMENT ON TABLE fault.counter IS 'ratelimit 0'; ALTER FUNCTION fault.decide RENAME TO gone |"
                        + " COMMENT ON TABLE fault.counter IS 'ratelimit 1'; ALTER FUNCTION fault.gone RENAME TO decide |"
                        + " is of version 'ratelimit 0', and this store needs 'ratelimit 1'"
            })
    void missingPartOfTheSchemaIsAnOutageUntilItIsThere(String breaks, String heals, String why) {
        try (PostgresStore store = store(server).build()) {
            awaitDecision(store);
            server.run(breaks);
            await("it is down", () -> !decides(store) && store.health().state() == State.DOWN);
            await("it says why", () -> store.health().reason().orElse("").contains(why));
            server.run(heals);
            awaitBack(store);
        }
    }

    @Test
    void droppedSchemaIsMadeAnewWhereThatIsAllowed() {
        server.run("DROP SCHEMA fault CASCADE");
        try (PostgresStore store = store(server).createSchema(true).build();
                PostgresStore other = store(server).createSchema(true).build()) {
            awaitDecision(store);
            assertThat(server.text("SELECT relpersistence FROM pg_class WHERE oid = 'fault.counter'::regclass"))
                    .isEqualTo("u");
            server.run("DROP SCHEMA fault CASCADE");
            await("both decide again", () -> decides(store) && decides(other));
        }
    }

    @Test
    void tableIsLoggedIfAskedFor() {
        server.run("DROP SCHEMA fault CASCADE");
        try (PostgresStore store = store(server).createSchema(true).logged(true).build()) {
            awaitDecision(store);
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
                .build()) {
            awaitDecision(store);
            await(
                    "it cleans up",
                    () -> server.number(
                                    "SELECT count(*) FROM fault.counter WHERE key::text LIKE '00000000-%-000000000000'")
                            == 1);
            SharedSettings settings = store.sharedSettings().orElseThrow();
            settings.put(Map.of("api/shadow", "true")).join();
            assertThat(settings.read().join()).containsOnlyKeys("api/shadow");
            settings.remove(Set.of("api/shadow")).join();
            server.run("REVOKE EXECUTE ON FUNCTION fault.read_settings FROM limiter");
            assertThatThrownBy(() -> settings.read().join())
                    .hasMessageContaining("permission denied for function read_settings");
            awaitDecision(store);
            server.run("REVOKE EXECUTE ON FUNCTION fault.decide FROM limiter");
            awaitDown(store, "permission denied for function decide; https://");
            server.run("GRANT EXECUTE ON FUNCTION fault.decide TO limiter");
            awaitBack(store);
        } finally {
            server.run("DROP OWNED BY limiter; DROP ROLE limiter");
        }
    }

    @Test
    void terminatedBackendsAreReplaced() {
        try (PostgresStore store = store(server).build()) {
            for (int i = 0; i < 3; i++) {
                awaitDecision(store);
                server.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%fault.%'"
                        + " AND pid <> pg_backend_pid()");
                await("it decides again", () -> decides(store));
            }
            assertThat(store.statistics().total().connections()).isGreaterThan(1);
        }
    }

    @Test
    void readOnlyServerIsAnOutage() {
        try (PostgresStore store = store(server).build()) {
            awaitDecision(store);
            server.run("ALTER ROLE postgres SET default_transaction_read_only = on");
            try {
                server.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%fault.%'"
                        + " AND pid <> pg_backend_pid()");
                await("it is down", () -> !decides(store) && store.health().state() == State.DOWN);
                await("it says why", () -> store.health().reason().orElse("").contains("read-only transaction"));
            } finally {
                server.run("SET default_transaction_read_only = off;"
                        + " ALTER ROLE postgres RESET default_transaction_read_only");
            }
            awaitBack(store);
        }
    }

    /** The server ends each call by itself, and no backend is left behind that decides later. */
    @Test
    void serverThatIsTooSlowIsAnOutage() throws SQLException {
        try (PostgresStore store = store(server).build();
                Connection slow = server.dataSource().getConnection();
                Statement statement = slow.createStatement()) {
            awaitDecision(store);
            slow.setAutoCommit(false);
            statement.execute("LOCK TABLE fault.counter");
            await("it is down", () -> !decides(store) && store.health().state() == State.DOWN);
            assertThat(server.number("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"))
                    .isLessThanOrEqualTo(2);
            slow.rollback();
            awaitBack(store);
        }
    }

    private static long used(PostgresStore store) {
        return 1_000_000 - store.tryAcquire(CHARGES).statuses().get(0).remaining();
    }

    @Test
    void countsSurviveARestartAndNoCrashUnlessTheyAreLogged(@TempDir Path data) {
        try (PostgresServer own = PostgresServer.start(data)) {
            own.createSchema(SCHEMA);
            try (PostgresStore store = store(own).build();
                    PostgresStore logged = store(own)
                            .schema("logged")
                            .logged(true)
                            .createSchema(true)
                            .build()) {
                for (PostgresStore each : List.of(store, logged)) {
                    await("a hundred are used", () -> decides(each) && used(each) >= 100);
                }
                own.stop();
                awaitDown(store, "");
                own.restart();
                awaitBack(store);
                assertThat(used(store)).isGreaterThan(100);
                own.crash();
                await("both are back", () -> decides(store) && decides(logged));
                assertThat(used(store)).isLessThan(100);
                assertThat(used(logged)).isGreaterThan(100);
            }
        }
    }

    /** Connections are accepted, and nobody reads what is sent on them. */
    @Test
    void serverThatStandsStillIsAnOutage(@TempDir Path data) {
        try (PostgresServer own = PostgresServer.start(data)) {
            own.createSchema(SCHEMA);
            try (PostgresStore store = store(own).build()) {
                awaitDecision(store);
                own.signal("STOP");
                awaitDown(store, "");
                own.signal("CONT");
                awaitBack(store);
            } finally {
                own.signal("CONT");
            }
        }
    }

    @Test
    void promotedStandbyDecidesWithFreshBudgets(@TempDir Path data, @TempDir Path copy) throws IOException {
        try (PostgresServer primary = PostgresServer.start(data)) {
            primary.createSchema(SCHEMA);
            try (PostgresServer standby = primary.standby(copy);
                    PostgresStore store = store(primary)
                            .dataSource(PostgresServer.dataSource("postgres", primary.port(), standby.port()))
                            .build()) {
                try (PostgresStore ofStandby =
                        store(standby).startTimeout(Duration.ofSeconds(1)).build()) {
                    assertThat(ofStandby.health().reason().orElseThrow()).contains("is a standby");
                }
                lines.clear();
                await("a hundred are used", () -> decides(store) && used(store) >= 100);
                primary.stop();
                awaitDown(store, "");
                standby.run("SELECT pg_promote()");
                awaitBack(store);
                assertThat(used(store)).isLessThan(100);
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
        PostgresStore store = store(server).timeout(Duration.ofSeconds(30)).build();
        try (Connection slow = server.dataSource().getConnection();
                Statement statement = slow.createStatement()) {
            slow.setAutoCommit(false);
            statement.execute("LOCK TABLE fault.counter");
            var waiting = List.of(
                    store.tryAcquireAsync(CHARGES), store.tryAcquireAsync(CHARGES), store.tryAcquireAsync(CHARGES));
            store.close();
            assertThat(waiting).allSatisfy(decision -> assertThat(decision).completesExceptionallyWithin(PATIENT));
            slow.rollback();
        }
        await(
                "no connection is left",
                () -> server.number(
                                "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%fault.%' AND pid <> pg_backend_pid()")
                        == 0);
    }
}
