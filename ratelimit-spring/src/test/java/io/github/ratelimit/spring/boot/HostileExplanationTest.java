package io.github.ratelimit.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Key;
import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.spring.RateLimit;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Whatever is asked to be explained: it is answered, takes nothing, and tells nobody what a bean knows of a key. */
@ParameterizedClass
@ValueSource(booleans = {false, true})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileExplanationTest {

    private static final String SECRET = "the account of ann";

    @Parameter
    private boolean reactive;

    private RunningApplication application;
    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeAll
    void start() {
        RunningApplication.Builder builder = RunningApplication.of(Application.class, Things.class)
                .limiter("counted", 9)
                .limiter("paths", 9)
                .property("ratelimit.http.paths[0].pattern", "/things/**")
                .property("ratelimit.http.paths[0].limiter", "paths")
                .property("management.endpoints.web.exposure.include", "ratelimits")
                .property("management.endpoint.ratelimits.access", "unrestricted");
        for (String broken : List.of("failingKey", "noKey", "brokenKey")) {
            builder.limiter(broken, 9).property("ratelimit.limiters." + broken + ".rules[0].key", broken);
        }
        for (String broken : List.of("failing", "broken")) {
            builder.limiter(broken + "Skip", 9)
                    .property("ratelimit.limiters." + broken + "Skip.rules[0].skip-if", broken + "Condition");
            builder.property("ratelimit.limiters." + broken + "Plan.rules[0].plans.free", 1)
                    .property("ratelimit.limiters." + broken + "Plan.rules[0].window", "1h")
                    .property("ratelimit.limiters." + broken + "Plan.rules[0].plan-by", broken + "Key");
        }
        application = (reactive ? builder.reactive() : builder).start();
    }

    @AfterAll
    void stop() {
        application.close();
    }

    private HttpResponse<String> explain(String json) throws Exception {
        return client.send(
                HttpRequest.newBuilder(application.base().resolve("/actuator/ratelimits"))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(json))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    static Stream<String> questions() {
        String huge = "x".repeat(200_000);
        Stream<String> paths = Stream.of(
                        "",
                        " ",
                        "*",
                        "things/1",
                        "/things/%2f",
                        "/things/%252f",
                        "/things/%25zz",
                        "/things/%zz",
                        "/things/%",
                        "/things/%c0%ae%c0%ae/",
                        "/things/%00",
                        "/things/..;/1",
                        "/things/;a=b;c/1",
                        "//things//1",
                        "/things/{id}",
                        "/things/**",
                        "/things/1?a=b",
                        "/things/1#a",
                        "http://localhost/things/1",
                        "/things/\\\\1",
                        "/things/\\u0000\\ud800",
                        "/things/" + huge,
                        "/".repeat(9_999))
                .map(path -> "{\"path\":\"" + path + "\"}");
        Stream<String> fields = Stream.of(
                        "\"method\":\"\"",
                        "\"method\":\"G\\u0000T \\r\\nX: y\"",
                        "\"method\":\"" + huge + "\"",
                        "\"method\":null",
                        "\"method\":[\"GET\",\"POST\"]",
                        "\"address\":\"nonsense\"",
                        "\"address\":\"::ffff:999.1.1.1%eth0\"",
                        "\"address\":\"" + huge + "\"",
                        "\"address\":{\"a\":1}",
                        "\"user\":\"\"",
                        "\"user\":17",
                        "\"role\":{\"a\":[1]}",
                        "\"role\":[[[]],null]",
                        "\"header\":\"" + huge + "\"",
                        "\"header\":\":\\n::\\n \"",
                        "\"header\":\"X-Forwarded-For: a, b, " + huge + "\\nForwarded: for=;;\\\"\"",
                        "\"header\":{\"a\":\"b\"}",
                        "\"attribute\":[null,1,true,{}]",
                        "\"more\":\"nobody asked\"")
                .map(field -> "{\"path\":\"/things/1\"," + field + "}");
        Stream<String> bodies =
                Stream.of("", "null", "[]", "{", "1", "{\"path\":null}", "{\"path\":[\"/\"]}", "{\"path\":{}}", "[[[[");
        Stream<String> broken = Things.BROKEN.stream().map(name -> "{\"path\":\"/" + name + "\"}");
        return Stream.of(paths, fields, bodies, broken).flatMap(all -> all);
    }

    @Test
    void everyQuestionIsAnsweredAndNoneTellsASecretOrTakesAnything() throws Exception {
        int before = remaining();
        for (String question : questions().toList()) {
            HttpResponse<String> answer = explain(question);
            assertThat(answer.statusCode())
                    .as("%.100s: %s", question, answer.body())
                    .isIn(200, 400);
            assertThat(answer.body()).as("%.100s", question).doesNotContain(SECRET);
        }
        explain("{\"path\":\"/things/1\",\"address\":\"127.0.0.1\"}");
        assertThat(remaining()).isEqualTo(before - 1);
    }

    private int remaining() throws IOException {
        return Integer.parseInt(RawHttp.get(application.base(), "/things/1")
                .values("X-RateLimit-Remaining")
                .get(0));
    }

    @Test
    void ambiguousPathIsExplainedAsItIsAnswered() throws Exception {
        for (String path : List.of("/things/%2f", "/things/%25zz", "/things/..;/1")) {
            assertThat(RawHttp.get(application.base(), path).status()).as(path).isEqualTo(400);
            assertThat(explain("{\"path\":\"" + path + "\"}").body())
                    .as(path)
                    .contains("the path can be read in more than one way", "\"allowed\":false");
        }
    }

    /** Where nobody refuses it, as no path is limited. */
    @Test
    void escapedPercentSignIsDecodedOnce() {
        assertThat(application.context().getBean(LimitedPlaces.class).met(DescribedCall.of("GET", "/things/%25zz")))
                .extracting(met -> met.place().limiter())
                .containsExactly("paths", "counted");
    }

    @Test
    void ruleThatCannotBeToldSaysSo() throws Exception {
        for (String name : Things.BROKEN) {
            assertThat(explain("{\"path\":\"/" + name + "\"}").body())
                    .contains("\"limiter\":\"" + name + "\"", "cannot be told of a request that is only described");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        KeyResolver<HttpCall> failingKey() {
            return call -> {
                throw new IllegalArgumentException("no such account: " + SECRET);
            };
        }

        /** As where an optional dependency is missing. */
        @Bean
        KeyResolver<HttpCall> brokenKey() {
            return call -> {
                throw new NoClassDefFoundError(SECRET);
            };
        }

        @Bean
        @SuppressWarnings("NullAway") // what a resolver must not do
        KeyResolver<HttpCall> noKey() {
            return call -> call.path().isEmpty() ? Key.of("") : null;
        }

        @Bean
        Predicate<HttpCall> failingCondition() {
            return call -> {
                throw new IllegalStateException("who is " + SECRET);
            };
        }

        @Bean
        Predicate<HttpCall> brokenCondition() {
            return call -> {
                throw new NoClassDefFoundError(SECRET);
            };
        }
    }

    @RestController
    static class Things {

        static final List<String> BROKEN =
                List.of("failingKey", "noKey", "brokenKey", "failingSkip", "brokenSkip", "failingPlan", "brokenPlan");

        @RequestMapping("/things/{id}")
        @RateLimit("counted")
        String thing(@PathVariable String id) {
            return id;
        }

        @RequestMapping("/failingKey")
        @RateLimit("failingKey")
        String failingKey() {
            return "";
        }

        @RequestMapping("/noKey")
        @RateLimit("noKey")
        String noKey() {
            return "";
        }

        @RequestMapping("/brokenKey")
        @RateLimit("brokenKey")
        String brokenKey() {
            return "";
        }

        @RequestMapping("/failingSkip")
        @RateLimit("failingSkip")
        String failingSkip() {
            return "";
        }

        @RequestMapping("/brokenSkip")
        @RateLimit("brokenSkip")
        String brokenSkip() {
            return "";
        }

        @RequestMapping("/failingPlan")
        @RateLimit("failingPlan")
        String failingPlan() {
            return "";
        }

        @RequestMapping("/brokenPlan")
        @RateLimit("brokenPlan")
        String brokenPlan() {
            return "";
        }
    }
}
