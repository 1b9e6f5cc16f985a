package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limit.Shape;
import io.github.ratelimit.Store;
import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.RateLimitException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** When permits of concurrency limits come back, beyond what every adapter promises. */
@Timeout(60)
class ConcurrencyTest {

    private static final Limit ONE = Limit.concurrent("jobs", 1, Duration.ofHours(1));

    /** What the server works at, for the test to end it. */
    private static final BlockingQueue<Object> BEGUN = new LinkedBlockingQueue<>();

    private static RunningApplication start(Class<?> controller, boolean reactive) {
        RunningApplication.Builder application = RunningApplication.of(Application.class, controller);
        return (reactive ? application.reactive() : application)
                .servingOnly()
                .property("ratelimit.limiters.jobs.shape", "concurrent")
                .property("ratelimit.limiters.jobs.permits", 1)
                .property("ratelimit.limiters.jobs.lease", "1h")
                .property("ratelimit.limiters.jobs.paths", "/path")
                .start();
    }

    private static long free(ApplicationContext context, Key key) {
        return context.getBean(HttpRateLimiter.class)
                .limiters()
                .look(List.of(new Charge("jobs", ONE, key)))
                .statuses()
                .get(0)
                .remaining();
    }

    private static void awaitFree(RunningApplication application) {
        while (free(application.context(), Key.of("127.0.0.1")) == 0) {
            Thread.onSpinWait(); // the response may be here before the request has ended there
        }
    }

    private static Socket send(URI base, String path) throws IOException {
        Socket socket = new Socket(base.getHost(), base.getPort());
        socket.getOutputStream()
                .write("GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n"
                        .formatted(path)
                        .getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @RestController
    static class Servlets {

        @GetMapping("/later")
        @RateLimit("jobs")
        DeferredResult<String> later() {
            DeferredResult<String> result = new DeferredResult<>();
            BEGUN.add(result);
            return result;
        }

        @GetMapping("/dispatched")
        void dispatched(HttpServletRequest request) {
            request.startAsync().dispatch("/later");
        }

        @GetMapping("/path")
        SseEmitter events() {
            SseEmitter events = new SseEmitter(20_000L); // Tomcat rarely tells nobody that a client has left
            BEGUN.add(events);
            return events;
        }

        @GetMapping("/late")
        @RateLimit("jobs")
        DeferredResult<String> late() {
            return new DeferredResult<>(100L);
        }
    }

    @Test
    @SuppressWarnings("unchecked")
    void asynchronousAnswersOfSpringMvcHoldTheirPermit() throws Exception {
        try (RunningApplication application = start(Servlets.class, false)) {
            for (String path : List.of("/later", "/dispatched")) {
                try (Socket client = send(application.base(), path)) {
                    DeferredResult<String> later = (DeferredResult<String>) BEGUN.take();
                    assertThat(RawHttp.get(application.base(), "/later").status())
                            .isEqualTo(429);
                    later.setResult("done");
                    assertThat(client.getInputStream().read()).isEqualTo('H');
                }
                awaitFree(application);
            }
            assertThat(RawHttp.get(application.base(), "/late").status()).isEqualTo(503);
            awaitFree(application);
            SseEmitter events;
            try (Socket client = send(application.base(), "/path")) {
                events = (SseEmitter) BEGUN.take();
                events.send("one");
                assertThat(client.getInputStream().read()).isEqualTo('H');
                assertThat(RawHttp.get(application.base(), "/path").status()).isEqualTo(429);
            }
            assertThatThrownBy(() -> sendForEver(events)).isNotNull();
            awaitFree(application);
        }
    }

    private static void sendForEver(SseEmitter events) throws IOException {
        while (true) {
            events.send("to nobody");
        }
    }

    @RestController
    static class Reactive {

        @GetMapping("/never")
        @RateLimit("jobs")
        Mono<String> never() {
            return Mono.<String>never().doOnSubscribe(BEGUN::add);
        }

        @GetMapping(path = "/path", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
        Flux<String> events() {
            return Flux.concat(Mono.just("one"), Mono.never());
        }
    }

    @Test
    void clientThatGoesAwayFromWebFluxGivesItsPermitBack() throws Exception {
        try (RunningApplication application = start(Reactive.class, true)) {
            try (Socket client = send(application.base(), "/never")) {
                BEGUN.take();
                assertThat(RawHttp.get(application.base(), "/never").status()).isEqualTo(429);
                assertThat(client.isClosed()).isFalse();
            }
            awaitFree(application);
            try (Socket client = send(application.base(), "/path")) {
                assertThat(client.getInputStream().read()).isEqualTo('H');
                assertThat(RawHttp.get(application.base(), "/path").status()).isEqualTo(429);
            }
            awaitFree(application);
        }
    }

    @Component
    static class Worker {

        @RateLimit("jobs")
        public long now(Supplier<Long> work) {
            return work.get();
        }

        @RateLimit("jobs")
        public CompletableFuture<Long> later(CompletableFuture<Long> work) {
            return work;
        }

        @RateLimit("jobs")
        public CompletableFuture<Long> started(Runnable start) {
            start.run();
            return CompletableFuture.completedFuture(1L);
        }

        @RateLimit("jobs")
        public Mono<Long> single(Mono<Long> work) {
            return work;
        }

        @RateLimit("jobs")
        public Flux<Long> many(Flux<Long> work) {
            return work;
        }
    }

    @Test
    void methodsHoldTheirPermitUntilTheyHaveAnswered() {
        new ApplicationContextRunner()
                .withConfiguration(Ours.autoConfigurations())
                .withBean(Worker.class)
                .withPropertyValues(
                        "ratelimit.limiters.jobs.permits=1",
                        "ratelimit.limiters.jobs.shape=concurrent",
                        "ratelimit.limiters.jobs.lease=1h",
                        "ratelimit.limiters.jobs.key=everybody")
                .run(context -> {
                    Worker worker = context.getBean(Worker.class);
                    Supplier<Long> free = () -> free(context, Key.absent());
                    assertThat(worker.now(free)).isZero();
                    assertThatIllegalStateException().isThrownBy(() -> worker.now(ConcurrencyTest::fail));
                    assertThat(free.get()).isEqualTo(1);

                    CompletableFuture<Long> work = new CompletableFuture<>();
                    CompletableFuture<Long> answer = worker.later(work);
                    assertThatThrownBy(() -> worker.now(free)).isInstanceOf(RateLimitException.class);
                    work.completeExceptionally(new IllegalStateException("failed"));
                    assertThat(answer).isCompletedExceptionally();
                    assertThat(free.get()).isEqualTo(1);

                    assertThat(worker.single(Mono.fromSupplier(free)).block()).isZero();
                    assertThat(worker.many(Flux.defer(() -> Flux.just(free.get(), free.get())))
                                    .collectList()
                                    .block())
                            .containsExactly(0L, 0L);
                    assertThat(free.get()).isEqualTo(1);
                    for (Flux<Long> endless : List.of(
                            worker.many(Flux.never()),
                            worker.single(Mono.never()).flux())) {
                        Disposable running = endless.subscribe();
                        assertThat(free.get()).isZero();
                        running.dispose();
                        assertThat(free.get()).isEqualTo(1);
                    }
                });
    }

    /** An in-process store whose decisions come when the test lets them. */
    static final class LateStore implements Store {

        private final InProcessStore store = InProcessStore.create();
        private final BlockingQueue<Runnable> answers = new LinkedBlockingQueue<>();

        @Override
        public CompletableFuture<Decision> tryAcquireAsync(List<Charge> charges) {
            if (charges.get(0).cost() == 0) {
                return store.tryAcquireAsync(charges);
            }
            CompletableFuture<Decision> later = new CompletableFuture<>();
            answers.add(() -> later.complete(store.tryAcquire(charges)));
            return later;
        }

        @Override
        public CompletableFuture<Void> settleAsync(Decision decision, ToLongFunction<Charge> actual) {
            return store.settleAsync(decision, actual);
        }

        @Override
        public CompletableFuture<Void> resetAsync(List<Charge> charges) {
            return store.resetAsync(charges);
        }

        @Override
        public boolean supports(Shape.Kind kind) {
            return store.supports(kind);
        }
    }

    @Test
    void callsThatEndBeforeTheirDecisionGiveTheirPermitBack() {
        LateStore store = new LateStore();
        new ApplicationContextRunner()
                .withConfiguration(Ours.autoConfigurations())
                .withBean(Store.class, () -> store)
                .withBean(Worker.class)
                .withPropertyValues(
                        "ratelimit.limiters.jobs.permits=1",
                        "ratelimit.limiters.jobs.shape=concurrent",
                        "ratelimit.limiters.jobs.lease=1h",
                        "ratelimit.limiters.jobs.key=everybody")
                .run(context -> {
                    Worker worker = context.getBean(Worker.class);
                    List<String> started = new CopyOnWriteArrayList<>();
                    Mono<Long> work = Mono.fromSupplier(() -> started.add("subscribed") ? 1L : 0);
                    Supplier<CompletableFuture<Long>> stage = () -> worker.started(() -> started.add("called"));
                    List<Runnable> calls = List.of(
                            () -> worker.single(work).subscribe().dispose(),
                            () -> worker.many(work.flux()).subscribe().dispose(),
                            () -> stage.get().cancel(false),
                            () -> stage.get().completeExceptionally(new TimeoutException()));
                    for (Runnable call : calls) {
                        call.run();
                        store.answers.take().run();
                        while (free(context, Key.absent()) == 0
                                && !Thread.currentThread().isInterrupted()) {
                            Thread.onSpinWait(); // a stage goes on elsewhere
                        }
                        assertThat(free(context, Key.absent())).isEqualTo(1);
                    }
                    assertThat(started).isEmpty();
                });
    }

    private static Long fail() {
        throw new IllegalStateException("failed");
    }
}
