package io.github.ratelimit.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.spring.RateLimit;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurationSupport;

/** What whoever starts an application, or writes its configuration, gets to see. */
@ExtendWith(OutputCaptureExtension.class)
class StartTest {

    @Test
    void failedStartSaysWhatIsWrongAndWhatToDo(CapturedOutput output) {
        assertThatThrownBy(() -> RunningApplication.of(Application.class, Comments.class)
                        .limiter("comments", 10)
                        .property("logging.level.root", "error")
                        .start()
                        .close())
                .hasRootCauseMessage("@RateLimit(\"coments\") on Comments.list: no such limiter; known: comments");
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("@RateLimit(\"coments\") on Comments.list: no such limiter; known: comments")
                .contains("correct the name, or describe the limiter under ratelimit.limiters.coments")
                .doesNotContain("\tat ");
    }

    @Test
    void lateBeansAreNoReasonToStart() {
        assertThatThrownBy(() -> RunningApplication.of(Application.class, Comments.class)
                        .property("spring.main.lazy-initialization", "true")
                        .start()
                        .close())
                .hasRootCauseMessage("@RateLimit(\"coments\") on Comments.list: no such limiter; known: none");
    }

    @Test
    void annotationWithoutEffectIsWarnedOf(CapturedOutput output) {
        RunningApplication.of(Application.class, Service.class)
                .property("logging.level.root", "warn")
                .start()
                .close();
        assertThat(output).contains("@RateLimit on Service.create has no effect: Service is no controller");
    }

    @Configuration
    static class ByHand extends WebMvcConfigurationSupport {}

    @RestController
    static class Limited {
        @GetMapping("/limited")
        @RateLimit(permits = 1, window = "1h")
        String limited() {
            return "limited";
        }
    }

    /** Spring MVC asks nobody for interceptors then. */
    @Test
    void annotationsThatNobodyAsksAreWarnedOf(CapturedOutput output) {
        RunningApplication.of(Application.class, ByHand.class, Limited.class)
                .property("logging.level.root", "warn")
                .start()
                .close();
        assertThat(output).contains("@RateLimit on Limited.limited has no effect, nor has any other");
    }

    @Test
    void annotationsThatTheInterceptorAsksAreNotWarnedOf(CapturedOutput output) {
        RunningApplication.of(Application.class, Limited.class)
                .property("logging.level.root", "warn")
                .start()
                .close();
        assertThat(output).doesNotContain("has no effect");
    }

    @Test
    void editorsKnowEveryProperty() throws IOException {
        String metadata = read("META-INF/spring-configuration-metadata.json");
        Set<String> properties = Pattern.compile("\"name\": \"ratelimit\\.([a-z0-9.-]+)\"")
                .matcher(metadata)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(properties)
                .contains("enabled", "store", "on-store-failure", "limiters")
                .contains("redis.uri", "redis.timeout", "redis.remember-refusals", "redis.key-prefix", "redis.secret")
                .contains("redis.topology", "redis.maximum-pending", "redis.maximum-known-counters")
                .contains("redis.local-share", "redis.start-timeout")
                .contains("http.trusted-proxies", "http.ipv6-prefix", "http.fields", "http.paths")
                .contains("http.refuse-ambiguous-paths", "http.filter-order", "http.interceptor-order")
                .contains("http.after-authentication-filter-order")
                .contains("in-process.maximum-counters", "in-process.when-full");
        assertThat(metadata.contains("An in-process store stands in."))
                .as("hints")
                .isTrue();
    }

    private static String read(String resource) throws IOException {
        ClassLoader loader = RateLimitAutoConfiguration.class.getClassLoader();
        StringBuilder all = new StringBuilder();
        for (URL url : Collections.list(loader.getResources(resource))) {
            try (InputStream in = url.openStream()) {
                all.append(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        return all.toString();
    }

    @Test
    void nativeImageTakesTheScriptsAlong() {
        RuntimeHints hints = new RuntimeHints();
        new RedisScriptHints().registerHints(hints, null);
        assertThat(RuntimeHintsPredicates.resource().forResource("io/github/ratelimit/redis/acquire.lua"))
                .accepts(hints);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    static class Service {

        @RateLimit("comments")
        @RateLimit("site")
        public void create() {}
    }

    @RestController
    static class Comments {

        @GetMapping("/comments")
        @RateLimit("coments")
        String list() {
            return "comments";
        }
    }
}
