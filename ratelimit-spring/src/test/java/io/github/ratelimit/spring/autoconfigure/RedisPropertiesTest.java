package io.github.ratelimit.spring.autoconfigure;

import static io.github.ratelimit.contract.StoreContract.costing;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.redis.RedisStore;
import io.github.ratelimit.redis.RedisTopology;
import io.github.ratelimit.redis.Servers;
import io.github.ratelimit.spring.internal.InvalidRateLimitException;
import io.github.ratelimit.spring.internal.diagnostics.InvalidRateLimitFailureAnalyzer;
import io.github.ratelimit.spring.internal.endpoint.DescribedCall;
import io.github.ratelimit.spring.internal.properties.RateLimitProperties;
import io.github.ratelimit.spring.internal.properties.RateLimitProperties.Topology;
import io.github.ratelimit.test.TestClock;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

/** Each property under {@code ratelimit.redis} does to a real store what it says. */
class RedisPropertiesTest {

    private static RedisProcess redis;
    private static RedisClient operator;

    @Configuration(proxyBeanMethods = false)
    @EnableWebMvc
    static class Mvc {}

    private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
            .withConfiguration(Ours.autoConfigurations())
            .withUserConfiguration(Mvc.class)
            .withPropertyValues("ratelimit.store=redis", "ratelimit.redis.timeout=10s")
            .withPropertyValues("ratelimit.limiters.api.permits=8", "ratelimit.limiters.api.window=1h");

    @BeforeAll
    static void start() {
        redis = RedisProcess.start();
        operator = RedisClient.create(redis.uri());
    }

    @AfterAll
    static void stop() {
        operator.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        redis.close();
    }

    @BeforeEach
    void forget() {
        try (var connection = operator.connect()) {
            connection.sync().flushall();
        }
    }

    private static List<String> keys() {
        try (var connection = operator.connect()) {
            return connection.sync().scan().getKeys(); // not KEYS, whose answer is another type in Lettuce 7
        }
    }

    private void withRedis(Consumer<RedisStore> assertions, String... properties) {
        runner.withPropertyValues("ratelimit.redis.uri=" + redis.uri())
                .withPropertyValues(properties)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertions.accept(context.getBean(RedisStore.class));
                });
    }

    private static List<Charge> charges(long permits) {
        return List.of(new Charge("a", Limit.of("only", permits, Duration.ofHours(1)), Key.of("ann")));
    }

    private void rejected(String message, String... properties) {
        runner.withPropertyValues(properties).run(context -> {
            assertThat(context).hasFailed();
            assertThat(context)
                    .getFailure()
                    .rootCause()
                    .isInstanceOf(InvalidRateLimitException.class)
                    .hasMessage(message);
        });
    }

    @Test
    void uriAndKeyPrefix() {
        withRedis(
                store -> {
                    assertThat(store.tryAcquire(charges(1)).source()).isEqualTo(Decision.Source.STORE);
                    assertThat(keys()).singleElement().asString().startsWith("shop:{");
                },
                "ratelimit.redis.key-prefix=shop:");
        rejected(
                "ratelimit.redis.key-prefix: key prefix must be up to 64 printable ASCII characters without braces, was 'a{b'",
                "ratelimit.redis.key-prefix=a{b");
    }

    @Test
    void secret() {
        List<String> names = new ArrayList<>();
        withRedis(store -> store.tryAcquire(charges(1)));
        names.addAll(keys());
        forget();
        withRedis(store -> store.tryAcquire(charges(1)), "ratelimit.redis.secret=c2VjcmV0IG9mIDE2IGJ5dGVzIG9yIG1vcmU=");
        names.addAll(keys());
        assertThat(names).as("named by another digest").hasSize(2).doesNotHaveDuplicates();
        rejected("ratelimit.redis.secret: secret must be 16 bytes or more, was 3", "ratelimit.redis.secret=c2Vj");
    }

    @Test
    void timeout() {
        runner.withPropertyValues("ratelimit.redis.uri=redis://127.0.0.1:1", "ratelimit.redis.start-timeout=0")
                .withPropertyValues("ratelimit.redis.timeout=123ms")
                .run(context -> assertThat(context.getBean(RateLimitProperties.class)
                                .redis()
                                .timeout())
                        .isEqualTo(Duration.ofMillis(123)));
        withPausedRedis(
                store -> {
                    long before = System.nanoTime();
                    CompletableFuture<?> decision =
                            store.tryAcquireAsync(charges(1)).toCompletableFuture();
                    assertThat(decision)
                            .failsWithin(Duration.ofSeconds(20))
                            .withThrowableThat()
                            .isNotNull();
                    assertThat(Duration.ofNanos(System.nanoTime() - before))
                            .isGreaterThanOrEqualTo(Duration.ofMillis(700));
                },
                "ratelimit.redis.timeout=700ms");
        rejected("ratelimit.redis.timeout: timeout must be 1ms to 1m, was 0s", "ratelimit.redis.timeout=0ms");
    }

    private void withPausedRedis(Consumer<RedisStore> assertions, String... properties) {
        withRedis(
                store -> {
                    Servers.pause(redis);
                    try {
                        assertions.accept(store);
                    } finally {
                        Servers.resume(redis);
                    }
                },
                properties);
    }

    @Test
    void maximumPending() {
        withPausedRedis(
                store -> {
                    List<CompletableFuture<Decision>> asked = Stream.generate(
                                    () -> store.tryAcquireAsync(charges(100)).toCompletableFuture())
                            .limit(4)
                            .toList();
                    assertThat(asked.get(3)) // on a thread of the store's: not always at once
                            .failsWithin(Duration.ofSeconds(5))
                            .withThrowableThat()
                            .withMessageContaining("3 requests wait");
                    assertThat(asked)
                            .as("those beyond three")
                            .filteredOn(CompletableFuture::isDone)
                            .hasSize(1);
                },
                "ratelimit.redis.maximum-pending=3");
        rejected(
                "ratelimit.redis.maximum-pending: maximumPending must be 1 or more, was 0",
                "ratelimit.redis.maximum-pending=0");
    }

    @ParameterizedTest
    @CsvSource({"2, ratelimit.redis.remember-rejections=1h", "0, ratelimit.redis.remember-rejections=0s"})
    void rememberedRejections(long localRejections, String property) {
        withRedis(
                store -> {
                    store.tryAcquire(charges(1));
                    for (int i = 0; i < 3; i++) {
                        assertThat(store.tryAcquire(charges(1)).allowed()).isFalse();
                    }
                    // the first grant tells already that the window is used up, or the first rejection does
                    assertThat(store.statistics().localRejections())
                            .isBetween(localRejections, localRejections == 0 ? 0 : localRejections + 1);
                },
                property);
    }

    @Test
    void negativeAmountsAreRejected() {
        rejected(
                "ratelimit.redis.remember-rejections: rememberRejections must be 0 or more, was -1s",
                "ratelimit.redis.remember-rejections=-1s");
        rejected("ratelimit.redis.start-timeout: must be 0 or more, was -1s", "ratelimit.redis.start-timeout=-1s");
    }

    // ---- topology

    @Test
    void topologyOfThePropertyIsTheStores() {
        assertThat(Stream.of(Topology.values()).map(Enum::name))
                .containsExactlyElementsOf(
                        Stream.of(RedisTopology.values()).map(Enum::name).toList());
        withRedis(store -> assertThat(store.isCluster()).isFalse());
        try (Servers.Cluster cluster = new Servers.Cluster()) {
            String one = "ratelimit.redis.uri=" + cluster.uris().get(2);
            runner.withPropertyValues(one, "ratelimit.redis.topology=cluster").run(context -> {
                RedisStore store = context.getBean(RedisStore.class);
                assertThat(store.isCluster()).isTrue();
                assertThat(store.health().shards()).hasSize(3);
                assertThat(store.tryAcquire(charges(1)).allowed()).isTrue();
            });
        }
        try (RedisProcess replica = RedisProcess.start("--replicaof", "127.0.0.1 " + Servers.port(redis))) {
            withRedis(
                    store -> assertThat(store.tryAcquire(charges(1)).allowed()).isTrue(),
                    "ratelimit.redis.uri=redis://127.0.0.1:%d,127.0.0.1:%d"
                            .formatted(Servers.port(replica), Servers.port(redis)),
                    "ratelimit.redis.topology=master-replica");
        }
    }

    @Test
    void topologyThatDoesNotFitIsRejected() {
        rejected(
                "ratelimit.redis.topology: topology SENTINEL does not fit 127.0.0.1:1: it needs an address redis-sentinel://host:port#master",
                "ratelimit.redis.uri=redis://127.0.0.1:1",
                "ratelimit.redis.topology=sentinel");
        rejected(
                "ratelimit.redis.topology: topology SINGLE does not fit 127.0.0.1:1,127.0.0.1:2: it needs one address of a server",
                "ratelimit.redis.uri=redis://127.0.0.1:1,127.0.0.1:2",
                "ratelimit.redis.topology=single");
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "cluster"})
    void addressThatIsNoneIsRejectedAndNotShown(String topology) {
        for (String uri : List.of("redis://:pass word@127.0.0.1", "http://:pass@127.0.0.1:80", "127.0.0.1:6379/pass")) {
            rejected(
                    "ratelimit.redis.uri: is no address of Redis, such as redis://user:password@host:6379 (not shown, as it may hold a password)",
                    "ratelimit.redis.uri=" + uri,
                    "ratelimit.redis.topology=" + topology);
        }
    }

    // ---- the share of a node

    @ParameterizedTest
    @CsvSource({"1,8", "0.25,2", "0.34,2", "0.1,1", "1.0,8", "0.000000001,1", "1e-1,1"})
    void localShare(String share, long permits) {
        runner.withPropertyValues("ratelimit.redis.uri=redis://127.0.0.1:1", "ratelimit.redis.start-timeout=0")
                .withPropertyValues("ratelimit.redis.local-share=" + share)
                .run(context -> {
                    Decision decision =
                            decision(context.getBean(HttpRateLimiter.class).limiters());
                    assertThat(decision.source()).isEqualTo(Decision.Source.LOCAL);
                    assertThat(decision.statuses())
                            .extracting(status -> status.limit().permits())
                            .containsExactly(permits);
                });
        withRedis(store ->
                assertThat(store.tryAcquire(costing(charges(8), 8)).allowed()).isTrue());
    }

    private static Decision decision(Limiters<HttpCall> limiters) {
        return limiters.get("api").tryAcquire(DescribedCall.of("address:192.0.2.1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "0.0", "-1", "1.1", "2", "99999999999", "NaN"})
    void shareThatIsNoneIsRejected(String share) {
        runner.withPropertyValues("ratelimit.redis.uri=redis://127.0.0.1:1", "ratelimit.redis.start-timeout=0")
                .withPropertyValues("ratelimit.redis.local-share=" + share)
                .run(context -> {
                    assertThat(context)
                            .getFailure()
                            .rootCause()
                            .hasMessage(
                                    "ratelimit.redis.local-share: must be more than 0 and at most 1, for example 0.25, was "
                                            + Double.valueOf(share));
                    FailureAnalysis analysis =
                            new InvalidRateLimitFailureAnalyzer().analyze(context.getStartupFailure());
                    assertThat(analysis.getAction()).isEqualTo("correct the value of ratelimit.redis.local-share");
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "25%", "0,25", "1/4"})
    void shareThatIsNoNumberIsRejected(String share) {
        runner.withPropertyValues("ratelimit.redis.local-share=" + share)
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("Failed to bind properties under 'ratelimit.redis.local-share'"));
    }

    // ---- beside properties

    @Test
    void usedUpWindowsAreRememberedByTheApplicationsClock() {
        TestClock clock = new TestClock();
        runner.withBean(TimeSource.class, () -> clock)
                .withPropertyValues("ratelimit.redis.uri=" + redis.uri())
                .run(context ->
                        assertThat(context.getBean(RedisStore.class).time()).isSameAs(clock));
    }

    @Test
    void propertiesOfAStoreThatIsNotThereDisturbNobody() {
        new WebApplicationContextRunner()
                .withConfiguration(Ours.autoConfigurations())
                .withUserConfiguration(Mvc.class)
                .withClassLoader(new FilteredClassLoader("io.github.ratelimit.redis", "io.lettuce"))
                .withPropertyValues("ratelimit.redis.topology=cluster", "ratelimit.redis.maximum-pending=7")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void hotKeysAreDecidedAheadAndOtherShapesSayThatTheyTakeNoPart() {
        Heard log = Heard.of(LimitsStart.class);
        runner.withPropertyValues(
                        "ratelimit.redis.uri=" + redis.uri(),
                        "ratelimit.limiters.api.permits=1000000",
                        "ratelimit.limiters.api.permits-ahead=true",
                        "ratelimit.limiters.bucket.permits=5",
                        "ratelimit.limiters.bucket.window=1h",
                        "ratelimit.limiters.bucket.shape=bucket",
                        "ratelimit.limiters.bucket.permits-ahead=true")
                .run(context -> {
                    RedisStore store = context.getBean(RedisStore.class);
                    List<Charge> hot =
                            List.of(new Charge("api", Limit.of("api", 1_000_000, Duration.ofHours(1)), Key.of("hot")));
                    while (store.statistics().ahead().served() == 0) {
                        Stream.generate(() -> store.tryAcquireAsync(hot))
                                .limit(100)
                                .toList()
                                .forEach(CompletableFuture::join);
                    }
                });
        log.close();
        assertThat(String.join("\n", log.lines()))
                .contains("permits-ahead of limiter 'bucket' has no effect: limit 'bucket' is bucket")
                .doesNotContain("permits-ahead of limiter 'api'");
    }
}
