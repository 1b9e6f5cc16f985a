package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.redis.RedisStore;
import io.github.ratelimit.remote.StoreHealth;
import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.internal.remote.RemoteStart;
import io.lettuce.core.RedisClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.assertj.core.api.Condition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Redis has answered before the application accepts requests; and where it does not, the application starts all the same. */
@ExtendWith(OutputCaptureExtension.class)
class RedisStartTest {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        /** What the store said of itself when others were told that the application serves. */
        static final Map<String, StoreHealth.State> STATES = new ConcurrentHashMap<>();

        private final ApplicationContext context;

        Application(ApplicationContext context) {
            this.context = context;
        }

        /** By its name, which is the same on both lines. */
        @EventListener
        void accepts(ApplicationEvent event) {
            if (event.getClass().getSimpleName().equals("ServletWebServerInitializedEvent")) {
                STATES.put("accepts", state());
            }
        }

        @EventListener
        void ready(AvailabilityChangeEvent<ReadinessState> event) {
            if (event.getState() == ReadinessState.ACCEPTING_TRAFFIC) {
                STATES.put("ready", state());
            }
        }

        private StoreHealth.State state() {
            return context.getBean(RedisStore.class).health().state();
        }

        @Bean
        Limited limited() {
            return new Limited();
        }
    }

    @RestController
    static class Limited {

        @GetMapping("/limited")
        @RateLimit("strict")
        String limited() {
            return "served";
        }
    }

    private static RunningApplication.Builder application(String uri) {
        return RunningApplication.of(Application.class)
                .servingOnly()
                .property("ratelimit.store", "redis")
                .property("ratelimit.redis.uri", uri)
                .property("ratelimit.redis.timeout", "100ms")
                .property("logging.level.io.github.ratelimit", "warn")
                .limiter("strict", 1000)
                .property("ratelimit.limiters.strict.on-store-failure", "reject");
    }

    /** {@code -Dfull} starts twenty times. */
    private static final int STARTS = Boolean.getBoolean("full") ? 20 : 4;

    /** In every second start Redis says nothing for a moment just before the application serves, as while connections are made. */
    @Test
    void firstRequestIsDecidedByRedisInEveryStart() throws Exception {
        List<Integer> statuses = new ArrayList<>();
        try (RedisProcess redis = RedisProcess.start()) {
            RedisClient operator = RedisClient.create(redis.uri());
            try (var connection = operator.connect()) {
                for (int i = 0; i < STARTS; i++) {
                    boolean late = i % 2 == 0;
                    SmartInitializingSingleton pause = () -> {
                        if (late) {
                            connection.sync().clientPause(1000);
                        }
                    };
                    try (RunningApplication application = application(redis.uri())
                            .bean(SmartInitializingSingleton.class, pause)
                            .property("ratelimit.redis.start-timeout", "30s")
                            .start()) {
                        statuses.add(RawHttp.get(application.base(), "/limited").status());
                    }
                }
            } finally {
                operator.shutdown(Duration.ZERO, Duration.ofSeconds(1));
            }
        }
        // One for this machine, which may be busy with something else for
        // 100 ms. Without the wait, every second is rejected.
        assertThat(statuses).hasSize(STARTS).areAtLeast(STARTS - 1, new Condition<>(status -> status == 200, "served"));
    }

    /** Redis answers late here, so that the start has something to wait for. */
    @ParameterizedTest
    @ValueSource(strings = {"false", "true"})
    @SuppressWarnings("try") // it is enough that it starts
    void redisHasAnsweredBeforeTheWebServerAcceptsAndBeforeTheApplicationIsReady(String lazy) throws Exception {
        Application.STATES.clear();
        try (RedisProcess redis = RedisProcess.start()) {
            RedisClient operator = RedisClient.create(redis.uri());
            try (var connection = operator.connect()) {
                connection.sync().clientPause(3000);
                try (RunningApplication application = application(redis.uri())
                        .property("spring.main.lazy-initialization", lazy)
                        .property("ratelimit.redis.start-timeout", "60s")
                        .start()) {
                    assertThat(Application.STATES)
                            .containsOnlyKeys("accepts", "ready")
                            .containsValue(StoreHealth.State.UP)
                            .doesNotContainValue(StoreHealth.State.STARTING)
                            .doesNotContainValue(StoreHealth.State.DOWN);
                }
            } finally {
                operator.shutdown(Duration.ZERO, Duration.ofSeconds(1));
            }
        }
    }

    /** Accepts connections and says nothing. */
    private static ServerSocket silent() {
        try {
            return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void redisThatDoesNotAnswerDelaysTheStartForABoundedTimeAndIsWarnedOfOnce(CapturedOutput output) throws Exception {
        try (ServerSocket silent = silent()) {
            String address = "127.0.0.1:" + silent.getLocalPort();
            long before = System.nanoTime();
            try (RunningApplication application = application("redis://" + address)
                    .property("ratelimit.redis.start-timeout", "1500ms")
                    .start()) {
                assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThan(Duration.ofMillis(1500));
                assertThat(RawHttp.get(application.base(), "/limited").status()).isEqualTo(503);
            }
            assertThat(output.getAll().lines().filter(line -> line.contains("ratelimit.redis.start-timeout")))
                    .singleElement()
                    .asString()
                    .contains("WARN")
                    .contains("Redis (" + address + ") did not answer within 1500ms");
        }
    }

    @Test
    void startDoesNotWaitWhereThatIsSaid(CapturedOutput output) {
        try (ServerSocket silent = silent();
                RunningApplication application = application("redis://127.0.0.1:" + silent.getLocalPort())
                        .property("ratelimit.redis.start-timeout", "0")
                        .start()) {
            assertThat(application.context().getBean(RedisStore.class).health().state())
                    .isNotEqualTo(StoreHealth.State.UP);
            assertThat(application.context().isActive()).isTrue();
            assertThat(output).doesNotContain("start-timeout");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Nobody who builds a context by hand waits longer than he wants to: an interrupt ends it. */
    @Test
    void interruptedStartDoesNotWait() throws IOException {
        try (ServerSocket silent = silent();
                RedisStore store = RedisStore.create("redis://127.0.0.1:" + silent.getLocalPort())) {
            RemoteStart start = RemoteStart.of(store, "ratelimit.redis.start-timeout", Duration.ofHours(1));
            Thread.currentThread().interrupt();
            start.start();
            assertThat(Thread.interrupted()).isTrue();
            assertThat(start.isRunning()).isTrue();
            start.stop();
            assertThat(start.isRunning()).isFalse();
        }
    }
}
