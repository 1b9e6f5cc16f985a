package io.github.ratelimit.redis;

import static io.github.ratelimit.contract.StoreContract.costing;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision.Source;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limiter;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.contract.FaultProxy;
import io.github.ratelimit.remote.StoreHealth;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A master and a replica at addresses that do not change: whichever is the master decides. */
class MasterReplicaTest {

    private static final Limit LIMIT = Limit.of("only", Limit.MAX_PERMITS, Duration.ofHours(1));
    private static final Duration TIMEOUT = Duration.ofMillis(250);
    private static final Duration BOUND = Duration.ofSeconds(3);
    private static final List<String> CLIENTS = List.of("a", "b", "c", "d");

    private RedisProcess first;
    private RedisProcess second;
    private RedisTestBed firstBed;
    private RedisTestBed secondBed;

    @BeforeEach
    void start() {
        first = RedisProcess.start("--repl-diskless-sync-delay", "0");
        second = RedisProcess.start("--repl-diskless-sync-delay", "0");
        firstBed = RedisTestBed.of(first);
        secondBed = RedisTestBed.of(second);
        secondBed.server().replicaof("127.0.0.1", first.port());
        RedisProcess.await(
                "the replica is in step",
                () -> secondBed.server().info("replication").contains("master_link_status:up"));
    }

    @AfterEach
    void stop() {
        firstBed.close();
        secondBed.close();
        first.close();
        second.close();
    }

    private RedisStore store(boolean replicaFirst, Duration timeout) {
        RedisURI master = RedisURI.create(first.uri());
        RedisURI replica = RedisURI.create(second.uri());
        return RedisStore.builder()
                .uris(replicaFirst ? List.of(replica, master) : List.of(master, replica))
                .topology(RedisTopology.MASTER_REPLICA)
                .timeout(timeout)
                .build();
    }

    private static Limiter<String> connected(RedisStore store) {
        Limiter<String> limiter = Load.limiter(store, OnStoreFailure.LOCAL, LIMIT);
        RedisProcess.await("Redis decides", () -> limiter.tryAcquire("client").source() == Source.STORE);
        return limiter;
    }

    /** With a replica's address the application's client never connected. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void masterDecidesInWhateverOrderTheAddressesAreGiven(boolean replicaFirst) {
        try (RedisStore store = store(replicaFirst, Duration.ofSeconds(20))) {
            Limiter<String> limiter = connected(store);
            for (int i = 0; i < 100; i++) {
                assertThat(DecisionLog.decision(limiter, "client-" + i).byRedis())
                        .isTrue();
            }
            RedisProcess.await("it is up", () -> store.health().state() == StoreHealth.State.UP);
        }
    }

    /** It was waited for without an end, and the store was never there again. */
    @Test
    void lostAnswerAboutTheRoleIsNoEndOfConnecting() {
        try (FaultProxy proxy = new FaultProxy(first.port(), 0)) {
            proxy.ignore("ROLE");
            try (RedisStore store = RedisStore.builder()
                    .uris(List.of(RedisURI.create(proxy.uri("redis"))))
                    .topology(RedisTopology.MASTER_REPLICA)
                    .startTimeout(Duration.ZERO)
                    .build()) {
                RedisProcess.await("it tries again", () -> proxy.connections() > 2);
                assertThat(proxy.openConnections()).isLessThan(3);
                proxy.ignore("");
                RedisProcess.await("it is up", () -> store.health().state() == StoreHealth.State.UP);
            }
        }
    }

    @Test
    void replicaThatIsPromotedDecidesSoonAfter() {
        try (RedisStore store = store(false, TIMEOUT);
                DecisionLog log = DecisionLog.of(connected(store), CLIENTS, 4, 400)) {
            long start = System.nanoTime();
            first.kill();
            log.awaitLeft(start, CLIENTS);
            secondBed.server().replicaofNoOne();
            log.assertRedisDecidesWithin(BOUND, System.nanoTime(), CLIENTS);
            RedisProcess.await("that is known", () -> store.health().state() == StoreHealth.State.UP);
            log.assertEachInTime(TIMEOUT);
            assertThat(log.entries()).allMatch(DecisionLog.Entry::allowed);
        }
    }

    /** Its reconnecting was not seen, and rejections were remembered past their time. */
    @Test
    void rejectionIsForgottenWhenTheMasterComesBackEmpty() {
        try (RedisStore store = RedisStore.builder()
                .uris(List.of(RedisURI.create(second.uri()), RedisURI.create(first.uri())))
                .topology(RedisTopology.MASTER_REPLICA)
                .rememberRejections(Duration.ofHours(1))
                .build()) {
            Limiter<String> limiter =
                    Load.limiter(store, OnStoreFailure.REJECT, Limit.of("only", 1, Duration.ofHours(1)));
            assertThat(limiter.tryAcquire("client").allowed()).isTrue();
            assertThat(limiter.tryAcquire("client").allowed()).isFalse();
            second.kill(); // or it would be asked to fill the master again
            first.kill();
            first.restart();
            RedisProcess.await(
                    "it has a fresh window", () -> limiter.tryAcquire("client").allowed());
        }
    }

    /** The two change places while both run, as an operator lets them. */
    @Test
    void replicaThatTakesTheMastersPlaceDecidesSoonAfterAndCountsOn() {
        try (RedisStore store = store(false, TIMEOUT);
                DecisionLog log = DecisionLog.of(connected(store), CLIENTS, 4, 400)) {
            secondBed.server().replicaofNoOne();
            firstBed.server().replicaof("127.0.0.1", second.port());
            log.assertRedisDecidesWithin(BOUND, System.nanoTime(), CLIENTS);
            log.assertEachInTime(TIMEOUT);
            log.stop();
        }
        Charge charge = new Charge(OnStoreFailure.LOCAL.name(), LIMIT, Key.of("a"));
        try (RedisStore store = store(false, Duration.ofSeconds(20))) {
            assertThat(store.tryAcquire(costing(List.of(charge), 0))
                            .statuses()
                            .get(0)
                            .remaining())
                    .isLessThan(Limit.MAX_PERMITS);
        }
    }

    @Test
    void replicaThatIsGoneIsNotMissed() {
        try (RedisStore store = store(false, TIMEOUT);
                DecisionLog log = DecisionLog.of(connected(store), CLIENTS, 4, 400)) {
            long start = System.nanoTime();
            second.kill();
            log.run(Duration.ofSeconds(1));
            log.awaitStay(CLIENTS);
            log.assertStayedWithRedis(start, CLIENTS, TIMEOUT);
        }
    }
}
