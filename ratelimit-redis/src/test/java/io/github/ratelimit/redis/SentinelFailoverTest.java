package io.github.ratelimit.redis;

import static io.github.ratelimit.contract.StoreContract.costing;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.StoreException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The master dies under a store that was in use, and Sentinel lets its replica take over: what the replica knew still counts. */
class SentinelFailoverTest {

    private static final String MASTER = "counters";

    private static RedisProcess first;
    private static RedisProcess second;
    private static RedisProcess sentinel;
    private static RedisClient client;
    private static String uri;
    private static long usedBefore;
    private static long usedAfter;

    @BeforeAll
    static void start() {
        first = RedisProcess.start();
        second = RedisProcess.start("--replicaof", "127.0.0.1 " + first.port());
        sentinel = RedisProcess.startSentinel(MASTER, first.port());
        uri = "redis-sentinel://127.0.0.1:%d#%s".formatted(sentinel.port(), MASTER);
        client = RedisClient.create(uri);
        awaitReplica();
        failOver(uri);
    }

    private static void awaitReplica() {
        RedisURI at = RedisURI.create("127.0.0.1", sentinel.port());
        try (var connection = client.connectSentinel(at)) {
            RedisProcess.await(
                    "Sentinel knows the replica",
                    () -> !connection.sync().replicas(MASTER).isEmpty());
        }
        try (StatefulRedisConnection<String, String> connection = client.connect(RedisURI.create(second.uri()))) {
            RedisProcess.await(
                    "the replica is in step",
                    () -> connection.sync().info("replication").contains("master_link_status:up"));
        }
    }

    /** Kills the master under a store that was in use. */
    private static void failOver(String uri) {
        List<Charge> charges =
                List.of(new Charge("api", Limit.of("only", 100, Duration.ofHours(1)), Key.of("somebody")));
        try (RedisStore store =
                RedisStore.builder().uri(uri).timeout(Duration.ofSeconds(20)).build()) {
            RedisProcess.await("the first decision", () -> acquires(store, charges));
            Decision last = store.tryAcquire(costing(charges, 10));
            usedBefore = 100 - last.statuses().get(0).remaining();
            try (StatefulRedisConnection<String, String> connection = client.connect(RedisURI.create(second.uri()))) {
                RedisProcess.await(
                        "the count is replicated", () -> connection.sync().dbsize() == 1);
            }
            first.kill();
            RedisProcess.await("the replica decides", () -> acquires(store, charges));
            usedAfter = 100
                    - store.tryAcquire(costing(charges, 0)).statuses().get(0).remaining();
        }
    }

    private static boolean acquires(RedisStore store, List<Charge> charges) {
        try {
            return store.tryAcquire(charges).allowed();
        } catch (StoreException e) {
            return false;
        }
    }

    @AfterAll
    static void stop() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        sentinel.close();
        second.close();
        first.close();
    }

    @Test
    void countsThatTheReplicaHadSurviveTheFailover() {
        assertThat(usedBefore).isEqualTo(11);
        assertThat(usedAfter).isEqualTo(usedBefore + 1);
    }
}
