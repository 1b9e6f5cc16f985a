package io.github.ratelimit.redis;

import io.github.ratelimit.Store;
import io.github.ratelimit.contract.FaultProxy;
import io.github.ratelimit.contract.LateAnswersContract;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

class RedisLateAnswersTest extends LateAnswersContract {

    private static RedisProcess process;
    private FaultProxy proxy;
    private RedisStore store;

    @BeforeAll
    static void startServer() {
        process = RedisProcess.start();
    }

    @AfterAll
    static void stopServer() {
        process.close();
    }

    @BeforeEach
    void start() {
        proxy = new FaultProxy(process.port(), 300);
        store = RedisStore.builder()
                .uri(proxy.uri("redis"))
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
