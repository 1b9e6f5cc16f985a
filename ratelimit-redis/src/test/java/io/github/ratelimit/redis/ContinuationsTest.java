package io.github.ratelimit.redis;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Source;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limiter;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.contract.FaultProxy;
import io.github.ratelimit.contract.FaultProxy.Fault;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is chained to a decision runs beside the store's own work: it may block, and holds up nobody else. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ContinuationsTest {

    private static final Limit LIMIT = Limit.of("only", Limit.MAX_PERMITS, Duration.ofHours(1));
    private static final Duration TIMEOUT = Duration.ofMillis(400);

    /** Where the server answers: no decision is late because the machine is busy. */
    private static final Duration PATIENT = Duration.ofSeconds(20);

    private RedisProcess process;

    @BeforeEach
    void start() {
        process = RedisProcess.start();
    }

    @AfterEach
    void stop() {
        process.close();
    }

    private static RedisStore connected(String uri, Duration timeout) {
        RedisStore store = RedisStore.builder().uri(uri).timeout(timeout).build();
        Limiter<String> limiter = Load.limiter(store, OnStoreFailure.ALLOW, LIMIT);
        RedisProcess.await("Redis decides", () -> limiter.tryAcquire("client").source() == Source.STORE);
        return store;
    }

    @Test
    void continuationHasTheContextClassLoaderOfTheApplication() {
        ClassLoader application = new ClassLoader(getClass().getClassLoader()) {};
        Thread caller = Thread.currentThread();
        ClassLoader before = caller.getContextClassLoader();
        caller.setContextClassLoader(application);
        try (RedisStore store = connected(process.uri(), PATIENT)) {
            Limiter<String> limiter = Load.limiter(store, OnStoreFailure.ALLOW, LIMIT);
            List<Thread> ran = new ArrayList<>();
            RedisProcess.await(
                    "a continuation runs on the store's thread",
                    () -> ran.add(limiter.tryAcquireAsync("client")
                                    .thenApply(decision -> Thread.currentThread())
                                    .join())
                            && ran.get(ran.size() - 1) != caller);
            assertThat(ran).extracting(Thread::getContextClassLoader).containsOnly(application);
        } finally {
            caller.setContextClassLoader(before);
        }
    }

    /** Others hung for 5.4 s with the server stopped, and for 103 ms with a healthy one. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void synchronousDecisionInAContinuationWorksOrFailsInTimeAndHoldsUpNobody(boolean healthy) {
        Duration timeout = healthy ? PATIENT : TIMEOUT;
        try (RedisStore store = connected(process.uri(), timeout)) {
            Limiter<String> limiter = Load.limiter(store, OnStoreFailure.ALLOW, LIMIT);
            List<DecisionLog.Entry> inside = new ArrayList<>();
            try (DecisionLog bystanders = DecisionLog.of(limiter, List.of("a", "b", "c"), 6, 600)) {
                bystanders.run(Duration.ofMillis(300));
                if (!healthy) {
                    process.pause();
                }
                List<CompletableFuture<DecisionLog.Entry>> chained = new ArrayList<>();
                for (int i = 0; i < 5; i++) {
                    chained.add(limiter.tryAcquireAsync("client-" + i)
                            .thenApply(decision -> DecisionLog.decision(limiter, "inside"))
                            .toCompletableFuture());
                    bystanders.run(Duration.ofMillis(20));
                }
                chained.forEach(each -> inside.add(each.orTimeout(40, SECONDS).join()));
                process.resume();
                Duration worst =
                        (healthy ? Duration.ZERO : TIMEOUT).plusMillis(50).plus(bystanders.grace());
                assertThat(bystanders.entries())
                        .as("bystanders")
                        .allSatisfy(entry -> assertThat(Duration.ofNanos(entry.end() - entry.start()))
                                .isLessThan(worst));
                assertThat(inside).as("inside").allSatisfy(entry -> {
                    assertThat(entry.thrown()).isNull();
                    assertThat(entry.allowed()).isTrue();
                    assertThat(entry.byRedis()).isEqualTo(healthy);
                    assertThat(Duration.ofNanos(entry.end() - entry.start())).isLessThan(worst);
                });
            }
        }
    }

    /** As many continuations as there may be threads that tell of decisions: when all of them wait, the rest goes on. */
    @Test
    void continuationsThatBlockKeepNoOtherCallerWaiting() {
        try (RedisStore store = connected(process.uri(), PATIENT)) {
            Limiter<String> limiter = Load.limiter(store, OnStoreFailure.ALLOW, LIMIT);
            CompletableFuture<Void> release = new CompletableFuture<>();
            Thread submitting = Thread.currentThread(); // runs what is chained to a decision that is there already
            List<CompletableFuture<Void>> blocked = IntStream.range(0, 64)
                    .mapToObj(i -> limiter.tryAcquireAsync("client-" + i)
                            .thenAccept(decision -> {
                                if (!Thread.currentThread().equals(submitting)) {
                                    release.join();
                                }
                            })
                            .toCompletableFuture())
                    .toList();
            try {
                for (int i = 0; i < 20; i++) {
                    DecisionLog.Entry entry = DecisionLog.decision(limiter, "client");
                    assertThat(entry.byRedis()).isTrue();
                }
            } finally {
                release.complete(null);
            }
            blocked.forEach(each -> each.orTimeout(10, SECONDS).join());
        }
    }

    /** The application's event loop stood still for each of them, and with it the store's attempt to connect. */
    @Test
    void synchronousDecisionOnAnEventLoopWorksOrFailsAtOnceAlsoBeforeTheStoreIsConnected() {
        ClientResources resources = ClientResources.builder()
                .ioThreadPoolSize(2)
                .computationThreadPoolSize(2)
                .build();
        RedisClient application = RedisClient.create(resources);
        try {
            List<RedisAsyncCommands<String, String>> onEachLoop = Stream.generate(() ->
                            application.connect(RedisURI.create(process.uri())).async())
                    .limit(2)
                    .toList();
            try (FaultProxy proxy = new FaultProxy(process.port(), 0)) {
                proxy.set(Fault.BLACK_HOLE);
                try (RedisStore store = RedisStore.builder()
                        .uri(proxy.uri("redis"))
                        .clientResources(resources)
                        .timeout(PATIENT)
                        .build()) {
                    Limiter<String> limiter = Load.limiter(store, OnStoreFailure.ALLOW, LIMIT);
                    for (RedisAsyncCommands<String, String> connection : onEachLoop) {
                        DecisionLog.Entry entry = connection
                                .blpop(0.1, "nothing")
                                .thenApply(nothing -> DecisionLog.decision(limiter, "client"))
                                .toCompletableFuture()
                                .join();
                        assertThat(Duration.ofNanos(entry.end() - entry.start()))
                                .isLessThan(PATIENT.dividedBy(2));
                    }
                }
            }
        } finally {
            application.shutdown(Duration.ZERO, Duration.ofSeconds(1));
            resources.shutdown(0, 1, SECONDS).awaitUninterruptibly(1, SECONDS);
        }
    }

    /** They were 817 threads, and as many as requests may wait where the server is slow. */
    @Test
    void continuationsThatWaitDoNotTakeAThreadEach() {
        try (FaultProxy farAway = FaultProxy.farAway(process.port(), Duration.ofMillis(60));
                RedisStore store = connected(farAway.uri("redis"), Duration.ofMinutes(1))) {
            AtomicInteger mostThreads = new AtomicInteger();
            List<CompletableFuture<Boolean>> inside = IntStream.range(0, 3000)
                    .mapToObj(i -> store.tryAcquireAsync(charges("client-" + i))
                            .thenApply(decision -> {
                                mostThreads.accumulateAndGet(Thread.activeCount(), Math::max);
                                return store.tryAcquire(charges("inside-" + i)).allowed();
                            })
                            .toCompletableFuture())
                    .toList();
            assertThat(inside).allSatisfy(each -> assertThat(each.join()).isTrue());
            assertThat(mostThreads.get()).isLessThan(350);
        }
    }

    private static List<Charge> charges(String client) {
        return List.of(new Charge("api", LIMIT, Key.of(client)));
    }

    /** One submit completed 15,597 others and was held for 372 ms. */
    @Test
    void callerThatSubmitsCompletesFewOfTheOthers() throws InterruptedException {
        ThreadLocal<int[]> completed = ThreadLocal.withInitial(() -> new int[1]);
        AtomicInteger worst = new AtomicInteger();
        AtomicInteger undecided = new AtomicInteger();
        try (FaultProxy proxy = new FaultProxy(process.port(), 0);
                RedisStore store = connected(proxy.uri("redis"), Duration.ofMillis(500))) {
            Limiter<String> limiter = Load.limiter(store, OnStoreFailure.ALLOW, LIMIT);
            proxy.set(Fault.BLACK_HOLE);
            List<Thread> callers = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                int caller = i;
                Thread thread = new Thread(() -> {
                    long end = System.nanoTime() + SECONDS.toNanos(1);
                    for (int call = 0; System.nanoTime() - end < 0; call++) {
                        int before = completed.get()[0];
                        undecided.incrementAndGet();
                        var unused = limiter.tryAcquireAsync("%d-%d".formatted(caller, call))
                                .thenAccept((Decision decision) -> {
                                    completed.get()[0]++;
                                    undecided.decrementAndGet();
                                });
                        worst.accumulateAndGet(completed.get()[0] - before, Math::max);
                    }
                });
                callers.add(thread);
                thread.start();
            }
            for (Thread caller : callers) {
                caller.join();
            }
            RedisProcess.await("all are told", () -> undecided.get() == 0);
        }
        assertThat(worst.get()).as("completed by one submit").isLessThanOrEqualTo(256);
    }
}
