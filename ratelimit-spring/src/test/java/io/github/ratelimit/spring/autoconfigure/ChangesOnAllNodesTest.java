package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.contract.RawHttp.Answer;
import io.github.ratelimit.control.OperatorChanges;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.spring.RateLimit;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Two nodes on one store: what an operator changes on one holds on the other, and after a restart. */
@ExtendWith(OutputCaptureExtension.class)
class ChangesOnAllNodesTest {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @RestController
    static class Pages {

        @GetMapping("/page")
        @RateLimit("page")
        String page() {
            return "page";
        }
    }

    private static RunningApplication.Builder node() {
        return RunningApplication.of(Application.class, Pages.class)
                .limiter("page", 5)
                .property("ratelimit.redis.timeout", "10s") // a busy machine is slow to start with
                .property("ratelimit.postgresql.timeout", "10s")
                .property("ratelimit.postgresql.create-schema", "true")
                .property("ratelimit.postgresql.start-timeout", "60s")
                .property("management.endpoints.web.exposure.include", "ratelimits")
                .property("management.endpoint.ratelimits.access", "unrestricted");
    }

    private static RunningApplication.Builder onRedis(String uri) {
        return node().property("ratelimit.store", "redis").property("ratelimit.redis.uri", uri);
    }

    private static RunningApplication.Builder onPostgres(EmbeddedPostgres server) {
        return node().property("ratelimit.store", "postgresql").bean(DataSource.class, server.getPostgresDatabase());
    }

    private static Answer page(RunningApplication node) throws IOException {
        return RawHttp.get(node.base(), "/page");
    }

    private static String remaining(RunningApplication node) throws IOException {
        Answer answer = page(node);
        assertThat(answer.status()).isEqualTo(200);
        return answer.values("X-RateLimit-Remaining").get(0);
    }

    private static HttpResponse<String> operator(RunningApplication node, String method, String path, String json)
            throws Exception {
        URI target = node.base().resolve("/actuator/ratelimits/page" + path);
        HttpRequest.Builder request = HttpRequest.newBuilder(target)
                .method(
                        method,
                        json.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(json));
        if (!json.isEmpty()) {
            request.header("Content-Type", "application/json");
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** What the node does every five seconds. */
    private static void read(RunningApplication node) {
        node.context().getBean(OperatorChanges.class).refresh().join();
    }

    private static void changesHoldOnAllNodes(RunningApplication.Builder starting) throws Exception {
        try (RunningApplication one = starting.start();
                RunningApplication other = starting.start()) {
            assertThat(remaining(other)).isEqualTo("4");
            HttpResponse<String> changed = operator(one, "POST", "", "{\"permits\":10}");
            assertThat(changed.body()).startsWith("{\"holds\":\"on all nodes within 5 seconds, also after restarts\"");
            assertThat(remaining(one)).as("at once, and counts stay").isEqualTo("8");
            read(other);
            assertThat(remaining(other)).isEqualTo("7");
            assertThat(operator(other, "GET", "", "").body())
                    .containsPattern(
                            "\"changes\":\\{\"permits/page\":\\{\"value\":\"10\",\"since\":\"2[^\"]*Z\",\"by\":\"anonymous\"}}");

            String client = "{\"client\":\"address:127.0.0.1\",\"duration\":\"1h\"}";
            HttpResponse<String> blocked = operator(one, "POST", "/block", client);
            assertThat(blocked.statusCode()).as(blocked.body()).isEqualTo(200);
            assertThat(blocked.body()).contains("\"block/").doesNotContain("127.0.0.1");
            assertThat(page(one).status()).isEqualTo(429);
            read(other);
            assertThat(page(other).status()).isEqualTo(429);
            assertThat(Integer.parseInt(page(other).values("Retry-After").get(0)))
                    .isBetween(1, 3600);
            assertThat(operator(other, "DELETE", "/block?client=address:127.0.0.1", "")
                            .statusCode())
                    .isEqualTo(204);
            assertThat(remaining(other)).isEqualTo("6");

            assertThat(operator(one, "POST", "/block", client).statusCode()).isEqualTo(200);
            assertThat(operator(other, "DELETE", "?client=address:127.0.0.1", "")
                            .statusCode())
                    .isEqualTo(204);
            read(one);
            assertThat(remaining(one)).as("the other had not read the block").isEqualTo("9");
            assertThat(operator(one, "POST", "", "{\"shadow\":true}").statusCode())
                    .isEqualTo(200);
            assertThat(operator(other, "DELETE", "/changes", "").statusCode()).isEqualTo(204);
            read(one);
            assertThat(remaining(one)).as("the other had not read the shadow").isEqualTo("3");
            assertThat(operator(one, "POST", "", "{\"permits\":10}").statusCode())
                    .isEqualTo(200);
        }
        try (RunningApplication later = starting.start()) {
            assertThat(remaining(later)).isEqualTo("7");
            assertThat(operator(later, "DELETE", "/changes", "").statusCode()).isEqualTo(204);
            assertThat(page(later).values("X-RateLimit-Limit")).containsExactly("5");
            assertThat(operator(later, "GET", "", "").body()).contains("\"changes\":{}");
        }
    }

    @Test
    void changesHoldOnAllNodesOfRedis() throws Exception {
        try (RedisProcess redis = RedisProcess.start()) {
            changesHoldOnAllNodes(onRedis(redis.uri()));
        }
    }

    @Test
    void changesHoldOnAllNodesOfPostgres() throws Exception {
        try (EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofMinutes(2))
                .start()) {
            changesHoldOnAllNodes(onPostgres(server));
        }
    }

    @Test
    void tableOfALaterNodeTellsOfTheChanges(CapturedOutput output) throws Exception {
        try (RedisProcess redis = RedisProcess.start()) {
            RunningApplication.Builder starting = onRedis(redis.uri())
                    .property("logging.level.io.github.ratelimit.spring.internal.diagnostics.StartReport", "info");
            try (RunningApplication node = starting.start()) {
                assertThat(operator(node, "POST", "", "{\"permits\":7,\"shadow\":true}")
                                .statusCode())
                        .isEqualTo(200);
            }
            starting.start().close();
        }
        assertThat(output.getAll().lines().map(line -> line.replaceFirst("^.*StartReport +: ", "")))
                .containsSubsequence(
                        "  page after-authentication",
                        "    page: 5 in 1h by client-address",
                        "  page after-authentication, shadow, changed by an operator",
                        "    page: 7 in 1h by client-address");
    }

    @Test
    void changeIsRejectedWhileTheStoreIsAwayAndTheLastOnesStay() throws Exception {
        try (RedisProcess redis = RedisProcess.start();
                RunningApplication node = onRedis(redis.uri()).start()) {
            assertThat(operator(node, "POST", "", "{\"permits\":10}").statusCode())
                    .isEqualTo(200);
            redis.kill();
            HttpResponse<String> rejected = operator(node, "POST", "", "{\"permits\":20}");
            assertThat(rejected.statusCode()).as(rejected.body()).isEqualTo(503);
            assertThat(rejected.body()).contains("Redis");
            assertThat(operator(node, "GET", "", "").body()).contains("\"permits\":10");
            assertThat(page(node).values("X-RateLimit-Limit"))
                    .as("the fallback")
                    .containsExactly("10");
        }
    }
}
