package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.Store;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.redis.Servers;
import io.github.ratelimit.spring.internal.Diagnostic;
import io.github.ratelimit.spring.internal.diagnostics.Diagnostics;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What is wrong with how counts are kept on Redis is told by its number, and the remedy of its page ends it. */
class RedisDiagnosticsTest {

    private static RedisProcess redis;
    private static RedisClient operator;
    private static RedisCommands<String, String> server;

    @BeforeAll
    static void start() {
        redis = RedisProcess.start();
        operator = RedisClient.create(redis.uri());
        server = operator.connect().sync();
    }

    @AfterAll
    static void stop() {
        operator.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        redis.close();
    }

    @BeforeEach
    void forget() {
        server.flushall();
    }

    /** So the limiter is not told of as one that nobody asks. */
    @Configuration(proxyBeanMethods = false)
    static class Asking {

        record Jobs(Limiters<HttpCall> limiters) {}

        @Bean
        Jobs jobs(Limiters<HttpCall> limiters) {
            return new Jobs(limiters);
        }
    }

    private static ApplicationContextRunner application(int permits) {
        return new ApplicationContextRunner()
                .withConfiguration(Ours.autoConfigurations())
                .withUserConfiguration(Asking.class)
                .withPropertyValues(
                        "ratelimit.store=redis",
                        "ratelimit.redis.uri=" + redis.uri(),
                        "ratelimit.redis.timeout=10s",
                        "ratelimit.limiters.shared.permits=" + permits,
                        "ratelimit.limiters.shared.window=1h");
    }

    /** Waits for what was asked before: a store is answered in the order of its questions. */
    private static void decide(ApplicationContext context) {
        context.getBean(Store.class)
                .tryAcquire(List.of(new Charge("after", Limit.of(1, Duration.ofHours(1)), Key.of("all"))));
    }

    @Test
    @Provokes(Diagnostic.REDIS_EVICTS)
    void evictionPolicyIsToldUntilItIsNoEviction() throws Exception {
        assertThat(DiagnosticsPage.section(Diagnostic.REDIS_EVICTS))
                .contains("`CONFIG SET maxmemory-policy noeviction`");
        server.configSet("maxmemory", "100mb");
        server.configSet("maxmemory-policy", "allkeys-lru");
        try (Heard heard = Heard.of(Diagnostics.class)) {
            application(5).run(context -> {
                assertThat(heard.next()).contains("RL-012: Redis may evict counters", "maxmemory-policy allkeys-lru");
                assertThat(context.getBean(Diagnostics.class).found(Diagnostic.REDIS_EVICTS))
                        .isEqualTo(1);
            });
        } finally {
            server.configSet("maxmemory-policy", "noeviction");
        }
        application(5).run(context -> {
            decide(context);
            assertThat(context.getBean(Diagnostics.class).found(Diagnostic.REDIS_EVICTS))
                    .isZero();
        });
    }

    @Test
    @Provokes(Diagnostic.REDIS_UNSUITABLE)
    void nodeOfAClusterIsToldUntilItIsUsedAsOne() throws Exception {
        RedisClient client = RedisClient.create();
        try (RedisProcess node = RedisProcess.start("--cluster-enabled", "yes");
                Heard heard = Heard.of(Diagnostics.class)) {
            RedisCommands<String, String> alone =
                    client.connect(RedisURI.create(node.uri())).sync();
            alone.clusterAddSlots(IntStream.range(0, SlotHash.SLOT_COUNT).toArray());
            Servers.await("it serves", () -> alone.clusterInfo().contains("cluster_state:ok"));
            ApplicationContextRunner application =
                    application(5).withPropertyValues("ratelimit.redis.uri=" + node.uri());
            application.run(context -> {
                assertThat(heard.next()).contains("RL-019: Redis is one node of a Cluster");
                assertThat(context.getBean(Diagnostics.class).found(Diagnostic.REDIS_UNSUITABLE))
                        .isEqualTo(1);
            });
            application
                    .withPropertyValues(DiagnosticsPage.remedy(Diagnostic.REDIS_UNSUITABLE))
                    .run(context -> {
                        decide(context);
                        assertThat(context.getBean(Diagnostics.class).found(Diagnostic.REDIS_UNSUITABLE))
                                .isZero();
                    });
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        }
    }
}
