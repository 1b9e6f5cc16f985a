package io.github.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Decision.Source;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limiter;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.remote.StoreHealth;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A master that Sentinel watches dies or hangs: the policy decides until Sentinel has promoted the replica, and not much longer. */
class RedisSentinelTest {

    private static final String MASTER = "counters";
    private static final Limit LIMIT = Limit.of("only", Limit.MAX_PERMITS, Duration.ofHours(1));
    private static final Duration TIMEOUT = Duration.ofMillis(250);
    private static final Duration BOUND = Duration.ofSeconds(3);
    private static final List<String> CLIENTS = List.of("a", "b", "c", "d");

    private RedisProcess first;
    private RedisProcess second;
    private RedisProcess sentinel;
    private RedisTestBed secondBed;

    @BeforeEach
    void start() {
        first = RedisProcess.start("--repl-diskless-sync-delay", "0");
        second = RedisProcess.start("--repl-diskless-sync-delay", "0", "--replicaof", "127.0.0.1 " + first.port());
        secondBed = RedisTestBed.of(second);
        RedisProcess.await(
                "the replica is in step",
                () -> secondBed.server().info("replication").contains("master_link_status:up"));
        sentinel = RedisProcess.startSentinel(MASTER, first.port());
        awaitKnownReplica();
    }

    private void awaitKnownReplica() {
        RedisClient client = RedisClient.create();
        try (var connection = client.connectSentinel(RedisURI.create("127.0.0.1", sentinel.port()))) {
            RedisProcess.await(
                    "Sentinel knows the replica",
                    () -> !connection.sync().replicas(MASTER).isEmpty());
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        }
    }

    @AfterEach
    void stop() {
        secondBed.close();
        sentinel.close();
        second.close();
        first.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void replicaThatIsPromotedDecidesSoonAfter(boolean killed) {
        try (RedisStore store = RedisStore.builder()
                .uri("redis-sentinel://127.0.0.1:%d#%s".formatted(sentinel.port(), MASTER))
                .timeout(TIMEOUT)
                .build()) {
            Limiter<String> limiter = Load.limiter(store, OnStoreFailure.LOCAL, LIMIT);
            RedisProcess.await(
                    "Redis decides", () -> limiter.tryAcquire("client").source() == Source.STORE);
            try (DecisionLog log = DecisionLog.of(limiter, CLIENTS, 4, 400)) {
                if (killed) {
                    first.kill();
                } else {
                    first.pause();
                }
                RedisProcess.await(
                        "Sentinel promotes the replica",
                        () -> secondBed.server().info("replication").contains("role:master"));
                long promoted = System.nanoTime();
                log.assertRedisDecidesWithin(BOUND, promoted, CLIENTS);
                RedisProcess.await("that is known", () -> store.health().state() == StoreHealth.State.UP);
                log.assertEachInTime(TIMEOUT);
                assertThat(log.entries())
                        .as("of the outage")
                        .anyMatch(entry -> entry.source() == Source.LOCAL)
                        .allMatch(DecisionLog.Entry::allowed);
            }
        }
    }
}
