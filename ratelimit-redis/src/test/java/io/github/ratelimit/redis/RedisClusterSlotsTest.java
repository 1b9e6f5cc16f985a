package io.github.ratelimit.redis;

import static io.github.ratelimit.contract.StoreContract.costing;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.StoreException;
import io.github.ratelimit.test.TestClock;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.sync.RedisAdvancedClusterCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One request, several limiters, several slots of a real Cluster of three masters. */
class RedisClusterSlotsTest {

    private static RedisClusterProcesses processes;
    private static RedisTestBed bed;
    private static RedisClusterClient client;
    private static RedisAdvancedClusterCommands<String, String> keys;

    private final TestClock clock = new TestClock();

    /** Of three masters, in ascending order of their slots. */
    private final List<String> clients = spread();

    @BeforeAll
    static void start() {
        processes = RedisClusterProcesses.start();
        bed = new RedisTestBed(processes.nodeUris());
        client = processes.client();
        keys = client.connect().sync();
    }

    @AfterAll
    static void stop() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        bed.close();
        processes.close();
    }

    @BeforeEach
    void empty() {
        bed.flush();
    }

    private RedisStore store(boolean remembers) {
        RedisStore store = RedisStore.builder()
                .uri(processes.uri())
                .clientResources(RedisTestBed.RESOURCES)
                .timeout(Duration.ofSeconds(30)) // what is promised here is the decision, not the time it takes
                .rememberRejections(remembers ? Duration.ofSeconds(1) : Duration.ZERO)
                .time(clock)
                .build();
        // Connected to all nodes, and the scripts known to all of them.
        Decision decision = store.tryAcquire(charges(1, 1, 1));
        store.refundAsync(decision).toCompletableFuture().join();
        bed.flush();
        bed.resetCommandCounts();
        return store;
    }

    private static Charge charge(int which, long permits, String key) {
        return new Charge("limiter-" + which, Limit.of("only", permits, ofMinutes(1)), Key.of(key));
    }

    /** Of three limiters, in the order in which their slots are asked. */
    private List<Charge> charges(long first, long second, long third) {
        return List.of(
                charge(0, first, clients.get(0)), charge(1, second, clients.get(1)), charge(2, third, clients.get(2)));
    }

    private static String redisKey(Charge charge) {
        return TestKeys.key(charge);
    }

    private static int slot(String client) {
        return SlotHash.getSlot(redisKey(charge(0, 1, client)));
    }

    private static List<String> spread() {
        return IntStream.range(0, 3)
                .mapToObj(third -> IntStream.range(0, 1000)
                        .mapToObj(i -> "client-" + i)
                        .filter(client -> slot(client) * 3 / 16_384 == third)
                        .findFirst()
                        .orElseThrow())
                .sorted(Comparator.comparing(RedisClusterSlotsTest::slot))
                .toList();
    }

    private static List<Long> remaining(Decision decision) {
        return decision.statuses().stream().map(LimitStatus::remaining).toList();
    }

    private static List<Charge> reversed(List<Charge> charges) {
        List<Charge> reversed = new ArrayList<>(charges);
        java.util.Collections.reverse(reversed);
        return reversed;
    }

    @Test
    void decisionOnThreeSlotsIsOneCallForEach() {
        try (RedisStore store = store(true)) {
            for (int i = 1; i <= 10; i++) {
                Decision decision = store.tryAcquire(reversed(charges(10, 20, 30)));
                assertThat(decision.allowed()).isTrue();
                assertThat(decision.charges()).isEqualTo(reversed(charges(10, 20, 30)));
                assertThat(remaining(decision)).containsExactly(30L - i, 20L - i, 10L - i);
            }
            assertThat(bed.scriptCalls()).isEqualTo(30);
        }
    }

    @Test
    void limitersWhoseKeysHaveOneFirstPartAreOneCall() {
        Key address = Key.of(clients.get(0));
        List<Charge> charges = IntStream.range(0, 3)
                .mapToObj(i -> new Charge(
                        "limiter-" + i, Limit.of("only", 100, ofMinutes(1)), address.and(Key.of("agent-" + i))))
                .toList();
        try (RedisStore store = store(true)) {
            for (int i = 0; i < 10; i++) {
                assertThat(store.tryAcquire(charges).allowed()).isTrue();
            }
            assertThat(bed.scriptCalls()).isEqualTo(10);
        }
    }

    @Test
    void rejectionOfAnySlotTakesNothingFromTheOthersAndStartsNoWindow() {
        for (int narrow = 0; narrow < 3; narrow++) {
            bed.flush();
            int which = narrow;
            List<Charge> charges = IntStream.range(0, 3)
                    .mapToObj(i -> charge(i, i == which ? 1 : 10, clients.get(i)))
                    .toList();
            try (RedisStore store = store(false)) {
                assertThat(store.tryAcquire(List.of(charges.get(which))).allowed())
                        .isTrue();
                for (int i = 0; i < 3; i++) {
                    Decision rejected = store.tryAcquire(charges);
                    assertThat(rejected.allowed()).isFalse();
                    assertThat(rejected.retryAfter().orElseThrow()).isPositive();
                    for (int j = 0; j < 3; j++) {
                        LimitStatus status = rejected.statuses().get(j);
                        assertThat(status.remaining()).isEqualTo(j == which ? 0 : 10);
                        assertThat(status.exceeded()).isEqualTo(j == which);
                        assertThat(status.resetAfter().isZero()).isEqualTo(j != which);
                    }
                }
                assertThat(bed.keys()).containsExactly(redisKey(charges.get(which)));
            }
        }
    }

    @Test
    void repeatedRejectionsAskNobody() {
        try (RedisStore store = store(true)) {
            assertThat(store.tryAcquire(costing(charges(10, 3, 10), 2)).allowed())
                    .isTrue();
            for (int i = 0; i < 2; i++) {
                assertThat(store.tryAcquire(costing(charges(10, 3, 10), 2)).allowed())
                        .isFalse();
            }
            bed.resetCommandCounts();

            for (int i = 0; i < 100; i++) {
                Decision rejected = store.tryAcquire(costing(charges(10, 3, 10), 2));
                assertThat(rejected.allowed()).isFalse();
                assertThat(remaining(rejected)).containsExactly(8L, 1L, 8L);
            }
            assertThat(bed.scriptCalls()).isZero();
            assertThat(store.tryAcquire(charges(10, 3, 10)).allowed())
                    .as("a smaller cost still fits")
                    .isTrue();

            store.resetAsync(List.of(charges(10, 3, 10).get(1)))
                    .toCompletableFuture()
                    .join();
            assertThat(store.tryAcquire(costing(charges(10, 3, 10), 2)).allowed())
                    .as("after a reset")
                    .isTrue();
        }
    }

    @Test
    void refundAndResetReachEverySlot() {
        try (RedisStore store = store(true)) {
            Decision first = store.tryAcquire(costing(charges(5, 5, 5), 2));
            Decision second = store.tryAcquire(costing(charges(5, 5, 5), 3));
            assertThat(store.tryAcquire(charges(5, 5, 5)).allowed()).isFalse();
            for (int i = 0; i < 3; i++) {
                store.refundAsync(first).toCompletableFuture().join();
            }
            assertThat(remaining(store.tryAcquire(costing(charges(5, 5, 5), 0))))
                    .containsExactly(2L, 2L, 2L);
            assertThat(store.tryAcquire(costing(charges(5, 5, 5), 2)).allowed()).isTrue();

            store.resetAsync(charges(5, 5, 5)).toCompletableFuture().join();
            assertThat(bed.keys()).isEmpty();
            clock.advance(ofMinutes(1));
            bed.advance(ofMinutes(1));
            store.tryAcquire(costing(charges(5, 5, 5), 5));
            store.refundAsync(second).toCompletableFuture().join();
            assertThat(remaining(store.tryAcquire(costing(charges(5, 5, 5), 0))))
                    .as("nothing goes into windows that began after the reset")
                    .containsExactly(0L, 0L, 0L);
        }
    }

    @Test
    void lookIsAllowedWhereALimitWasLowered() {
        try (RedisStore store = store(true)) {
            store.tryAcquire(costing(charges(10, 10, 10), 8));
            Decision look = store.tryAcquire(costing(charges(10, 5, 10), 0));
            assertThat(look.allowed()).isTrue();
            assertThat(remaining(look)).containsExactly(2L, 0L, 2L);
        }
    }

    @Test
    void slotThatFailsLeavesNothingTakenInTheOthers() {
        List<Charge> charges = charges(10, 10, 10);
        try (RedisStore store = store(true)) {
            store.tryAcquire(costing(charges.subList(0, 1), 3));
            String broken = redisKey(charges.get(1));
            keys.lpush(broken, "no counter");

            assertThatThrownBy(() -> store.tryAcquire(costing(charges, 2)))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("WRONGTYPE");
            assertThatThrownBy(() -> store.tryAcquire(costing(charges, 0))).isInstanceOf(StoreException.class);
            keys.del(broken);
            assertThat(remaining(store.tryAcquire(costing(charges, 0)))).containsExactly(7L, 10L, 10L);
            assertThat(store.statistics().pending()).isZero();
        }
    }

    /** Addresses and tokens that share nothing, an overall limit, and permits given back meanwhile. {@code -Dfull} asks ten times as often. */
    @Test
    void concurrentRequestsOnSeveralSlotsAreExact() throws Exception {
        int threads = 64;
        int requestsEach = Boolean.getBoolean("full") ? 1000 : 100;
        long permits = (long) threads * requestsEach / 10;
        Map<Charge, AtomicLong> kept = new ConcurrentHashMap<>();
        AtomicLong rejected = new AtomicLong();
        try (RedisStore store = store(true)) {
            Callable<Void> caller = () -> {
                ThreadLocalRandom random = ThreadLocalRandom.current();
                for (int i = 0; i < requestsEach; i++) {
                    List<Charge> charges = List.of(
                            counted("token", permits, "token-" + random.nextInt(5)),
                            counted("address", permits, "address-" + random.nextInt(5)),
                            counted("all", permits * 4, "all"));
                    long cost = 1L + random.nextInt(2);
                    Decision decision = store.tryAcquire(costing(charges, cost));
                    if (!decision.allowed()) {
                        rejected.incrementAndGet();
                    } else if (random.nextInt(10) == 0) {
                        store.refundAsync(decision).toCompletableFuture().join();
                    } else {
                        charges.forEach(charge -> kept.computeIfAbsent(charge, same -> new AtomicLong())
                                .addAndGet(cost));
                    }
                }
                return null;
            };
            inParallel(threads, caller);

            assertThat(rejected.get()).isPositive();
            assertThat(kept).hasSize(11);
            kept.forEach((charge, count) -> {
                assertThat(count.get()).isLessThanOrEqualTo(charge.limit().permits());
                assertThat(Long.parseLong(keys.get(redisKey(charge)))).isEqualTo(count.get());
            });
        }
    }

    private static Charge counted(String limiter, long permits, String key) {
        return new Charge(limiter, Limit.of("only", permits, ofHours(1)), Key.of(key));
    }

    private static void inParallel(int threads, Callable<Void> caller) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            for (Future<Void> done : executor.invokeAll(java.util.Collections.nCopies(threads, caller))) {
                done.get();
            }
        } finally {
            executor.shutdownNow();
        }
    }
}
