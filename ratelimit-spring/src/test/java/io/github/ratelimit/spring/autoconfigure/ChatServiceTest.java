package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.DecisionListener;
import io.github.ratelimit.Key;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.RateLimitedCall;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;

/**
 * A chat service: two plans, tokens a day, requests a minute, five at a time, and a soft limit above which a smaller model answers. Ten users, each
 * with six clients, ask in parallel, and some answers fail: what was served and settled is what the store says.
 */
class ChatServiceTest {

    private static final int USERS = 10;
    private static final int CLIENTS = 6;
    private static final int QUESTIONS = 5;
    private static final long ESTIMATE = 150;

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @RestController
    static class Chat {

        private final Usage usage;

        Chat(Usage usage) {
            this.usage = usage;
        }

        @GetMapping("/chat")
        @RateLimit("requests")
        @RateLimit("parallel")
        @RateLimit(value = "tokens", cost = "#max")
        @RateLimit(value = "quality", cost = "#max")
        Flux<ServerSentEvent<String>> chat(
                @RequestParam long max,
                @RequestParam int length,
                @RequestHeader("User") String user,
                RateLimitedCall call) {
            boolean isSmall = call.decision().exceeded();
            AtomicLong used = new AtomicLong();
            return words(length)
                    .doOnNext(word -> used.incrementAndGet())
                    .map(word ->
                            ServerSentEvent.builder(isSmall ? "small" : "large").build())
                    .doFinally(end -> {
                        usage.served.merge(user, used.get(), Long::sum);
                        usage.small.addAndGet(isSmall ? 1 : 0);
                        CompletableFuture.allOf(call.settle("tokens", used.get()), call.settle("quality", used.get()))
                                .thenRun(usage.ended::release);
                    });
        }

        /** Each seventh length breaks off. */
        private static Flux<Integer> words(int length) {
            Flux<Integer> words = Flux.range(0, length).delaySequence(Duration.ofMillis(5));
            return length % 7 == 0
                    ? words.concatWith(Flux.error(new IllegalStateException("the model is gone")))
                    : words;
        }
    }

    /** What was served, and what a table of usage would have. */
    @Component
    static class Usage implements DecisionListener {

        private final Map<String, Long> served = new ConcurrentHashMap<>();
        private final Map<String, Long> settled = new ConcurrentHashMap<>();
        private final AtomicLong small = new AtomicLong();
        private final Semaphore ended = new Semaphore(0);

        @Override
        public void onSettlement(String limiter, Decision part, long actual) {
            if (limiter.equals("tokens")) {
                settled.merge(part.charges().get(0).key().firstPresent().orElse("nobody"), actual, Long::sum);
            }
        }
    }

    private static RunningApplication.Builder chat() {
        RunningApplication.Builder chat = RunningApplication.of(Application.class, Chat.class, Usage.class)
                .servingOnly()
                .property("ratelimit.redis.timeout", "10s") // a busy machine is slow
                .property("ratelimit.postgresql.timeout", "10s")
                .property("ratelimit.postgresql.create-schema", "true")
                .property("ratelimit.postgresql.start-timeout", "60s")
                .property("ratelimit.limiters.requests.permits", 24)
                .property(
                        "ratelimit.limiters.requests.window", "1h") // longer than a minute: a slow machine stays in one
                .property("ratelimit.limiters.parallel.shape", "concurrent")
                .property("ratelimit.limiters.parallel.permits", 5)
                .property("ratelimit.limiters.parallel.lease", "10m")
                .property("ratelimit.limiters.tokens.plans.free", 1000)
                .property("ratelimit.limiters.tokens.plans.pro", 100_000)
                .property("ratelimit.limiters.tokens.plan-by", "header:Plan")
                .property("ratelimit.limiters.tokens.window", "24h")
                .property("ratelimit.limiters.quality.soft", "true")
                .property("ratelimit.limiters.quality.permits", 600)
                .property("ratelimit.limiters.quality.window", "24h");
        for (String limiter : List.of("requests", "parallel", "tokens", "quality")) {
            chat.property("ratelimit.limiters." + limiter + ".key", "header:User");
        }
        return chat;
    }

    private static String user(int number) {
        return "user-" + number;
    }

    private static String plan(int number) {
        return number % 2 == 0 ? "free" : "pro";
    }

    /** One client's questions, one after the other; how many were answered, whole or broken off. */
    private static CompletableFuture<Long> asks(HttpClient http, URI base, int user, int client) {
        CompletableFuture<Long> answered = CompletableFuture.completedFuture(0L);
        for (int i = 0; i < QUESTIONS; i++) {
            int length = 1 + (client * 31 + i * 17 + user) % 140;
            HttpRequest question = HttpRequest.newBuilder(
                            base.resolve("/chat?max=%d&length=%d".formatted(ESTIMATE, length)))
                    .header("User", user(user))
                    .header("Plan", plan(user))
                    .build();
            answered = answered.thenCompose(before -> http.sendAsync(question, BodyHandlers.ofString())
                    .handle((answer, brokenOff) -> {
                        if (answer != null) {
                            assertThat(answer.statusCode()).isIn(200, 429);
                        }
                        return before + (answer == null || answer.statusCode() == 200 ? 1 : 0);
                    }));
        }
        return answered;
    }

    private static void sumsAreExact(RunningApplication.Builder service) throws Exception {
        HttpClient http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        try (RunningApplication running = service.start()) {
            List<List<CompletableFuture<Long>>> asking = new ArrayList<>();
            for (int user = 0; user < USERS; user++) {
                asking.add(new ArrayList<>());
                for (int client = 0; client < CLIENTS; client++) {
                    asking.get(user).add(asks(http, running.base(), user, client));
                }
            }
            List<Long> answered = asking.stream()
                    .map(clients ->
                            clients.stream().mapToLong(CompletableFuture::join).sum())
                    .toList();
            Usage usage = running.context().getBean(Usage.class);
            assertThat(usage.ended.tryAcquire(
                            answered.stream().mapToInt(Long::intValue).sum(), 10, TimeUnit.SECONDS))
                    .as("each stream has settled")
                    .isTrue();
            assertThat(usage.ended.availablePermits()).isZero();
            assertThat(usage.small.get())
                    .as("some answers of the smaller model")
                    .isPositive();
            Limiters<HttpCall> limiters =
                    running.context().getBean(HttpRateLimiter.class).limiters();
            for (int number = 0; number < USERS; number++) {
                String user = user(number);
                long served = usage.served.get(user);
                assertThat(used(limiters, "requests", user, "")).isEqualTo(answered.get(number));
                assertThat(used(limiters, "tokens", user, plan(number))).isEqualTo(served);
                assertThat(used(limiters, "quality", user, "")).isEqualTo(served);
                assertThat(usage.settled.get(user)).isEqualTo(served);
                for (long end = System.nanoTime() + 10_000_000_000L;
                        used(limiters, "parallel", user, "") > 0 && System.nanoTime() < end; ) {
                    Thread.sleep(5); // given back when the response is complete, which its client may know before
                }
                assertThat(used(limiters, "parallel", user, "")).isZero();
            }
        }
    }

    private static long used(Limiters<HttpCall> limiters, String limiter, String user, String plan) {
        var rule = limiters.spec(limiter).rules().get(0);
        var limit = plan.isEmpty() ? rule.limits().get(0) : rule.plans().get(plan);
        LimitStatus status = limiters.look(List.of(new Charge(limiter, limit, Key.of(user), 0)))
                .statuses()
                .get(0);
        return status.used();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void sumsAreExactInProcess(boolean isReactive) throws Exception {
        sumsAreExact(isReactive ? chat().reactive() : chat());
    }

    @Test
    void sumsAreExactOnRedis() throws Exception {
        try (RedisProcess redis = RedisProcess.start()) {
            sumsAreExact(chat().reactive()
                    .property("ratelimit.store", "redis")
                    .property("ratelimit.redis.uri", redis.uri()));
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "full", matches = "true")
    void sumsAreExactOnPostgres() throws Exception {
        try (EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofMinutes(2))
                .start()) {
            sumsAreExact(chat().property("ratelimit.store", "postgresql")
                    .bean(DataSource.class, server.getPostgresDatabase()));
        }
    }
}
