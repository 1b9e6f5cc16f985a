package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.contract.RawHttp.Answer;
import io.github.ratelimit.http.adapter.ExcludedPaths;
import io.github.ratelimit.http.adapter.PathPattern;
import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.internal.properties.HealthProbes;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Paths that are never limited, and the spellings by which somebody could pass for one of them. */
class ExcludedPathsTest {

    /** Each is served by some reading of it that is not {@code /open/door}. */
    private static final List<String> DISGUISES = List.of(
            "/secret/pot/..;/../open/door",
            "/secret/pot/../../open/door",
            "/secret/..;/..;/open/door",
            "/secret/%2e%2e/%2e%2e/open/door",
            "/secret/..%2f..%2fopen/door",
            "/secret//../../open/door",
            "/secret/pot;/open/door",
            "/secret/pot;/../../open/door",
            "/open/door/..;/..;/secret/pot",
            "/open/door/../../secret/pot",
            "/open/door/%2e%2e/%2e%2e/secret/pot",
            "/open/door%2f..%2f..%2fsecret/pot",
            "//secret/pot",
            "/secret//pot",
            "//open/door/../../secret/pot",
            "/secret/pot#/open/door",
            "/secret/pot?/open/door",
            "/secret/pot%3f/open/door",
            "/secret/pot%23/open/door");

    private static RunningApplication.Builder everything(int permits) {
        return RunningApplication.of(Application.class, Doors.class)
                .limiter("everything", permits)
                .limiter("door", 1000)
                .property("ratelimit.limiters.everything.paths", "/**");
    }

    private static RunningApplication.Builder withHealth() {
        return everything(3).property("management.health.redis.enabled", "false"); // there is none
    }

    @Test
    void healthProbesAreNotLimitedUnlessItIsSaid() throws Exception {
        try (RunningApplication application = withHealth()
                .property("management.endpoint.health.probes.enabled", "true")
                .property("management.endpoint.health.probes.add-additional-paths", "true")
                .start()) {
            for (int i = 0; i < 5; i++) {
                for (String path : List.of(
                        "/actuator/health",
                        "/actuator/health/liveness",
                        "/actuator/health/readiness",
                        "/livez",
                        "/readyz")) {
                    Answer answer = RawHttp.get(application.base(), path);
                    assertThat(answer.status()).as(path).isEqualTo(200);
                    assertThat(answer.values("X-RateLimit-Limit")).as(path).isEmpty();
                }
            }
            assertThat(RawHttp.get(application.base(), "/actuator").values("X-RateLimit-Remaining"))
                    .containsExactly("2");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void healthGroupsOfTheApplicationAreNotLimitedEither(boolean reactive) throws Exception {
        RunningApplication.Builder builder = withHealth()
                .property("management.endpoint.health.group.startup.include", "ping")
                .property("management.endpoint.health.group.startup.additional-path", "server:/healthz");
        try (RunningApplication application = (reactive ? builder.reactive() : builder).start()) {
            for (int i = 0; i < 5; i++) {
                for (String path : List.of("/actuator/health/startup", "/healthz", "/healthz/ping")) {
                    Answer answer = RawHttp.get(application.base(), path);
                    assertThat(answer.status()).as(path).isIn(200, 404); // components are shown to some only
                    assertThat(answer.values("X-RateLimit-Limit")).as(path).isEmpty();
                }
            }
            assertThat(RawHttp.get(application.base(), "/livez").values("X-RateLimit-Remaining"))
                    .as("nobody has registered it")
                    .containsExactly("2");
        }
    }

    @Test
    void listOfOnesOwnStandsInsteadOfTheProbes() throws Exception {
        try (RunningApplication application =
                withHealth().property("ratelimit.http.exclude", "").start()) {
            for (int status : new int[] {200, 200, 200, 429}) {
                assertThat(RawHttp.get(application.base(), "/actuator/health").status())
                        .isEqualTo(status);
            }
        }
    }

    @Test
    void excludedPathIsLimitedByNeitherPathNorAnnotation() throws Exception {
        try (RunningApplication application = everything(2)
                .servingOnly()
                .limiter("door", 1)
                .property("ratelimit.http.exclude", "/open/*")
                .start()) {
            for (int i = 0; i < 4; i++) {
                Answer answer = RawHttp.get(application.base(), "/open/door");
                assertThat(answer.body()).contains("the door");
                assertThat(answer.values("X-RateLimit-Limit")).isEmpty();
            }
            assertThat(RawHttp.get(application.base(), "/open/%64oor;a=b").body())
                    .as("an escape and a parameter that every server reads alike")
                    .contains("the door");
            assertThat(RawHttp.get(application.base(), "/open").values("X-RateLimit-Remaining"))
                    .containsExactly("1");
        }
    }

    @Test
    void pathIsExcludedFromOneRuleAndNotFromAnother() throws Exception {
        try (RunningApplication application = everything(50)
                .servingOnly()
                .limiter("door", 100)
                .property("ratelimit.limiters.everything.exclude", "/open/door,/secret/*")
                .property("ratelimit.limiters.door.paths", "/secret/**")
                .start()) {
            assertThat(RawHttp.get(application.base(), "/secret/pot").values("X-RateLimit-Limit"))
                    .containsExactly("100");
            assertThat(RawHttp.get(application.base(), "/open/door").values("X-RateLimit-Limit"))
                    .as("the annotation still holds")
                    .containsExactly("100");
            assertThat(RawHttp.get(application.base(), "/other").values("X-RateLimit-Limit"))
                    .containsExactly("50");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void noSpellingPassesForAnExcludedPath(boolean rejectAmbiguous) throws Exception {
        try (RunningApplication application = everything(1)
                .servingOnly()
                .limiter("door", 1)
                .property("ratelimit.http.exclude", "/open/door")
                .property("ratelimit.http.reject-ambiguous-paths", rejectAmbiguous)
                .start()) {
            requireNoDisguise(application.base());
        }
        try (RunningApplication application = everything(1)
                .servingOnly()
                .property("ratelimit.limiters.everything.exclude", "/open/door")
                .property("ratelimit.http.reject-ambiguous-paths", rejectAmbiguous)
                .start()) {
            requireNoDisguise(application.base());
        }
    }

    @Test
    void noSpellingPassesForAnExcludedPathWhereAnnotationsAloneLimit() throws Exception {
        try (RunningApplication application = RunningApplication.of(Application.class, Doors.class)
                .servingOnly()
                .limiter("door", 1)
                .property("ratelimit.http.exclude", "/open/door")
                .start()) {
            requireNoDisguise(application.base());
        }
    }

    private static void requireNoDisguise(URI base) throws Exception {
        assertThat(RawHttp.get(base, "/secret/pot").body()).contains("the pot");
        for (String disguise : DISGUISES) {
            assertThat(RawHttp.get(base, disguise).body()).as(disguise).doesNotContain("the pot");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = " -> ",
            value = {
                "ratelimit.http.exclude[1] -> path pattern '/open/{door}': it has no variables; use * for one segment",
                "ratelimit.limiters.everything.exclude[1] -> path pattern 'open': it must begin with a slash",
            })
    void malformedPatternStopsTheStart(String property, String message) {
        new WebApplicationContextRunner()
                .withConfiguration(Ours.autoConfigurations())
                .withPropertyValues(
                        "ratelimit.limiters.everything.permits=1",
                        "ratelimit.limiters.everything.window=1h",
                        "ratelimit.limiters.everything.paths=/**",
                        property.replace("[1]", "[0]=/open"),
                        property + "=" + message.split("'")[1])
                .run(context ->
                        assertThat(context).getFailure().rootCause().hasMessageStartingWith(property + ": " + message));
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = " -> ",
            value = {
                "any=any -> /actuator/health/**",
                "management.endpoints.web.base-path=/manage/ -> /manage/health/**",
                "management.endpoints.web.base-path=/ -> /health/**",
                "management.endpoints.web.path-mapping.health=up -> /actuator/up/**",
                "spring.mvc.servlet.path=/api -> /api/actuator/health/**",
                "management.server.port=8080 -> /actuator/health/**",
                "management.server.port=9090 -> ''",
                "management.server.port=-1 -> ''",
                "management.server.port=0 -> ''",
                "management.endpoints.web.base-path=/{a} -> ''",
            })
    void probesAreFoundWhereActuatorPutsThem(String property, String paths) {
        String[] parts = property.split("=", 2);
        GenericApplicationContext context = new GenericApplicationContext();
        context.getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource("given", Map.of(parts[0], parts[1])));
        context.refresh();
        ExcludedPaths found = HealthProbes.paths(context, context.getEnvironment());
        assertThat(found.patterns().stream().map(PathPattern::toString))
                .containsExactlyElementsOf(paths.isEmpty() ? List.of() : List.of(paths.split(" ")));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @RestController
    static class Doors {

        @GetMapping("/open/door")
        @RateLimit("door")
        String door() {
            return "the door";
        }

        @GetMapping("/secret/**")
        @RateLimit("door")
        String pot() {
            return "the pot";
        }
    }
}
