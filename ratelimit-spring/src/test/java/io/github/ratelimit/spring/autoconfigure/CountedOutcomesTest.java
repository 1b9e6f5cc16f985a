package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.http.FieldStyle;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.http.Outcomes;
import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.RateLimitInterceptor;
import io.github.ratelimit.spring.RateLimitWebFilter;
import io.github.ratelimit.spring.internal.InvalidRateLimitException;
import io.github.ratelimit.spring.internal.annotation.AnnotatedBeans;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.http.ResponseEntity;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;
import reactor.core.publisher.Mono;

/** Limiters that count some outcomes of requests, by properties and by annotations. */
class CountedOutcomesTest {

    @Configuration(proxyBeanMethods = false)
    @EnableWebMvc
    static class Mvc {}

    @RestController
    static class Guessing {

        @GetMapping("/guess")
        @RateLimit(
                permits = 5,
                window = "1h",
                name = "annotated",
                count = {"401", "5xx"})
        String guess() {
            return "wrong";
        }
    }

    @RestController
    static class NamesAndCounts {

        @GetMapping("/guess")
        @RateLimit(value = "api", count = "failures")
        String guess() {
            return "wrong";
        }
    }

    static class Service {

        @RateLimit("api")
        public void serve() {}
    }

    private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
            .withConfiguration(Ours.autoConfigurations())
            .withUserConfiguration(Mvc.class)
            .withPropertyValues(
                    "ratelimit.limiters.api.permits=100",
                    "ratelimit.limiters.api.window=1h",
                    "ratelimit.limiters.api.key=everybody");

    @Test
    void propertiesAndAnnotationsSayWhatCounts() {
        runner.withPropertyValues("ratelimit.limiters.api.count=failures")
                .withUserConfiguration(Guessing.class)
                .run(context -> {
                    var limiters = context.getBean(HttpRateLimiter.class).limiters();
                    assertThat(limiters.spec("api").count()).isEqualTo(Outcomes.of("failures"));
                    assertThat(limiters.spec("annotated").count()).isEqualTo(Outcomes.of("401", "5xx"));
                });
    }

    @Test
    void mistakesStopTheStart() {
        runner.withPropertyValues("ratelimit.limiters.api.count=401,failed")
                .run(
                        context -> assertThat(context)
                                .getFailure()
                                .rootCause()
                                .isInstanceOf(InvalidRateLimitException.class)
                                .hasMessage(
                                        "ratelimit.limiters.api.count: 'failed' is no outcome; write failures, successes, a status such as 401 or 5xx, or !304 for all others"));
        runner.withUserConfiguration(NamesAndCounts.class)
                .run(context ->
                        assertThat(context).getFailure().hasMessageContaining("names a limiter and describes one"));
        runner.withPropertyValues("ratelimit.limiters.api.count=failures")
                .withBean(Service.class)
                .run(
                        context -> assertThat(context)
                                .getFailure()
                                .hasMessage(
                                        "Service.serve: limiter 'api' counts some outcomes of requests (failures), which the call of a method does not have"));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Failing.class)
    static class Application {

        /** As Spring Security does, between the two filters of the library. */
        @Bean
        @Order(-100)
        Filter translating() {
            return (request, response, chain) -> {
                try {
                    chain.doFilter(request, response);
                } catch (ServletException e) {
                    ((HttpServletResponse) response).sendError(403);
                }
            };
        }
    }

    @RestController
    static class Failing {

        @GetMapping("/late")
        DeferredResult<String> beLate() {
            return new DeferredResult<>(50L); // nobody answers
        }

        @GetMapping("/forbidden")
        String forbid() throws ServletException {
            throw new ServletException("thrown on purpose");
        }
    }

    /** A second request tells the first one's count. The connection is closed after the end of each request. */
    @ParameterizedTest
    @CsvSource({"403, 8", "500, 9"})
    void statusIsThatOfTheClientsAnswer(String counted, String remaining) throws Exception {
        try (RunningApplication application = RunningApplication.of(Application.class)
                .servingOnly()
                .property("ratelimit.limiters.late.paths", "/forbidden")
                .property("ratelimit.limiters.late.permits", "10")
                .property("ratelimit.limiters.late.window", "1h")
                .property("ratelimit.limiters.late.phase", "after-authentication")
                .property("ratelimit.limiters.late.count", counted)
                .start()) {
            assertThat(RawHttp.get(application.base(), "/forbidden").status()).isEqualTo(403);
            assertThat(RawHttp.get(application.base(), "/forbidden").values("X-RateLimit-Remaining"))
                    .containsExactly(remaining);
        }
    }

    /** Spring MVC answers 503 to it. Counted, it stays counted; else its permit returns at the end of the asynchronous request. */
    @Test
    void asynchronousTimeoutHasTheStatusOfItsAnswer() throws Exception {
        try (RunningApplication application = RunningApplication.of(Application.class)
                .servingOnly()
                .property("ratelimit.limiters.failures.paths", "/late")
                .property("ratelimit.limiters.failures.permits", "10")
                .property("ratelimit.limiters.failures.window", "1h")
                .property("ratelimit.limiters.failures.key", "everybody")
                .property("ratelimit.limiters.failures.count", "503")
                .property("ratelimit.limiters.successes.paths", "/late")
                .property("ratelimit.limiters.successes.permits", "10")
                .property("ratelimit.limiters.successes.window", "1h")
                .property("ratelimit.limiters.successes.key", "everybody")
                .property("ratelimit.limiters.successes.count", "successes")
                .start()) {
            assertThat(RawHttp.get(application.base(), "/late").status()).isEqualTo(503);
            var limiters = application.context().getBean(HttpRateLimiter.class).limiters();
            long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
            while (remaining(limiters, "successes") < 10 && System.nanoTime() < end) {
                Thread.sleep(1);
            }
            assertThat(remaining(limiters, "successes")).isEqualTo(10);
            assertThat(remaining(limiters, "failures")).isEqualTo(9);
        }
    }

    @RestController
    static class Alone {

        @GetMapping("/{status}")
        @RateLimit("alone")
        ResponseEntity<String> answer(@PathVariable int status) {
            if (status == 0) {
                throw new IllegalStateException("thrown on purpose");
            }
            return ResponseEntity.status(status).body("answered");
        }
    }

    private static Limiters<HttpCall> alone() {
        Limit limit = Limit.of("alone", 10, Duration.ofHours(1));
        LimiterSpec<HttpCall> spec = LimiterSpec.<HttpCall>of("alone", limit, KeyResolver.everybody())
                .withCount(Outcomes.of("failures"));
        return Limiters.<HttpCall>builder(InProcessStore.create()).add(spec).build();
    }

    @Test
    void interceptorTellsTheEndWithoutAFilter() throws Exception {
        Limiters<HttpCall> limiters = alone();
        MockMvc mvc = MockMvcBuilders.standaloneSetup(new Alone())
                .addInterceptors(new RateLimitInterceptor(
                        new HttpRateLimiter(limiters, FieldStyle.NONE), AnnotatedBeans.of(List.of(Alone.class))))
                .build();
        mvc.perform(MockMvcRequestBuilders.get("/200"));
        assertThat(remaining(limiters, "alone")).isEqualTo(10);
        mvc.perform(MockMvcRequestBuilders.get("/401"));
        assertThatThrownBy(() -> mvc.perform(MockMvcRequestBuilders.get("/0")))
                .hasRootCauseMessage("thrown on purpose");
        assertThat(remaining(limiters, "alone")).isEqualTo(8);
    }

    /** Else who guesses would hang up before the answer. */
    @Test
    void requestThatItsClientCancelsCounts() {
        Limiters<HttpCall> limiters = alone();
        RateLimitWebFilter filter = RateLimitWebFilter.builder(new HttpRateLimiter(limiters, FieldStyle.NONE))
                .limit("/**", "alone")
                .build();
        MockServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.get("/login"));
        filter.filter(exchange, passed -> Mono.never()).subscribe().dispose();
        exchange.getResponse().setComplete().block();
        assertThat(remaining(limiters, "alone")).isEqualTo(9);
    }

    private static long remaining(Limiters<HttpCall> limiters, String name) {
        Limit limit = limiters.spec(name).rules().get(0).limits().get(0);
        Decision look = limiters.look(
                List.of(new Charge(name, limit, KeyResolver.everybody().resolve(""))));
        return look.statuses().get(0).remaining();
    }
}
