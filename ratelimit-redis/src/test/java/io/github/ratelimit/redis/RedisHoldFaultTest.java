package io.github.ratelimit.redis;

import io.github.ratelimit.Store;
import io.github.ratelimit.contract.FaultProxy;
import io.github.ratelimit.contract.HoldFaultContract;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class RedisHoldFaultTest extends HoldFaultContract {

    private static RedisProcess process;
    private static RedisTestBed bed;
    private static FaultProxy proxy;

    @BeforeAll
    static void start() {
        process = RedisProcess.start();
        bed = RedisTestBed.of(process);
        proxy = new FaultProxy(process.port(), 300);
    }

    @AfterAll
    static void stop() {
        proxy.close();
        bed.close();
        process.close();
    }

    @Override
    protected Store store() {
        return RedisStore.builder()
                .uri(proxy.uri("redis"))
                .clientResources(RedisTestBed.RESOURCES)
                .timeout(Duration.ofMillis(100))
                .build();
    }

    @Override
    protected FaultProxy proxy() {
        return proxy;
    }

    @Override
    protected List<Outage> outagesOfTheServer() {
        return List.of(
                new Outage("server stands still", process::pause, process::resume),
                new Outage("server is slow", () -> bed.server().clientPause(200), () -> {}),
                new Outage("server is killed", process::kill, process::restart, true),
                new Outage(
                        "server becomes a replica",
                        () -> bed.server().replicaof("127.0.0.1", 1),
                        () -> bed.server().replicaofNoOne()),
                new Outage("server is full", () -> maxMemory("1"), () -> maxMemory("0")),
                new Outage("scripts are flushed", () -> bed.server().scriptFlush(), () -> {}));
    }

    private static void maxMemory(String bytes) {
        bed.server().configSet("maxmemory", bytes);
    }
}
