package io.github.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Store;
import io.github.ratelimit.contract.StoreContract;
import io.github.ratelimit.contract.TestClock;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;
import java.util.List;
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
        client = processes.client();
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
        return new MovedTime(redis(clock), bed);
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
    protected Duration resolution() {
        return Duration.ofSeconds(10);
    }

    @Override
    protected Duration tolerance() {
        return Duration.ofSeconds(9);
    }

    @Override
    protected int rounds() {
        return 100;
    }

    @Override
    protected long footprint(Store store) {
        return bed.usedMemory();
    }

    /** In one slot, where decisions are atomic. What is promised across slots is tested by RedisClusterSlotsTest and JavaAndLuaAgreeTest. */
    @Override
    protected Key key(Key key) {
        return Key.of("all").and(key);
    }

    @Test
    void clientsAreSpreadOverAllMasters() {
        Limit burst = Limit.of("burst", 5, Duration.ofMinutes(1));
        Limit hourly = Limit.of("hourly", 5, Duration.ofHours(1));
        try (RedisStore store = redis(new TestClock())) {
            for (int i = 0; i < 100; i++) {
                Key address = Key.of("198.51.100." + i);
                Charge both = new Charge("api", burst, address.and(Key.of("agent")));
                assertThat(store.tryAcquire(List.of(both, new Charge("api", hourly, address)), 1)
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
}
