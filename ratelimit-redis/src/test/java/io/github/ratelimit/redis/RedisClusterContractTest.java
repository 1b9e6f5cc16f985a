package io.github.ratelimit.redis;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contract on a real Cluster of three masters. */
@ExtendWith(ShortContract.class)
class RedisClusterContractTest extends RedisContract {

    private static RedisClusterProcesses processes;
    private static RedisTestBed bed;

    @BeforeAll
    @BeforeContainer
    static void start() {
        processes = RedisClusterProcesses.start();
        bed = new RedisTestBed(processes.nodeUris());
    }

    @AfterAll
    @AfterContainer
    static void stop() {
        bed.close();
        processes.close();
    }

    @Override
    RedisStore.Builder builder() {
        return RedisStore.builder().uri(processes.uri()).clientResources(RedisTestBed.RESOURCES);
    }

    @Override
    RedisTestBed bed() {
        return bed;
    }

    /**
     * Keys of one test, which counts what callers at the same time are allowed of several limits: in one slot that is exact. In several
     * slots it may be less for a moment, as the documents say; RedisClusterSlotsTest and ManyNodesTest test what is promised there.
     */
    private static final Set<Key> TOGETHER = IntStream.range(0, 200)
            .boxed()
            .flatMap(round -> Stream.concat(
                    Stream.of(Key.of("round-" + round)),
                    IntStream.range(0, 64).mapToObj(thread -> Key.of("caller-%d-%d".formatted(thread, round)))))
            .collect(toSet());

    /** All others have slots of their own, on all masters. */
    @Override
    protected Key key(Key key) {
        return TOGETHER.contains(key) ? Key.of("all").and(key) : key;
    }

    @Override
    protected boolean decidesAtOnce() {
        return false;
    }

    /** Else this class would say nothing of several slots. */
    @Test
    void keysOfTheContractAreOfSeveralSlotsAndShards() {
        Limit limit = Limit.of("only", 5, Duration.ofMinutes(1));
        assertThat(Stream.of("everybody", "everybody else", "somebody", "a", "b", "c", "k1", "k2", "k3")
                        .map(text -> RedisClusterProcesses.shardOf(new Charge("api", limit, key(Key.of(text)))))
                        .distinct())
                .hasSize(3);
    }

    @Test
    void clientsAreSpreadOverAllMasters() {
        Limit burst = Limit.of("burst", 5, Duration.ofMinutes(1));
        Limit hourly = Limit.of("hourly", 5, Duration.ofHours(1));
        bed.flush();
        try (RedisStore store = builder().timeout(Duration.ofSeconds(30)).build()) {
            for (int i = 0; i < 100; i++) {
                Key address = Key.of("198.51.100." + i);
                Charge both = new Charge("api", burst, address.and(Key.of("agent")));
                assertThat(store.tryAcquire(List.of(both, new Charge("api", hourly, address)))
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

    /** Fewer than on the usual server, which decides by the same script. */
    @Override
    protected int seeds() {
        return Boolean.getBoolean("full") ? super.seeds() : 12;
    }
}
