package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.contract.RawHttp.Answer;
import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.RateLimitException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/** Who answers a rejection where an application has handlers of its own. */
class RejectionAnswersTest {

    private static RunningApplication.Builder application(Class<?>... more) {
        Class<?>[] sources = new Class<?>[more.length + 3];
        sources[0] = Application.class;
        sources[1] = Limited.class;
        sources[2] = WithHandler.class;
        System.arraycopy(more, 0, sources, 3, more.length);
        return RunningApplication.of(sources).servingOnly().limiter("one", 1).limiter("local", 1);
    }

    /** The answer to the second request to a path. */
    private static Answer rejected(RunningApplication application, String path, String... fields) throws Exception {
        assertThat(RawHttp.get(application.base(), path).status()).isEqualTo(200);
        return RawHttp.get(application.base(), path, fields);
    }

    private static void assertRejected(Answer answer, String body) {
        assertThat(answer.body()).contains(body);
        assertThat(answer.status()).isEqualTo(429);
        assertThat(answer.values("X-RateLimit-Limit")).containsExactly("1");
        assertThat(answer.values("Retry-After")).hasSize(1);
    }

    @Test
    void handlerOfEveryExceptionMakesNoFailureOfARejection() throws Exception {
        try (RunningApplication application =
                application(CatchAll.class, CatchAllResolver.class).start()) {
            assertRejected(rejected(application, "/one"), "{\"error\":{\"code\":\"rate_limited\"");
            assertRejected(rejected(application, "/local"), "{\"error\":{\"code\":\"rate_limited\"");
            assertThat(RawHttp.get(application.base(), "/fails").body())
                    .as("any other failure is the application's to answer")
                    .contains("caught java.lang.IllegalStateException");
        }
    }

    @Test
    void handlerOfRejectionsIsAskedAlsoBesideOneOfEveryException() throws Exception {
        try (RunningApplication application =
                application(CatchAll.class, OwnWords.class).start()) {
            assertRejected(rejected(application, "/one"), "in own words");
        }
    }

    /** Spring MVC would call the catch-all of the controller, or of the advice that comes first: the rejection stays a rejection. */
    @Test
    void handlerOfEveryExceptionThatComesFirstMakesNoFailureOfARejection() throws Exception {
        try (RunningApplication application =
                application(CatchAllFirst.class, OwnWords.class).start()) {
            assertRejected(rejected(application, "/one"), "rate_limited");
        }
        try (RunningApplication application = application(OwnWords.class).start()) {
            assertRejected(rejected(application, "/local"), "rate_limited");
            assertRejected(rejected(application, "/one"), "in own words");
        }
    }

    @Test
    void rejectionIsAnErrorResponseWhoseFieldsAreThereOnce() throws Exception {
        try (RunningApplication application = application(AsItIs.class).start()) {
            Answer answer = rejected(application, "/one");
            assertRejected(answer, "\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\"");
            assertThat(answer.body())
                    .contains(
                            "\"title\":\"Too Many Requests\"",
                            "\"violated-policies\":[\"one\"]",
                            "\"status\":429",
                            "Too many requests;");
            assertThat(answer.values("Content-Type")).singleElement().asString().startsWith("application/problem+json");
        }
    }

    @Test
    void rejectionsAreProblemsWhereSpringsAre() throws Exception {
        try (RunningApplication application = application(CatchAll.class)
                .property("spring.mvc.problemdetails.enabled", "true")
                .limiter("path", 1)
                .property("ratelimit.limiters.path.paths", "/fails")
                .start()) {
            Answer byAnnotation = rejected(application, "/one");
            assertRejected(byAnnotation, "\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\"");
            assertThat(byAnnotation.values("Content-Type")).containsExactly("application/problem+json");
            RawHttp.get(application.base(), "/fails");
            Answer byPath = RawHttp.get(application.base(), "/fails");
            assertRejected(byPath, "\"violated-policies\":[\"path\"]");
            assertThat(byPath.values("Content-Type")).containsExactly("application/problem+json");
        }
    }

    @Test
    void clientThatAsksForAProblemGetsOne() throws Exception {
        try (RunningApplication application = application().start()) {
            assertThat(rejected(application, "/one", "Accept: application/problem+json, */*;q=0.1")
                            .values("Content-Type"))
                    .containsExactly("application/problem+json");
            assertThat(RawHttp.get(
                                    application.base(),
                                    "/one",
                                    "Accept: application/problem+json;q=0.5, application/json")
                            .values("Content-Type"))
                    .containsExactly("application/json");
            assertThat(RawHttp.get(application.base(), "/one", "Accept: text/html")
                            .values("Content-Type"))
                    .as("the error page of the application")
                    .containsExactly("text/html;charset=UTF-8");
            assertThat(RawHttp.get(application.base(), "/one", "Accept: application/problem+json;q=0")
                            .values("Content-Type"))
                    .containsExactly("application/json");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @RestController
    static class Limited {

        @GetMapping("/one")
        @RateLimit("one")
        String one() {
            return "one";
        }

        @GetMapping("/fails")
        String fails() {
            throw new IllegalStateException("on purpose");
        }
    }

    @RestController
    static class WithHandler {

        @GetMapping("/local")
        @RateLimit("local")
        String local() {
            return "local";
        }

        @ExceptionHandler(RuntimeException.class)
        @ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
        String failed() {
            return "failed";
        }
    }

    @RestControllerAdvice
    static class CatchAll {

        @ExceptionHandler
        @ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
        String caught(Exception failure) {
            return "caught " + failure.getClass().getName();
        }
    }

    @RestControllerAdvice
    @Order(Ordered.HIGHEST_PRECEDENCE)
    static class CatchAllFirst extends CatchAll {}

    static class CatchAllResolver implements HandlerExceptionResolver, Ordered {

        @Override
        public int getOrder() {
            return -1;
        }

        @Override
        public @Nullable ModelAndView resolveException(
                HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception failure) {
            if (failure instanceof RateLimitException) {
                response.setStatus(500);
                return new ModelAndView();
            }
            return null;
        }
    }

    @RestControllerAdvice
    @Order(Ordered.HIGHEST_PRECEDENCE + 10)
    static class OwnWords {

        @ExceptionHandler
        ResponseEntity<String> rejected(RateLimitException rejection) {
            return ResponseEntity.status(rejection.verdict().status()).body("in own words");
        }
    }

    @RestControllerAdvice
    static class AsItIs {

        @ExceptionHandler(RateLimitException.class)
        ErrorResponse rejected(ErrorResponse rejection) {
            return rejection;
        }
    }
}
