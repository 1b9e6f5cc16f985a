package io.github.ratelimit.redis;

import io.github.ratelimit.Store;
import io.github.ratelimit.contract.PermitsAheadContract;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class RedisPermitsAheadTest extends PermitsAheadContract {

    private static RedisProcess process;
    private static RedisTestBed bed;

    @BeforeAll
    static void start() {
        process = RedisProcess.start();
        bed = RedisTestBed.of(process);
    }

    @AfterAll
    static void stop() {
        bed.close();
        process.close();
    }

    static RedisStore node(String uri) {
        return RedisStore.builder()
                .uri(uri)
                .clientResources(RedisTestBed.RESOURCES)
                .timeout(Duration.ofSeconds(20))
                .rememberRejections(Duration.ZERO)
                .permitsAhead(Set.of("hot"))
                .build();
    }

    @Override
    protected Store node() {
        return node(process.uri());
    }

    @Override
    protected long servedAhead(Store node) {
        return ((RedisStore) node).statistics().ahead().served();
    }

    @Override
    protected void advance(Duration duration) {
        bed.advance(duration);
    }
}
