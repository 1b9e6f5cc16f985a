package io.github.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Store;
import io.github.ratelimit.contract.StoreContract;
import io.github.ratelimit.contract.TestClock;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The contract on a real Cluster of three masters. */
class RedisClusterContractTest extends StoreContract {

    private static RedisClusterProcesses processes;
    private static RedisTestBed bed;
    private static RedisClusterClient client;

    @BeforeAll
    @BeforeContainer
    static void start() {
        processes = RedisClusterProcesses.start();
        bed = new RedisTestBed(processes.nodeUris());
        client = RedisClusterClient.create(
                processes.nodeUris().stream().map(RedisURI::create).toList());
    }

    @AfterAll
    @AfterContainer
    static void stop() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        bed.close();
        processes.close();
    }

    @Override
    protected Store store(TestClock clock) {
        return new OneFirstPart(redis(clock));
    }

    private static RedisStore redis(TestClock clock) {
        bed.flush();
        return RedisStore.builder()
                .client(client)
                .timeout(Duration.ofSeconds(10)) // what is promised here is the decision, not the time it takes
                .time(clock)
                .build();
    }

    @Override
    protected void advance(Store store, TestClock clock, Duration duration) {
        clock.advance(duration);
        bed.advance(duration);
    }

    @Override
    protected Duration tolerance() {
        return Duration.ofSeconds(9);
    }

    @Test
    void limiterWhoseKeysShareNothingIsRefusedWithARemedy() {
        Limit limit = Limit.of("one", 5, Duration.ofMinutes(1));
        Limit other = Limit.of("other", 5, Duration.ofMinutes(1));
        try (RedisStore store = redis(new TestClock())) {
            assertThat(store.isCluster()).isTrue();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> store.tryAcquire(
                            "search", List.of(new Charge(limit, Key.of("a")), new Charge(other, Key.of("b"))), 1))
                    .withMessageContaining("limiter 'search'")
                    .withMessageContaining("let each begin with the same part");
        }
    }

    @Test
    void clientsAreSpreadOverAllMasters() {
        Limit burst = Limit.of("burst", 5, Duration.ofMinutes(1));
        Limit hourly = Limit.of("hourly", 5, Duration.ofHours(1));
        try (RedisStore store = redis(new TestClock())) {
            for (int i = 0; i < 100; i++) {
                Key address = Key.of("198.51.100." + i);
                Charge both = new Charge(burst, address.and(Key.of("agent")));
                assertThat(store.tryAcquire("widget-init", List.of(both, new Charge(hourly, address)), 1)
                                .allowed())
                        .isTrue();
            }
        }
        assertThat(bed.servers())
                .allSatisfy(server -> assertThat(server.dbsize()).isBetween(20L, 120L))
                .map(server -> server.dbsize())
                .satisfies(sizes -> assertThat(
                                sizes.stream().mapToLong(Long::longValue).sum())
                        .isEqualTo(200));
    }

    /**
     * The contract also decides by keys that have nothing in common, which a Cluster cannot do at once: here all of them begin with the
     * same part, as the guide tells who needs that to do.
     */
    private record OneFirstPart(RedisStore store) implements Store {

        private static List<Charge> prefixed(List<Charge> charges) {
            return charges.stream()
                    .map(charge -> new Charge(charge.limit(), Key.of("all").and(charge.key())))
                    .toList();
        }

        @Override
        public CompletionStage<Decision> tryAcquireAsync(String limiter, List<Charge> charges, long cost) {
            return store.tryAcquireAsync(limiter, prefixed(charges), cost);
        }

        @Override
        public CompletionStage<Void> refundAsync(String limiter, List<Charge> charges, long cost) {
            return store.refundAsync(limiter, prefixed(charges), cost);
        }

        @Override
        public CompletionStage<Void> resetAsync(String limiter, List<Charge> charges) {
            return store.resetAsync(limiter, prefixed(charges));
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
