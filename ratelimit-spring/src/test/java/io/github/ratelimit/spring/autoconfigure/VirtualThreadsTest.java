package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.contract.RawHttp.Answer;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.spring.RateLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** An application whose requests are virtual threads, which Java 21 is the first to have. */
@EnabledForJreRange(min = JRE.JAVA_21)
class VirtualThreadsTest {

    private static final int PERMITS = 10;
    private static final int REQUESTS = 40;

    @Test
    void requestsOnVirtualThreadsGetExactlyThePermits() throws Exception {
        exercise(RunningApplication.of(Application.class, Orders.class));
    }

    @Test
    void requestsOnVirtualThreadsWaitForRedis() throws Exception {
        try (RedisProcess redis = RedisProcess.start()) {
            exercise(RunningApplication.of(Application.class, Orders.class)
                    .property("ratelimit.store", "redis")
                    .property("ratelimit.redis.uri", redis.uri())
                    .property("ratelimit.redis.timeout", "10s")); // a busy machine is slow to start with
        }
    }

    private static void exercise(RunningApplication.Builder builder) throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(REQUESTS);
        try (RunningApplication application = builder.property("spring.threads.virtual.enabled", "true")
                .limiter("orders", PERMITS)
                .start()) {
            List<Future<Answer>> requests = new ArrayList<>();
            for (int i = 0; i < REQUESTS; i++) {
                requests.add(clients.submit(() -> RawHttp.get(application.base(), "/orders")));
            }
            List<Answer> answers = new ArrayList<>();
            for (Future<Answer> request : requests) {
                answers.add(request.get());
            }
            assertThat(answers).filteredOn(answer -> answer.status() == 200).hasSize(PERMITS);
            assertThat(answers)
                    .filteredOn(answer -> answer.status() == 200)
                    .extracting(Answer::body)
                    .allSatisfy(thread -> assertThat(thread).startsWith("VirtualThread["));
            assertThat(answers).filteredOn(answer -> answer.status() == 429).hasSize(REQUESTS - PERMITS);
        } finally {
            clients.shutdownNow();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @RestController
    static class Orders {

        @GetMapping("/orders")
        @RateLimit("orders")
        String order() {
            return Thread.currentThread().toString();
        }
    }
}
