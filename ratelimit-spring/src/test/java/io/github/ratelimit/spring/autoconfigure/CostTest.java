package io.github.ratelimit.spring.autoconfigure;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.Decision;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.contract.RawHttp.Answer;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.RateLimitException;
import io.github.ratelimit.spring.RateLimitedCall;
import io.github.ratelimit.spring.internal.InvalidRateLimitException;
import io.github.ratelimit.test.TestClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.config.EnableWebFlux;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What requests and calls cost, by annotations and properties, and how they are settled where the work is. */
class CostTest {

    private static final Queue<Runnable> LATER = new ConcurrentLinkedQueue<>();

    private static final Map<String, CompletableFuture<@Nullable Void>> SETTLED = new ConcurrentHashMap<>();

    private static CompletableFuture<@Nullable Void> settled(String user) {
        return SETTLED.computeIfAbsent(user, any -> new CompletableFuture<>());
    }

    private static RunningApplication servlet;
    private static RunningApplication reactive;
    private static RunningApplication off;

    @BeforeAll
    static void start() {
        servlet = limited(RunningApplication.of(Application.class, Chat.class, Streams.class, Blocks.class))
                .start();
        reactive = limited(RunningApplication.of(Application.class, ReactiveChat.class, Streams.class))
                .reactive()
                .start();
        off = limited(RunningApplication.of(Application.class, Chat.class))
                .property("ratelimit.enabled", "false")
                .start();
    }

    private static RunningApplication.Builder limited(RunningApplication.Builder application) {
        RunningApplication.Builder limited = application
                .servingOnly()
                .bean(TimeSource.class, new TestClock())
                .limiter("requests", 5)
                .limiter("tokens", 1000);
        for (String name : List.of("requests", "tokens", "fixed", "counted", "sized", "asked")) {
            limited.property("ratelimit.limiters." + name + ".key", "header:User")
                    .property("ratelimit.limiters." + name + ".window", "1h")
                    .property("ratelimit.limiters." + name + ".permits", name.equals("requests") ? 5 : 1000);
        }
        return limited.property("ratelimit.limiters.fixed.cost", "7")
                .property("ratelimit.limiters.fixed.paths[0]", "/fixed")
                .property("ratelimit.limiters.fixed.paths[1]", "/streams/path")
                .property("ratelimit.limiters.counted.cost", "header:X-Parts")
                .property("ratelimit.limiters.counted.paths", "/counted")
                .property("ratelimit.limiters.sized.cost", "content-length/4B")
                .property("ratelimit.limiters.sized.paths", "/sized")
                .property("ratelimit.limiters.asked.cost", "lengthOfPath");
    }

    @AfterAll
    static void stop() {
        List.of(servlet, reactive, off).forEach(RunningApplication::close); // the first one ends Reactor's threads
    }

    private static RunningApplication application(boolean isReactive) {
        return isReactive ? reactive : servlet;
    }

    /** Each test has a user of its own. */
    private static Answer get(boolean isReactive, String user, String target, String... fields) throws Exception {
        String[] all = new String[fields.length + 1];
        all[0] = "User: " + user;
        System.arraycopy(fields, 0, all, 1, fields.length);
        return RawHttp.send(application(isReactive).base(), "GET " + target + " HTTP/1.1", all);
    }

    private static List<String> remaining(Answer answer) {
        return answer.values("X-RateLimit-Remaining");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void argumentIsTheCostAndRequestsAndTokensAreOneDecision(boolean isReactive) throws Exception {
        assertThat(get(isReactive, "argument", "/chat?max=400").body()).contains("600 left, 4 requests");
        Answer rejected = get(isReactive, "argument", "/chat?max=601");
        assertThat(rejected.status()).isEqualTo(429);
        assertThat(remaining(rejected)).hasSize(1);
        assertThat(get(isReactive, "argument", "/chat?max=600").body())
                .as("the rejected one took nothing of either")
                .contains("0 left, 3 requests");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void callSettlesWhereTheWorkIs(boolean isReactive) throws Exception {
        assertThat(get(isReactive, "settled", "/chat?max=900&used=100").status())
                .isEqualTo(200);
        assertThat(get(isReactive, "settled", "/chat?max=900").body()).contains("0 left, 3 requests");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void callSettlesAlsoWhenItFails(boolean isReactive) throws Exception {
        assertThat(get(isReactive, "failed", "/failing?max=900").status()).isEqualTo(500);
        assertThat(get(isReactive, "failed", "/chat?max=990").body()).contains("0 left, 3 requests");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void streamSettlesAtItsEnd(boolean isReactive) throws Exception {
        assertThat(get(isReactive, "streamed", "/streamed?max=900").body()).contains("4");
        LATER.forEach(Runnable::run);
        assertThat(get(isReactive, "streamed", "/chat?max=990").body()).contains("0 left, 3 requests");
    }

    @ParameterizedTest
    @CsvSource({
        "false, flux, complete",
        "true, flux, complete",
        "false, emitter, complete",
        "false, body, complete",
        "false, context, complete",
        "true, context, complete",
        "false, flux, fail",
        "true, flux, fail",
        "false, emitter, fail",
        "false, body, fail",
        "false, context, fail",
        "true, context, fail",
        "false, flux, go-on",
        "true, flux, go-on",
        "false, emitter, go-on",
        "false, body, go-on",
        "false, context, go-on",
        "true, context, go-on"
    })
    void streamSettlesHoweverItEnds(boolean isReactive, String how, String end) throws Exception {
        String user = how + " " + end + isReactive;
        try (Socket client = new Socket(
                application(isReactive).base().getHost(),
                application(isReactive).base().getPort())) {
            client.getOutputStream()
                    .write("GET /streams/%s?max=900&end=%s HTTP/1.1\r\nHost: localhost\r\nUser: %s\r\n\r\n"
                            .formatted(how, end, user)
                            .getBytes(US_ASCII));
            assertThat(client.getInputStream().read()).isEqualTo('H');
        } // with go-on, the client leaves
        settled(user).get(10, TimeUnit.SECONDS);
        assertThat(get(isReactive, user, "/chat?max=990").body()).contains("0 left, 3 requests");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void requestThatIsLimitedByItsPathSettlesWhereTheWorkIs(boolean isReactive) throws Exception {
        assertThat(get(isReactive, "path", "/streams/path?used=3").body()).contains("993 left");
        assertThat(remaining(get(isReactive, "path", "/fixed"))).containsExactly("990");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void decisionIsAnArgumentAlsoWithoutACost(boolean isReactive) throws Exception {
        Answer answer = get(isReactive, "plain", "/plain?used=10");
        assertThat(answer.body()).contains("999 left");
        if (!isReactive) {
            assertThat(remaining(answer)).as("fields tell the settlement").containsExactly("990");
        }
        assertThat(get(isReactive, "plain", "/free").body()).contains("allowed by NONE");
    }

    @ParameterizedTest
    @CsvSource({
        "false, /chat, cost '#max' must be a whole number of 0 or more, was null",
        "true, /chat, cost '#max' must be a whole number of 0 or more, was null",
        "false, /chat?max=-1, 'cost ''#max'' must be a whole number of 0 or more, was -1'",
        "true, /chat?max=-1, 'cost ''#max'' must be a whole number of 0 or more, was -1'",
        "false, /counted, limiter 'counted': cost header:X-Parts: the field X-Parts is missing",
        "true, /counted, limiter 'counted': cost header:X-Parts: the field X-Parts is missing",
        "false, /sized, limiter 'sized': cost content-length/4B: the field Content-Length is missing"
    })
    void costThatCannotBeReadIs400WithTheReason(boolean isReactive, String target, String reason) throws Exception {
        Answer answer = get(isReactive, "unreadable", target);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body()).contains("\"code\":\"bad_request\"").contains(reason);
        assertThat(get(isReactive, "unreadable", "/fixed").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void propertiesSayTheCost(boolean isReactive) throws Exception {
        assertThat(remaining(get(isReactive, "properties", "/fixed"))).containsExactly("993");
        assertThat(remaining(get(isReactive, "properties", "/counted", "X-Parts: 20")))
                .containsExactly("980");
        assertThat(get(isReactive, "properties", "/counted", "X-Parts: 2\"0").body())
                .contains("limiter 'counted': cost header:X-Parts must be a whole number of 0 or more, was 2\\\"0");
        assertThat(remaining(get(isReactive, "properties", "/sized", "Content-Length: 0")))
                .containsExactly("999");
        assertThat(remaining(get(isReactive, "properties", "/asked"))).containsExactly("994");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        ToLongFunction<HttpCall> lengthOfPath() {
            return call -> call.path().length();
        }
    }

    private static String left(Decision decision) {
        return "%d left, %d requests"
                .formatted(
                        decision.statuses("tokens").get(0).remaining(),
                        decision.statuses("requests").get(0).remaining());
    }

    @RestController
    static class Chat {

        @GetMapping("/chat")
        @RateLimit("requests")
        @RateLimit(value = "tokens", cost = "#max")
        String chat(
                @RequestParam(required = false) @Nullable Long max,
                @RequestParam(required = false) @Nullable Long used,
                Decision decision) {
            if (used != null) {
                RateLimitedCall.current().settle("tokens", used);
            }
            return left(decision);
        }

        @GetMapping("/failing")
        @RateLimit("requests")
        @RateLimit(value = "tokens", cost = "#max")
        String failing(@RequestParam long max) {
            try {
                throw new IllegalStateException("the model is gone");
            } finally {
                RateLimitedCall.current().settle("tokens", 10);
            }
        }

        @GetMapping("/streamed")
        @RateLimit("requests")
        @RateLimit(value = "tokens", cost = "#max")
        SseEmitter streamed(@RequestParam long max) throws Exception {
            RateLimitedCall call = RateLimitedCall.current();
            SseEmitter words = new SseEmitter();
            words.send("42");
            words.complete();
            LATER.add(() -> call.settle("tokens", 10));
            return words;
        }

        @GetMapping("/plain")
        @RateLimit("tokens")
        String plain(@RequestParam long used, Decision decision) {
            RateLimitedCall.current().settle("tokens", used);
            return decision.statuses("tokens").get(0).remaining() + " left";
        }

        @GetMapping("/free")
        String free(Decision decision) {
            return decision.toString();
        }

        @GetMapping("/asked")
        @RateLimit("asked")
        String asked() {
            return "asked";
        }

        @GetMapping({"/fixed", "/counted", "/sized"})
        String byPath() {
            return "served";
        }
    }

    private static Flux<String> words(String end) {
        return switch (end) {
            case "complete" -> Flux.just("4", "2");
            case "fail" -> Flux.concat(Flux.just("4"), Flux.error(new IllegalStateException("the model is gone")));
            default -> Flux.interval(Duration.ZERO, Duration.ofMillis(5)).map(word -> "4");
        };
    }

    private static void settle(RateLimitedCall call, String user) {
        call.settle("tokens", 10).thenRun(() -> settled(user).complete(null));
    }

    /** The same on both. */
    @RestController
    static class Streams {

        @GetMapping("/streams/flux")
        @RateLimit("requests")
        @RateLimit(value = "tokens", cost = "#max")
        Flux<ServerSentEvent<String>> flux(
                @RequestParam long max,
                @RequestParam String end,
                @RequestHeader("User") String user,
                RateLimitedCall call) {
            return words(end)
                    .map(word -> ServerSentEvent.builder(word).build())
                    .doFinally(signal -> settle(call, user));
        }

        @GetMapping("/streams/context")
        @RateLimit("requests")
        @RateLimit(value = "tokens", cost = "#max")
        Flux<ServerSentEvent<String>> context(
                @RequestParam long max, @RequestParam String end, @RequestHeader("User") String user) {
            return Flux.deferContextual(context -> {
                RateLimitedCall call = RateLimitedCall.of(context);
                return words(end)
                        .map(word -> ServerSentEvent.builder(word).build())
                        .doFinally(signal -> settle(call, user));
            });
        }

        @GetMapping("/streams/path")
        String byPath(@RequestParam long used, RateLimitedCall call) {
            long left = call.decision().statuses("fixed").get(0).remaining();
            call.settle("fixed", used);
            return left + " left";
        }
    }

    @RestController
    static class Blocks {

        @GetMapping("/streams/emitter")
        @RateLimit("requests")
        @RateLimit(value = "tokens", cost = "#max")
        SseEmitter emitter(
                @RequestParam long max,
                @RequestParam String end,
                @RequestHeader("User") String user,
                RateLimitedCall call) {
            SseEmitter emitter = new SseEmitter();
            words(end)
                    .doOnNext(word -> {
                        try {
                            emitter.send(word);
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    })
                    .doFinally(signal ->
                            settle(call, user)) // not onCompletion: Spring leaves it out if all was sent before
                    .subscribe(word -> {}, emitter::completeWithError, emitter::complete);
            return emitter;
        }

        @GetMapping("/streams/body")
        @RateLimit("requests")
        @RateLimit(value = "tokens", cost = "#max")
        StreamingResponseBody body(
                @RequestParam long max,
                @RequestParam String end,
                @RequestHeader("User") String user,
                RateLimitedCall call) {
            return stream -> {
                try {
                    for (String word : words(end).toIterable(1)) {
                        stream.write(word.getBytes(US_ASCII));
                        stream.flush();
                    }
                } finally {
                    settle(call, user);
                }
            };
        }
    }

    private static Mono<RateLimitedCall> called() {
        return Mono.deferContextual(context -> Mono.just(RateLimitedCall.of(context)));
    }

    private static Mono<Void> settled(RateLimitedCall call) {
        return Mono.fromFuture(call.settle("tokens", 10));
    }

    @RestController
    static class ReactiveChat {

        @GetMapping("/chat")
        @RateLimit("requests")
        @RateLimit(value = "tokens", cost = "#max")
        Mono<String> chat(
                @RequestParam(required = false) @Nullable Long max,
                @RequestParam(required = false) @Nullable Long used,
                Decision decision) {
            return Mono.deferContextual(context -> {
                if (used != null) {
                    RateLimitedCall.of(context).settle("tokens", used);
                }
                return Mono.just(left(decision));
            });
        }

        @GetMapping("/failing")
        @RateLimit("requests")
        @RateLimit(value = "tokens", cost = "#max")
        Mono<String> failing(@RequestParam long max) {
            return Mono.usingWhen(
                    called(), call -> Mono.error(new IllegalStateException("the model is gone")), CostTest::settled);
        }

        @GetMapping("/streamed")
        @RateLimit("requests")
        @RateLimit(value = "tokens", cost = "#max")
        Flux<String> streamed(@RequestParam long max) {
            return Flux.usingWhen(called(), call -> Flux.just("4", "2"), CostTest::settled);
        }

        @GetMapping("/plain")
        @RateLimit("tokens")
        Mono<String> plain(@RequestParam long used, Decision decision) {
            return Mono.deferContextual(
                    context -> Mono.fromFuture(RateLimitedCall.of(context).settle("tokens", used))
                            .thenReturn(decision.statuses("tokens").get(0).remaining() + " left"));
        }

        @GetMapping("/free")
        String free(Decision decision) {
            return decision.toString();
        }

        @GetMapping("/asked")
        @RateLimit("asked")
        String asked() {
            return "asked";
        }

        @GetMapping({"/fixed", "/counted", "/sized"})
        String byPath() {
            return "served";
        }
    }

    // Methods of beans

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(Ours.autoConfigurations())
            .withBean(TimeSource.class, TestClock::new)
            .withBean(Model.class)
            .withPropertyValues(
                    "ratelimit.limiters.requests.permits=5",
                    "ratelimit.limiters.requests.window=1h",
                    "ratelimit.limiters.requests.key=everybody",
                    "ratelimit.limiters.tokens.permits=1000",
                    "ratelimit.limiters.tokens.window=1h",
                    "ratelimit.limiters.tokens.key=everybody");

    record Question(String text, long maxTokens) {}

    @Component
    static class Model {

        @RateLimit("requests")
        @RateLimit(value = "tokens", cost = "#question.maxTokens()")
        public String answer(@Nullable Question question, long used) {
            RateLimitedCall.current().settle("tokens", used);
            return left(RateLimitedCall.current().decision());
        }

        @RateLimit(value = "tokens", cost = "#max")
        public Flux<Integer> stream(long max) {
            return Flux.deferContextual(context -> Flux.range(1, 100)
                    .doFinally(signal -> RateLimitedCall.of(context).settle("tokens", 10)));
        }

        @RateLimit(value = "tokens", cost = "#max")
        public CompletableFuture<Long> later(long max) {
            RateLimitedCall call = RateLimitedCall.current();
            return call.settle("tokens", 10)
                    .thenApply(
                            nothing -> call.decision().statuses("tokens").get(0).remaining());
        }
    }

    @Test
    void callOfAMethodCostsItsArgumentAndSettles() {
        runner.run(context -> {
            Model model = context.getBean(Model.class);
            assertThat(model.answer(new Question("?", 900), 100)).isEqualTo("100 left, 4 requests");
            assertThatThrownBy(() -> model.answer(new Question("?", 901), 0)).isInstanceOf(RateLimitException.class);
            assertThat(model.later(890).join()).isEqualTo(10);
            assertThat(model.stream(890).take(2).collectList().block()).containsExactly(1, 2); // then it cancels
            assertThat(model.answer(new Question("?", 880), 0)).isEqualTo("0 left, 3 requests");
            assertThat(RateLimitedCall.current().decision().statuses()).isEmpty();
            assertThat(RateLimitedCall.current().settle("tokens", 5)).isCompleted();
        });
    }

    @Test
    void costOfAMethodThatCannotBeReadIsAnException() {
        runner.run(context -> {
            Model model = context.getBean(Model.class);
            assertThatThrownBy(() -> model.answer(null, 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "limiter 'tokens': cost '#question.maxTokens()' cannot be read for a call of Model.answer");
            assertThatThrownBy(() -> model.answer(new Question("?", -3), 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "limiter 'tokens': cost '#question.maxTokens()' must be a whole number of 0 or more, was -3");
            assertThat(model.answer(new Question("?", 1000), 0)).isEqualTo("0 left, 4 requests");
        });
    }

    @Component
    static class Misspelt {

        @RateLimit(value = "tokens", cost = "#maximum")
        public void call(long max) {}
    }

    @Test
    void costOfAnUnknownParameterOrBeanStopsTheStart() {
        runner.withBean(Misspelt.class)
                .run(
                        context -> assertThat(context)
                                .getFailure()
                                .isInstanceOf(InvalidRateLimitException.class)
                                .hasMessage(
                                        "Misspelt.call: limiter 'tokens' costs #maximum, and the method has no parameter 'maximum'; known: max"));
        runner.withPropertyValues("ratelimit.limiters.tokens.cost=parts")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(InvalidRateLimitException.class)
                        .hasMessageContaining("ratelimit.limiters.tokens.cost: ")
                        .hasMessageContaining("no ToLongFunction<HttpCall> bean: 'parts'"));
    }

    @RestController
    static class Blocking {

        @GetMapping("/blocking")
        @RateLimit(value = "tokens", cost = "#max")
        String blocking(@RequestParam long max) {
            return "blocked";
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableWebFlux
    static class WebFlux {}

    @Test
    void blockingMethodOnWebFluxCannotHaveACost() {
        new ReactiveWebApplicationContextRunner()
                .withConfiguration(Ours.autoConfigurations())
                .withUserConfiguration(WebFlux.class, Blocking.class)
                .withPropertyValues("ratelimit.limiters.tokens.permits=1000", "ratelimit.limiters.tokens.window=1h")
                .run(
                        context -> assertThat(context)
                                .getFailure()
                                .isInstanceOf(InvalidRateLimitException.class)
                                .hasMessage(
                                        "cost of @RateLimit on Blocking.blocking: the method returns no Mono or Flux, and the decision would block its thread"));
    }

    @Test
    void applicationMayTakeDecisionsWhereLimitsAreSwitchedOff() throws Exception {
        assertThat(RawHttp.get(off.base(), "/free").body()).contains("allowed by NONE");
    }
}
