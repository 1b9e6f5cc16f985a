package io.github.ratelimit.postgresql;

import static io.github.ratelimit.postgresql.Outages.CHARGES;
import static io.github.ratelimit.postgresql.Outages.PATIENT;
import static io.github.ratelimit.postgresql.Outages.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limiter;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.contract.FaultProxy;
import io.github.ratelimit.contract.FaultProxy.Fault;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The network's faults: no decision is wrong, policies decide meanwhile, and the store is back when the network is. */
class PostgresNetworkTest {

    private static final String SCHEMA = "network";

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

    private PostgresStore store() throws SQLException {
        DataSource dataSource = PostgresServer.dataSource("postgres", proxy.port());
        dataSource.setLoginTimeout(2); // as the manual wants it: else the driver waits for what is lost
        return PostgresStore.builder()
                .dataSource(dataSource)
                .schema(SCHEMA)
                .timeout(Duration.ofMillis(500))
                .startTimeout(PATIENT)
                .build();
    }

    private static Decision decide(PostgresStore store, OnStoreFailure policy) {
        LimiterSpec<String> spec = LimiterSpec.of("policy", CHARGES.get(0).limit(), Key::of);
        return Limiter.of(spec.withOnStoreFailure(policy), store).tryAcquire("somebody");
    }

    @ParameterizedTest
    @CsvSource({"REJECT, cannot connect", "BLACK_HOLE, ''", "DELAY, ''", "DROP_REPLIES, ''"})
    void faultIsAnOutageUntilItEnds(Fault fault, String why) throws SQLException {
        try (PostgresStore store = store()) {
            outages.awaitDecision(store);
            proxy.set(fault);
            outages.awaitDown(store, why);
            assertThat(decide(store, OnStoreFailure.ALLOW).source()).isEqualTo(Decision.Source.NONE);
            assertThat(decide(store, OnStoreFailure.ALLOW).allowed()).isTrue();
            assertThat(decide(store, OnStoreFailure.REJECT).allowed()).isFalse();
            assertThat(decide(store, OnStoreFailure.LOCAL).source()).isEqualTo(Decision.Source.LOCAL);
            proxy.set(Fault.PASS);
            outages.awaitBack(store);
            outages.assertExact(store);
        }
    }

    /** A connection that breaks is no outage: the next one is there before the deadline, or soon after. */
    @Test
    void brokenConnectionsAreReplaced() throws SQLException {
        try (PostgresStore store = store()) {
            for (int i = 0; i < 3; i++) {
                outages.awaitDecision(store);
                proxy.reset();
            }
            await("it decides again", () -> outages.decides(store));
            outages.assertExact(store);
            assertThat(store.statistics().total().connections()).isGreaterThan(1);
        }
    }

    /** As a firewall that forgets connections does. */
    @Test
    void silentConnectionIsReplaced() throws SQLException {
        try (PostgresStore store = store()) {
            outages.awaitDecision(store);
            proxy.forgetOpenConnections();
            await("it has another connection", () -> {
                boolean unused = outages.decides(store);
                return store.statistics().total().connections() > 1;
            });
            outages.assertExact(store);
        }
    }
}
