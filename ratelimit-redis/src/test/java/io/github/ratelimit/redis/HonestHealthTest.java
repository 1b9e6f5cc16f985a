package io.github.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision.Source;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limiter;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.contract.FaultProxy;
import io.github.ratelimit.contract.FaultProxy.Fault;
import io.github.ratelimit.remote.StoreHealth.State;
import io.github.ratelimit.remote.UnansweredException;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.RedisURI;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is told of Redis is so: in its health, in the log, and before the first decision. */
class HonestHealthTest {

    private static final Limit WIDE = Limit.of("only", 1_000_000, Duration.ofHours(1));
    private static final Duration PATIENT = Duration.ofSeconds(20);

    /** Records of the library and of its client, at WARNING or above. */
    private static final class Warnings extends Handler implements AutoCloseable {

        private final List<String> messages = new CopyOnWriteArrayList<>();
        private final List<Logger> loggers =
                List.of(Logger.getLogger("io.github.ratelimit.redis"), Logger.getLogger("io.lettuce"));

        Warnings() {
            loggers.forEach(logger -> logger.addHandler(this));
        }

        @Override
        public void publish(LogRecord told) {
            if (told.getLevel().intValue() >= Level.WARNING.intValue()) {
                messages.add(new java.util.logging.SimpleFormatter().formatMessage(told));
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {
            loggers.forEach(logger -> logger.removeHandler(this));
        }
    }

    private static void pause(Duration duration) {
        long end = System.nanoTime() + duration.toNanos();
        while (System.nanoTime() - end < 0) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }

    private static List<Charge> charges(int count, String client) {
        return IntStream.range(0, count)
                .mapToObj(i -> new Charge("api", Limit.of("limit-" + i, 1000, Duration.ofHours(1)), Key.of(client)))
                .toList();
    }

    /** A process that is busy with its own start takes long to connect, and Redis is there all the time. */
    @Test
    void slowFirstConnectionIsNoOutage() throws Exception {
        try (Warnings warnings = new Warnings();
                RedisProcess process = RedisProcess.start();
                FaultProxy proxy = new FaultProxy(process.port(), 0)) {
            proxy.set(Fault.HOLD);
            Thread later = new Thread(() -> {
                pause(Duration.ofMillis(1200));
                proxy.set(Fault.PASS);
            });
            later.start();
            try (RedisStore store = RedisStore.builder()
                    .uri("redis://127.0.0.1:" + proxy.port())
                    .build()) {
                assertThat(store.health().state()).isEqualTo(State.UP);
                assertThat(warnings.messages).isEmpty();
            }
            later.join();
        }
    }

    /** 486 of 486 decisions were made by policy, with health UP and no line in the log. */
    @Test
    void serverThatAnswersEveryScriptWithAnErrorIsDown() {
        try (Warnings warnings = new Warnings();
                FakeRedis server = new FakeRedis(FakeRedis.allowing(0));
                RedisStore store =
                        RedisStore.builder().uri(server.uri()).timeout(PATIENT).build()) {
            assertThat(store.health().state()).isEqualTo(State.UP);
            server.answer("-ERR something is wrong with every script\r\n");
            Limiter<String> limiter = Load.limiter(store, OnStoreFailure.ALLOW, WIDE);
            for (int i = 0; i < 10; i++) {
                assertThat(limiter.tryAcquire("client").source()).isEqualTo(Source.NONE);
            }
            assertThat(store.health().state()).isEqualTo(State.DOWN);
            assertThat(store.health().reason().orElseThrow()).contains("something is wrong with every script");
            RedisProcess.await("it is logged", () -> warnings.messages.size() == 1);
        }
    }

    /** It was ready, and then 37 times down and up again, with 18 warnings in 6 s. */
    @ParameterizedTest
    @ValueSource(strings = {"time", "set", "get", "del"})
    void userWithoutARightThatDecisionsNeedIsDownOnceAndStaysDown(String command) {
        List<State> told = new CopyOnWriteArrayList<>();
        try (RedisProcess process = RedisProcess.start();
                RedisTestBed bed = RedisTestBed.of(process)) {
            bed.server()
                    .aclSetuser(
                            "limiter",
                            AclSetuserArgs.Builder.on()
                                    .addPassword("secret")
                                    .keyPattern("*")
                                    .allCommands()
                                    .removeCommand(CommandType.valueOf(command.toUpperCase(Locale.ROOT))));
            try (RedisStore store = RedisStore.builder()
                    .uri("redis://limiter:secret@127.0.0.1:" + process.port())
                    .timeout(PATIENT)
                    .onHealthChange(health -> told.add(health.state()))
                    .build()) {
                Limiter<String> limiter = Load.limiter(store, OnStoreFailure.ALLOW, WIDE);
                for (int i = 0; i < 60; i++) {
                    assertThat(limiter.tryAcquire("client").source()).isEqualTo(Source.NONE);
                    pause(Duration.ofMillis(10));
                }
                assertThat(told).containsExactly(State.DOWN);
            }
        }
    }

    /** The client library's watchdog wrote twelve lines beside it. */
    @Test
    void outageIsOneWarning() {
        try (Warnings warnings = new Warnings();
                RedisProcess process = RedisProcess.start();
                FaultProxy proxy = new FaultProxy(process.port(), 0);
                RedisStore store = RedisStore.create(proxy.uri("redis"))) {
            Limiter<String> limiter = Load.limiter(store, OnStoreFailure.ALLOW, WIDE);
            proxy.set(Fault.REJECT);
            RedisProcess.await("it is down", () -> store.health().state() == State.DOWN);
            for (int i = 0; i < 100; i++) {
                limiter.tryAcquire("client");
                pause(Duration.ofMillis(20));
            }
            proxy.set(Fault.PASS);
            RedisProcess.await("it is up", () -> store.health().state() == State.UP);
            assertThat(warnings.messages).hasSize(1).first().asString().contains("does not answer");
        }
    }

    /** A job of an hour was allowed five, by the fallback, without a line: connecting takes longer than a decision may. */
    @Test
    void processThatDecidesRightAfterCreateIsCountedByRedis() {
        try (RedisProcess process = RedisProcess.start();
                RedisStore store = RedisStore.create(process.uri())) {
            Limiter<String> limiter = Load.limiter(store, OnStoreFailure.LOCAL, WIDE);
            assertThat(limiter.tryAcquire("client").source()).isEqualTo(Source.STORE);
        }
    }

    @Test
    void decisionBeforeTheFirstAnswerIsWarnedOfOnce() {
        try (Warnings warnings = new Warnings();
                RedisProcess process = RedisProcess.start();
                FaultProxy proxy = new FaultProxy(process.port(), 0)) {
            proxy.set(Fault.BLACK_HOLE);
            try (RedisStore store = RedisStore.builder()
                    .uri(proxy.uri("redis"))
                    .startTimeout(Duration.ZERO)
                    .build()) {
                Limiter<String> limiter = Load.limiter(store, OnStoreFailure.ALLOW, WIDE);
                limiter.tryAcquire("client");
                limiter.tryAcquire("client");
                RedisProcess.await("it is told", () -> !warnings.messages.isEmpty());
                assertThat(warnings.messages.get(0)).contains("has not answered yet");
            }
        }
    }

    /** Netty alone logged it, and the store was starting for ever, with every count local. */
    @Test
    void clientThatCannotRunIsDownWithAReason() {
        ClientResources broken = ClientResources.builder()
                .nettyCustomizer(new NettyCustomizer() {
                    @Override
                    public void afterChannelInitialized(Channel channel) {
                        throw new NoClassDefFoundError("io/netty/channel/IoHandler");
                    }
                })
                .build();
        try (RedisProcess process = RedisProcess.start();
                RedisStore store = RedisStore.builder()
                        .uris(List.of(RedisURI.create(process.uri())))
                        .clientResources(broken)
                        .build()) {
            RedisProcess.await("it is down", () -> store.health().state() == State.DOWN);
            assertThat(store.health().reason().orElseThrow()).contains("connect");
        } finally {
            broken.shutdown(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
        }
    }

    @Test
    void reasonIsInWordsIfTheFailureHasNoMessage() throws IOException {
        try (ServerSocket hangsUp = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            CompletableFuture.runAsync(() -> {
                while (!hangsUp.isClosed()) {
                    try {
                        hangsUp.accept().close();
                    } catch (IOException e) {
                        return; // the test is over
                    }
                }
            });
            try (RedisStore store = RedisStore.builder()
                    .uri("redis://127.0.0.1:" + hangsUp.getLocalPort())
                    .build()) {
                RedisProcess.await("it is down", () -> store.health().state() == State.DOWN);
                assertThat(store.health().reason().orElseThrow())
                        .startsWith("cannot connect: ")
                        .doesNotContain("null");
            }
        }
        assertThat(UnansweredException.words(new CompletionException(new UnresolvedAddressException())))
                .isEqualTo("unresolved address");
        assertThat(UnansweredException.words(new ClosedChannelException())).isEqualTo("closed channel");
        assertThat(UnansweredException.words(new IOException(" "))).isEqualTo("io");
        assertThat(UnansweredException.words(null)).isEqualTo("no answer");
        assertThat(UnansweredException.words(
                        new RuntimeException("connect", new ConnectException("Connection refused"))))
                .isEqualTo("Connection refused");
    }

    @Test
    void hundredStoresThatNothingClosesAreOneWarning() {
        List<RedisStore> stores = new ArrayList<>();
        try (Warnings warnings = new Warnings()) {
            for (int i = 0; i < 101; i++) {
                stores.add(RedisStore.builder()
                        .uri("redis://127.0.0.1:" + RedisProcess.freePort())
                        .clientResources(RedisTestBed.RESOURCES)
                        .startTimeout(Duration.ZERO)
                        .build());
            }
            assertThat(warnings.messages.stream().filter(message -> message.contains("stores are open")))
                    .singleElement()
                    .asString()
                    .contains("create one for the process");
        } finally {
            stores.parallelStream().forEach(RedisStore::close);
        }
    }

    @Test
    void passwordOfAnAddressThatCannotBeReadIsNotShown() {
        assertThatThrownBy(() -> RedisStore.create("redis://limiter:p4ss word@host:6379"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("***@host:6379")
                .satisfies(failure -> assertThat(failure)
                        .hasStackTraceContaining("cannot be read")
                        .extracting(Throwable::getMessage)
                        .asString()
                        .doesNotContain("p4ss"))
                .hasNoCause();
    }

    /** 128 requests of forty limits held the server for 13 ms. */
    @Test
    void callIsBoundedByItsCounters() {
        try (RedisProcess process = RedisProcess.start();
                RedisTestBed bed = RedisTestBed.of(process);
                RedisStore store =
                        RedisStore.builder().uri(process.uri()).timeout(PATIENT).build()) {
            store.tryAcquire(charges(1, "warm"));
            bed.resetCommandCounts();
            List<CompletableFuture<?>> answers = new ArrayList<>();
            for (int i = 0; i < 128; i++) {
                answers.add(store.tryAcquireAsync(charges(40, "client-" + i)));
            }
            CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).join();
            assertThat(bed.scriptCalls()).as("of 5,120 counters").isGreaterThanOrEqualTo(40);
        }
    }

    /**
     * The reply that a proxy had lost was followed by those of others, and each decision took another client's: 48 of 60 permits were granted
     * in the window of each client. {@code -Dfull} does it fifty times.
     */
    @Test
    void replyThatBelongsToAnotherCallIsNotBelieved() throws Exception {
        int times = Boolean.getBoolean("full") ? 50 : 8;
        Limit limit = Limit.of("only", 60, Duration.ofHours(1));
        try (RedisProcess process = RedisProcess.start();
                FaultProxy proxy = new FaultProxy(process.port(), 0);
                RedisTestBed bed = RedisTestBed.of(process);
                RedisStore store = RedisStore.create(proxy.uri("redis"))) {
            Limiter<String> limiter = Load.limiter(store, OnStoreFailure.REJECT, limit);
            for (int time = 0; time < times; time++) {
                bed.flush();
                AtomicInteger granted = new AtomicInteger();
                List<Thread> threads = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    String client = "client-" + time + "-" + i;
                    threads.add(new Thread(() -> {
                        int own = 0;
                        for (int n = 0; n < 120; n++) {
                            own += limiter.tryAcquire(client).allowed() ? 1 : 0;
                            LockSupport.parkNanos(1_000_000);
                        }
                        granted.accumulateAndGet(own, Math::max);
                    }));
                }
                threads.forEach(Thread::start);
                pause(Duration.ofMillis(20));
                proxy.set(Fault.SWALLOW);
                for (Thread thread : threads) {
                    thread.join();
                }
                assertThat(granted.get()).as("of any client").isLessThanOrEqualTo(60);
                proxy.set(Fault.PASS);
                String after = "after-" + time;
                RedisProcess.await(
                        "Redis decides", () -> limiter.tryAcquire(after).source() == Source.STORE);
            }
        }
    }
}
