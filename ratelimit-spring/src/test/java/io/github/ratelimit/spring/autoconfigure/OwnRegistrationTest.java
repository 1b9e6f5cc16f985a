package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.contract.RawHttp.Answer;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.servlet.RateLimitFilter;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A registration of the application's own stands in the place of the library's. */
class OwnRegistrationTest {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @RestController
    static class Pages {

        @GetMapping({"/theirs", "/ours", "/late"})
        String page() {
            return "page";
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfAnotherFilter {

        @Bean
        FilterRegistrationBean<RateLimitFilter> limits(HttpRateLimiter limiter) {
            return new FilterRegistrationBean<>(
                    RateLimitFilter.builder(limiter).limit("/theirs", "site").build());
        }
    }

    /** As one registers it elsewhere: at another place, or for some paths. */
    @Configuration(proxyBeanMethods = false)
    static class OfOurFilter {

        @Bean
        FilterRegistrationBean<RateLimitFilter> limits(RateLimitFilter filter) {
            FilterRegistrationBean<RateLimitFilter> registration = new FilterRegistrationBean<>(filter);
            registration.addUrlPatterns("/theirs");
            return registration;
        }
    }

    private static RunningApplication start(Class<?> own) {
        return RunningApplication.of(Application.class, Pages.class, own)
                .limiter("site", 5)
                .property("ratelimit.limiters.site.paths", "/theirs,/ours")
                .limiter("late", 5)
                .property("ratelimit.limiters.late.paths", "/late")
                .property("ratelimit.limiters.late.phase", "after-authentication")
                .start();
    }

    private static void assertLimited(RunningApplication application, Map<String, Boolean> paths) {
        paths.forEach((path, isLimited) -> {
            Answer answer = get(application, path);
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.values("X-RateLimit-Limit")).as(path).hasSize(isLimited ? 1 : 0);
        });
    }

    private static Answer get(RunningApplication application, String path) {
        try {
            return RawHttp.get(application.base(), path);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void registrationOfAnotherFilterReplacesBothPhases() {
        try (RunningApplication application = start(OfAnotherFilter.class)) {
            assertLimited(application, Map.of("/theirs", true, "/ours", false, "/late", false));
        }
    }

    @Test
    void registrationOfOurFilterReplacesOursAndKeepsTheSecondPhase() {
        try (RunningApplication application = start(OfOurFilter.class)) {
            assertLimited(application, Map.of("/theirs", true, "/ours", false, "/late", true));
        }
    }
}
