package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.servlet.RateLimitFilter;
import io.github.ratelimit.spring.RateLimit;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
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

    private static RunningApplication.Builder application(Class<?>... more) {
        Class<?>[] sources = new Class<?>[more.length + 2];
        sources[0] = Application.class;
        sources[1] = Shop.class;
        System.arraycopy(more, 0, sources, 2, more.length);
        return RunningApplication.of(sources)
                .limiter("search", 10)
                .property("logging.level.io.github.ratelimit", "info");
    }

    private static RunningApplication.Builder withPath(String pattern, Class<?>... more) {
        return application(more).limiter("paths", 5).property("ratelimit.limiters.paths.paths", pattern);
    }

    private static RunningApplication.Builder shop() {
        return withPath("POST /shop/**, DELETE /shop/**")
                .property("ratelimit.limiters.paths.exclude", "/shop/open")
                .property("ratelimit.limiters.paths.shadow", "true")
                .property("ratelimit.limiters.paths.key", "principal,header:X-Tenant")
                .property("ratelimit.http.exclude", "/probe");
    }

    @Test
    void tableAtStartSaysWhatIsLimitedByWhat(CapturedOutput output) {
        shop().start().close();
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
    }

    @Test
    void endpointShowsTheSame() throws Exception {
        try (RunningApplication application = shop().property("management.endpoints.web.exposure.include", "ratelimits")
                .start()) {
            String body =
                    RawHttp.get(application.base(), "/actuator/ratelimits").body();
            assertThat(body)
                    .contains("\"excluded\":[\"/probe\"]")
                    .contains("\"key\":[\"principal\",\"header:X-Tenant\"]")
                    .contains("\"shadow\":true")
                    .contains("{\"methods\":[\"DELETE\"],\"paths\":[\"/shop/**\"],\"except\":[\"/shop/open\"],"
                            + "\"handler\":null,\"limiter\":\"paths\",\"phase\":\"after-authentication\"}")
                    .contains("{\"methods\":[\"GET\"],\"paths\":[\"/search\"],\"except\":[],"
                            + "\"handler\":\"Shop.search\",\"limiter\":\"search\",\"phase\":\"after-authentication\"}");
        }
    }

    @Test
    void nothingLimitedIsSaid(CapturedOutput output) {
        RunningApplication.of(Application.class)
                .property("logging.level.io.github.ratelimit", "info")
                .start()
                .close();
        assertThat(output).contains("No path and no controller is limited");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/context/shop/**", "/context"})
    void patternBelowTheContextPathIsWarnedOf(String pattern, CapturedOutput output) {
        withPath(pattern)
                .property("server.servlet.context-path", "/context")
                .start()
                .close();
        assertThat(output)
                .contains("'%s' matches nothing: it begins with server.servlet.context-path".formatted(pattern))
                .contains("any " + pattern + " (no controller)");
    }

    @Test
    void patternThatNoControllerServesIsMarked(CapturedOutput output) {
        withPath("/shopp/**, /shop/1/x, /sea*, /SHOP/1, /shop/*, /**").start().close();
        assertThat(output)
                .contains("any /shopp/** (no controller)", "any /shop/1/x (no controller)")
                .doesNotContain("/sea* (no", "/SHOP/1 (no", "/shop/* (no", "any /** (no")
                .doesNotContain("matches nothing");
    }

    @Test
    void rulesThatAFilterOfOnesOwnReplacesAreWarnedOf(CapturedOutput output) {
        withPath("/shop/**", OwnRateLimitFilter.class).start().close();
        assertThat(output)
                .contains(
                        "ratelimit.limiters.*.paths has no effect: the application has a RateLimitFilter bean of its own")
                .doesNotContain("any /shop/**");
    }

    @Test
    void helpersOfControllersAreWarnedOf(CapturedOutput output) {
        RunningApplication.of(Application.class, Shop.class, WithHelpers.class)
                .limiter("search", 10)
                .property("logging.level.io.github.ratelimit", "warn")
                .start()
                .close();
        assertThat(output)
                .contains("@RateLimit on WithHelpers.hidden has no effect: no HTTP request is mapped there")
                .contains("@RateLimit on WithHelpers.fixed has no effect: no HTTP request is mapped there")
                .doesNotContain("WithHelpers.mapped", "Shop.search", "inherited");
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
