package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.CalendarWindow;
import io.github.ratelimit.CalendarWindow.Unit;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.Rule;
import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.RateLimitedCall;
import io.github.ratelimit.spring.internal.InvalidRateLimitException;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;
import reactor.core.publisher.Flux;

/** Limits of other shapes than the fixed window, by properties; and requests that cost what is known afterwards. */
class ShapesTest {

    private static final Limit HUNDRED = Limit.of("api", 100, Duration.ofHours(1));

    @Configuration(proxyBeanMethods = false)
    @EnableWebMvc
    static class Mvc {}

    private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
            .withConfiguration(Ours.autoConfigurations())
            .withUserConfiguration(Mvc.class)
            .withPropertyValues("ratelimit.limiters.api.permits=100");

    static Stream<Arguments> shapes() {
        return Stream.of(
                Arguments.of(HUNDRED, "window=1h"),
                Arguments.of(HUNDRED.withSoft(true), "window=1h soft=true"),
                Arguments.of(HUNDRED.bucket(), "window=1h shape=bucket soft=false"),
                Arguments.of(HUNDRED.bucket(20), "window=1h shape=bucket burst=20"),
                Arguments.of(HUNDRED.sliding(), "window=1h shape=sliding"),
                Arguments.of(Limit.concurrent("api", 100, Duration.ofSeconds(90)), "shape=concurrent lease=90s"),
                Arguments.of(Limit.concurrent("api", 100, Duration.ofMinutes(1)), "shape=concurrent"),
                Arguments.of(HUNDRED.blocking(Duration.ofMinutes(15)), "window=1h block=15m"),
                Arguments.of(Limit.daily("api", 100, ZoneId.of("UTC").normalized()), "window=day"),
                Arguments.of(Limit.daily("api", 100, ZoneId.of("Europe/Berlin")), "window=day zone=Europe/Berlin"),
                Arguments.of(Limit.monthly("api", 100, ZoneId.of("Europe/Berlin")), "window=month zone=Europe/Berlin"),
                Arguments.of(calendar(Unit.WEEK, "2001-01-01"), "window=week"),
                Arguments.of(calendar(Unit.WEEK, "2001-01-07"), "window=Week anchor=sunday"),
                Arguments.of(calendar(Unit.QUARTER, "2026-01-31"), "window=quarter anchor=2026-01-31"),
                Arguments.of(calendar(Unit.YEAR, "2001-01-01"), "window=year"));
    }

    private static Limit calendar(Unit unit, String anchor) {
        CalendarWindow whole = CalendarWindow.of(unit, ZoneOffset.UTC);
        return Limit.calendar("api", 100, whole.from(LocalDate.parse(anchor)));
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void propertiesDescribeShapes(Limit limit, String properties) {
        runner.withPropertyValues(properties(properties))
                .run(context -> assertThat(context.getBean(HttpRateLimiter.class)
                                .limiters()
                                .spec("api")
                                .rules()
                                .get(0)
                                .limits())
                        .containsExactly(limit));
    }

    @Test
    void propertyBoundsAnEstimate() {
        runner.withPropertyValues(properties("window=1h at-most=0.25"))
                .run(context -> assertThat(context.getBean(HttpRateLimiter.class)
                                .limiters()
                                .spec("api")
                                .atMost())
                        .isEqualTo(0.25));
    }

    private static String[] properties(String written) {
        return Stream.of(written.split(" "))
                .map(property -> "ratelimit.limiters.api." + property)
                .toArray(String[]::new);
    }

    @ParameterizedTest
    @CsvSource({
        "window=1h shape=bucket soft=true, 'soft: limit ''api'': a soft limit needs a fixed window or one of the calendar, was bucket; leave soft or the shape out'",
        "window=1h at-most=1.5, 'at-most: limiter ''api'': atMost must be more than 0 and at most 1, was 1.5'",
        "window=1h lease=1m, lease: goes only with shape: concurrent",
        "shape=concurrent burst=2, burst: goes only with shape: bucket",
        "shape=concurrent window=1h, window: goes only with a shape other than concurrent",
        "shape=concurrent lease=1ms, 'lease: limit ''api'': a concurrency limit has 1..65535 permits and a lease of 3 ms at least, was 100 with 1ms'",
        "window=1h burst=20, burst: goes only with shape: bucket",
        "window=1h shape=sliding burst=20, burst: goes only with shape: bucket",
        "window=month shape=bucket, 'shape: goes only with a window of a length, for example 24h'",
        "window=day block=15m, block: goes only with a window of a length and no shape",
        "window=1h shape=bucket block=15m, block: goes only with a window of a length and no shape",
        "window=1h zone=Europe/Berlin, 'zone: goes only with a window of the calendar, for example month'",
        "window=1h anchor=2026-01-31, 'anchor: goes only with a window of the calendar, for example month'",
        "window=1h anchor-by=contracts, 'anchor-by: goes only with a window of the calendar, for example month'",
        "window=month anchor=sunday, 'anchor: ''sunday'' is no date; write for example 2026-01-31, or for a week its first day, such as sunday'",
        "window=1h permits-by=numbers, 'permits-by: no Function<String, Long> bean: ''numbers'''",
        "window=1h permits-by=numbers plans.free=1, plans: must not be given beside permits-by",
        "window=month anchor-by=contract, 'anchor-by: no Function<Key, LocalDate> bean: ''contract'''",
        "window=1h shape=bucket burst=0, 'burst: limit ''api'': burst must be 1 or more, was 0'",
        "window=2ms shape=sliding, 'shape: limit ''api'': a sliding window has 1..65535 permits and 3 ms at least, was 100 in 2ms; a bucket can have more'",
        "window=1h block=400d, 'block: limit ''api'': block must be whole milliseconds, 1ms to 366d, was 400d'"
    })
    void wrongCombinationStopsTheStart(String properties, String message) {
        runner.withPropertyValues(properties(properties))
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(InvalidRateLimitException.class)
                        .hasMessage("ratelimit.limiters.api." + message));
    }

    @Configuration(proxyBeanMethods = false)
    static class Contracts {

        @Bean
        Function<Key, LocalDate> contracts() {
            return key -> LocalDate.parse(key.equals(Key.of("acme")) ? "2026-01-31" : "2026-06-15");
        }
    }

    @RestController
    static class Weekly {

        @GetMapping("/weekly")
        @RateLimit(permits = 100, window = "week", name = "weekly")
        String answer() {
            return "answer";
        }
    }

    @Test
    void annotationNamesAWindowOfTheCalendar() {
        runner.withPropertyValues(properties("window=1h"))
                .withUserConfiguration(Weekly.class)
                .run(context -> assertThat(context.getBean(HttpRateLimiter.class)
                                .limiters()
                                .spec("weekly")
                                .rules()
                                .get(0)
                                .limits())
                        .containsExactly(Limit.calendar("weekly", 100, CalendarWindow.of(Unit.WEEK, ZoneOffset.UTC))));
    }

    @Test
    void beanGivesAnAnchorToEachKey() {
        runner.withPropertyValues(properties("window=month anchor-by=contracts key=everybody"))
                .withUserConfiguration(Contracts.class)
                .run(context -> {
                    Rule<?> rule = context.getBean(HttpRateLimiter.class)
                            .limiters()
                            .spec("api")
                            .rules()
                            .get(0);
                    assertThat(rule.anchorBy().orElseThrow().apply(Key.of("acme")))
                            .isEqualTo("2026-01-31");
                    assertThat(rule.limits()).containsExactly(Limit.monthly("api", 100, ZoneOffset.UTC));
                });
    }

    @Test
    void plansHaveTheShapeOfTheirRule() {
        runner.withPropertyValues(properties("window=1h shape=bucket plans.free=1 plans.pro=100 plan-by=user-agent"))
                .withPropertyValues("ratelimit.limiters.api.permits=")
                .run(context -> assertThat(context.getBean(HttpRateLimiter.class)
                                .limiters()
                                .spec("api")
                                .rules()
                                .get(0)
                                .plans())
                        .isEqualTo(Map.of("free", HUNDRED.withPermits(1).bucket(), "pro", HUNDRED.bucket())));
    }

    // region answers
    @RestController
    static class Answers {

        private final Model model;

        Answers(Model model) {
            this.model = model;
        }

        @GetMapping("/answers")
        @RateLimit("tokens")
        String answer(@RequestParam String question) {
            Model.Answer answer = model.answer(question);
            RateLimitedCall.current().settle("tokens", answer.tokens());
            return answer.text();
        }
    }
    // endregion

    @RestController
    static class Streams {

        private final Model model;

        Streams(Model model) {
            this.model = model;
        }

        // region streamed
        @GetMapping("/streamed")
        @RateLimit("tokens")
        Flux<ServerSentEvent<String>> stream(@RequestParam String question, RateLimitedCall call) {
            AtomicLong tokens = new AtomicLong();
            return model.stream(question)
                    .doOnNext(words -> tokens.addAndGet(words.tokens()))
                    .map(words -> ServerSentEvent.builder(words.text()).build())
                    .doFinally(end -> call.settle("tokens", tokens.get())); // also if the client leaves
        }
        // endregion
    }

    /** Answers with as many tokens as the question says. */
    static class Model {

        Flux<Answer> stream(String question) {
            return Flux.just(answer("1"), new Answer("42", Long.parseLong(question) - 1));
        }

        record Answer(String text, long tokens) {}

        Answer answer(String question) {
            return new Answer("42", Long.parseLong(question));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Answers.class, Streams.class, Model.class})
    static class Application {}

    @Test
    void requestsCostWhatIsKnownAfterwards() throws Exception {
        try (RunningApplication application = RunningApplication.of(Application.class)
                .property("ratelimit.limiters.tokens.permits", "1000")
                .property("ratelimit.limiters.tokens.window", "1h")
                .start()) {
            assertThat(remaining(application, 400))
                    .as("header fields tell what was settled")
                    .containsExactly("600");
            assertThat(remaining(application, 0)).as("nothing is taken").containsExactly("600");
            assertThat(remaining(application, 900)).as("above the limit").containsExactly("0");
            assertThat(RawHttp.get(application.base(), "/answers?question=1").status())
                    .isEqualTo(429);
            Limiters<?> limiters =
                    application.context().getBean(HttpRateLimiter.class).limiters();
            assertThat(limiters.names()).containsExactly("tokens");
            MeterRegistry meters = application.context().getBean(MeterRegistry.class);
            assertThat(List.of("taken", "returned"))
                    .map(direction -> meters.get("ratelimit.settled")
                            .tag("direction", direction)
                            .counter()
                            .count())
                    .containsExactly(399.0 + 899.0, 1.0);
        }
    }

    @Test
    void streamIsSettledAtItsEnd() throws Exception {
        try (RunningApplication application = RunningApplication.of(Application.class)
                .servingOnly()
                .property("ratelimit.limiters.tokens.permits", "1000")
                .property("ratelimit.limiters.tokens.window", "1h")
                .start()) {
            for (int i = 0; i < 2; i++) {
                assertThat(RawHttp.get(application.base(), "/streamed?question=400")
                                .body())
                        .contains("42");
            }
            assertThat(remaining(application, 1)).containsExactly("199");
        }
    }

    private static List<String> remaining(RunningApplication application, long tokens) throws Exception {
        return RawHttp.get(application.base(), "/answers?question=" + tokens).values("X-RateLimit-Remaining");
    }
}
