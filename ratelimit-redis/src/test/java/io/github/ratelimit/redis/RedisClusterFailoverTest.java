package io.github.ratelimit.redis;

import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision.Source;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limiter;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.remote.StoreHealth;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A Cluster's master dies and its replica takes over: its keys are Redis' again soon after. */
class RedisClusterFailoverTest {

    private static final Limit LIMIT = Limit.of("only", Limit.MAX_PERMITS, Duration.ofHours(1));
    private static final Duration TIMEOUT = Duration.ofMillis(250);
    private static final Duration BOUND = Duration.ofSeconds(3);

    private static final List<String> CLIENTS =
            IntStream.range(0, 30).mapToObj(i -> "client-" + i).toList();

    private static final Map<Integer, List<String>> BY_SHARD = CLIENTS.stream()
            .collect(groupingBy(client ->
                    RedisClusterProcesses.shardOf(new Charge(OnStoreFailure.LOCAL.name(), LIMIT, Key.of(client)))));

    private RedisClusterProcesses cluster;
    private RedisStore store;

    @BeforeEach
    void start() {
        cluster = RedisClusterProcesses.startWithReplicas();
        store = RedisStore.builder().uri(cluster.uri()).timeout(TIMEOUT).build();
        Limiter<String> limiter = limiter();
        RedisProcess.await(
                "all shards decide",
                () -> CLIENTS.stream()
                        .allMatch(
                                client -> DecisionLog.decision(limiter, client).byRedis()));
    }

    @AfterEach
    void stop() {
        store.close();
        cluster.close();
    }

    private Limiter<String> limiter() {
        return Load.limiter(store, OnStoreFailure.LOCAL, LIMIT);
    }

    /** The shard's keys stayed on the policy for 29 s, and health was DOWN afterwards. {@code -Dfull} promotes twenty times. */
    @Test
    void replicaThatIsPromotedDecidesSoonAfter() {
        int promotions = Boolean.getBoolean("full") ? 20 : 2;
        try (DecisionLog log = DecisionLog.of(limiter(), CLIENTS, 8, 400)) {
            for (int i = 0; i < promotions; i++) {
                int shard = i % 3;
                long start = System.nanoTime();
                RedisProcess dead = cluster.masters().get(shard);
                dead.kill();
                awaitOnlyTheShardLeavesRedis(log, start, shard);
                long promoted = cluster.promoteReplicaOf(shard);
                log.assertRedisDecidesWithin(BOUND, promoted, CLIENTS);
                RedisProcess.await("that is known", () -> store.health().state() == StoreHealth.State.UP);
                assertOnlyTheShardLeftRedis(log, start, shard);

                dead.restart();
                cluster.awaitReplicas();
            }
            log.assertEachInTime(TIMEOUT);
        }
    }

    private static void awaitOnlyTheShardLeavesRedis(DecisionLog log, long start, int shard) {
        log.awaitLeft(start, BY_SHARD.getOrDefault(shard, List.of()));
        log.awaitStay(allBut(shard));
    }

    private static void assertOnlyTheShardLeftRedis(DecisionLog log, long start, int shard) {
        log.assertStayedWithRedis(start, allBut(shard), TIMEOUT);
        assertThat(log.since(start).stream().map(DecisionLog.Entry::source))
                .as("by Redis or the fallback")
                .isSubsetOf(Set.of(Source.STORE, Source.LOCAL));
    }

    private static List<String> allBut(int shard) {
        List<String> others = new ArrayList<>(CLIENTS);
        others.removeAll(BY_SHARD.getOrDefault(shard, List.of()));
        return others;
    }

    /** As an operator does before he restarts a node: nothing dies, and the old master tells where the keys are. */
    @Test
    void replicaThatTakesOverFromALiveMasterDecidesSoonAfter() {
        try (DecisionLog log = DecisionLog.of(limiter(), CLIENTS, 8, 400)) {
            long promoted = cluster.promoteReplicaOf(0);
            log.assertRedisDecidesWithin(BOUND, promoted, CLIENTS);
            log.assertEachInTime(TIMEOUT);
            RedisProcess.await("that is known", () -> store.health().state() == StoreHealth.State.UP);
        }
    }

    /** A machine that hangs answers nothing and closes no connection. */
    @Test
    void replicaOfAMasterThatHangsDecidesSoonAfterItIsPromoted() {
        try (DecisionLog log = DecisionLog.of(limiter(), CLIENTS, 8, 400)) {
            long start = System.nanoTime();
            RedisProcess hanging = cluster.masters().get(2);
            hanging.pause();
            awaitOnlyTheShardLeavesRedis(log, start, 2);
            long promoted = cluster.promoteReplicaOf(2);
            log.assertRedisDecidesWithin(BOUND, promoted, CLIENTS);
            assertOnlyTheShardLeftRedis(log, start, 2);
            hanging.resume();
            log.run(Duration.ofMillis(500));
            log.awaitStay(CLIENTS);
            log.assertEachInTime(TIMEOUT);
        }
    }
}
