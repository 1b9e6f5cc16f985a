package io.github.ratelimit.spring.autoconfigure;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Key;
import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.Limit.Shape;
import io.github.ratelimit.Store;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.spring.MethodCall;
import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.RateLimitException;
import io.github.ratelimit.spring.internal.diagnostics.Diagnostics;
import io.github.ratelimit.test.TestClock;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.event.EventListener;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.data.redis.connection.DefaultMessage;
import org.springframework.data.redis.listener.adapter.MessageListenerAdapter;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.config.ScheduledTask;
import org.springframework.scheduling.config.ScheduledTaskHolder;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.stereotype.Component;
import org.springframework.test.web.reactive.server.ExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.ThrowingConsumer;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.reactive.config.EnableWebFlux;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.invoker.HttpExchangeAdapter;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Calls of methods that no request is mapped to. */
@Timeout(60) // what waits is woken by the clock; where it is not, the test is to fail and not to hang
class MethodLimitsTest {

    private final TestClock clock = new TestClock();

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(Ours.autoConfigurations())
            .withBean(TimeSource.class, () -> clock)
            .withPropertyValues(
                    "ratelimit.limiters.mails.permits=2",
                    "ratelimit.limiters.mails.window=1h",
                    "ratelimit.limiters.mails.key=#tenant");

    record Order(String customer, Object item) {}

    @Component
    static class Mailer {

        private final AtomicInteger sent = new AtomicInteger();

        public int sent() {
            return sent.get();
        }

        @RateLimit("mails")
        public int send(@Nullable String tenant, String text) {
            return sent.incrementAndGet();
        }

        @RateLimit(permits = 1, window = "1h", key = "#order.customer()")
        public void order(Order order) {}

        @RateLimit(permits = 1, window = "1h", key = "#order.item()")
        public void item(@Nullable Order order) {}

        @RateLimit(
                permits = 1,
                window = "1h",
                key = {"attribute:tenant", "caller"})
        public void resolved(String tenant, int number) {}

        @RateLimit(permits = 1, window = "1h", key = "everybody")
        public CompletionStage<Integer> later() {
            return CompletableFuture.completedFuture(sent.incrementAndGet());
        }

        @RateLimit(permits = 2, window = "1h", key = "everybody")
        public Mono<Integer> single() {
            return Mono.fromCallable(sent::incrementAndGet);
        }

        @RateLimit(permits = 1, window = "1h", key = "everybody")
        public Flux<Integer> many() {
            return Flux.just(sent.incrementAndGet(), sent.incrementAndGet());
        }

        @RateLimit(permits = 1, window = "1h", key = "everybody", maxWait = "${wait:2h}")
        public CompletableFuture<Integer> patient() {
            return CompletableFuture.completedFuture(sent.incrementAndGet());
        }

        public void unlimited() {
            sent.incrementAndGet();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Caller {
        @Bean
        KeyResolver<HttpCall> caller() {
            return call -> Key.of(
                    String.valueOf(call.request(MethodCall.class).orElseThrow().argument("number")));
        }
    }

    private void withMailer(ThrowingConsumer<Mailer> test) {
        runner.withUserConfiguration(Mailer.class, Caller.class).run(context -> {
            assertThat(context).hasNotFailed();
            test.accept(context.getBean(Mailer.class));
        });
    }

    @Test
    void namedLimiterCountsByAParameter() {
        withMailer(mailer -> {
            assertThat(mailer.send("acme", "one")).isEqualTo(1);
            assertThat(mailer.send("acme", "two")).isEqualTo(2);
            assertThatThrownBy(() -> mailer.send("acme", "three"))
                    .isInstanceOf(RateLimitException.class)
                    .hasMessage("Too many requests; try again in 3600 seconds.")
                    .satisfies(rejected -> assertThat(
                                    ((RateLimitException) rejected).decision().retryAfter())
                            .contains(Duration.ofHours(1)));
            assertThat(mailer.send("other", "one"))
                    .as("the rejected call was not made")
                    .isEqualTo(3);
            mailer.unlimited();
            clock.advance(Duration.ofHours(1));
            assertThat(mailer.send("acme", "four")).isEqualTo(5);
        });
    }

    @Test
    void callsWithoutAValueShareOneCount() {
        withMailer(mailer -> {
            mailer.send(null, "one");
            mailer.send(null, "two");
            assertThatThrownBy(() -> mailer.send(null, "three")).isInstanceOf(RateLimitException.class);
        });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCaching
    static class Caching {
        @Bean
        CacheManager cache() {
            return new ConcurrentMapCacheManager();
        }

        @Bean
        CachedReports reports() {
            return new CachedReports();
        }
    }

    static class CachedReports {

        @Cacheable("reports")
        @RateLimit(permits = 2, window = "1h", key = "#tenant")
        public String of(String tenant) {
            return "report";
        }
    }

    @Test
    void callsThatACacheAnswersCount() {
        runner.withUserConfiguration(Caching.class).run(context -> {
            CachedReports reports = context.getBean(CachedReports.class);
            assertThat(reports.of("acme")).isSameAs(reports.of("acme"));
            assertThatThrownBy(() -> reports.of("acme")).isInstanceOf(RateLimitException.class);
        });
    }

    @Test
    void expressionReadsPropertiesOfAnArgument() {
        withMailer(mailer -> {
            mailer.order(new Order("ann", 1));
            assertThatThrownBy(() -> mailer.order(new Order("ann", 2))).isInstanceOf(RateLimitException.class);
            mailer.order(new Order("bob", 1));
        });
    }

    /** Each would be a key of its own, and nothing would be limited. */
    @Test
    void valueWithoutATextOfItsOwnIsNoKey() {
        withMailer(mailer -> {
            for (Object item : new Object[] {new Object(), new int[1]}) {
                assertThatThrownBy(() -> mailer.item(new Order("ann", item)))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("which has no text of its own: each call would be counted alone");
            }
            assertThatThrownBy(() -> mailer.item(null))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("key '#order.item()' cannot be made for a call of Mailer.item");
        });
    }

    @Test
    void attributesAreArgumentsAndAKeyResolverGetsTheCall() {
        withMailer(mailer -> {
            mailer.resolved("acme", 1);
            mailer.resolved("acme", 2);
            mailer.resolved("other", 1);
            assertThatThrownBy(() -> mailer.resolved("acme", 1)).isInstanceOf(RateLimitException.class);
        });
    }

    @Test
    void rejectedStageFailsAndTheMethodIsNotCalled() {
        withMailer(mailer -> {
            assertThat(mailer.later().toCompletableFuture()).isCompletedWithValue(1);
            assertThat(mailer.later().toCompletableFuture())
                    .failsWithin(Duration.ZERO)
                    .withThrowableThat()
                    .withCauseInstanceOf(RateLimitException.class);
            assertThat(mailer.sent()).isEqualTo(1);
        });
    }

    record Ran(Thread thread, ClassLoader loader) {

        static Ran here() {
            return new Ran(Thread.currentThread(), Thread.currentThread().getContextClassLoader());
        }
    }

    @Component
    static class Worker {

        @RateLimit(permits = 2, window = "1h", key = "everybody")
        public CompletionStage<Ran> run() {
            return CompletableFuture.completedFuture(Ran.here());
        }

        @RateLimit(permits = 1, window = "1h", key = "everybody", maxWait = "1h")
        public CompletionStage<Ran> wait(String any) {
            return CompletableFuture.completedFuture(Ran.here());
        }

        @RateLimit(permits = 1, window = "1h", key = "everybody")
        public Mono<Ran> subscribe() {
            return Mono.fromCallable(Ran::here);
        }
    }

    /** Issue 40, row 1: a store that answers on a thread of its own, as that on Redis does. */
    @Test
    void methodNeverRunsOnAThreadOfTheStore() {
        ClassLoader loader = new ClassLoader(getClass().getClassLoader()) {};
        runner.withBean(Store.class, () -> new RemoteStore(clock))
                .withUserConfiguration(Worker.class)
                .run(context -> {
                    Worker worker = context.getBean(Worker.class);
                    ClassLoader before = ClassUtils.overrideThreadContextClassLoader(loader);
                    try {
                        CompletionStage<Ran> run = worker.run();
                        assertThat(run.toCompletableFuture())
                                .as("the caller does not wait")
                                .isNotDone();
                        Ran ran = run.toCompletableFuture().join();
                        assertThat(ran.loader()).isSameAs(loader);
                        assertThat(ran.thread().getName())
                                .doesNotStartWith("store")
                                .doesNotContain("ratelimit");
                        worker.wait("").toCompletableFuture().join();
                        CompletableFuture<Ran> waiting = worker.wait("").toCompletableFuture();
                        while (clock.waiting() == 0 && !Thread.currentThread().isInterrupted()) {
                            Thread.onSpinWait();
                        }
                        clock.advance(Duration.ofHours(1));
                        Ran waited = waiting.join();
                        assertThat(waited.loader()).isSameAs(loader);
                        assertThat(waited.thread().getName())
                                .doesNotStartWith("store")
                                .doesNotContain("ratelimit");
                        assertThat(requireNonNull(worker.subscribe().block())
                                        .thread()
                                        .getName())
                                .doesNotStartWith("store");
                    } finally {
                        ClassUtils.overrideThreadContextClassLoader(before);
                    }
                });
    }

    /** An in-process store behind a thread. */
    record RemoteStore(InProcessStore store) implements Store {

        RemoteStore(TimeSource time) {
            this(InProcessStore.builder().time(time).build());
        }

        private static <T> CompletableFuture<T> remotely(Supplier<CompletableFuture<T>> answer) {
            CompletableFuture<T> later = new CompletableFuture<>();
            Thread thread = new Thread(() -> later.complete(answer.get().join()), "store");
            // Gives the caller time to chain what follows.
            CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS).execute(thread::start);
            return later;
        }

        @Override
        public TimeSource time() {
            return store.time();
        }

        @Override
        public CompletableFuture<Decision> tryAcquireAsync(List<Charge> charges) {
            return remotely(() -> store.tryAcquireAsync(charges));
        }

        @Override
        public CompletableFuture<Void> settleAsync(Decision decision, ToLongFunction<Charge> actual) {
            return remotely(() -> store.settleAsync(decision, actual));
        }

        @Override
        public CompletableFuture<Void> resetAsync(List<Charge> charges) {
            return remotely(() -> store.resetAsync(charges));
        }

        @Override
        public boolean supports(Shape.Kind kind) {
            return store.supports(kind);
        }
    }

    @Test
    void eachSubscriptionIsACall() {
        withMailer(mailer -> {
            Mono<Integer> single = mailer.single();
            assertThat(mailer.sent()).isEqualTo(0);
            assertThat(single.block()).isEqualTo(1);
            assertThat(single.block()).isEqualTo(2);
            assertThatThrownBy(single::block).isInstanceOf(RateLimitException.class);
            Flux<Integer> many = mailer.many();
            assertThat(many.collectList().block()).containsExactly(3, 4);
            assertThatThrownBy(() -> many.collectList().block()).isInstanceOf(RateLimitException.class);
            assertThat(mailer.sent()).isEqualTo(4);
        });
    }

    @Test
    void callWaitsForItsPermitUpToTheLongestWait() {
        withMailer(mailer -> {
            assertThat(mailer.patient()).isCompletedWithValue(1);
            CompletableFuture<Integer> second = mailer.patient();
            CompletableFuture<Integer> third = mailer.patient();
            CompletableFuture<Integer> fourth = mailer.patient();
            assertThat(second).isNotDone();
            clock.advance(Duration.ofHours(1));
            assertThat(second.join()).isEqualTo(2);
            assertThat(third).isNotDone();
            while (clock.waiting() == 0 && !Thread.currentThread().isInterrupted()) {
                Thread.onSpinWait(); // until its turn has come to wait, on a thread of the waiting line's
            }
            clock.advance(Duration.ofHours(1));
            assertThat(third.join()).isEqualTo(3);
            assertThat(fourth)
                    .as("three hours are too long")
                    .failsWithin(Duration.ofSeconds(20))
                    .withThrowableThat()
                    .withCauseInstanceOf(RateLimitException.class);
        });
    }

    @Component
    static class Scheduler {

        private final AtomicInteger called = new AtomicInteger();

        public int called() {
            return called.get();
        }

        @Scheduled(fixedDelay = 1_000_000, initialDelay = 1_000_000)
        @RateLimit(permits = 1, window = "1h", key = "everybody")
        public void poll() {
            called.incrementAndGet();
        }

        @EventListener
        @RateLimit(permits = 1, window = "1h", key = "#message")
        public void hear(String message) {
            called.incrementAndGet();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Scheduling {}

    @Test
    void whatASchedulerAndAPublisherCallIsLimited() {
        runner.withUserConfiguration(Scheduler.class, Scheduling.class).run(context -> {
            ScheduledTask task = context.getBean(ScheduledTaskHolder.class)
                    .getScheduledTasks()
                    .iterator()
                    .next();
            Runnable poll = task.getTask().getRunnable();
            for (int run = 0; run < 3; run++) {
                poll.run(); // else the scheduler logs an error and its stack trace for each run: issue 40, row 26
            }
            context.publishEvent("a");
            context.publishEvent("b");
            assertThatThrownBy(() -> context.publishEvent("a")).isInstanceOf(RateLimitException.class);
            assertThat(context.getBean(Scheduler.class).called()).isEqualTo(3);
        });
    }

    @Component
    static class Timetable {

        @Scheduled(cron = "0 0 4 1 1 *")
        @Scheduled(cron = "0 0 5 1 1 *")
        @RateLimit(permits = 1, window = "1h", key = "everybody")
        public Mono<String> subscribed() {
            return Mono.just("done");
        }

        @Scheduled(cron = "0 0 4 1 1 *")
        @RateLimit(permits = 1, window = "1h", key = "everybody")
        public CompletionStage<String> later() {
            return CompletableFuture.completedFuture("done");
        }

        @Scheduled(cron = "0 0 4 1 1 *")
        @RateLimit(permits = 1, window = "1h", key = "everybody")
        public int number() {
            return 1;
        }
    }

    @Test
    void rejectedRunOfAScheduledMethodHasNoAnswer() {
        runner.withUserConfiguration(Timetable.class).run(context -> {
            Timetable timetable = context.getBean(Timetable.class);
            assertThat(timetable.subscribed().blockOptional()).hasValue("done");
            assertThat(timetable.subscribed().blockOptional()).isEmpty();
            assertThat(timetable.later().toCompletableFuture()).isCompletedWithValue("done");
            assertThat(timetable.later().toCompletableFuture()).isCompletedWithValue(null);
            assertThat(timetable.number()).isEqualTo(1);
            assertThatThrownBy(timetable::number).isInstanceOf(RateLimitException.class);
        });
    }

    @Component
    static class Listener {

        private final AtomicInteger called = new AtomicInteger();

        public int called() {
            return called.get();
        }

        @RateLimit(permits = 1, window = "1h", key = "#message")
        public void handleMessage(String message) {
            called.incrementAndGet();
        }

        @Async
        @RateLimit(permits = 1, window = "1h", key = "#message")
        public CompletableFuture<String> later(String message) {
            called.incrementAndGet();
            return CompletableFuture.completedFuture(Thread.currentThread().getName());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    static class Asynchronous {

        @Bean
        SimpleAsyncTaskExecutor taskExecutor() {
            return new SimpleAsyncTaskExecutor("asynchronous-");
        }
    }

    /** As a container of listeners calls them: by reflection, on the bean that it was given. Its errors go where the container sends them. */
    @Test
    void whatAContainerOfListenersCallsIsLimited() {
        runner.withUserConfiguration(Listener.class).run(context -> {
            Listener bean = context.getBean(Listener.class);
            List<Throwable> rejected = new ArrayList<>();
            MessageListenerAdapter listener = new MessageListenerAdapter(bean) {
                @Override
                protected void handleListenerException(Throwable e) {
                    rejected.add(e);
                }
            };
            listener.afterPropertiesSet();
            for (String message : List.of("a", "b", "a")) {
                listener.onMessage(new DefaultMessage("channel".getBytes(UTF_8), message.getBytes(UTF_8)), null);
            }
            assertThat(bean.called()).isEqualTo(2);
            assertThat(rejected)
                    .singleElement()
                    .satisfies(e -> assertThat(e).hasRootCauseInstanceOf(RateLimitException.class));
        });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableMethodSecurity
    static class Secured {
        @Bean
        Vault vault() {
            return new Vault();
        }
    }

    static class Vault {

        @PreAuthorize("#name == 'ann'")
        @RateLimit(permits = 1, window = "1h", key = "everybody")
        public void open(String name) {}
    }

    @Test
    void callThatSecurityDeniesTakesNoPermit() {
        SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("any", "", "ANY"));
        try {
            runner.withUserConfiguration(Secured.class).run(context -> {
                Vault vault = context.getBean(Vault.class);
                for (int i = 0; i < 3; i++) {
                    assertThatThrownBy(() -> vault.open("bob")).isInstanceOf(AccessDeniedException.class);
                }
                vault.open("ann");
                assertThatThrownBy(() -> vault.open("ann")).isInstanceOf(RateLimitException.class);
            });
        } finally {
            SecurityContextHolder.clearContext();
        }
    }

    @Test
    void asynchronousMethodIsDecidedByItsExecutorsThread() {
        runner.withBean(Store.class, () -> new RemoteStore(clock))
                .withUserConfiguration(Listener.class, Asynchronous.class)
                .run(context -> {
                    Listener bean = context.getBean(Listener.class);
                    assertThat(bean.later("a").join()).startsWith("asynchronous-");
                    assertThat(bean.later("b").join()).startsWith("asynchronous-");
                    assertThatThrownBy(() -> bean.later("a").join()).hasRootCauseInstanceOf(RateLimitException.class);
                    assertThat(bean.called()).isEqualTo(2);
                });
    }

    @Component
    @RateLimit(permits = 2, window = "1h", key = "everybody", name = "whole")
    static class Whole {
        public void one() {}

        public void two() {}

        @Override
        public String toString() {
            return "whole";
        }
    }

    @Test
    void annotationOnAClassIsOneLimiterForItsMethods() {
        runner.withUserConfiguration(Whole.class).run(context -> {
            Whole whole = context.getBean(Whole.class);
            whole.one();
            whole.two();
            assertThatThrownBy(whole::one).isInstanceOf(RateLimitException.class);
            assertThat(whole).hasToString("whole");
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class Scoped {
        @Bean
        @Scope(value = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
        Whole scoped() {
            return new Whole();
        }
    }

    @Test
    void beanBehindTheProxyOfAScopeIsCountedOnce() {
        runner.withUserConfiguration(Scoped.class).run(context -> {
            Whole whole = context.getBean(Whole.class);
            whole.one();
            whole.one();
            assertThatThrownBy(whole::one).isInstanceOf(RateLimitException.class);
        });
    }

    @Test
    void nothingIsLimitedWhileLimitsAreSwitchedOff() {
        runner.withPropertyValues("ratelimit.enabled=false")
                .withUserConfiguration(Mailer.class, Caller.class)
                .run(context -> {
                    Mailer mailer = context.getBean(Mailer.class);
                    assertThat(AopUtils.isAopProxy(mailer)).isFalse();
                    for (int i = 0; i < 3; i++) {
                        assertThatCode(() -> mailer.send("acme", "")).doesNotThrowAnyException();
                    }
                });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableWebMvc
    static class Mvc {}

    @RestController
    static class Controller {

        private final Mailer mailer;

        Controller(Mailer mailer) {
            this.mailer = mailer;
        }

        @GetMapping("/send")
        @RateLimit(permits = 3, window = "1m")
        String send() {
            return "sent " + mailer.send("acme", "");
        }
    }

    /** No controller, but a handler: its requests are its adapter's. */
    static class ByHand {
        @RateLimit("hand")
        @ResponseBody
        public String get() {
            return "by hand";
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Mapping {
        @Autowired
        void map(RequestMappingHandlerMapping mapping, ByHand handler) throws Exception {
            mapping.registerMapping(
                    RequestMappingInfo.paths("/by-hand").build(), handler, ByHand.class.getMethod("get"));
        }
    }

    @Test
    void requestsAreCountedOnceAndARejectionBehindAControllerIsAnsweredAsOne() {
        new WebApplicationContextRunner()
                .withConfiguration(Ours.autoConfigurations())
                .withBean(TimeSource.class, () -> clock)
                .withPropertyValues(
                        "ratelimit.limiters.mails.permits=2",
                        "ratelimit.limiters.mails.window=1h",
                        "ratelimit.limiters.mails.key=#tenant",
                        "ratelimit.limiters.hand.permits=2",
                        "ratelimit.limiters.hand.window=1h")
                .withUserConfiguration(
                        Mvc.class, Controller.class, Mailer.class, Caller.class, ByHand.class, Mapping.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    MockMvc mvc = MockMvcBuilders.webAppContextSetup(
                                    (WebApplicationContext) context.getSourceApplicationContext())
                            .build();
                    assertThat(AopUtils.isAopProxy(context.getBean(Controller.class)))
                            .isFalse();
                    assertThat(answer(mvc, "/send").getHeader("X-RateLimit-Remaining"))
                            .isEqualTo("2");
                    assertThat(answer(mvc, "/send").getContentAsString()).isEqualTo("sent 2");
                    MockHttpServletResponse rejected = answer(mvc, "/send");
                    assertThat(rejected.getStatus()).isEqualTo(429);
                    assertThat(rejected.getHeader("Retry-After")).isEqualTo("3600");
                    assertThat(rejected.getHeader("X-RateLimit-Limit")).isEqualTo("2");
                    assertThat(rejected.getContentAsString()).contains("\"rate_limited\"");
                    assertThat(answer(mvc, "/by-hand").getStatus()).isEqualTo(200);
                    assertThat(answer(mvc, "/by-hand").getStatus()).isEqualTo(200);
                    assertThat(answer(mvc, "/by-hand").getStatus()).isEqualTo(429);
                    assertThatThrownBy(() -> context.getBean(Mailer.class).send("acme", ""))
                            .isInstanceOf(RateLimitException.class);
                });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableWebFlux
    static class Flow {}

    @Test
    void rejectionBehindAControllerOfWebFluxIsAnsweredAsOne() {
        new ReactiveWebApplicationContextRunner()
                .withConfiguration(Ours.autoConfigurations())
                .withPropertyValues(
                        "ratelimit.limiters.mails.permits=1",
                        "ratelimit.limiters.mails.window=1h",
                        "ratelimit.limiters.mails.key=#tenant")
                .withBean(TimeSource.class, () -> clock)
                .withUserConfiguration(Flow.class, Controller.class, Mailer.class, Caller.class)
                .run(context -> {
                    WebTestClient client = WebTestClient.bindToApplicationContext(context.getSourceApplicationContext())
                            .build();
                    ExchangeResult served =
                            client.get().uri("/send").exchange().expectBody().returnResult();
                    assertThat(served.getStatus().value()).isEqualTo(200);
                    ExchangeResult rejected =
                            client.get().uri("/send").exchange().expectBody().returnResult();
                    assertThat(rejected.getStatus().value()).isEqualTo(429);
                    assertThat(rejected.getResponseHeaders().getFirst("Retry-After"))
                            .isEqualTo("3600");
                });
    }

    private static MockHttpServletResponse answer(MockMvc mvc, String path) throws Exception {
        return mvc.perform(get(path)).andReturn().getResponse();
    }

    interface Prices {
        @GetExchange("/price")
        @RateLimit(name = "prices", permits = 1, window = "1h", key = "everybody")
        String price();
    }

    @Configuration(proxyBeanMethods = false)
    static class Clients {
        @Bean
        Prices prices() {
            HttpExchangeAdapter answering = (HttpExchangeAdapter) Proxy.newProxyInstance(
                    HttpExchangeAdapter.class.getClassLoader(),
                    new Class<?>[] {HttpExchangeAdapter.class},
                    (proxy, method, arguments) -> method.getReturnType() == boolean.class ? false : "9");
            return HttpServiceProxyFactory.builderFor(answering).build().createClient(Prices.class);
        }
    }

    /** Nothing but the interface is there to be asked, and a proxy of a proxy is more than the case is worth. */
    @Test
    void annotationOnAnHttpInterfaceIsWarnedOf() {
        try (Heard heard = Heard.of(Diagnostics.class)) {
            runner.withUserConfiguration(Clients.class).run(context -> {
                assertThat(context).hasNotFailed();
                Prices client = context.getBean(Prices.class);
                assertThat(List.of(client.price(), client.price())).containsExactly("9", "9");
                assertThat(heard.lines())
                        .singleElement()
                        .asString()
                        .startsWith(
                                "RL-005: @RateLimit on Prices.price has no effect on calls of the bean 'prices', which is made of the interface alone");
            });
        }
    }
}
