package io.github.ratelimit.postgresql;

import io.github.ratelimit.Store;
import io.github.ratelimit.contract.FaultProxy;
import io.github.ratelimit.contract.LateAnswersContract;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

class PostgresLateAnswersTest extends LateAnswersContract {

    private static final String SCHEMA = "tickets";

    private final PostgresServer server = PostgresServer.shared();
    private FaultProxy proxy;
    private PostgresStore store;

    @BeforeEach
    void start() throws SQLException {
        server.createSchema(SCHEMA);
        proxy = new FaultProxy(server.port(), 300);
        DataSource dataSource = PostgresServer.dataSource("postgres", proxy.port());
        dataSource.setLoginTimeout(2);
        store = PostgresStore.builder()
                .dataSource(dataSource)
                .schema(SCHEMA)
                .timeout(Duration.ofMillis(100))
                .build();
    }

    @AfterEach
    void stop() {
        store.close();
        proxy.close();
    }

    @Override
    protected Store store() {
        return store;
    }

    @Override
    protected FaultProxy proxy() {
        return proxy;
    }
}
