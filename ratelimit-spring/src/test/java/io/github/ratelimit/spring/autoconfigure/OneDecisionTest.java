package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Store;
import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.contract.RawHttp.Answer;
import io.github.ratelimit.http.RejectionBody;
import io.github.ratelimit.servlet.RequestCost;
import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.RateLimitException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;

/** One request is one decision over all limiters that it meets, whatever it is dispatched to. */
class OneDecisionTest {

    private static final CountingStore STORE = new CountingStore();
    private static final List<String> COSTS_ASKED = new CopyOnWriteArrayList<>();

    private static RunningApplication application;

    @BeforeAll
    static void start() {
        RequestCost cost = (limiter, request) -> {
            COSTS_ASKED.add(limiter);
            return 1;
        };
        RejectionBody body = (verdict, call) -> new RejectionBody.Content(
                418, "text/plain", "no, " + call.method() + " " + call.origin().target());
        application = RunningApplication.of(Application.class, Annotated.class, Forwarding.class)
                .servingOnly()
                .bean(Store.class, STORE)
                .bean(RequestCost.class, cost)
                .bean(RejectionBody.class, body)
                .limiter("site", 1000)
                .limiter("many", 1000)
                .limiter("both", 1000)
                .limiter("once", 1)
                .limiter("worded", 1)
                .property("ratelimit.limiters.both.paths", "/both")
                .start();
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

    private static Answer get(String path) throws Exception {
        return RawHttp.get(application.base(), path);
    }

    @Test
    void limitersOfClassAndMethodAreOneDecision() throws Exception {
        assertThat(get("/many").status()).isEqualTo(200);
        assertThat(STORE.decisions()).containsExactly(List.of("site", "many", "Annotated.many-2"));
    }

    @Test
    void limiterThatTheFilterHasAskedIsNotAskedAgain() throws Exception {
        assertThat(get("/both").status()).isEqualTo(200);
        assertThat(STORE.decisions()).containsExactly(List.of("both"), List.of("site", "many"));
        assertThat(COSTS_ASKED).containsExactly("both", "site", "many");
    }

    @Test
    void costIsAskedOnceAlsoOfARequestThatIsDispatchedAnew() throws Exception {
        for (String path : List.of("/called", "/deferred", "/forwarded")) {
            COSTS_ASKED.clear();
            assertThat(get(path).status()).as(path).isEqualTo(200);
            assertThat(COSTS_ASKED).as(path).containsExactly("site", "many");
        }
    }

    /** Rejected again, the forwarded request would be forwarded again, without end. */
    @Test
    void rejectionMayBeWordedByALimitedPage() throws Exception {
        assertThat(get("/forwarding").body()).contains("served");
        Answer rejected = get("/forwarding");
        assertThat(rejected.status()).isEqualTo(429);
        assertThat(rejected.body()).contains("come back later");
        assertThat(rejected.values("X-RateLimit-Remaining")).containsExactly("0");
        assertThat(rejected.values("Retry-After")).hasSize(1);
        assertThat(get("/busy").status())
                .as("nothing but a rejection opens that page")
                .isEqualTo(429);
    }

    @Test
    void rejectionThatNobodyHandlesIsWordedForItsCall() throws Exception {
        assertThat(get("/worded").status()).isEqualTo(200);
        Answer rejected = get("/worded?page=2");
        assertThat(rejected.status()).isEqualTo(418);
        assertThat(rejected.values("Content-Type")).singleElement().asString().startsWith("text/plain");
        assertThat(rejected.body()).isEqualTo("no, GET /worded");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @RestController
    @RateLimit("site")
    static class Annotated {

        @GetMapping("/many")
        @RateLimit("many")
        @RateLimit(permits = 1000, window = "1h")
        String many() {
            return "many";
        }

        @GetMapping("/both")
        @RateLimit("both")
        @RateLimit("many")
        String both() {
            return "both";
        }

        @GetMapping("/worded")
        @RateLimit("worded")
        String worded() {
            return "worded";
        }

        @GetMapping("/called")
        @RateLimit("many")
        Callable<String> called() {
            return () -> "called";
        }

        @GetMapping("/deferred")
        @RateLimit("many")
        DeferredResult<String> deferred() {
            DeferredResult<String> result = new DeferredResult<>();
            new Thread(() -> result.setResult("deferred")).start();
            return result;
        }

        @GetMapping("/forwarded")
        @RateLimit("many")
        void forwarded(HttpServletRequest request, HttpServletResponse response) throws Exception {
            request.getRequestDispatcher("/called").forward(request, response);
        }
    }

    @Controller
    static class Forwarding {

        @GetMapping("/forwarding")
        @RateLimit("once")
        @ResponseBody
        String served() {
            return "served";
        }

        @GetMapping("/busy")
        @RateLimit("once")
        @ResponseBody
        String busy() {
            return "come back later";
        }

        @ExceptionHandler(RateLimitException.class)
        @ResponseStatus(HttpStatus.TOO_MANY_REQUESTS)
        String rejected() {
            return "forward:/busy";
        }
    }
}
