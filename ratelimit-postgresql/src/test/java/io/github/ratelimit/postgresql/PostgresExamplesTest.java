package io.github.ratelimit.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Limit;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpKeys;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The example of docs/postgresql.md. It needs no server: a store is made before its server can be reached. */
class PostgresExamplesTest {

    @Test
    void storeForManyNodes() {
        DataSource dataSource = PostgresServer.dataSource("limiter", 1);
        LimiterSpec<HttpCall> spec =
                LimiterSpec.of("search", Limit.of("per-minute", 5, Duration.ofMinutes(1)), HttpKeys.clientAddress());
        // region store
        try (PostgresStore store = PostgresStore.builder()
                .dataSource(dataSource)
                .createSchema(true)
                .build()) {
            Limiters<HttpCall> limiters =
                    Limiters.<HttpCall>builder(store).add(spec).build();
            assertThat(limiters.names()).containsExactly("search");
        }
        // endregion
    }
}
