package io.github.ratelimit.redis;

import static io.github.ratelimit.contract.StoreContract.costing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Source;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limiter;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.StoreException;
import io.github.ratelimit.contract.FaultProxy;
import io.github.ratelimit.contract.FaultProxy.Fault;
import io.github.ratelimit.remote.StoreHealth;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The network fails and the server dies, under load; what clients see is the policy, in time, and counts are never doubled. */
class RedisFaultTest {

    private static final Duration TIMEOUT = Duration.ofMillis(100);
    private static final Duration PATIENT = Duration.ofSeconds(20);

    private RedisProcess process;
    private FaultProxy proxy;
    private RedisTestBed bed;
    private RedisStore store;

    @BeforeEach
    void start() {
        process = RedisProcess.start();
        proxy = new FaultProxy(process.port(), 300);
        bed = RedisTestBed.of(process);
        store = RedisStore.builder().uri(proxy.uri("redis")).timeout(TIMEOUT).build();
        awaitUp();
    }

    @AfterEach
    void stop() {
        store.close();
        bed.close();
        proxy.close();
        process.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"PASS", "SWALLOW"},
            mode = EnumSource.Mode.EXCLUDE)
    void everyFaultIsAnsweredByThePolicyInTime(Fault fault) {
        Load load = Load.on(store, 8, 2000);
        try (load) {
            load.timeUntilAllBy(Source.STORE);

            proxy.set(fault);
            load.awaitNoneBy(Source.STORE);
            load.startPhase();
            load.awaitDecisions(1500);
            Load.Phase outage = load.ofPhase();
            outage.assertPoliciesHold();
            assertNearlyNoneByRedis(outage);

            proxy.set(Fault.PASS);
            Duration back = load.timeUntilAllBy(Source.STORE);
            assertThat(back)
                    .as("until exact again")
                    .isLessThan(Duration.ofMillis(1500).plus(load.grace()));

            load.assertNothingThrown();
            load.assertInTime(TIMEOUT);
        }
        load.assertCountedAtMostOnce(bed);
    }

    /** An answer that was on its way when the fault began may be read late, on a machine that stood still. */
    private static void assertNearlyNoneByRedis(Load.Phase outage) {
        assertThat(outage.count(Source.STORE))
                .as("by Redis, of %d", outage.answers().size())
                .isLessThanOrEqualTo(outage.answers().size() / 50);
    }

    @Test
    void connectionsThatBreakUnderLoadCostAFewDecisionsAndDoubleNone() {
        Load load = Load.on(store, 8, 2000);
        try (load) {
            for (int i = 0; i < 10; i++) {
                load.startPhase();
                load.awaitDecisions(200);
                proxy.reset();
            }
            load.timeUntilAllBy(Source.STORE);
            load.assertNothingThrown();
            load.assertInTime(TIMEOUT);
        }
        load.assertCountedAtMostOnce(bed);
        assertThat(proxy.connections()).as("no storm of reconnects").isLessThan(60);
    }

    /** {@code -Dfull} kills twenty times. */
    @Test
    void serverKilledUnderLoadIsExactAgainSoonAfterItIsBack() {
        int kills = Boolean.getBoolean("full") ? 20 : 3;
        Load load = Load.on(store, 8, 2000);
        try (load) {
            for (int i = 0; i < kills; i++) {
                load.awaitDecisions(200);
                int before = proxy.connections();
                long start = System.nanoTime();
                process.kill();
                load.awaitNoneBy(Source.STORE);
                load.startPhase();
                load.awaitDecisions(500);
                load.ofPhase().assertPoliciesHold();
                assertNearlyNoneByRedis(load.ofPhase());

                process.restart();
                Duration back = load.timeUntilAllBy(Source.STORE);
                assertThat(back)
                        .as("until exact again")
                        .isLessThan(Duration.ofMillis(1500).plus(load.grace()));
                assertThat(proxy.connections() - before)
                        .as("connections of an outage")
                        .isLessThan(30 + 3 * secondsSince(start));
            }
            load.assertNothingThrown();
            load.assertInTime(TIMEOUT);
        }
        try (RedisTestBed after = RedisTestBed.of(process)) {
            assertThat(after.keysWithoutExpiry()).isZero();
            load.assertNoneCountedTwice(after);
        }
    }

    @Test
    void firstDecisionWaitsForTheConnectionAndNoLongerThanTheTimeout() {
        proxy.set(Fault.BLACK_HOLE);
        List<Charge> charges =
                List.of(new Charge("api", Limit.of("only", 5, Duration.ofMinutes(1)), Key.of("somebody")));
        try (RedisStore fresh = RedisStore.builder()
                .uri(proxy.uri("redis"))
                .timeout(TIMEOUT)
                .startTimeout(Duration.ZERO)
                .build()) {
            long start = System.nanoTime();
            assertThatThrownBy(() -> fresh.tryAcquire(charges))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("no answer from Redis in time");
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isBetween(TIMEOUT, TIMEOUT.multipliedBy(5).plus(Duration.ofSeconds(5)));
        }
        proxy.set(Fault.PASS);
        try (RedisStore fresh =
                RedisStore.builder().uri(proxy.uri("redis")).timeout(PATIENT).build()) {
            assertThat(fresh.tryAcquire(charges).allowed())
                    .as("asked before it is connected")
                    .isTrue();
        }
    }

    @Test
    void oneBadAnswerIsNoOutage() {
        List<Charge> charges =
                List.of(new Charge("api", Limit.of("only", 5, Duration.ofMinutes(1)), Key.of("somebody")));
        proxy.reset();
        RedisProcess.await("the store is connected again", () -> {
            try {
                return store.tryAcquire(costing(charges, 0)).allowed();
            } catch (StoreException e) {
                return false;
            }
        });
        awaitUp();
    }

    /** Redis kept 8 grants in a window of 5. */
    @Test
    void refundOfAFallbacksDecisionTouchesNothingInRedis() {
        patient();
        Limit limit = Limit.of("only", 5, Duration.ofHours(1));
        Limiter<String> limiter = Load.limiter(store, OnStoreFailure.LOCAL, limit);
        List<Charge> charges = List.of(new Charge(OnStoreFailure.LOCAL.name(), limit, Key.of("client")));
        for (int i = 0; i < 4; i++) {
            assertThat(limiter.tryAcquire("client").source()).isEqualTo(Source.STORE);
        }
        proxy.set(Fault.REJECT);
        List<Decision> local = new ArrayList<>();
        RedisProcess.await("the fallback grants", () -> {
            Decision decision = limiter.tryAcquire("client");
            if (decision.allowed() && decision.source() == Source.LOCAL) {
                local.add(decision);
            }
            return local.size() == 3;
        });
        proxy.set(Fault.PASS);
        RedisProcess.await(
                "Redis decides", () -> limiter.tryAcquire("client", 0).source() == Source.STORE);
        long calls = store.statistics().calls();
        for (Decision decision : local) {
            limiter.refund(decision).toCompletableFuture().join();
        }

        assertThat(store.statistics().calls()).as("calls for the refunds").isEqualTo(calls);
        assertThat(store.tryAcquire(costing(charges, 0)).statuses().get(0).remaining())
                .isEqualTo(1);
        assertThat(limiter.tryAcquire("client").allowed()).isTrue();
        assertThat(limiter.tryAcquire("client").allowed()).isFalse();
    }

    @Test
    void fallbackIsLeftWhenRedisIsBack() {
        patient();
        Limit limit = Limit.of("only", 1000, Duration.ofMinutes(1));
        Decision before = Load.limiter(store, OnStoreFailure.LOCAL, limit).tryAcquire("client");
        assertThat(before.source()).isEqualTo(Source.STORE);
        proxy.set(Fault.REJECT);
        RedisProcess.await(
                "the fallback decides",
                () -> Load.limiter(store, OnStoreFailure.LOCAL, limit)
                                .tryAcquire("client")
                                .source()
                        == Source.LOCAL);
        proxy.set(Fault.PASS);
        RedisProcess.await(
                "Redis decides",
                () -> Load.limiter(store, OnStoreFailure.LOCAL, limit)
                                .tryAcquire("client")
                                .source()
                        == Source.STORE);
    }

    /** For what promises no time: no decision is late because the machine is busy. */
    private void patient() {
        store.close();
        store = RedisStore.builder().uri(proxy.uri("redis")).timeout(PATIENT).build();
        awaitUp();
    }

    private void awaitUp() {
        RedisProcess.await("it is up", () -> store.health().state() == StoreHealth.State.UP);
    }

    private static final Limit WIDE = Limit.of("only", Limit.MAX_PERMITS, Duration.ofHours(1));

    private static final List<String> CLIENTS = List.of("a", "b", "c", "d");

    /** With the application's client it took 57.5 s. */
    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"BLACK_HOLE", "HOLD"})
    void serverThatWasOutOfReachForThreeSecondsDecidesSoonAfter(Fault fault) {
        try (DecisionLog log = DecisionLog.of(Load.limiter(store, OnStoreFailure.LOCAL, WIDE), CLIENTS, 4, 400)) {
            proxy.set(fault);
            log.run(Duration.ofSeconds(3));
            proxy.set(Fault.PASS);
            log.assertRedisDecidesWithin(Duration.ofMillis(1500), System.nanoTime(), CLIENTS);
            log.assertEachInTime(TIMEOUT);
        }
    }

    @Test
    void serverThatHangsDecidesSoonAfterItGoesOn() {
        try (DecisionLog log = DecisionLog.of(Load.limiter(store, OnStoreFailure.LOCAL, WIDE), CLIENTS, 4, 400)) {
            process.pause();
            log.run(Duration.ofSeconds(1));
            process.resume();
            log.assertRedisDecidesWithin(Duration.ofMillis(1500), System.nanoTime(), CLIENTS);
            log.assertEachInTime(TIMEOUT);
        }
    }

    /** Each request waited for the answer to the one before: 167 were decided, 254 were not, and those were counted as well. */
    @Test
    void requestDoesNotWaitForTheAnswerToAnotherForMostOfItsTime() {
        try (RedisStore far = RedisStore.builder()
                .uri(proxy.uri("redis"))
                .timeout(Duration.ofSeconds(12))
                .build()) {
            Limiter<String> limiter = Load.limiter(far, OnStoreFailure.ALLOW, WIDE);
            assertThat(limiter.tryAcquire("client").source()).isEqualTo(Source.STORE);
            proxy.set(Fault.DROP_REPLIES);
            for (int i = 0; i < 2; i++) {
                long before = far.statistics().calls();
                var unused = limiter.tryAcquireAsync("client");
                RedisProcess.await("the server is asked", () -> far.statistics().calls() > before);
            }
            assertThat(far.statistics().pending())
                    .as("the first is still waited for")
                    .isEqualTo(2);
        }
    }

    /** It was asked by the second form of the scripts for ever. */
    @Test
    void serverThatWasReplacedIsAskedByTheScriptsThatItUnderstands() {
        try (RedisProcess old = RedisProcess.start(RedisProcess.Version.REDIS_6_2);
                RedisTestBed oldBed = RedisTestBed.of(old)) {
            for (RedisProcess now : List.of(old, process)) {
                RedisTestBed bedNow = now.equals(old) ? oldBed : bed;
                int connections = proxy.connections();
                proxy.server(now.port());
                proxy.reset();
                Limiter<String> limiter = Load.limiter(store, OnStoreFailure.LOCAL, WIDE);
                bedNow.resetCommandCounts();
                RedisProcess.await(
                        "it decides",
                        () -> proxy.connections() > connections
                                && limiter.tryAcquire("client").source() == Source.STORE
                                && bedNow.commandCounts().containsKey("incrby"));
                assertThat(bedNow.commandCounts().containsKey("pexpiretime")).isEqualTo(now.equals(process));
                assertThat(bedNow.keysWithoutExpiry()).isZero();
            }
        }
    }

    /** 296 connections in 6 s from one node. {@code -Dfull} looks for 6 s. */
    @Test
    void demotedMasterIsNotStormedAndDecidesSoonAfterItIsAMasterAgain() {
        int seconds = Boolean.getBoolean("full") ? 6 : 2;
        try (RedisProcess other = RedisProcess.start("--repl-diskless-sync-delay", "0");
                DecisionLog log = DecisionLog.of(Load.limiter(store, OnStoreFailure.LOCAL, WIDE), CLIENTS, 4, 400)) {
            int before = proxy.connections();
            long start = System.nanoTime();
            bed.server().replicaof("127.0.0.1", other.port());
            log.awaitLeft(start, CLIENTS);
            RedisProcess.await("it is down", () -> store.health().state() == StoreHealth.State.DOWN);
            long left = System.nanoTime();
            log.run(Duration.ofSeconds(seconds));
            assertThat(proxy.connections() - before).as("connections").isLessThanOrEqualTo(4 + 2 * secondsSince(start));
            assertThat(log.since(left)).isNotEmpty().allMatch(entry -> entry.source() == Source.LOCAL);
            assertThat(store.health().state()).isEqualTo(StoreHealth.State.DOWN);
            assertThat(store.health().reason().orElseThrow()).contains("READONLY");

            bed.server().replicaofNoOne();
            log.assertRedisDecidesWithin(Duration.ofMillis(1500), System.nanoTime(), CLIENTS);
            awaitUp();
            log.assertEachInTime(TIMEOUT);
        }
    }

    private static int secondsSince(long nanoTime) {
        return (int) Duration.ofNanos(System.nanoTime() - nanoTime).toSeconds() + 1;
    }

    /** It never connected again. */
    @Test
    void healthListenerThatThrowsKeepsNobodyFromConnecting() {
        List<StoreHealth.State> told = new CopyOnWriteArrayList<>();
        proxy.set(Fault.REJECT);
        try (RedisStore listened = RedisStore.builder()
                .uri(proxy.uri("redis"))
                .timeout(PATIENT)
                .onHealthChange(health -> {
                    told.add(health.state());
                    throw new IllegalStateException("of the listener");
                })
                .build()) {
            Limiter<String> limiter = Load.limiter(listened, OnStoreFailure.LOCAL, WIDE);
            for (int i = 0; i < 2; i++) {
                proxy.set(Fault.REJECT);
                RedisProcess.await("it is told of the outage", () -> {
                    assertThat(limiter.tryAcquire("client").allowed()).isTrue();
                    return !told.isEmpty() && told.get(told.size() - 1) == StoreHealth.State.DOWN;
                });
                proxy.set(Fault.PASS);
                RedisProcess.await(
                        "Redis decides", () -> limiter.tryAcquire("client").source() == Source.STORE);
                RedisProcess.await("it is told of the end", () -> told.get(told.size() - 1) == StoreHealth.State.UP);
            }
            assertThat(told).as("each change once").hasSize(4);
        }
    }

    /** Five requests failed before it was renewed: at one request a minute, five minutes. */
    @Test
    void idleConnectionThatIsSilentlyDeadIsRenewedBeforeARequestNeedsIt() {
        Limiter<String> limiter = Load.limiter(store, OnStoreFailure.LOCAL, WIDE);
        int before = proxy.connections();
        proxy.forgetOpenConnections();
        RedisProcess.await("it is renewed while nobody asks", () -> proxy.connections() > before);
        awaitUp();
        RedisProcess.await("Redis decides", () -> limiter.tryAcquire("client").source() == Source.STORE);
    }
}
