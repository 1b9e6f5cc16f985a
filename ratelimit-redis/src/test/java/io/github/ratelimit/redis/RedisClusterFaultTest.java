package io.github.ratelimit.redis;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision.Source;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limiter;
import io.github.ratelimit.OnStoreFailure;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A Cluster loses a master: that master's keys are decided by the policy, and the others' by Redis as before. */
class RedisClusterFaultTest {

    private static final Limit LIMIT = Limit.of("only", Limit.MAX_PERMITS, Duration.ofHours(1));

    @Test
    void shardThatIsGoneTakesNoOtherWithIt() {
        try (RedisClusterProcesses cluster = RedisClusterProcesses.start();
                RedisStore store = RedisStore.builder()
                        .uri(cluster.uri())
                        .timeout(Duration.ofMillis(250))
                        .build()) {
            List<String> clients =
                    IntStream.range(0, 60).mapToObj(i -> "client-" + i).toList();
            Set<String> lost = clients.stream()
                    .filter(client -> slotOf(client) < 16_384 / 3)
                    .collect(toSet());
            assertThat(lost).hasSizeBetween(5, 40);
            Limiter<String> limiter = Load.limiter(store, OnStoreFailure.ALLOW, LIMIT);
            RedisProcess.await(
                    20,
                    "all shards decide",
                    () -> decidedByRedis(limiter, clients).containsAll(clients));
            assertThat(store.statistics().connections()).isEqualTo(1);

            cluster.masters().get(0).kill();
            RedisProcess.await(
                    20,
                    "the policy decides for the lost shard alone",
                    () -> decidedByRedis(limiter, clients).size() == clients.size() - lost.size());
            assertThat(store.health().state()).isEqualTo(RedisHealth.State.DOWN);
            for (int round = 0; round < 20; round++) {
                assertThat(decidedByRedis(limiter, clients)).doesNotContainAnyElementsOf(lost);
            }

            cluster.masters().get(0).restart();
            RedisProcess.await(
                    30,
                    "all shards decide again",
                    () -> decidedByRedis(limiter, clients).containsAll(clients));
            RedisProcess.await(5, "and that is known", () -> store.health().state() == RedisHealth.State.UP);
        }
    }

    private static Set<String> decidedByRedis(Limiter<String> limiter, List<String> clients) {
        Set<String> decided = new HashSet<>();
        for (String client : clients) {
            if (limiter.tryAcquire(client).source() == Source.STORE) {
                decided.add(client);
            }
        }
        return decided;
    }

    private static int slotOf(String client) {
        CounterDigests digests = new CounterDigests(RedisStore.Builder.DEFAULT_KEY_PREFIX, null);
        return SlotHash.getSlot(
                digests.of(List.of(new Charge(OnStoreFailure.ALLOW.name(), LIMIT, Key.of(client))))[0].redisKey());
    }
}
