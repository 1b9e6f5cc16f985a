package io.github.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limiter;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.StoreException;
import io.github.ratelimit.contract.FaultProxy;
import io.github.ratelimit.contract.FaultProxy.Fault;
import io.github.ratelimit.remote.StoreHealth.State;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.KillArgs;
import io.lettuce.core.TimeoutOptions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an application brings with it may be broken or unusual: its executor, its listener, its client's options. The store goes on. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ApplicationFaultTest {

    private static final Limit WIDE = Limit.of("only", Limit.MAX_PERMITS, Duration.ofHours(1));
    private static final Duration PATIENT = Duration.ofSeconds(20);
    private static final List<Charge> CHARGES = List.of(new Charge("api", WIDE, Key.of("client")));

    private RedisProcess process;
    private FaultProxy proxy;

    @BeforeEach
    void start() {
        process = RedisProcess.start();
        proxy = new FaultProxy(process.port(), 0);
    }

    @AfterEach
    void stop() {
        proxy.close();
        process.close();
    }

    /** For what promises no time: no decision is late because the machine is busy. */
    private RedisStore.Builder builder() {
        return RedisStore.builder().uri(proxy.uri("redis")).timeout(PATIENT);
    }

    private static void await(RedisStore store, State state) {
        RedisProcess.await("the store is " + state, () -> store.health().state() == state);
    }

    /** It never connected again. */
    @Test
    void executorThatRejectsKeepsNobodyFromConnecting() {
        Executor full = task -> {
            throw new RejectedExecutionException("full");
        };
        proxy.set(Fault.REJECT);
        try (RedisStore store = builder().executor(full).build()) {
            await(store, State.DOWN);
            proxy.set(Fault.PASS);
            await(store, State.UP);
            assertThat(store.tryAcquireAsync(CHARGES)
                            .toCompletableFuture()
                            .join()
                            .allowed())
                    .isTrue();
        }
    }

    /** The decision was never told, not even by its deadline. */
    @Test
    void decisionIsToldWhateverAnExecutorThrows() {
        Executor broken = task -> {
            throw new IllegalStateException("broken");
        };
        try (RedisStore store = builder().executor(broken).build()) {
            await(store, State.UP);
            assertThat(store.tryAcquireAsync(CHARGES).toCompletableFuture())
                    .succeedsWithin(PATIENT)
                    .matches(Decision::allowed);
        }
    }

    /** What was chained to a reset ran on the one thread that tells all timeouts of the JDK's futures. */
    @Test
    void whatIsChainedToAResetRunsOnTheExecutor() {
        try (RedisStore store = builder()
                .executor(task -> new Thread(task, "application").start())
                .build()) {
            await(store, State.UP);
            CompletableFuture<String> thread = store.resetAsync(CHARGES)
                    .thenApply(done -> Thread.currentThread().getName())
                    .toCompletableFuture();
            assertThat(thread.join()).isEqualTo("application");
        }
    }

    /** It threw, and left the client open for ever. */
    @Test
    void storeIsClosedByWhatItsOwnThreadTells() {
        Set<Thread> before = threads();
        RedisStore store = RedisStore.builder()
                .uri(proxy.uri("redis"))
                .executor(Runnable::run)
                .build();
        await(store, State.UP);
        proxy.set(Fault.BLACK_HOLE);
        CompletableFuture<String> closed = store.tryAcquireAsync(CHARGES)
                .handle((decision, failure) -> {
                    store.close();
                    return Thread.currentThread().getName();
                })
                .toCompletableFuture();
        assertThat(closed.join()).startsWith("ratelimit-redis-loop");
        RedisProcess.await("all threads end", () -> before.containsAll(threads()));
    }

    /** A caller on the timer's thread kept everybody's deadlines waiting for its own. */
    @Test
    void decisionThatATimeoutLeadsToFailsAtOnce() {
        try (RedisStore store = RedisStore.builder()
                .uri(proxy.uri("redis"))
                .executor(Runnable::run)
                .timeout(Duration.ofMillis(400))
                .build()) {
            await(store, State.UP);
            proxy.set(Fault.BLACK_HOLE);
            CompletableFuture<Boolean> told = store.tryAcquireAsync(CHARGES)
                    .handle((decision, failure) -> {
                        assertThatThrownBy(() -> store.tryAcquire(CHARGES))
                                .isInstanceOf(StoreException.class)
                                .hasMessageContaining("cannot wait");
                        return true;
                    })
                    .toCompletableFuture();
            assertThat(told).succeedsWithin(PATIENT);
        }
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("ratelimit-redis")
                        || thread.getName().startsWith("lettuce"))
                .collect(Collectors.toSet());
    }

    /** It was cut off after 30 ms; and by Lettuce's own default after 5 s where the store's timeout is a minute. */
    @Test
    void commandTimeoutOfTheApplicationsClientIsNotFollowed() {
        ClientOptions options = ClientOptions.builder()
                .timeoutOptions(TimeoutOptions.enabled(Duration.ofMillis(30)))
                .build();
        try (FaultProxy farAway = FaultProxy.farAway(process.port(), Duration.ofMillis(60));
                RedisStore store = RedisStore.builder()
                        .uri(farAway.uri("redis"))
                        .clientOptions(options)
                        .timeout(PATIENT)
                        .build()) {
            for (int i = 0; i < 10; i++) {
                assertThat(store.tryAcquire(CHARGES).allowed()).isTrue();
            }
        }
    }

    /** It never connected again. */
    @Test
    void clientOptionsThatSuspendReconnectingAreNotFollowed() {
        ClientOptions options =
                ClientOptions.builder().suspendReconnectOnProtocolFailure(true).build();
        try (RedisTestBed bed = RedisTestBed.of(process);
                RedisStore store = RedisStore.builder()
                        .uri(process.uri())
                        .clientOptions(options)
                        .build()) {
            await(store, State.UP);
            Limiter<String> limiter = Load.limiter(store, OnStoreFailure.LOCAL, WIDE);
            bed.server().configSet("requirepass", "secret");
            bed.server().clientKill(KillArgs.Builder.skipme());
            RedisProcess.await("it may not log in", () -> {
                limiter.tryAcquire("client");
                return store.health().state() == State.DOWN && rejected(bed) > 2;
            });
            bed.server().configSet("requirepass", "");
            await(store, State.UP);
        }
    }

    /** Commands of connections that did not log in. */
    private static long rejected(RedisTestBed bed) {
        return bed.server()
                .info("errorstats")
                .lines()
                .filter(line -> line.startsWith("errorstat_NOAUTH"))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf('=') + 1)))
                .sum();
    }

    /** Three commands of a handshake had no place in it: it was down for ever. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void boundOfTheApplicationsQueueIsNotFollowed(int size) {
        try (RedisStore store = RedisStore.builder()
                .uri(process.uri())
                .clientOptions(ClientOptions.builder().requestQueueSize(size).build())
                .timeout(PATIENT)
                .build()) {
            List<CompletableFuture<Decision>> decisions = IntStream.range(0, 100)
                    .mapToObj(i -> store.tryAcquireAsync(CHARGES))
                    .toList();
            assertThat(decisions).allSatisfy(each -> assertThat(each).succeedsWithin(PATIENT));
        }
    }
}
