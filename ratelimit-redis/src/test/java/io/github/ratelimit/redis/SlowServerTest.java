package io.github.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Limit;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.contract.FaultProxy;
import io.github.ratelimit.contract.FaultProxy.Fault;
import io.github.ratelimit.remote.StoreHealth.State;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** A server that answers, but never in time. */
class SlowServerTest {

    private static final Duration TIMEOUT = Duration.ofMillis(100);
    private static final int LATE_MILLIS = 300;

    /** It was up for a look that waits for half a second, and down again after five requests: 14 changes in 6 s. */
    @Test
    void serverThatIsTooSlowForRequestsGoesDownOnceAndComesBackOnce() throws Exception {
        List<State> told = new CopyOnWriteArrayList<>();
        try (RedisProcess server = RedisProcess.start();
                FaultProxy proxy = new FaultProxy(server.port(), LATE_MILLIS);
                RedisStore store = RedisStore.builder()
                        .uri(proxy.uri("redis"))
                        .timeout(TIMEOUT)
                        .onHealthChange(health -> told.add(health.state()))
                        .build()) {
            assertThat(store.awaitReady(Duration.ofSeconds(10))).isTrue();
            try (DecisionLog log = DecisionLog.of(
                    Load.limiter(store, OnStoreFailure.ALLOW, Limit.of("only", 1_000_000, Duration.ofHours(1))),
                    List.of("somebody"),
                    4,
                    200)) {
                proxy.set(Fault.DELAY);
                RedisProcess.await("it is down", () -> store.health().state() == State.DOWN);
                RedisProcess.await("that is told", () -> !told.isEmpty() && told.get(told.size() - 1) == State.DOWN);
                int before = told.size();
                log.run(Duration.ofMillis(2500));
                assertThat(told).as("of a server that stays as slow").hasSize(before);

                proxy.set(Fault.PASS);
                log.assertRedisDecidesWithin(Duration.ofMillis(1500), System.nanoTime(), List.of("somebody"));
                RedisProcess.await("that is told", () -> told.size() > before);
                assertThat(told.get(before)).isEqualTo(State.UP);
            }
        }
    }
}
