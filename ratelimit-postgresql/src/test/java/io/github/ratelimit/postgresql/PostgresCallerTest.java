package io.github.ratelimit.postgresql;

import static io.github.ratelimit.postgresql.Outages.CHARGES;
import static io.github.ratelimit.postgresql.Outages.PATIENT;
import static io.github.ratelimit.postgresql.Outages.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.contract.FaultProxy;
import io.github.ratelimit.contract.FaultProxy.Fault;
import io.github.ratelimit.test.TestClock;
import java.sql.SQLException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A caller that makes its call itself, as nothing else is under way. */
class PostgresCallerTest {

    private static final String SCHEMA = "caller";

    private final PostgresServer server = PostgresServer.shared();
    private final Outages outages = new Outages(SCHEMA);
    private final FaultProxy proxy = new FaultProxy(server.port(), 700);

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
    void callThatTheServerRejectsLeavesNoDeadlineBehind() {
        server.run("""
                CREATE FUNCTION caller.fail() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN RAISE EXCEPTION 'failed on purpose'; END $$;
                CREATE FUNCTION caller.take_long() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN PERFORM pg_sleep(0.05); RETURN NULL; END $$;
                """);
        try (PostgresStore store = store(server.dataSource())
                .lines(1)
                .timeout(Duration.ofSeconds(5))
                .build()) {
            outages.awaitDecision(store);
            server.run(
                    "CREATE TRIGGER fails AFTER UPDATE ON caller.counter FOR EACH ROW EXECUTE FUNCTION caller.fail()");
            assertThatThrownBy(() -> store.tryAcquire(CHARGES)).hasMessageContaining("failed on purpose");
            server.run(
                    "DROP TRIGGER fails ON caller.counter;"
                            + " CREATE TRIGGER takes_long AFTER UPDATE ON caller.counter FOR EACH ROW EXECUTE FUNCTION caller.take_long()");
            await("it decides", () -> decidesUnlessAProbeFailed(store));
            assertThat(store.statistics().total().connections()).isEqualTo(1);
        }
    }

    private static boolean decidesUnlessAProbeFailed(PostgresStore store) {
        try {
            return store.tryAcquireAsync(CHARGES).join().allowed();
        } catch (CompletionException e) {
            assertThat(e).hasMessageContaining("is not asked").hasMessageContaining("failed on purpose");
            return false;
        }
    }

    /** The other connection goes on, and another one takes the place of that which was left. */
    @Test
    void lateAnswerIsNoOutage() throws SQLException {
        try (PostgresStore store = distant().timeout(Duration.ofMillis(500)).build()) {
            outages.awaitDecision(store);
            for (int i = 0; i < 3; i++) {
                await("both connections are idle", () -> connections() == 2);
                proxy.set(Fault.DELAY);
                assertThat(outages.decides(store)).isFalse();
                proxy.set(Fault.PASS);
                outages.awaitDecision(store);
            }
            assertThat(store.statistics().total().connections()).isEqualTo(1);
            assertThat(outages.told()).isEmpty();
            outages.assertExact(store);
        }
    }

    @Test
    void interruptedCallerGetsItsDecision() {
        try (PostgresStore store =
                store(server.dataSource()).timeout(Duration.ofSeconds(30)).build()) {
            outages.awaitDecision(store);
            for (int i = 0; i < 20; i++) {
                Thread.currentThread().interrupt();
                boolean decides = outages.decides(store);
                assertThat(Thread.interrupted()).isTrue();
                assertThat(decides).isTrue();
            }
        }
    }

    /** Its call is answered within the time that closing takes, which waits for it. */
    @Test
    void closedStoreWaitsForACaller() throws Exception {
        server.run("""
                CREATE FUNCTION caller.take_long() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN PERFORM pg_sleep(0.5); RETURN NULL; END $$;
                """);
        PostgresStore store =
                store(server.dataSource()).timeout(Duration.ofSeconds(30)).build();
        outages.awaitDecision(store);
        server.run(
                "CREATE TRIGGER takes_long AFTER UPDATE ON caller.counter FOR EACH ROW EXECUTE FUNCTION caller.take_long()");
        FutureTask<Boolean> caller = new FutureTask<>(() -> outages.decides(store));
        new Thread(caller).start();
        await(
                "it is under way",
                () -> server.number("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'") > 0);
        store.close();
        assertThat(caller.get(5, TimeUnit.SECONDS)).isTrue();
    }

    /** The day is over that the node told the server of: the caller makes a second call, which tells of the next one. */
    @Test
    void callerAsksAgain() {
        TestClock clock = new TestClock();
        MovedTime time = new MovedTime(server, SCHEMA);
        time.begin(clock);
        List<Charge> daily = List.of(new Charge("api", Limit.daily("day", 10, ZoneOffset.UTC), Key.of("somebody")));
        try (PostgresStore store = time.store(clock).build()) {
            for (int i = 0; i < 3; i++) {
                assertThat(store.tryAcquire(daily).statuses().get(0).remaining())
                        .isEqualTo(9);
                time.advance(Duration.ofDays(2));
            }
        }
    }

    private long connections() {
        return server.number(
                "SELECT count(*) FROM pg_stat_activity WHERE state = 'idle' AND query LIKE '%\"caller\".%'");
    }
}
