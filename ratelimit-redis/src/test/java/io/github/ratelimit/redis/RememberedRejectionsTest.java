package io.github.ratelimit.redis;

import static io.github.ratelimit.contract.StoreContract.costing;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.StoreException;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.contract.FaultProxy;
import io.github.ratelimit.test.TestClock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Node A takes the last permit, node B remembers the rejection, and then there is a permit again. */
class RememberedRejectionsTest {

    private static final Duration REMEMBERED = Duration.ofMinutes(1);
    private static final List<Charge> CHARGES =
            List.of(new Charge("api", Limit.of("only", 1, Duration.ofHours(1)), Key.of("client")));

    /** What happens to the window that B knows to be used up. */
    private enum Change {
        REFUND,
        RESET,
        EMPTIED_SERVER,
        RESTARTED_SERVER
    }

    private RedisProcess process;
    private FaultProxy proxyOfB;

    @BeforeEach
    void start() {
        process = RedisProcess.start();
        proxyOfB = new FaultProxy(process.port(), 0);
    }

    @AfterEach
    void stop() {
        proxyOfB.close();
        process.close();
    }

    private static RedisStore store(String uri, Duration remembered, TimeSource time) {
        RedisStore store = RedisStore.builder()
                .uri(uri)
                .timeout(Duration.ofSeconds(20)) // nothing here is late because the machine is busy
                .rememberRejections(remembered)
                .time(time)
                .build();
        store.tryAcquire(costing(CHARGES, 0));
        return store;
    }

    private void change(Change change, RedisStore a, Decision last) {
        switch (change) {
            case REFUND -> a.refundAsync(last).toCompletableFuture().join();
            case RESET -> a.resetAsync(CHARGES).toCompletableFuture().join();
            case EMPTIED_SERVER -> {
                try (RedisTestBed bed = RedisTestBed.of(process)) {
                    bed.server().flushall();
                }
            }
            case RESTARTED_SERVER -> {
                process.kill();
                process.restart();
            }
        }
    }

    private static boolean allowed(RedisStore store) {
        try {
            return store.tryAcquire(CHARGES).allowed();
        } catch (StoreException e) {
            return false; // on its way back
        }
    }

    /** B rejected for 59 minutes. */
    @ParameterizedTest
    @EnumSource(Change.class)
    void permitThatIsThereAgainIsGrantedByAnotherNodeWithinTheTimeThatRejectionsAreRemembered(Change change) {
        TestClock clock = new TestClock();
        try (RedisStore a = store(process.uri(), REMEMBERED, clock);
                RedisStore b = store(process.uri(), REMEMBERED, clock)) {
            Decision last = a.tryAcquire(CHARGES);
            long before = b.statistics().localRejections();
            for (int i = 0; i < 3; i++) {
                assertThat(b.tryAcquire(CHARGES).allowed()).isFalse();
            }
            assertThat(b.statistics().localRejections() - before)
                    .as("remembered")
                    .isEqualTo(2);
            change(change, a, last);
            clock.advance(REMEMBERED);
            RedisProcess.await("B grants", () -> allowed(b));
        }
    }

    /** Of 200 repeated rejections each of these asked Redis 200 times. */
    @ParameterizedTest
    @MethodSource
    void windowThatHasNoRoomUntilItsEndRejectsWithoutAsking(Limit limit) {
        List<Charge> charges = List.of(new Charge("api", limit, Key.of("ann")));
        try (RedisStore store = store(process.uri(), REMEMBERED, new TestClock())) {
            store.tryAcquire(charges);
            store.tryAcquire(charges); // a window that blocks is closed by this one
            long before = store.statistics().localRejections();
            for (int i = 0; i < 200; i++) {
                assertThat(store.tryAcquire(charges).allowed()).isFalse();
            }
            assertThat(store.statistics().localRejections() - before).isEqualTo(200);
        }
    }

    static List<Limit> windowThatHasNoRoomUntilItsEndRejectsWithoutAsking() {
        return List.of(
                Limit.of("fixed", 1, Duration.ofHours(1)),
                Limit.daily("daily", 1, ZoneOffset.UTC),
                Limit.monthly("monthly", 1, ZoneOffset.UTC),
                Limit.of("blocking", 1, Duration.ofHours(1)).blocking(Duration.ofHours(2)));
    }

    /** A node that stood still, or whose answers came late, rejected for as long as if it had been told just now. */
    @Test
    void answerThatIsReadLateIsRememberedForNoLongerThanIfItHadComeAtOnce() {
        Duration remembered = Duration.ofMillis(700);
        try (FaultProxy late = new FaultProxy(process.port(), (int) remembered.toMillis() + 200);
                RedisTestBed bed = RedisTestBed.of(process);
                RedisStore a = store(process.uri(), remembered, TimeSource.system());
                RedisStore b = store(late.uri("redis"), remembered, TimeSource.system())) {
            Decision last = a.tryAcquire(CHARGES);
            late.set(FaultProxy.Fault.DELAY);
            bed.resetCommandCounts();
            CompletableFuture<Decision> rejected = b.tryAcquireAsync(CHARGES).toCompletableFuture();
            RedisProcess.await("Redis was asked", () -> bed.scriptCalls() > 0);
            change(Change.REFUND, a, last);
            assertThat(rejected.join().allowed()).isFalse();
            late.set(FaultProxy.Fault.PASS);
            assertThat(b.tryAcquire(CHARGES).allowed()).isTrue();
        }
    }

    @Test
    void newConnectionForgetsWhatWasRemembered() {
        try (RedisStore a = store(process.uri(), Duration.ofMinutes(10), TimeSource.system());
                RedisStore b = store(proxyOfB.uri("redis"), Duration.ofMinutes(10), TimeSource.system())) {
            Decision last = a.tryAcquire(CHARGES);
            for (int i = 0; i < 3; i++) {
                assertThat(b.tryAcquire(CHARGES).allowed()).isFalse();
            }
            change(Change.REFUND, a, last);
            assertThat(b.tryAcquire(CHARGES).allowed()).as("still remembered").isFalse();

            int before = proxyOfB.connections();
            proxyOfB.reset();
            RedisProcess.await("B connects again", () -> proxyOfB.connections() > before);
            RedisProcess.await("B grants", () -> allowed(b));
        }
    }

    @Test
    void serverThatComesBackEmptyGrantsAtOnceWhateverWasRemembered() {
        try (RedisStore b = store(process.uri(), Duration.ofMinutes(10), TimeSource.system())) {
            assertThat(b.tryAcquire(CHARGES).allowed()).isTrue();
            assertThat(b.tryAcquire(CHARGES).allowed()).isFalse();
            process.kill();
            process.restart();
            RedisProcess.await("B grants", () -> allowed(b));
        }
    }
}
