package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.contract.RawHttp.Answer;
import io.github.ratelimit.http.RejectionBody;
import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.RateLimitException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.CrossOrigin;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.reactive.config.CorsRegistry;
import org.springframework.web.reactive.config.PathMatchConfigurer;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** How WebFlux answers what a filter, an annotation or a bean behind a controller rejects. */
@Floor
class RejectionsOnWebFluxTest {

    private static final String ORIGIN = "Origin: https://a.example";
    private static final List<String> PATHS = List.of("/early", "/late", "/crossed", "/behind");
    private static final List<String> CROSSED = List.of("/crossed", "/early");

    /** Paths of either phase, an annotation, and a bean behind a controller, whose path has a limiter of its own. */
    private static RunningApplication.Builder application(Class<?>... more) {
        Class<?>[] sources = Arrays.copyOf(more, more.length + 4);
        sources[more.length] = Application.class;
        sources[more.length + 1] = Pages.class;
        sources[more.length + 2] = Mailer.class;
        sources[more.length + 3] = Caching.class;
        return RunningApplication.of(sources)
                .servingOnly()
                .reactive()
                .limiter("early", 1)
                .property("ratelimit.limiters.early.paths", "/early")
                .limiter("late", 1)
                .property("ratelimit.limiters.late.paths", "/late")
                .property("ratelimit.limiters.late.phase", "after-authentication")
                .limiter("wide", 100)
                .property("ratelimit.limiters.wide.paths", "/crossed, /behind")
                .property("ratelimit.limiters.wide.phase", "after-authentication")
                .limiter("annotated", 1);
    }

    /** The answer to the second request to a path. */
    private static Answer rejected(RunningApplication application, String path, String... fields) throws Exception {
        assertThat(RawHttp.get(application.base(), path, fields).status())
                .as(path)
                .isEqualTo(200);
        Answer answer = RawHttp.get(application.base(), path, fields);
        assertThat(answer.status()).as("%s: %s", path, answer.body()).isEqualTo(429);
        assertThat(answer.values("X-RateLimit-Limit")).as(path).containsExactly("1");
        assertThat(answer.values("X-RateLimit-Remaining")).as(path).containsExactly("0");
        assertThat(answer.values("Retry-After")).as(path).hasSize(1);
        assertThat(answer.values("Cache-Control")).as(path).containsExactly("no-store");
        return answer;
    }

    /** What crosses origins: a filter decides, and it stands before Spring's own CORS. */
    @Test
    void oneHandlerWordsAllRejections() throws Exception {
        try (RunningApplication application =
                application(OwnWords.class, CatchAll.class, AllowsEarly.class).start()) {
            for (String path : PATHS) {
                Answer rejected = rejected(application, path, ORIGIN);
                assertThat(rejected.body()).as(path).contains("own words: Too many requests; try again in ");
                assertThat(rejected.values("Access-Control-Allow-Origin"))
                        .as(path)
                        .isEqualTo(CROSSED.contains(path) ? List.of("https://a.example") : List.of());
            }
            for (String path : CROSSED) {
                Answer stranger = RawHttp.get(application.base(), path, "Origin: https://b.example");
                assertThat(stranger.status()).isIn(403, 429); // WebFlux asks for origins with the handler
                assertThat(stranger.values("Access-Control-Allow-Origin")).isEmpty();
            }
            // Only on a path: with an annotation Spring itself judges the origin, before the limit.
            Answer noAddress =
                    RawHttp.get(application.base(), "/early", "Origin: https://a.example%0d%0aX-Injected:yes");
            assertThat(noAddress.status()).as(noAddress.body()).isEqualTo(429);
            assertThat(noAddress.values("Access-Control-Allow-Origin")).isEmpty();
        }
    }

    @Test
    void adviceForSomeControllersWordsTheirRejections() throws Exception {
        for (Class<?> advice : List.of(ByAnnotation.class, ByPackage.class)) {
            try (RunningApplication application =
                    application(advice, OfOthers.class, CatchAll.class).start()) {
                for (String path : PATHS) {
                    assertThat(rejected(application, path).body())
                            .as(path)
                            .contains("own words: Too many requests; try again in ");
                }
            }
        }
    }

    @Test
    void handlerOfAllExceptionsMakesNoFailureOfARejection() throws Exception {
        try (RunningApplication application = application(CatchAll.class, AllowsEarly.class)
                .property("spring.web.resources.static-locations", "classpath:/error-pages/")
                .start()) {
            for (String path : PATHS) {
                Answer rejected = rejected(application, path, ORIGIN);
                assertThat(rejected.body()).as(path).contains("\"rate_limited\"");
                assertThat(rejected.values("Access-Control-Allow-Origin"))
                        .as(path)
                        .isEqualTo(CROSSED.contains(path) ? List.of("https://a.example") : List.of());
                Answer page =
                        RawHttp.get(application.base(), path, "Accept: text/html,application/xhtml+xml,*/*;q=0.8");
                assertThat(page.status()).as(path).isEqualTo(429);
                assertThat(page.body()).as(path).contains("A page of the application about 4xx.");
                assertThat(page.values("Content-Type"))
                        .singleElement()
                        .asString()
                        .startsWith("text/html");
            }
            assertThat(RawHttp.get(application.base(), "/fails").body())
                    .as("any other failure is the application's to answer")
                    .contains("failed");
        }
    }

    /** Nor is an advice for other controllers asked. */
    @Test
    void rejectionsHaveTheErrorFormatOfTheApplicationWhereItIsSaid() throws Exception {
        try (RunningApplication application = application(OfOthers.class)
                .bean(RejectionBody.class, RejectionBody.application())
                .start()) {
            for (String path : PATHS) {
                assertThat(rejected(application, path, "Accept: application/json")
                                .body())
                        .contains("\"timestamp\"", "\"error\":\"Too Many Requests\"", "\"path\":\"" + path);
            }
        }
    }

    /** Of one application. It ends before another one does, which would end its event loops. */
    @Nested
    class WithoutAdvice {

        private static RunningApplication plain;

        @BeforeAll
        static void start() {
            plain = application(IgnoresCase.class, Gateway.class)
                    .limiter("routed", 7)
                    .property("ratelimit.limiters.routed.paths", "/routed")
                    .limiter("cased", 1)
                    .property("ratelimit.limiters.cased.paths", "/cased")
                    .start();
        }

        @AfterAll
        static void stop() {
            plain.close();
        }

        /** Only paths that a rule could meet are judged. */
        @Test
        void ambiguousPathThatNoRuleCouldMeetIsServed() throws Exception {
            assertThat(RawHttp.get(plain.base(), "/items/50%25").status()).isEqualTo(200);
            assertThat(RawHttp.get(plain.base(), "/early%2f").status()).isEqualTo(400);
        }

        /** An application that matches paths without case must not be a way around. */
        @Test
        void letterCaseIsNoWayAroundARule() throws Exception {
            rejected(plain, "/cased");
            assertThat(RawHttp.get(plain.base(), "/CASED").status()).isEqualTo(429);
            assertThat(RawHttp.get(plain.base(), "/Items/7").status()).isEqualTo(200);
        }

        /** As one that is routed by a gateway does. */
        @Test
        void fieldsOfAServerBehindAreNotAddedToOurs() throws Exception {
            Answer answer = RawHttp.get(plain.base(), "/routed");
            assertThat(answer.values("X-RateLimit-Limit")).containsExactly("7");
            assertThat(answer.values("X-Other")).containsExactly("1", "2");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @Configuration(proxyBeanMethods = false)
    static class AllowsEarly implements WebFluxConfigurer {

        @Override
        public void addCorsMappings(CorsRegistry registry) {
            registry.addMapping("/early").allowedOrigins("https://a.example");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class IgnoresCase implements WebFluxConfigurer {

        @Override
        public void configurePathMatching(PathMatchConfigurer configurer) {
            configurer.setUseCaseSensitiveMatch(false);
        }
    }

    @RestController
    static class Gateway {

        @GetMapping("/routed")
        String routed(ServerHttpResponse response) {
            response.getHeaders().add("X-RateLimit-Limit", "1000");
            response.getHeaders().add("X-Other", "1");
            response.getHeaders().add("X-Other", "2");
            return "routed";
        }
    }

    @RestController
    static class Pages {

        private final Mailer mailer;

        Pages(Mailer mailer) {
            this.mailer = mailer;
        }

        @GetMapping({"/early", "/late", "/cased", "/items/{id}"})
        String page() {
            return "page";
        }

        @GetMapping("/crossed")
        @CrossOrigin("https://a.example")
        @RateLimit("annotated")
        String crossed() {
            return "crossed";
        }

        @GetMapping("/fails")
        String fail() {
            throw new IllegalStateException("on purpose");
        }

        @GetMapping("/behind")
        String behind() {
            return mailer.send();
        }
    }

    /** Before any other, as a filter for a content delivery network does. */
    @Component
    @Order(Ordered.HIGHEST_PRECEDENCE)
    static class Caching implements WebFilter {

        @Override
        public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
            exchange.getResponse().getHeaders().setCacheControl("public, max-age=300");
            return chain.filter(exchange);
        }
    }

    @Component
    static class Mailer {

        @RateLimit(permits = 1, window = "1h", key = "everybody", name = "mails")
        public String send() {
            return "sent";
        }
    }

    @RestControllerAdvice
    @Order(0)
    static class OwnWords {

        @ExceptionHandler(RateLimitException.class)
        ResponseEntity<String> rejected(RateLimitException rejection) {
            return ResponseEntity.status(rejection.verdict().status()).body("own words: " + rejection.getMessage());
        }
    }

    @RestControllerAdvice
    @Order(1)
    static class CatchAll {

        @ExceptionHandler(Exception.class)
        @ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
        String failed() {
            return "failed";
        }
    }

    @RestControllerAdvice(annotations = RestController.class)
    @Order(0)
    static class ByAnnotation extends OwnWords {}

    @RestControllerAdvice(basePackageClasses = RejectionsOnWebFluxTest.class)
    @Order(0)
    static class ByPackage extends OwnWords {}

    @RestControllerAdvice(assignableTypes = Mailer.class)
    @Order(-1)
    static class OfOthers {

        @ExceptionHandler(RateLimitException.class)
        ResponseEntity<String> rejected(RateLimitException rejection) {
            return ResponseEntity.status(rejection.verdict().status()).body("others' words");
        }
    }
}
