package io.github.ratelimit.redis;

import java.util.List;
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
        bed = new RedisTestBed(List.of(uri));
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
    RedisStore.Builder builder() {
        return RedisStore.builder().uri(uri).clientResources(RedisTestBed.RESOURCES);
    }

    @Override
    RedisTestBed bed() {
        return bed;
    }
}
