package io.github.ratelimit.postgresql;

import static io.github.ratelimit.postgresql.Outages.await;
import static io.github.ratelimit.postgresql.Outages.used;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.SharedSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers that end, crash, stand still or hand over to another one: what becomes of the counts. */
class PostgresFailoverTest {

    private static final String SCHEMA = "fault";
    private static final String BACKENDS =
            "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%\"fault\".%' AND pid <> pg_backend_pid()";

    private final Outages outages = new Outages(SCHEMA);

    @AfterEach
    void end() {
        outages.close();
    }

    private static PostgresStore.Builder store(PostgresServer server) {
        return PostgresStore.builder()
                .dataSource(server.dataSource())
                .schema(SCHEMA)
                .timeout(Duration.ofMillis(500))
                .startTimeout(Outages.PATIENT);
    }

    private static long lossesOf(PostgresStore store) {
        return store.statistics().losses();
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
                    await("a hundred are used", () -> outages.decides(each) && used(each) >= 100);
                }
                own.stop();
                outages.awaitDown(store, "");
                own.restart();
                outages.awaitBack(store);
                assertThat(used(store)).isGreaterThan(100);
                assertThat(lossesOf(store)).isZero();
                own.crash();
                await("the loss is noticed", () -> outages.decides(store) && lossesOf(store) == 1);
                outages.awaitDecision(logged); // not together: each look takes a permit of the other one, too
                assertThat(used(store)).isLessThan(100);
                assertThat(used(logged)).isGreaterThan(100);
                assertThat(lossesOf(store)).isEqualTo(1);
                assertThat(lossesOf(logged)).isZero();
            }
        }
    }

    /** Each commit that waits for the standby waits for good, and keeps its backend. */
    @Test
    void decisionsDoNotWaitForASynchronousStandbyThatIsAway(@TempDir Path data) {
        try (PostgresServer own = PostgresServer.start(data)) {
            own.run(PostgresStore.schemaScript(SCHEMA, true));
            own.run("ALTER ROLE postgres SET synchronous_commit = on"); // which the embedded server has switched off
            own.run("ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
            own.run("SELECT pg_reload_conf()");
            try (PostgresStore store = store(own).build()) {
                await("a hundred are used", () -> outages.decides(store) && used(store) >= 100);
                assertThat(store.statistics().total().connections()).isEqualTo(1);
                SharedSettings settings = store.sharedSettings().orElseThrow();
                settings.put(Map.of("api/shadow", "true"))
                        .exceptionally(late -> null)
                        .join();
                await("none of its backends is left behind", () -> own.number(BACKENDS) <= 2);
                assertThat(settings.read().join()).containsOnlyKeys("api/shadow");
                assertThat(outages.decides(store)).isTrue();
            }
        }
    }

    /** Connections are accepted, and nobody reads what is sent on them. */
    @Test
    void serverThatStandsStillIsAnOutage(@TempDir Path data) {
        try (PostgresServer own = PostgresServer.start(data)) {
            own.createSchema(SCHEMA);
            try (PostgresStore store = store(own).build()) {
                outages.awaitDecision(store);
                own.signal("STOP");
                outages.awaitDown(store, "");
                own.signal("CONT");
                outages.awaitBack(store);
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
                    await(
                            "it says that it is a standby",
                            () -> ofStandby.health().reason().orElse("").contains("is a standby"));
                }
                outages.clear();
                await("a hundred are used", () -> outages.decides(store) && used(store) >= 100);
                primary.stop();
                outages.awaitDown(store, "");
                standby.run("SELECT pg_promote()");
                outages.awaitBack(store);
                assertThat(used(store)).isLessThan(100);
                assertThat(lossesOf(store)).isEqualTo(1);
            }
        }
    }
}
