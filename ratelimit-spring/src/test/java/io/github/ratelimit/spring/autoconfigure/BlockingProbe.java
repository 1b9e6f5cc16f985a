package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.redis.Servers;
import io.github.ratelimit.spring.RateLimit;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.blockhound.BlockHound;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Serves requests while every call is watched that blocks a thread which must not be. A process of its own, as the watch changes classes of
 * the platform for good.
 *
 * <p>Prints a line for each part: its name, the statuses of its requests, and how many calls blocked.
 */
final class BlockingProbe {

    private static final List<Throwable> BLOCKED = new CopyOnWriteArrayList<>();

    private BlockingProbe() {}

    /**
     * Runs all of it.
     *
     * @param arguments none
     */
    public static void main(String[] arguments) throws Exception {
        BlockHound.builder()
                .loadIntegrations()
                .blockingMethodCallback(method -> {
                    BLOCKED.add(new IllegalStateException(
                            method + " on " + Thread.currentThread().getName()));
                    throw new IllegalStateException("blocks: " + method);
                })
                .install();
        watchIsThere();
        try (RedisProcess redis = RedisProcess.start()) {
            serve("answering", redis.uri(), "reject", () -> {});
            serve("falling silent", redis.uri(), "local", () -> Servers.pause(redis));
            serve("silent", redis.uri(), "reject", () -> {});
            Servers.resume(redis);
        }
        serve("away", "redis://127.0.0.1:1", "reject", () -> {});
        serve("away, another one stands in", "redis://127.0.0.1:1", "local", () -> {});
        BLOCKED.forEach(Throwable::printStackTrace);
        System.exit(0); // whatever thread is left
    }

    /** Else there would be nothing to see. */
    private static void watchIsThere() {
        Mono.delay(Duration.ofMillis(1))
                .doOnNext(tick -> {
                    synchronized (BLOCKED) {
                        try {
                            BLOCKED.wait(1);
                        } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                    }
                })
                .onErrorComplete()
                .block();
        System.out.println("watched " + BLOCKED.size());
        BLOCKED.clear();
    }

    private static void serve(String part, String redis, String onStoreFailure, Runnable then) throws Exception {
        try (RunningApplication application = RunningApplication.of(Application.class, Limited.class)
                .reactive()
                .servingOnly()
                .property("ratelimit.store", "redis")
                .property("ratelimit.redis.uri", redis)
                .property("ratelimit.redis.key-prefix", part.replace(' ', '-') + ":")
                .property("ratelimit.redis.start-timeout", "1s")
                .property("ratelimit.redis.timeout", part.equals("answering") ? "10s" : "200ms")
                .property("ratelimit.on-store-failure", onStoreFailure)
                .limiter("three", 3)
                .limiter("front", 100)
                .limiter("user", 100)
                .property("ratelimit.limiters.user.key", "principal | client-address")
                .property("ratelimit.limiters.front.paths", "/limited")
                .property("ratelimit.limiters.user.paths", "/limited")
                .start()) {
            URI base = application.base();
            if (!RawHttp.get(base, "/free").body().contains("watched: true")) {
                throw new IllegalStateException("requests are served by threads that may block");
            }
            StringBuilder statuses = new StringBuilder();
            for (int i = 0; i < 5; i++) {
                if (i == 1) {
                    then.run();
                }
                RawHttp.Answer answer = RawHttp.get(base, "/limited");
                statuses.append(' ').append(answer.status());
                if (answer.body().contains("watched: false")) {
                    statuses.append(" by a thread of the store's");
                }
            }
            statuses.append(' ').append(RawHttp.get(base, "/limited/x/../y").status());
            statuses.append(' ').append(RawHttp.get(base, "/annotated").status());
            System.out.println(part + ":" + statuses + " blocked " + BLOCKED.size());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @RestController
    static class Limited {

        @GetMapping("/limited")
        @RateLimit("three")
        Mono<String> limited() {
            return Mono.just("watched: " + Schedulers.isInNonBlockingThread());
        }

        @GetMapping("/free")
        String free() {
            return "watched: " + Schedulers.isInNonBlockingThread();
        }

        @GetMapping("/annotated")
        @RateLimit("three")
        Mono<String> annotated() {
            return Mono.just("annotated");
        }
    }
}
