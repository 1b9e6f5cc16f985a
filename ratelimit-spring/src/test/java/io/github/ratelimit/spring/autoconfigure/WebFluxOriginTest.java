package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.contract.PathSpellings;
import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.contract.RawHttp.Answer;
import io.github.ratelimit.http.HttpVerdict;
import io.github.ratelimit.http.RejectionBody;
import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.RateLimitException;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Where a WebFlux request comes from, and what it asked for, whoever rewrites it; and rejections in the application's own words. */
class WebFluxOriginTest {

    private static RunningApplication.Builder application(Class<?>... more) {
        RunningApplication.Builder builder = more.length == 0
                ? RunningApplication.of(Application.class, Pot.class)
                : RunningApplication.of(Application.class, Pot.class, more[0]);
        return builder.servingOnly()
                .limiter("pot", 1000)
                .limiter("once", 1)
                .property("ratelimit.limiters.pot.paths", "/secret/**");
    }

    private static RunningApplication.Builder believing(String strategy) {
        RunningApplication.Builder builder =
                application().property("server.forward-headers-strategy", strategy.replace(" on Tomcat", ""));
        return strategy.endsWith("Tomcat") ? builder.reactiveOnTomcat() : builder.reactive();
    }

    private static String remaining(URI base, String... fields) throws Exception {
        Answer answer = RawHttp.get(base, "/secret/pot", fields);
        assertThat(answer.status()).isEqualTo(200);
        return String.join(", ", answer.values("X-RateLimit-Remaining"));
    }

    /** {@code native} on Reactor Netty is what the contract is kept on. */
    @Test
    void strangersAreNotBelievedWhateverRewritesTheRequest() throws Exception {
        for (String strategy : List.of("framework", "native on Tomcat")) {
            try (RunningApplication application = believing(strategy).start()) {
                for (int i = 0; i < 3; i++) {
                    assertThat(remaining(
                                    application.base(),
                                    "X-Forwarded-For: 198.51.100." + i,
                                    "Forwarded: for=198.51.100." + i))
                            .as(strategy)
                            .isEqualTo(Integer.toString(999 - i));
                }
            }
        }
    }

    @Test
    void trustedProxyIsBelievedWhateverTheServerDoesWithTheFields() throws Exception {
        for (String strategy : List.of("none", "framework", "native", "framework on Tomcat", "native on Tomcat")) {
            try (RunningApplication application = believing(strategy)
                    .property("ratelimit.http.trusted-proxies", "127.0.0.0/8")
                    .start()) {
                URI base = application.base();
                assertThat(server(application)).contains(strategy.endsWith("Tomcat") ? "Tomcat" : "Netty");
                String forged = "X-Forwarded-For: 192.0.2.9, 198.51.100.1";
                assertThat(remaining(base, "X-Forwarded-For: 198.51.100.1"))
                        .as(strategy)
                        .isEqualTo("999");
                assertThat(remaining(base, forged)).as(strategy).isEqualTo("998");
                assertThat(remaining(base, "X-Forwarded-For: 192.0.2.9", "x-forwarded-for: 198.51.100.1"))
                        .as("two lines: %s", strategy)
                        .isEqualTo("997");
                assertThat(remaining(base, "X-Forwarded-For: 198.51.100.2"))
                        .as(strategy)
                        .isEqualTo("999");
            }
        }
    }

    private static String server(RunningApplication application) throws Exception {
        Object context = application.context();
        Object server =
                context.getClass().getMethod("getWebServer").invoke(context); // of another package in Spring Boot 4
        return server.getClass().getSimpleName();
    }

    /** A decoded path is what WebFlux matches: whatever is served has been counted. */
    @Test
    void noSpellingIsServedWithoutFieldsWhereAmbiguousPathsAre() throws Exception {
        try (RunningApplication application = application()
                .reactive()
                .property("ratelimit.http.reject-ambiguous-paths", "false")
                .property("ratelimit.limiters.pot.permits", 100_000)
                .start()) {
            int served = 0;
            for (String spelling : PathSpellings.of("/secret/pot")) {
                Answer answer = RawHttp.get(application.base(), spelling);
                if (answer.body().contains("the pot")) {
                    served++;
                    assertThat(answer.values("X-RateLimit-Limit")).as(spelling).containsExactly("100000");
                }
            }
            assertThat(served).isGreaterThan(5);
        }
    }

    @Test
    void pathsAreBelowTheApplicationsOwnAlsoInAnAbsoluteTarget() throws Exception {
        try (RunningApplication application = application()
                .reactive()
                .property("spring.webflux.base-path", "/app")
                .start()) {
            for (String target : List.of("/app/secret/pot", "http://other.example:81/app/secret/pot?a=b//c")) {
                Answer answer = RawHttp.get(application.base(), target);
                assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
                assertThat(answer.values("X-RateLimit-Limit")).containsExactly("1000");
            }
            assertThat(RawHttp.get(application.base(), "http://other.example/app/secret//pot")
                            .status())
                    .isEqualTo(400);
        }
    }

    /** WebFlux asks the first advice alone: were it asked, the client would be told of an error. */
    @Test
    void handlerForAllExceptionsThatComesFirstIsNotAsked() throws Exception {
        RejectionBody body = (verdict, call) -> new RejectionBody.Content(
                418,
                "text/plain",
                "no, " + call.method() + " " + call.origin().target() + " " + call.headers("Accept-Language") + " "
                        + HttpVerdict.TOO_MANY_REQUESTS);
        try (RunningApplication application = application(CatchAllFirst.class)
                .reactive()
                .bean(RejectionBody.class, body)
                .start()) {
            assertThat(RawHttp.get(application.base(), "/once").status()).isEqualTo(200);
            Answer rejected = RawHttp.get(application.base(), "/once?page=2", "Accept-Language: tlh");
            assertThat(rejected.status()).isEqualTo(418);
            assertThat(rejected.values("Content-Type")).containsExactly("text/plain");
            assertThat(rejected.body()).isEqualTo("no, GET /once [tlh] 429");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @RestController
    static class Pot {

        @GetMapping("/secret/pot")
        String pot() {
            return "the pot";
        }

        @GetMapping("/once")
        @RateLimit("once")
        String once() {
            return "once";
        }
    }

    @RestControllerAdvice
    static class Worded {

        @ExceptionHandler
        ResponseEntity<String> rejected(RateLimitException rejection) {
            return ResponseEntity.status(rejection.verdict().status()).body(rejection.getMessage());
        }

        @ExceptionHandler(Exception.class)
        ResponseEntity<String> any() {
            return ResponseEntity.status(500).body("caught");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class CatchAllFirst {

        @RestControllerAdvice
        @Order(1)
        static class First {

            @ExceptionHandler(Exception.class)
            ResponseEntity<String> any() {
                return ResponseEntity.status(500).body("caught");
            }
        }

        @RestControllerAdvice
        @Order(2)
        static class Second extends Worded {}
    }
}
