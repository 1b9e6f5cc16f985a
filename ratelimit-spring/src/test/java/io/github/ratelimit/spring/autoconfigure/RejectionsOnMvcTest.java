package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.contract.RawHttp.Answer;
import io.github.ratelimit.http.RejectionBody;
import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.RateLimitException;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.CrossOrigin;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.config.annotation.CorsRegistry;
import org.springframework.web.servlet.config.annotation.PathMatchConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.servlet.view.AbstractView;
import org.springframework.web.util.pattern.PathPatternParser;

/** How Spring MVC answers what a filter, an annotation or a bean behind a controller rejects. */
@Floor
class RejectionsOnMvcTest {

    private static final String ORIGIN = "Origin: https://a.example";
    private static final List<String> PATHS = List.of("/early", "/late", "/crossed", "/behind");
    private static final List<String> CROSSED = List.of("/crossed", "/early");

    /** Without an advice. Each test has paths of its own there. */
    private static RunningApplication plain;

    @BeforeAll
    static void start() {
        plain = application(IgnoresCase.class, Gateway.class, Forwards.class)
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

    /** Paths of either phase, an annotation, and a bean behind a controller, whose path has a limiter of its own. */
    private static RunningApplication.Builder application(Class<?>... more) {
        Class<?>[] sources = Arrays.copyOf(more, more.length + 5);
        sources[more.length] = Application.class;
        sources[more.length + 1] = Pages.class;
        sources[more.length + 2] = Mailer.class;
        sources[more.length + 3] = Caching.class;
        sources[more.length + 4] = WithHandler.class;
        return RunningApplication.of(sources)
                .servingOnly()
                .limiter("early", 1)
                .property("ratelimit.limiters.early.paths", "/early")
                .limiter("late", 1)
                .property("ratelimit.limiters.late.paths", "/late")
                .property("ratelimit.limiters.late.phase", "after-authentication")
                .limiter("wide", 100)
                .property("ratelimit.limiters.wide.paths", "/crossed, /behind")
                .property("ratelimit.limiters.wide.phase", "after-authentication")
                .limiter("annotated", 1)
                .limiter("local", 1);
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
            for (String origin : List.of("https://b.example", "https://a.example%0d%0aX-Injected:yes")) {
                Answer stranger = RawHttp.get(application.base(), "/early", "Origin: " + origin);
                assertThat(stranger.status()).as(origin).isEqualTo(429);
                assertThat(stranger.values("Access-Control-Allow-Origin"))
                        .as(origin)
                        .isEmpty();
            }
            assertThat(rejected(application, "/local").body())
                    .as("Spring MVC would call the catch-all of the controller")
                    .contains("\"rate_limited\"");
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
        try (RunningApplication application = application(CatchAll.class, CatchAllResolver.class, AllowsEarly.class)
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

    @Test
    void handlerMayAnswerWithAView() throws Exception {
        try (RunningApplication application =
                application(AnswersWithAView.class, Words.class).start()) {
            assertThat(rejected(application, "/early").body()).contains("view of 429");
        }
    }

    /** Spring MVC would ask the advice that comes first. */
    @Test
    void rejectionsAreProblemsWhereSpringsAre() throws Exception {
        try (RunningApplication application = application(CatchAllFirst.class, OwnWords.class)
                .property("spring.mvc.problemdetails.enabled", "true")
                .start()) {
            for (String path : CROSSED) {
                Answer rejected = rejected(application, path);
                assertThat(rejected.body())
                        .contains("\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\"")
                        .contains("\"violated-policies\":[\"%s\"]"
                                .formatted(path.equals("/early") ? "early" : "annotated"));
                assertThat(rejected.values("Content-Type")).containsExactly("application/problem+json");
            }
        }
    }

    @Test
    void rejectionIsAnErrorResponseWhoseFieldsAreThereOnce() throws Exception {
        try (RunningApplication application = application(AsItIs.class).start()) {
            Answer answer = rejected(application, "/crossed");
            assertThat(answer.body())
                    .contains(
                            "\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\"",
                            "\"title\":\"Too Many Requests\"",
                            "\"violated-policies\":[\"annotated\"]",
                            "\"status\":429",
                            "Too many requests;");
            assertThat(answer.values("Content-Type")).singleElement().asString().startsWith("application/problem+json");
        }
    }

    @Test
    void clientThatAsksForAProblemGetsOne() throws Exception {
        RawHttp.get(plain.base(), "/crossed");
        for (String[] asked : new String[][] {
            {"application/problem+json, */*;q=0.1", "application/problem+json"},
            {"application/problem+json;q=0.5, application/json", "application/json"},
            {"text/html", "text/html;charset=UTF-8"}, // the error page of the application
            {"application/problem+json;q=0", "application/json"},
        }) {
            Answer answer = RawHttp.get(plain.base(), "/crossed", "Accept: " + asked[0]);
            assertThat(answer.status()).isEqualTo(429);
            assertThat(answer.values("Content-Type")).as(asked[0]).containsExactly(asked[1]);
        }
    }

    /** Of both phases, and once. */
    @Test
    void requestThatAFilterBeforeForwardsIsLimited() throws Exception {
        for (String path : List.of("/early", "/late")) {
            assertThat(RawHttp.get(plain.base(), "/old" + path).values("X-RateLimit-Remaining"))
                    .containsExactly("0");
            assertThat(RawHttp.get(plain.base(), "/old" + path).status()).isEqualTo(429);
        }
    }

    /** Tomcat would close the connection of a larger one, and a client that sends all before it reads would miss the answer. */
    @Test
    void uploadThatTomcatMaySwallowIsAnswered() throws Exception {
        try (RunningApplication application = application()
                        .property("server.tomcat.max-swallow-size", "32MB")
                        .start();
                Socket client = new Socket("127.0.0.1", application.base().getPort())) {
            RawHttp.get(application.base(), "/early");
            byte[] upload = new byte[16 << 20];
            client.getOutputStream()
                    .write("POST /early HTTP/1.1\r\nHost: a.example\r\nContent-Length: %d\r\n\r\n"
                            .formatted(upload.length)
                            .getBytes(StandardCharsets.US_ASCII));
            client.getOutputStream().write(upload);
            assertThat(client.getInputStream().readNBytes(12)).asString().isEqualTo("HTTP/1.1 429");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @Configuration(proxyBeanMethods = false)
    static class AllowsEarly implements WebMvcConfigurer {

        @Override
        public void addCorsMappings(CorsRegistry registry) {
            registry.addMapping("/early").allowedOrigins("https://a.example");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class IgnoresCase implements WebMvcConfigurer {

        @Override
        public void configurePathMatch(PathMatchConfigurer configurer) {
            PathPatternParser parser = new PathPatternParser();
            parser.setCaseSensitive(false);
            configurer.setPatternParser(parser);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Forwards {

        @Bean
        FilterRegistrationBean<Filter> forwarding() {
            FilterRegistrationBean<Filter> filter = new FilterRegistrationBean<>((request, response, chain) -> {
                String path = ((HttpServletRequest) request).getRequestURI();
                if (path.startsWith("/old/")) {
                    request.getRequestDispatcher(path.substring(4)).forward(request, response);
                } else {
                    chain.doFilter(request, response);
                }
            });
            filter.setName("forwarding");
            filter.setOrder(Ordered.HIGHEST_PRECEDENCE);
            return filter;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Gateway {

        @Bean
        RouterFunction<ServerResponse> routes() {
            return RouterFunctions.route()
                    .GET(
                            "/routed",
                            request -> ServerResponse.ok()
                                    .header("X-RateLimit-Limit", "1000")
                                    .header("X-Other", "1", "2")
                                    .body("routed"))
                    .build();
        }
    }

    @ControllerAdvice
    static class AnswersWithAView {

        @ExceptionHandler
        ModelAndView rejected(RateLimitException rejection) {
            HttpStatus status = HttpStatus.valueOf(rejection.verdict().status());
            return new ModelAndView("words", Map.of("status", status.value()), status);
        }
    }

    @Component("words")
    static class Words extends AbstractView {

        @Override
        protected void renderMergedOutputModel(
                Map<String, Object> model, HttpServletRequest request, HttpServletResponse response)
                throws IOException {
            response.getWriter().write("view of " + model.get("status"));
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
    static class Caching implements Filter {

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            ((HttpServletResponse) response).setHeader("Cache-Control", "public, max-age=300");
            chain.doFilter(request, response);
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
    static class AsItIs {

        @ExceptionHandler(RateLimitException.class)
        ErrorResponse rejected(ErrorResponse rejection) {
            return rejection;
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

    @RestControllerAdvice(annotations = RestController.class)
    @Order(0)
    static class ByAnnotation extends OwnWords {}

    @RestControllerAdvice(basePackageClasses = RejectionsOnMvcTest.class)
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
