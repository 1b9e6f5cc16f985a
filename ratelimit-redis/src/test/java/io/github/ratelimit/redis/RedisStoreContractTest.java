package io.github.ratelimit.redis;

import io.github.ratelimit.Store;
import io.github.ratelimit.test.TestClock;
import java.time.Duration;
import java.util.Optional;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract on one real server: one that is started for it, or the one that {@code RATELIMIT_TEST_REDIS_URI} names. */
class RedisStoreContractTest extends RedisContract {

    private static @Nullable RedisProcess process;
    private static RedisTestBed bed;
    private static String uri;

    @BeforeAll
    @BeforeContainer
    static void start() {
        uri = Optional.ofNullable(System.getenv("RATELIMIT_TEST_REDIS_URI")).orElseGet(() -> {
            process = RedisProcess.start();
            return process.uri();
        });
        bed = new RedisTestBed(java.util.List.of(uri));
    }

    @AfterAll
    @AfterContainer
    static void stop() {
        bed.close();
        if (process != null) {
            process.close();
        }
    }

    @Override
    protected Store store(TestClock clock) {
        bed.flush();
        RedisStore store = RedisStore.builder()
                .uri(uri)
                .clientResources(RedisTestBed.RESOURCES)
                .timeout(Duration.ofSeconds(30)) // what is promised here is the decision, not the time it takes
                .time(clock)
                .build();
        return new MovedTime(store, bed);
    }

    @Override
    RedisTestBed bed() {
        return bed;
    }
}
