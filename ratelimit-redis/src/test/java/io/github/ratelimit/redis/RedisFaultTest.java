package io.github.ratelimit.redis;

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
import io.github.ratelimit.redis.FaultProxy.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The network fails and the server dies, under load; what clients see is the policy, in time, and counts are never doubled. */
class RedisFaultTest {

    private static final Duration TIMEOUT = Duration.ofMillis(100);

    private RedisProcess process;
    private FaultProxy proxy;
    private RedisTestBed bed;
    private RedisStore store;

    @BeforeEach
    void start() {
        process = RedisProcess.start();
        proxy = new FaultProxy(process.port(), 300);
        bed = RedisTestBed.of(process);
        store = RedisStore.builder().uri(proxy.uri()).timeout(TIMEOUT).build();
        RedisProcess.await(10, "the store connects", () -> store.health().state() == RedisHealth.State.UP);
    }

    @AfterEach
    void stop() {
        store.close();
        bed.close();
        proxy.close();
        process.close();
    }

    @ParameterizedTest
    @EnumSource(value = Fault.class, names = "PASS", mode = EnumSource.Mode.EXCLUDE)
    void everyFaultIsAnsweredByThePolicyInTime(Fault fault) {
        Load load = Load.on(store, 8, 2000);
        try (load) {
            load.awaitDecisions(500);
            assertThat(load.ofPhase().all(Source.STORE)).isTrue();

            proxy.set(fault);
            load.awaitNoneBy(Source.STORE);
            load.startPhase();
            load.awaitDecisions(2000);
            Load.Phase outage = load.ofPhase();
            outage.assertPoliciesHold();
            assertThat(outage.count(Source.STORE)).isZero();

            proxy.set(Fault.PASS);
            Duration back = load.timeUntilAllBy(Source.STORE);
            assertThat(back)
                    .as("until exact again")
                    .isLessThan(Duration.ofSeconds(2).plus(load.noise()));
            load.startPhase();
            load.awaitDecisions(500);
            assertThat(load.ofPhase().all(Source.STORE)).isTrue();

            load.assertNothingThrown();
            load.assertInTime(TIMEOUT);
        }
        load.assertCountedAtMostOnce(bed);
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
                process.kill();
                load.awaitNoneBy(Source.STORE);
                load.startPhase();
                load.awaitDecisions(500);
                load.ofPhase().assertPoliciesHold();
                assertThat(load.ofPhase().count(Source.STORE)).isZero();

                process.restart();
                Duration back = load.timeUntilAllBy(Source.STORE);
                assertThat(back)
                        .as("until exact again")
                        .isLessThan(Duration.ofSeconds(2).plus(load.noise()));
                assertThat(proxy.connections() - before)
                        .as("connections of an outage")
                        .isLessThan(30);
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
        try (RedisStore fresh =
                RedisStore.builder().uri(proxy.uri()).timeout(TIMEOUT).build()) {
            long start = System.nanoTime();
            assertThatThrownBy(() -> fresh.tryAcquire(charges, 1))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("no answer from Redis in time");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(TIMEOUT, TIMEOUT.multipliedBy(5));
        }
        proxy.set(Fault.PASS);
        try (RedisStore fresh = RedisStore.builder()
                .uri(proxy.uri())
                .timeout(Duration.ofSeconds(5))
                .build()) {
            assertThat(fresh.tryAcquire(charges, 1).allowed())
                    .as("asked before it is connected")
                    .isTrue();
        }
    }

    @Test
    void oneBadAnswerIsNoOutage() {
        List<Charge> charges =
                List.of(new Charge("api", Limit.of("only", 5, Duration.ofMinutes(1)), Key.of("somebody")));
        proxy.reset();
        RedisProcess.await(5, "the store is connected again", () -> {
            try {
                return store.tryAcquire(charges, 0).allowed();
            } catch (StoreException e) {
                return false;
            }
        });
        assertThat(store.health().state()).isEqualTo(RedisHealth.State.UP);
    }

    /** Redis kept 8 grants in a window of 5 (issue 8). */
    @Test
    void refundOfAStandInsDecisionTouchesNothingInRedis() {
        Limit limit = Limit.of("only", 5, Duration.ofHours(1));
        Limiter<String> limiter = Load.limiter(store, OnStoreFailure.LOCAL, limit);
        List<Charge> charges = List.of(new Charge(OnStoreFailure.LOCAL.name(), limit, Key.of("client")));
        for (int i = 0; i < 4; i++) {
            assertThat(limiter.tryAcquire("client").source()).isEqualTo(Source.STORE);
        }
        proxy.set(Fault.REFUSE);
        List<Decision> local = new ArrayList<>();
        RedisProcess.await(10, "the stand-in grants", () -> {
            Decision decision = limiter.tryAcquire("client");
            if (decision.allowed() && decision.source() == Source.LOCAL) {
                local.add(decision);
            }
            return local.size() == 3;
        });
        proxy.set(Fault.PASS);
        RedisProcess.await(
                10, "Redis decides", () -> limiter.tryAcquire("client", 0).source() == Source.STORE);
        long calls = store.statistics().calls();
        for (Decision decision : local) {
            limiter.refund(decision).toCompletableFuture().join();
        }

        assertThat(store.statistics().calls()).as("calls for the refunds").isEqualTo(calls);
        assertThat(store.tryAcquire(charges, 0).statuses().get(0).remaining()).isEqualTo(1);
        assertThat(limiter.tryAcquire("client").allowed()).isTrue();
        assertThat(limiter.tryAcquire("client").allowed()).isFalse();
    }

    @Test
    void standInIsLeftWhenRedisIsBack() {
        Limit limit = Limit.of("only", 1000, Duration.ofMinutes(1));
        Decision before = Load.limiter(store, OnStoreFailure.LOCAL, limit).tryAcquire("client");
        assertThat(before.source()).isEqualTo(Source.STORE);
        proxy.set(Fault.REFUSE);
        RedisProcess.await(
                5,
                "the stand-in decides",
                () -> Load.limiter(store, OnStoreFailure.LOCAL, limit)
                                .tryAcquire("client")
                                .source()
                        == Source.LOCAL);
        proxy.set(Fault.PASS);
        RedisProcess.await(
                5,
                "Redis decides",
                () -> Load.limiter(store, OnStoreFailure.LOCAL, limit)
                                .tryAcquire("client")
                                .source()
                        == Source.STORE);
    }
}
