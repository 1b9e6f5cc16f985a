package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.Limit;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.internal.diagnostics.Diagnostics;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurationSupport;

/** What whoever starts an application, or writes its configuration, gets to see. */
@ExtendWith(OutputCaptureExtension.class)
class StartTest {

    private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
            .withConfiguration(Ours.autoConfigurations())
            .withUserConfiguration(DiagnosticsTest.Mvc.class);

    @Test
    void failedStartSaysWhatIsWrongAndWhatToDo(CapturedOutput output) {
        assertThatThrownBy(() -> RunningApplication.of(Application.class, Comments.class)
                        .servingOnly()
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

    @ParameterizedTest
    @CsvSource({
        "ratelimit.limiters.comments.window, 1 minute",
        "ratelimit.redis.timeout, soon",
        "ratelimit.redis.start-timeout, 1 s",
    })
    void durationThatIsNotUnderstoodIsToldWithItsNameAndValue(String property, String value, CapturedOutput output) {
        assertThatThrownBy(() -> RunningApplication.of(Application.class)
                        .servingOnly()
                        .limiter("comments", 10)
                        .property(property, value)
                        .property("logging.level.root", "error")
                        .start()
                        .close())
                .isNotNull();
        assertThat(output)
                .contains(property, "'" + value + "' is not a valid duration", "Origin: ")
                .doesNotContain("\tat ");
    }

    @RestController
    static class Configured {
        @GetMapping("/configured")
        @RateLimit(permits = 7, window = "${my.window}")
        String configured() {
            return "configured";
        }

        @GetMapping("/by-default")
        @RateLimit(permitsString = "${my.permits:8}", window = "${no.window:PT2H}")
        String byDefault() {
            return "by default";
        }
    }

    @Test
    void permitsAndWindowOfAnAnnotationMayBeProperties() {
        WebApplicationContextRunner configured = runner.withUserConfiguration(Configured.class);
        configured.withPropertyValues("my.window=90m").run(context -> {
            Limiters<HttpCall> limiters = context.getBean(HttpRateLimiter.class).limiters();
            assertThat(limit(limiters, "Configured.configured"))
                    .isEqualTo(Limit.of("Configured.configured", 7, Duration.ofMinutes(90)));
            assertThat(limit(limiters, "Configured.byDefault"))
                    .isEqualTo(Limit.of("Configured.byDefault", 8, Duration.ofHours(2)));
        });
        configured.withPropertyValues("my.window=90", "my.permits=9").run(context -> {
            Limiters<HttpCall> limiters = context.getBean(HttpRateLimiter.class).limiters();
            assertThat(limit(limiters, "Configured.configured").window())
                    .as("seconds, as in properties")
                    .isEqualTo(Duration.ofSeconds(90));
            assertThat(limit(limiters, "Configured.byDefault").permits()).isEqualTo(9);
        });
        configured
                .withPropertyValues("my.window=90m", "ratelimit.enabled=false")
                .run(context -> assertThat(context.getBean(HttpRateLimiter.class)
                                .limiters()
                                .names())
                        .contains("Configured.configured", "Configured.byDefault"));
    }

    private static Limit limit(Limiters<HttpCall> limiters, String name) {
        return limiters.spec(name).rules().get(0).limits().get(0);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "my.other, 1m, window '${my.window}' has a placeholder without a value",
                "my.window, 1 minute, `window '1 minute' is not a duration, which is the value of '${my.window}'`",
            })
    void propertyThatIsNoWindowStopsTheStart(String property, String value, String message) {
        runner.withUserConfiguration(Configured.class)
                .withPropertyValues(property + "=" + value)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessage("@RateLimit(permits = 7, window = \"${my.window}\") on Configured.configured: "
                                + message));
    }

    @RestController
    static class Rejecting {
        @GetMapping("/rejecting")
        @RateLimit("burst")
        @RateLimit("hour")
        String rejecting() {
            return "rejecting";
        }
    }

    @Test
    void rejectionIsOneLineAtDebugWithoutTheKey(CapturedOutput output) throws Exception {
        try (RunningApplication application = RunningApplication.of(Application.class, Rejecting.class)
                .servingOnly()
                .limiter("burst", 1)
                .limiter("hour", 1)
                .property("ratelimit.limiters.hour.window", "2h")
                .property("ratelimit.limiters.burst.key", "user-agent")
                .property("logging.level.io.github.ratelimit", "debug")
                .start()) {
            RawHttp.get(application.base(), "/rejecting", "User-Agent: secret-agent");
            assertThat(output).doesNotContain("rejected: ");
            RawHttp.get(application.base(), "/rejecting", "User-Agent: secret-agent");
        }
        assertThat(output.getAll().lines().filter(line -> line.contains("rejected: ")))
                .singleElement()
                .asString()
                .contains("limiter 'burst', rule 'burst': 1 in 1h, again in ", "limiter 'hour', rule 'hour': 1 in 2h")
                .doesNotContain("secret-agent");
    }

    @Test
    void lateBeansAreNoReasonToStart() {
        assertThatThrownBy(() -> RunningApplication.of(Application.class, Comments.class)
                        .servingOnly()
                        .property("spring.main.lazy-initialization", "true")
                        .start()
                        .close())
                .hasRootCauseMessage(
                        "@RateLimit(\"coments\") on Comments.list: no such limiter: nothing at all stands below ratelimit.limiters");
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
    void annotationsThatNobodyAsksAreWarnedOf() {
        try (Heard warnings = Heard.of(Diagnostics.class)) {
            runner.withUserConfiguration(Limited.class)
                    .run(context -> assertThat(context).hasNotFailed());
            assertThat(warnings.lines()).isEmpty();
            new WebApplicationContextRunner()
                    .withConfiguration(Ours.autoConfigurations())
                    .withUserConfiguration(ByHand.class, Limited.class)
                    .run(context -> assertThat(context).hasNotFailed());
            assertThat(warnings.lines())
                    .singleElement()
                    .asString()
                    .contains("@RateLimit on Limited.limited has no effect, nor has any other");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @RestController
    static class Comments {

        @GetMapping("/comments")
        @RateLimit("coments")
        String list() {
            return "comments";
        }
    }
}
