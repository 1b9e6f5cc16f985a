package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Store;
import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.contract.RawHttp.Answer;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.spring.ExchangeCost;
import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.RateLimitException;
import io.github.ratelimit.spring.RateLimitWebFilter;
import io.github.ratelimit.spring.internal.Diagnostic;
import io.github.ratelimit.spring.internal.diagnostics.Diagnostics;
import io.github.ratelimit.spring.internal.endpoint.DescribedCall;
import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.CrossOrigin;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Mono;

/** What limits do in a WebFlux application, beyond what every adapter promises. */
class WebFluxTest {

    private static final CountingStore STORE = new CountingStore();
    private static final List<String> COSTS_ASKED = new CopyOnWriteArrayList<>();

    private static RunningApplication application;

    @BeforeAll
    static void start() {
        ExchangeCost cost = (limiter, exchange) -> {
            COSTS_ASKED.add(limiter);
            String parts = exchange.getRequest().getHeaders().getFirst("Parts");
            return parts == null ? 1 : Long.parseLong(parts);
        };
        RunningApplication.Builder builder = RunningApplication.of(
                        Application.class,
                        Annotated.class,
                        Crossing.class,
                        CatchAll.class,
                        Worded.class,
                        Modelled.class,
                        Swallowing.class)
                .reactive()
                .bean(Store.class, STORE)
                .bean(ExchangeCost.class, cost);
        for (String name :
                List.of("site", "many", "path", "functions", "spelled", "attribute", "user", "first", "moved")) {
            builder = builder.limiter(name, 1000);
        }
        for (String name : List.of(
                "crossed", "tight", "late", "rewritten", "left", "methods", "worded", "modelled", "swallowed")) {
            builder = builder.limiter(name, 1);
        }
        builder.property("ratelimit.limiters.methods.permits", 2)
                .property("management.endpoints.web.exposure.include", "ratelimits")
                .property("management.endpoint.ratelimits.access", "unrestricted")
                .limiter("costly", 10)
                .property("ratelimit.limiters.user.key", "principal | client-address")
                .property("ratelimit.limiters.attribute.key", "attribute:token")
                .property("ratelimit.limiters.moved.phase", "after-authentication")
                .property("ratelimit.limiters.tight.phase", "after-authentication")
                .property("ratelimit.limiters.late.phase", "after-authentication");
        for (String[] path : new String[][] {
            {"/both, /nowhere", "path"},
            {"/function", "functions"},
            {"/shaped/**", "spelled"},
            {"/attribute", "attribute"},
            {"/user", "user"},
            {"/second", "first"},
            {"/second", "tight"},
            {"/costly", "costly"},
            {"/moved", "moved"},
            {"GET /methods, POST /methods", "methods"},
            {"/left/**", "left"}
        }) {
            builder.property("ratelimit.limiters." + path[1] + ".paths", path[0]);
        }
        builder.property("ratelimit.http.exclude", "/left/out/**")
                .property("ratelimit.limiters.left.exclude", "/left/alone");
        application = builder.start();
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @BeforeEach
    void forget() {
        STORE.decisions();
        COSTS_ASKED.clear();
    }

    private static Answer get(String path, String... fields) throws Exception {
        return send("GET", path, fields);
    }

    private static Answer send(String method, String path, String... fields) throws Exception {
        return RawHttp.send(application.base(), method + " " + path + " HTTP/1.1", fields);
    }

    private static String remaining(Answer answer) {
        return String.join(", ", answer.values("X-RateLimit-Remaining"));
    }

    @Test
    void excludedPathsAreLimitedByNothing() throws Exception {
        assertThat(get("/left/over").status()).isNotEqualTo(429);
        assertThat(get("/left/over").status()).isEqualTo(429);
        for (int i = 0; i < 3; i++) {
            assertThat(get("/left/alone").status()).isNotEqualTo(429);
            assertThat(get("/left/out/method").status()).isEqualTo(200);
        }
        assertThat(get("/left/out/../in").status()).isNotEqualTo(200);
        assertThat(get("/left/out%2f..%2fin").status()).isEqualTo(400);
    }

    // ---- annotations

    @Test
    void limitersOfClassAndMethodAreOneDecision() throws Exception {
        assertThat(get("/many").status()).isEqualTo(200);
        assertThat(STORE.decisions()).containsExactly(List.of("site", "many", "Annotated.many-2"));
        assertThat(COSTS_ASKED).containsExactly("site", "many", "Annotated.many-2");
    }

    @Test
    void requestsThatReachNoMethodAreNotCounted() throws Exception {
        for (Answer unserved : List.of(send("POST", "/many"), get("/many", "Accept: image/png"), get("/none"))) {
            assertThat(unserved.status())
                    .as("by the handler for all exceptions")
                    .isEqualTo(500);
        }
        assertThat(STORE.decisions()).isEmpty();
    }

    @Test
    void preflightIsNotCountedAndItsRequestIs() throws Exception {
        String[] origin = {"Origin: https://a.example", "Access-Control-Request-Method: GET"};
        for (int i = 0; i < 3; i++) {
            Answer preflight = send("OPTIONS", "/crossed", origin);
            assertThat(preflight.status()).isEqualTo(200);
            assertThat(preflight.values("Access-Control-Allow-Origin")).hasSize(1);
        }
        assertThat(STORE.decisions()).isEmpty();
        assertThat(get("/crossed", "Origin: https://a.example").status()).isEqualTo(200);
        Answer rejected = get("/crossed", "Origin: https://a.example");
        assertThat(rejected.status()).isEqualTo(429);
        assertThat(rejected.values("Access-Control-Allow-Origin"))
                .as("a page may read why")
                .hasSize(1);
    }

    /** The filter sees the path as it came; the method that serves it is limited all the same. */
    @Test
    void annotationHoldsForWhateverPathIsDispatchedOn() throws Exception {
        assertThat(get("/rewriting").body()).contains("rewritten");
        Answer rejected = get("/rewriting");
        assertThat(rejected.status()).isEqualTo(429);
        assertThat(rejected.body()).doesNotContain("rewritten");
    }

    // ---- paths

    @Test
    void limiterThatTheFilterHasAskedIsNotAskedAgain() throws Exception {
        assertThat(get("/both").status()).isEqualTo(200);
        assertThat(STORE.decisions()).containsExactly(List.of("path"), List.of("site", "many"));
        assertThat(COSTS_ASKED).containsExactly("path", "site", "many");
    }

    @Test
    void pathsAreLimitedWhateverServesThem() throws Exception {
        assertThat(get("/function").values("X-RateLimit-Limit")).containsExactly("1000");
        Answer nowhere = get("/nowhere");
        assertThat(nowhere.status()).as("by the handler for all exceptions").isEqualTo(500);
        assertThat(nowhere.values("X-RateLimit-Limit")).containsExactly("1000");
        assertThat(STORE.decisions()).containsExactly(List.of("functions"), List.of("path"));
    }

    @Test
    void methodsAreTheRulesOwnAndAPreflightIsNone() throws Exception {
        assertThat(send("PUT", "/methods").values("X-RateLimit-Limit")).isEmpty();
        String[] preflight = {"Origin: https://a.example", "Access-Control-Request-Method: POST"};
        assertThat(send("OPTIONS", "/function", preflight).values("X-RateLimit-Limit"))
                .isEmpty();
        assertThat(remaining(send("HEAD", "/methods"))).isEqualTo("1");
        assertThat(remaining(send("POST", "/methods"))).isEqualTo("0");
        assertThat(send("GET", "/methods").status()).isEqualTo(429);
        assertThat(send("OPTIONS", "/function", "Origin: https://a.example").values("X-RateLimit-Limit"))
                .as("no preflight")
                .containsExactly("1000");
    }

    @Test
    void ambiguousPathIsRejectedWithAReason() throws Exception {
        for (String path : List.of("/shaped/x/../pot", "//function", "/shaped/%2e%2e/function", "/shaped%2Fpot")) {
            Answer answer = get(path);
            assertThat(answer.status()).as(path).isEqualTo(400);
            assertThat(answer.values("X-RateLimit-Limit")).as(path).isEmpty();
        }
        Answer answer = get("/shaped/x/../pot");
        assertThat(answer.values("Content-Type")).containsExactly("application/json");
        assertThat(answer.body())
                .isEqualTo(
                        "{\"error\":{\"code\":\"bad_request\",\"message\":\"The path can be read in more than one way.\"}}");
        assertThat(STORE.decisions()).isEmpty();
    }

    @Test
    void requestCostsWhatItIsSaidToCost() throws Exception {
        assertThat(remaining(get("/costly", "Parts: 7"))).isEqualTo("3");
        assertThat(remaining(get("/costly", "Parts: 0"))).isEqualTo("3");
        assertThat(get("/costly", "Parts: 4").status()).isEqualTo(429);
        assertThat(remaining(get("/costly", "Parts: 3"))).isEqualTo("0");
    }

    @Test
    void filterThatStandsTwiceDecidesOnce() throws Exception {
        assertThat(application.context().getBeansOfType(WebFilter.class)).containsKey("again");
        assertThat(get("/function").status()).isEqualTo(200);
        assertThat(STORE.decisions()).containsExactly(List.of("functions"));
        assertThat(application.context().getBean(Diagnostics.class).found(Diagnostic.FILTER_TWICE))
                .as("and that is told of")
                .isPositive();
    }

    // ---- rejections in own words

    @Test
    void handlerInsideTheControllerWordsItsRejections() throws Exception {
        assertThat(get("/worded").body()).contains("worded");
        Answer rejected = get("/worded");
        assertThat(rejected.status()).isEqualTo(429);
        assertThat(rejected.body()).contains("own words: Too many requests; try again in ", " on /worded");
        assertThat(rejected.values("Retry-After")).hasSize(1);
        assertThat(remaining(rejected)).isEqualTo("0");
    }

    /** To ask the handler, WebFlux would make a model first, and a rejected request would reach the application. */
    @Test
    void rejectedRequestMakesNoModel() throws Exception {
        assertThat(get("/modelled").status()).isEqualTo(200);
        assertThat(Modelled.MODELS).hasValue(1);
        Answer rejected = get("/modelled");
        assertThat(rejected.status()).isEqualTo(429);
        assertThat(rejected.body()).contains("\"rate_limited\"");
        assertThat(Modelled.MODELS).hasValue(1);
    }

    @Test
    void rejectionThatIsAnsweredAsASuccessIsToldOf() throws Exception {
        Diagnostics diagnostics = application.context().getBean(Diagnostics.class);
        assertThat(get("/swallowed").status()).isEqualTo(200);
        assertThat(diagnostics.found(Diagnostic.REJECTION_SWALLOWED)).isZero();
        assertThat(get("/swallowed").body()).contains("nothing happened");
        assertThat(diagnostics.found(Diagnostic.REJECTION_SWALLOWED)).isEqualTo(1);
    }

    // ---- the operator

    @Test
    void endpointShowsPlacesAndTotals() throws Exception {
        get("/function");
        String body = get("/actuator/ratelimits").body();
        assertThat(body)
                .contains(
                        "{\"methods\":[],\"paths\":[\"/function\"],\"except\":[],\"limiter\":\"functions\",\"phase\":\"before-authentication\"}")
                .contains(
                        "\"paths\":[\"/many\"],\"except\":[],\"handler\":\"Annotated.many\",\"limiter\":\"many\",\"phase\":\"after-authentication\"}")
                .contains("\"excluded\":[\"/left/out/**\"]");
        assertThat(body).doesNotContain("127.0.0.1");
    }

    @Test
    void lookTellsWhereAClientStandsAndTakesNothing() throws Exception {
        String before = remaining(get("/both"));
        for (int i = 0; i < 3; i++) {
            Answer told = get("/actuator/ratelimits/site?client=address:127.0.0.1");
            assertThat(told.status()).as(told.body()).isEqualTo(200);
            assertThat(told.body()).contains("\"remaining\":" + before + ",");
        }
        assertThat(Integer.parseInt(remaining(get("/both")))).isEqualTo(Integer.parseInt(before) - 1);
    }

    // ---- phases

    @Test
    void secondPhaseKnowsWhoIsSignedInAndWhatTheApplicationHasAttached() throws Exception {
        assertThat(remaining(get("/user", "User: ann"))).isEqualTo("999");
        assertThat(remaining(get("/user", "User: ann"))).isEqualTo("998");
        assertThat(remaining(get("/user", "User: bob"))).isEqualTo("999");
        assertThat(remaining(get("/user"))).isEqualTo("999");
        assertThat(remaining(get("/attribute", "Token: 1"))).isEqualTo("999");
        assertThat(remaining(get("/attribute", "Token: 1"))).isEqualTo("998");
        assertThat(remaining(get("/attribute", "Token: 2"))).isEqualTo("999");
    }

    /** What a request took before comes back, once. */
    @Test
    void rejectionOfTheSecondPhaseGivesTheFirstItsPermitsBack() throws Exception {
        assertThat(get("/second").status()).isEqualTo(200);
        assertThat(STORE.decisions()).containsExactly(List.of("first"), List.of("tight"), List.of("site", "late"));
        for (int i = 0; i < 3; i++) {
            Answer rejected = get("/second");
            assertThat(rejected.status()).isEqualTo(429);
            assertThat(remaining(rejected)).isEqualTo("0");
            assertThat(STORE.decisions()).containsExactly(List.of("first"), List.of("tight"));
        }
        assertThat(application
                        .context()
                        .getBean(HttpRateLimiter.class)
                        .limiters()
                        .get("first")
                        .tryAcquire(DescribedCall.of("address:127.0.0.1"), 0)
                        .statuses()
                        .get(0)
                        .remaining())
                .isEqualTo(999);
    }

    /** What was looked up would have rejected this origin; what is dispatched to does not. */
    @Test
    void lookUpLeavesNoTraceOnTheResponse() throws Exception {
        Answer answer = get("/moved", "Origin: https://a.example");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).contains("function");
        assertThat(answer.values("Vary")).isEmpty();
        assertThat(STORE.decisions()).first().isEqualTo(List.of("moved"));
    }

    // ---- what it is made of

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        /** Between the phases, where authentication stands. */
        @Bean
        @Order(-100)
        WebFilter signIn() {
            return (exchange, chain) -> {
                String user = exchange.getRequest().getHeaders().getFirst("User");
                String token = exchange.getRequest().getHeaders().getFirst("Token");
                if (token != null) {
                    exchange.getAttributes().put("token", token);
                }
                return chain.filter(user == null ? exchange : new SignedIn(exchange, user));
            };
        }

        @Bean
        @Order(0)
        WebFilter rewriting() {
            Map<String, String> to = Map.of("/rewriting", "/rewritten", "/moved", "/function");
            return (exchange, chain) -> {
                String path = to.get(exchange.getRequest().getURI().getPath());
                return chain.filter(
                        path == null
                                ? exchange
                                : exchange.mutate()
                                        .request(request -> request.path(path))
                                        .build());
            };
        }

        /** By mistake. */
        @Bean
        WebFilter again(RateLimitWebFilter filter) {
            return (exchange, chain) -> filter.filter(exchange, chain);
        }

        @Bean
        RouterFunction<ServerResponse> functions() {
            return RouterFunctions.route()
                    .GET("/function", request -> ServerResponse.ok().bodyValue("function"))
                    .build();
        }
    }

    private static final class SignedIn extends ServerWebExchangeDecorator {

        private final String user;

        SignedIn(ServerWebExchange exchange, String user) {
            super(exchange);
            this.user = user;
        }

        @Override
        @SuppressWarnings("unchecked") // as the exchange promises whatever is asked for
        public <T extends Principal> Mono<T> getPrincipal() {
            Principal principal = () -> user;
            return Mono.just((T) principal);
        }
    }

    @RestController
    @RateLimit("site")
    static class Annotated {

        @GetMapping(path = "/many", produces = "text/plain")
        @RateLimit("many")
        @RateLimit(permits = 1000, window = "1h")
        String many() {
            return "many";
        }

        @GetMapping("/left/out/method")
        @RateLimit("left")
        String left() {
            return "left";
        }

        @GetMapping("/both")
        @RateLimit("path")
        @RateLimit("many")
        Mono<String> both() {
            return Mono.just("both");
        }

        @GetMapping("/rewritten")
        @RateLimit("rewritten")
        String rewritten() {
            return "rewritten";
        }

        @GetMapping("/second")
        @RateLimit("late")
        String second() {
            return "second";
        }
    }

    @RestController
    static class Worded {

        @GetMapping("/worded")
        @RateLimit("worded")
        Mono<String> worded() {
            return Mono.just("worded");
        }

        @ExceptionHandler
        ResponseEntity<String> rejected(RateLimitException rejection, ServerWebExchange exchange) {
            return ResponseEntity.status(rejection.verdict().status())
                    .body("own words: %s on %s"
                            .formatted(
                                    rejection.getMessage(),
                                    exchange.getRequest().getURI().getPath()));
        }
    }

    @RestController
    static class Modelled {

        static final AtomicInteger MODELS = new AtomicInteger();

        @ModelAttribute
        void model() {
            MODELS.incrementAndGet();
        }

        @GetMapping("/modelled")
        @RateLimit("modelled")
        String modelled() {
            return "modelled";
        }

        @ExceptionHandler
        ResponseEntity<String> rejected(RateLimitException rejection) {
            return ResponseEntity.status(rejection.verdict().status()).body("own words");
        }
    }

    @RestController
    static class Swallowing {

        @GetMapping("/swallowed")
        @RateLimit("swallowed")
        String swallowed() {
            return "swallowed";
        }

        @ExceptionHandler(RateLimitException.class)
        String rejected() {
            return "nothing happened";
        }
    }

    @RestController
    static class Crossing {

        @GetMapping("/crossed")
        @CrossOrigin
        @RateLimit("crossed")
        String crossed() {
            return "crossed";
        }

        @GetMapping("/user")
        @CrossOrigin
        Mono<String> user(ServerWebExchange exchange) {
            return Mono.just("user " + exchange.getRequest().getQueryParams().getFirst("name"));
        }

        @GetMapping("/moved")
        @CrossOrigin("https://b.example")
        String moved() {
            return "moved";
        }

        @GetMapping("/methods")
        String methods() {
            return "methods";
        }

        @PostMapping("/methods")
        String posted() {
            return "methods";
        }
    }

    @RestControllerAdvice
    static class CatchAll {

        @ExceptionHandler(IllegalStateException.class)
        @ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
        String state() {
            return "caught";
        }

        @ExceptionHandler(RuntimeException.class)
        @ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
        String any() {
            return "caught";
        }
    }
}
