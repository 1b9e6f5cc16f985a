package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.contract.RawHttp.Answer;
import io.github.ratelimit.spring.RateLimit;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.CrossOrigin;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** One application with everything in it, over real HTTP. Each test has limiters of its own. */
@Floor
class ApplicationTest {

    private static RunningApplication application;

    @BeforeAll
    static void start() {
        application = RunningApplication.of(Application.class, Kinds.class, Secret.class)
                .limiter("many", 1000)
                .limiter("one", 1)
                .limiter("secret", 1)
                .limiter("crossing", 2)
                .limiter("surface", 100)
                .limiter("forgotten", 1)
                .limiter("agent", 1)
                .property("ratelimit.limiters.agent.key", "user-agent")
                .property("ratelimit.limiters.surface.paths", "/surface/**")
                .property("management.endpoints.web.exposure.include", "ratelimits")
                .property("management.endpoint.ratelimits.access", "unrestricted")
                .start();
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private static Answer get(String path, String... fields) throws Exception {
        return RawHttp.get(application.base(), path, fields);
    }

    private static Answer send(String method, String path, String... fields) throws Exception {
        return RawHttp.send(application.base(), method + " " + path + " HTTP/1.1", fields);
    }

    @Test
    void everyKindOfHandlerIsChargedOnceAndHasEachFieldOnce() throws Exception {
        int remaining = 1000;
        for (String path : List.of(
                "/deferred",
                "/deferred-failed",
                "/called",
                "/streamed",
                "/forwarded",
                "/sent",
                "/thrown",
                "/answered",
                "/reset",
                "/meta")) {
            Answer answer = get(path);
            assertThat(answer.values("X-RateLimit-Limit")).as(path).containsExactly("1000");
            assertThat(answer.values("X-RateLimit-Remaining")).as(path).containsExactly(Integer.toString(--remaining));
            assertThat(answer.values("X-RateLimit-Reset")).as(path).hasSize(1);
            assertThat(answer.values("Retry-After")).as(path).isEmpty();
        }
        assertThat(get("/deferred").body()).contains("deferred");
        assertThat(get("/streamed").body()).contains("streamed");
        assertThat(get("/sent").status()).isEqualTo(409);
        assertThat(get("/thrown").status()).isEqualTo(500);
        assertThat(get("/deferred-failed").status()).isEqualTo(500);
    }

    @Test
    void rejectionThatNobodyShapesIsTheDocumentedJson() throws Exception {
        assertThat(get("/one").status()).isEqualTo(200);
        Answer rejected = get("/one");
        assertThat(rejected.status()).isEqualTo(429);
        assertThat(rejected.values("Content-Type")).singleElement().asString().startsWith("application/json");
        String seconds = rejected.values("Retry-After").get(0);
        assertThat(rejected.body())
                .isEqualTo("{\"error\":{\"code\":\"rate_limited\",\"message\":\"Too many requests; try again in "
                        + seconds + " seconds.\"}}");
        assertThat(get("/one", "Accept: text/html").status()).isEqualTo(429);
        assertThat(send("HEAD", "/one").status()).isEqualTo(429);
    }

    @Test
    void everyStatusOfALimitedPathHasFields() throws Exception {
        assertFields(get("/surface/typed"), 405, 99);
        assertFields(send("POST", "/surface/typed", "Content-Type: text/plain", "Content-Length: 0"), 415, 98);
        assertFields(get("/surface/nothing"), 404, 97);
        assertFields(send("DELETE", "/surface/typed"), 405, 96);
        // 500: the container cannot tell the parts of a body without a boundary
        assertFields(send("POST", "/surface/form", "Content-Type: multipart/form-data", "Content-Length: 0"), 500, 95);
        assertFields(get("/surface/unauthorized"), 401, 94);
        assertFields(get("/surface/counted?number=many"), 400, 93);
        assertFields(get("/surface/counted?number=3"), 200, 92);
        assertThat(get("/error").values("X-RateLimit-Limit")).isEmpty();
    }

    private static void assertFields(Answer answer, int status, int remaining) {
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.values("X-RateLimit-Limit")).containsExactly("100");
        assertThat(answer.values("X-RateLimit-Remaining")).containsExactly(Integer.toString(remaining));
    }

    @Test
    void preflightIsNotCountedAndRejectionsCanBeReadAcrossOrigins() throws Exception {
        String origin = "Origin: https://widgets.example";
        for (int i = 0; i < 5; i++) {
            Answer preflight = send("OPTIONS", "/crossing", origin, "Access-Control-Request-Method: GET");
            assertThat(preflight.status()).isEqualTo(200);
            assertThat(preflight.body()).isEmpty();
        }
        assertThat(get("/crossing", origin).values("X-RateLimit-Remaining")).containsExactly("1");
        assertThat(send("HEAD", "/crossing").values("X-RateLimit-Remaining")).containsExactly("0");
        Answer rejected = get("/crossing", origin);
        assertThat(rejected.status()).isEqualTo(429);
        assertThat(rejected.values("Access-Control-Allow-Origin")).containsExactly("https://widgets.example");
    }

    @Test
    void endpointShowsLimitersAndForgetsWhatWasCounted() throws Exception {
        assertThat(get("/actuator/ratelimits").body())
                .contains("\"secret\"", "\"permits\":1000", "\"window\":\"PT1M\"", "Kinds.inline");
        assertThat(get("/actuator/ratelimits/nobody").status()).isEqualTo(404);
        assertThat(get("/forgotten").status()).isEqualTo(200);
        assertThat(get("/forgotten").status()).isEqualTo(429);
        assertThat(send("DELETE", "/actuator/ratelimits/forgotten?client=address:192.0.2.1")
                        .status())
                .isEqualTo(204);
        assertThat(get("/forgotten").status()).isEqualTo(429);
        assertThat(send("DELETE", "/actuator/ratelimits/forgotten?client=address:127.0.0.1")
                        .status())
                .isEqualTo(204);
        assertThat(get("/forgotten").status()).isEqualTo(200);
        assertThat(send("DELETE", "/actuator/ratelimits/nobody").status()).isEqualTo(404);
    }

    @Test
    void endpointTakesAFieldWithCommasForOneField() throws Exception {
        String agent = "User-Agent: Mozilla/5.0 (KHTML, like Gecko)";
        assertThat(get("/by-agent", agent).status()).isEqualTo(200);
        assertThat(get("/by-agent", agent).status()).isEqualTo(429);
        String described = "client=header:User-Agent:Mozilla/5.0%20(KHTML,%20like%20Gecko)";
        assertThat(send("DELETE", "/actuator/ratelimits/agent?" + described).status())
                .isEqualTo(204);
        assertThat(get("/by-agent", agent).status()).isEqualTo(200);
        assertThat(send("DELETE", "/actuator/ratelimits/agent?client=header:Accept:a,b&" + described)
                        .status())
                .isEqualTo(204);
        assertThat(get("/by-agent", agent).status()).isEqualTo(200);
    }

    @Test
    void proxyIsBelievedAsConfiguredWhateverTheContainerAndTheFrameworkDo() throws Exception {
        for (String strategy : List.of("native", "framework", "none")) {
            try (RunningApplication behindProxy = RunningApplication.of(Application.class, Secret.class)
                    .servingOnly()
                    .limiter("secret", 1)
                    .property("server.forward-headers-strategy", strategy)
                    .property("ratelimit.http.trusted-proxies", "127.0.0.1")
                    .start()) {
                URI base = behindProxy.base();
                assertThat(status(base, "198.51.100.1")).as(strategy).isEqualTo(200);
                assertThat(status(base, "198.51.100.2")).as(strategy).isEqualTo(200);
                assertThat(status(base, "203.0.113.9, 198.51.100.1"))
                        .as(strategy)
                        .isEqualTo(429);
            }
        }
    }

    private static int status(URI base, String forwardedFor) throws Exception {
        return RawHttp.get(base, "/secret/pot", "X-Forwarded-For: " + forwardedFor)
                .status();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @RateLimit("many")
    @Retention(RetentionPolicy.RUNTIME)
    @interface Many {}

    @RestController
    static class Kinds {

        @GetMapping("/deferred")
        @Many
        DeferredResult<String> deferred() {
            DeferredResult<String> result = new DeferredResult<>();
            new Thread(() -> result.setResult("deferred")).start();
            return result;
        }

        @GetMapping("/deferred-failed")
        @Many
        DeferredResult<String> deferredFailed() {
            DeferredResult<String> result = new DeferredResult<>();
            new Thread(() -> result.setErrorResult(new IllegalStateException("late"))).start();
            return result;
        }

        @GetMapping("/called")
        @Many
        Callable<String> called() {
            return () -> "called";
        }

        @GetMapping("/streamed")
        @Many
        StreamingResponseBody streamed() {
            return stream -> stream.write("streamed".getBytes(StandardCharsets.UTF_8));
        }

        @GetMapping("/forwarded")
        @Many
        void forwarded(HttpServletRequest request, HttpServletResponse response) throws Exception {
            request.getRequestDispatcher("/answered").forward(request, response);
        }

        @GetMapping("/sent")
        @Many
        void sent(HttpServletResponse response) throws Exception {
            response.sendError(409);
        }

        @GetMapping("/thrown")
        @Many
        void thrown() {
            throw new IllegalStateException("thrown on purpose");
        }

        @GetMapping("/answered")
        @Many
        @RateLimit("many")
        String answered() {
            return "answered";
        }

        @GetMapping("/reset")
        @Many
        void reset(HttpServletResponse response) {
            response.reset();
        }

        @GetMapping("/meta")
        @Many
        ResponseEntity<Void> meta() {
            return ResponseEntity.noContent().build();
        }

        @GetMapping("/inline")
        @RateLimit(permits = 2, window = "1m")
        String inline() {
            return "inline";
        }

        @GetMapping("/one")
        @RateLimit("one")
        String one() {
            return "one";
        }

        @GetMapping("/forgotten")
        @RateLimit("forgotten")
        String forgotten() {
            return "forgotten";
        }

        @GetMapping("/by-agent")
        @RateLimit("agent")
        String byAgent() {
            return "by agent";
        }

        @GetMapping("/crossing")
        @RateLimit("crossing")
        @CrossOrigin(origins = "https://widgets.example")
        String crossing() {
            return "crossing";
        }

        @PostMapping(path = "/surface/typed", consumes = MediaType.APPLICATION_JSON_VALUE)
        @RateLimit("surface")
        String typed() {
            return "typed";
        }

        @PostMapping("/surface/form")
        String form() {
            return "form";
        }

        @GetMapping("/surface/counted")
        String counted(@RequestParam int number) {
            return "counted to " + number;
        }

        @GetMapping("/surface/unauthorized")
        @RateLimit("surface")
        ResponseEntity<Void> unauthorized() {
            return ResponseEntity.status(HttpStatus.UNAUTHORIZED).build();
        }
    }

    @RestController
    static class Secret {

        @GetMapping("/secret/pot")
        @RateLimit("secret")
        String pot() {
            return "the pot";
        }
    }
}
