package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Limiters;
import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.http.client.OutgoingLimit;
import io.github.ratelimit.servlet.RateLimitFilter;
import io.github.ratelimit.spring.NoRateLimit;
import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.internal.diagnostics.Diagnostics;
import io.github.ratelimit.spring.internal.diagnostics.StartReport;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** What an application says at start of what is limited, and of what looks limited and is not. */
@ExtendWith(OutputCaptureExtension.class)
class WhatIsLimitedTest {

    private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
            .withConfiguration(Ours.autoConfigurations())
            .withUserConfiguration(DiagnosticsTest.Mvc.class)
            .withPropertyValues("ratelimit.limiters.search.permits=10", "ratelimit.limiters.search.window=1h");

    private WebApplicationContextRunner withPaths(String patterns) {
        return runner.withUserConfiguration(Shop.class)
                .withPropertyValues("ratelimit.limiters.paths.permits=5", "ratelimit.limiters.paths.window=1h")
                .withPropertyValues("ratelimit.limiters.paths.paths=" + patterns);
    }

    /** What is logged at start. */
    private static String said(WebApplicationContextRunner application) {
        try (Heard table = Heard.of(StartReport.class);
                Heard warnings = Heard.of(Diagnostics.class)) {
            application.run(context -> assertThat(context).hasNotFailed());
            return String.join("\n", table.lines()) + "\n" + String.join("\n", warnings.lines());
        }
    }

    @Test
    void tableAtStartAndEndpointSayWhatIsLimitedByWhat(CapturedOutput output) throws Exception {
        try (RunningApplication application = RunningApplication.of(Application.class, Shop.class)
                .limiter("search", 10)
                .limiter("paths", 5)
                .property("ratelimit.limiters.paths.paths", "POST /shop/**, DELETE /shop/**")
                .property("ratelimit.limiters.paths.exclude", "/shop/open")
                .property("ratelimit.limiters.paths.shadow", "true")
                .property("ratelimit.limiters.paths.key", "principal,header:X-Tenant")
                .property("ratelimit.http.exclude", "/probe")
                .property("logging.level.io.github.ratelimit", "info")
                .property("management.endpoints.web.exposure.include", "ratelimits")
                .start()) {
            List<String> lines = output.getAll()
                    .lines()
                    .map(line -> line.replaceFirst("^.*StartReport +: ", ""))
                    .toList();
            assertThat(lines)
                    .containsSequence(
                            "What is limited:",
                            "  paths after-authentication, shadow",
                            "    paths: 5 in 1h by principal + header:X-Tenant",
                            "    at POST /shop/** except /shop/open; DELETE /shop/** except /shop/open",
                            "  search after-authentication",
                            "    search: 10 in 1h by client-address",
                            "    at GET /search Shop.search",
                            "  never: /probe");
            assertThat(lines).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(140));
            assertThat(output).doesNotContain("matches nothing");

            String body =
                    RawHttp.get(application.base(), "/actuator/ratelimits").body();
            assertThat(body)
                    .contains("\"excluded\":[\"/probe\"]")
                    .contains("\"key\":[\"principal\",\"header:X-Tenant\"]")
                    .contains("\"shadow\":true")
                    .contains("{\"methods\":[\"DELETE\"],\"paths\":[\"/shop/**\"],\"except\":[\"/shop/open\"],"
                            + "\"limiter\":\"paths\",\"phase\":\"after-authentication\"}")
                    .contains("{\"methods\":[\"GET\"],\"paths\":[\"/search\"],\"except\":[],"
                            + "\"handler\":\"Shop.search\",\"limiter\":\"search\",\"phase\":\"after-authentication\"}");
            assertThat(RawHttp.send(application.base(), "DELETE /actuator/ratelimits/search HTTP/1.1")
                            .status())
                    .as("resetting is off unless it is switched on")
                    .isEqualTo(405);
        }
    }

    @RestController
    static class Free {

        @NoRateLimit
        @GetMapping("/free")
        String free() {
            return "free";
        }
    }

    @RestController
    @RateLimit("search")
    static class Exempt {

        @NoRateLimit
        @GetMapping("/free")
        String free() {
            return "free";
        }
    }

    @Test
    void exemptionFromNothingBelowAPathIsWarnedOf() {
        String warning =
                "RL-005: @NoRateLimit on Free.free does not exempt it from limiter 'paths', which limits its path: add /free to ratelimit.limiters.paths.exclude";
        assertThat(said(withPaths("/**").withUserConfiguration(Free.class))).contains(warning);
        assertThat(said(withPaths("/**, POST /free")
                        .withUserConfiguration(Free.class)
                        .withPropertyValues("ratelimit.limiters.paths.exclude=/free")))
                .doesNotContain("@NoRateLimit");
        assertThat(said(withPaths("/shop/**, POST /free").withUserConfiguration(Free.class)))
                .doesNotContain("@NoRateLimit");
        assertThat(said(withPaths("/**").withUserConfiguration(Exempt.class))).doesNotContain("@NoRateLimit");
    }

    @Configuration(proxyBeanMethods = false)
    static class Outgoing {

        @Bean
        OutgoingLimit github(Limiters<HttpCall> limiters) {
            return OutgoingLimit.builder(limiters.get("search")).build();
        }
    }

    @Test
    void countOfAnOutgoingLimitIsWarnedOf() {
        WebApplicationContextRunner calls = runner.withUserConfiguration(Outgoing.class);
        assertThat(said(calls.withPropertyValues("ratelimit.limiters.search.count=failures")))
                .contains(
                        "RL-005: count of limiter 'search' (failures) has no effect on outgoing calls: each of them counts; remove count, or refund the decision of a call that should not count");
        assertThat(said(calls)).doesNotContain("RL-005");
    }

    @Test
    void nothingLimitedIsSaid() {
        assertThat(said(runner)).contains("No path and no controller is limited");
    }

    @Test
    void patternBelowTheContextPathIsWarnedOf() {
        String said = said(
                withPaths("/context/shop/**, /context").withPropertyValues("server.servlet.context-path=/context"));
        for (String pattern : List.of("/context/shop/**", "/context")) {
            assertThat(said)
                    .contains("'%s' matches nothing: it begins with server.servlet.context-path".formatted(pattern))
                    .contains("any " + pattern + " (no controller)");
        }
    }

    @Test
    void patternThatNoControllerServesIsMarked() {
        assertThat(said(withPaths("/shopp/**, /shop/1/x, /sea*, /SHOP/1, /shop/*, /**")))
                .contains("any /shopp/** (no controller)", "any /shop/1/x (no controller)")
                .doesNotContain("/sea* (no", "/SHOP/1 (no", "/shop/* (no", "any /** (no")
                .doesNotContain("matches nothing");
    }

    @Test
    void rulesThatAFilterOfOnesOwnReplacesAreWarnedOf() {
        assertThat(said(withPaths("/shop/**").withUserConfiguration(OwnRateLimitFilter.class)))
                .contains(
                        "ratelimit.limiters.*.paths has no effect: the application has a RateLimitFilter bean of its own")
                .doesNotContain("any /shop/**");
    }

    @Test
    void helpersOfControllersAreWarnedOf() {
        try (Heard warnings = Heard.of(Diagnostics.class)) {
            runner.withUserConfiguration(Shop.class, WithHelpers.class)
                    .run(context -> assertThat(context).hasNotFailed());
            assertThat(String.join("\n", warnings.lines()))
                    .contains("@RateLimit on WithHelpers.hidden has no effect: no HTTP request is mapped there")
                    .contains("@RateLimit on WithHelpers.fixed has no effect: no HTTP request is mapped there")
                    .doesNotContain("WithHelpers.mapped", "Shop.search", "inherited");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @RestController
    static class Shop {

        @GetMapping("/search")
        @RateLimit("search")
        String search() {
            return "found";
        }

        @PostMapping("/shop/{item}")
        String buy(@PathVariable String item) {
            return item;
        }
    }

    abstract static class Base<T> {

        @RateLimit("search")
        abstract String inherited(T id);
    }

    @RestController
    static class WithHelpers extends Base<Long> {

        @GetMapping("/inherited/{id}")
        @Override
        String inherited(@PathVariable Long id) {
            return "inherited";
        }

        @GetMapping("/mapped")
        @RateLimit("search")
        String mapped() {
            return hidden() + fixed();
        }

        @RateLimit("search")
        private String hidden() {
            return "hidden";
        }

        @RateLimit("search")
        final String fixed() {
            return "fixed";
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnRateLimitFilter {

        @Bean
        RateLimitFilter ownRateLimitFilter(HttpRateLimiter limiter) {
            return RateLimitFilter.builder(limiter).limit("/own", "paths").build();
        }
    }
}
