package io.github.ratelimit.redis;

import static io.github.ratelimit.contract.StoreContract.costing;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limiter;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.contract.FaultProxy;
import io.github.ratelimit.contract.FaultProxy.Fault;
import io.github.ratelimit.remote.StoreHealth;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A Cluster's network fails and a master goes away: that master's keys are decided by the policy, and the others' by Redis as before. */
@EnabledIfSystemProperty(named = "full", matches = "true")
class RedisClusterFaultTest {

    private static final Limit LIMIT = Limit.of("only", Limit.MAX_PERMITS, Duration.ofHours(1));
    private static final Duration TIMEOUT = Duration.ofMillis(250);

    private static final List<String> CLIENTS =
            IntStream.range(0, 30).mapToObj(i -> "client-" + i).toList();

    /** By the index of the master that has them. */
    private static final Map<Integer, List<String>> BY_SHARD = CLIENTS.stream()
            .collect(groupingBy(client ->
                    RedisClusterProcesses.shardOf(new Charge(OnStoreFailure.ALLOW.name(), LIMIT, Key.of(client)))));

    private static RedisClusterProcesses cluster;

    @BeforeAll
    static void start() {
        cluster = RedisClusterProcesses.startBehindProxies();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private static RedisStore store() {
        return RedisStore.builder().uri(cluster.uri()).timeout(TIMEOUT).build();
    }

    /** Connected, with the first decision of each shard behind it. */
    private static RedisStore warmStore() {
        RedisStore store = store();
        Limiter<String> limiter = limiter(store);
        RedisProcess.await("all shards decide", () -> CLIENTS.stream().allMatch(client -> byRedis(limiter, client)));
        return store;
    }

    private static Limiter<String> limiter(RedisStore store) {
        return Load.limiter(store, OnStoreFailure.ALLOW, LIMIT);
    }

    private static List<String> allBut(int shard) {
        List<String> others = new ArrayList<>(CLIENTS);
        others.removeAll(BY_SHARD.getOrDefault(shard, List.of()));
        return others;
    }

    private static boolean byRedis(Limiter<String> limiter, String client) {
        return DecisionLog.decision(limiter, client).byRedis();
    }

    /** Nobody was asked again for ever, while health said UP; or a limiter that allows threw after 5.9 s. */
    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"REJECT", "BLACK_HOLE", "HOLD"})
    void clusterThatIsOutOfReachAtTheFirstRequestDecidesSoonAfterItIsThere(Fault fault) {
        cluster.set(fault);
        try (RedisStore store = store();
                DecisionLog log = DecisionLog.of(limiter(store), CLIENTS, 4, 200)) {
            log.run(Duration.ofSeconds(1));
            assertThat(log.entries()).isNotEmpty().noneMatch(DecisionLog.Entry::byRedis);
            assertThat(store.health().state()).isNotEqualTo(StoreHealth.State.UP);

            cluster.set(Fault.PASS);
            log.assertRedisDecidesWithin(Duration.ofSeconds(3), System.nanoTime(), CLIENTS);
            RedisProcess.await("that is known", () -> store.health().state() == StoreHealth.State.UP);
            log.assertEachInTime(TIMEOUT);
            assertThat(log.entries()).allMatch(DecisionLog.Entry::allowed);
        } finally {
            cluster.set(Fault.PASS);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"REJECT", "BLACK_HOLE"})
    void shardThatIsOutOfReachTakesNoOtherWithIt(Fault fault) {
        try (RedisStore store = warmStore();
                DecisionLog log = DecisionLog.of(limiter(store), CLIENTS, 8, 400)) {
            RedisProcess.await("all are told of", () -> store.health().state() == StoreHealth.State.UP);
            long start = System.nanoTime();
            cluster.proxies().get(0).set(fault);
            log.awaitLeft(start, BY_SHARD.getOrDefault(0, List.of()));
            RedisProcess.await("that is known", () -> store.health().state() != StoreHealth.State.UP);
            long left = System.nanoTime();
            log.run(Duration.ofSeconds(1));
            log.awaitStay(allBut(0));
            assertThat(log.since(left))
                    .filteredOn(entry -> BY_SHARD.getOrDefault(0, List.of()).contains(entry.client()))
                    .isNotEmpty()
                    .noneMatch(DecisionLog.Entry::byRedis);
            log.assertStayedWithRedis(start, allBut(0), TIMEOUT);
            assertThat(store.health().state()).isNotEqualTo(StoreHealth.State.UP);

            cluster.proxies().get(0).set(Fault.PASS);
            log.assertRedisDecidesWithin(Duration.ofMillis(1500), System.nanoTime(), CLIENTS);
            RedisProcess.await("that is known", () -> store.health().state() == StoreHealth.State.UP);
            log.assertStayedWithRedis(start, allBut(0), TIMEOUT);
            log.assertEachInTime(TIMEOUT);
        } finally {
            cluster.set(Fault.PASS);
        }
    }

    @Test
    void masterThatRestartsDecidesSoonAfterAndNoOtherShardNotices() {
        try (RedisStore store = warmStore();
                DecisionLog log = DecisionLog.of(limiter(store), CLIENTS, 8, 400)) {
            long start = System.nanoTime();
            RedisProcess master = cluster.masters().get(1);
            master.kill();
            log.awaitLeft(start, BY_SHARD.getOrDefault(1, List.of()));
            log.awaitStay(allBut(1));
            master.restart();
            cluster.awaitServing(master);
            log.assertRedisDecidesWithin(Duration.ofMillis(1500), System.nanoTime(), CLIENTS);
            log.assertStayedWithRedis(start, allBut(1), TIMEOUT);
            log.assertEachInTime(TIMEOUT);
        }
    }

    /** 74 of 200 were rejected. {@code -Dfull} makes 200 stores. */
    @Test
    void storeThatSaysItIsUpRejectsNoFirstRequestOfAnyShard() {
        int stores = Boolean.getBoolean("full") ? 200 : 20;
        List<DecisionLog.Entry> rejected = new ArrayList<>();
        for (int i = 0; i < stores; i++) {
            try (RedisStore store = RedisStore.builder()
                    .uri(cluster.uri())
                    .timeout(Duration.ofSeconds(20)) // what is tested is a rejection, not how busy the machine is
                    .build()) {
                RedisProcess.await("it is up", () -> store.health().state() == StoreHealth.State.UP);
                for (List<String> clients : BY_SHARD.values()) {
                    DecisionLog.Entry first = DecisionLog.decision(limiter(store), clients.get(0));
                    if (!first.byRedis()) {
                        rejected.add(first);
                    }
                }
            }
        }
        assertThat(rejected)
                .as("of %d first requests", stores * BY_SHARD.size())
                .isEmpty();
    }

    /** Remaining 80, 85, 90, 95: the master that answered was asked again, each time that the other one did not. */
    @Test
    void refundThatIsRepeatedGivesNothingBackTwice() {
        Charge here = new Charge("api", LIMIT, Key.of(clientOf(0)), 5);
        Charge there = new Charge("api", LIMIT, Key.of(clientOf(2)), 5);
        try (RedisStore store = warmStore()) {
            Decision decision = store.tryAcquire(List.of(here, there));
            store.tryAcquire(List.of(here.withCost(20)));
            long before = remaining(store, here);
            cluster.proxies().get(2).set(Fault.BLACK_HOLE);
            for (int i = 0; i < 3; i++) {
                assertThat(store.refundAsync(decision)).failsWithin(Duration.ofSeconds(45));
                assertThat(remaining(store, here)).isEqualTo(before + 5);
            }
            cluster.proxies().get(2).set(Fault.PASS);
            RedisProcess.await(
                    "all is given back",
                    () -> store.refundAsync(decision)
                            .handle((done, failure) -> failure == null)
                            .join());
            assertThat(remaining(store, here)).isEqualTo(before + 5);
        }
    }

    @Test
    void refundThatOneMasterAnswersLateGivesNothingBackTwice() {
        Charge here = new Charge("late", LIMIT, Key.of(clientOf(0)), 5);
        Charge there = new Charge("late", LIMIT, Key.of(clientOf(2)), 5);
        try (RedisStore store = warmStore()) {
            Decision decision = store.tryAcquire(List.of(here, there));
            store.tryAcquire(List.of(there.withCost(20)));
            long before = remaining(store, there);
            cluster.proxies().get(2).set(Fault.HOLD);
            assertThat(store.refundAsync(decision)).failsWithin(Duration.ofSeconds(45));
            cluster.proxies().get(2).set(Fault.PASS);
            RedisProcess.await(
                    "all is given back",
                    () -> store.refundAsync(decision)
                            .handle((done, failure) -> failure == null)
                            .join());
            assertThat(remaining(store, there)).isEqualTo(before + 5);
        } finally {
            cluster.set(Fault.PASS);
        }
    }

    /** Both masters know the ticket, and each ends it as soon as it answers. */
    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"HOLD", "DROP_REPLIES", "BLACK_HOLE", "REJECT"})
    void permitsOfSeveralMastersAreBackSoonAfterAFaultOfOne(Fault fault) {
        Limit two = Limit.concurrent("two", 2, Duration.ofHours(1));
        List<Charge> charges = Stream.of(0, 2)
                .map(shard -> new Charge("jobs", two, Key.of(clientOf(shard))))
                .toList();
        try (RedisStore store = warmStore()) {
            Decision held = store.tryAcquire(charges);
            assertThat(store.renewAsync(held).join()).isTrue();
            cluster.proxies().get(2).set(fault);
            assertThat(store.tryAcquireAsync(charges)).failsWithin(Duration.ofSeconds(45));
            assertThat(store.refundAsync(held)).failsWithin(Duration.ofSeconds(45));
            cluster.proxies().get(2).set(Fault.PASS);
            RedisProcess.await(
                    "the master answers",
                    () -> store.tryAcquireAsync(costing(charges, 0))
                            .handle((done, failure) -> failure == null)
                            .join());
            long start = System.nanoTime();
            RedisProcess.await(
                    "all are back", () -> charges.stream().allMatch(charge -> remaining(store, charge) == 2));
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
            assertThat(store.renewAsync(held).join()).isFalse();
        } finally {
            cluster.set(Fault.PASS);
        }
    }

    private static String clientOf(int shard) {
        return BY_SHARD.getOrDefault(shard, List.of()).get(0);
    }

    private static long remaining(RedisStore store, Charge charge) {
        return store.tryAcquire(List.of(charge.withCost(0))).statuses().get(0).remaining();
    }

    /** 13 connections stayed open in 25 s. */
    @Test
    void unansweredQuestionAboutTheTopologyLeavesNoConnection() {
        try (FaultProxy proxy = new FaultProxy(cluster.masters().get(0).port(), 0)) {
            proxy.ignore("CLUSTER");
            try (RedisStore store = RedisStore.builder()
                    .uris(List.of(RedisURI.create(proxy.uri("redis"))))
                    .topology(RedisTopology.CLUSTER)
                    .startTimeout(Duration.ZERO)
                    .build()) {
                RedisProcess.await("it has asked often", () -> proxy.connections() > 4);
                assertThat(proxy.openConnections()).isLessThan(3);
                assertThat(store.health().state()).isEqualTo(StoreHealth.State.DOWN);
            }
        }
    }
}
