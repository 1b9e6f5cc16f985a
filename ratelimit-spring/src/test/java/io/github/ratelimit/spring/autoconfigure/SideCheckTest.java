package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.servlet.ServletCall;
import io.github.ratelimit.spring.RateLimit;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.filter.OncePerRequestFilter;

/** Decisions beside the request's own: of the application, and of what it includes. */
class SideCheckTest {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    /** Asks a limiter, and serves the request whatever it says. */
    static class Watcher extends OncePerRequestFilter {

        private final HttpRateLimiter limiter;

        Watcher(HttpRateLimiter limiter) {
            this.limiter = limiter;
        }

        @Override
        protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            limiter.check(List.of("aside"), ServletCall.of(request));
            chain.doFilter(request, response);
        }
    }

    @RestController
    static class Pages {

        @GetMapping("/page")
        @RateLimit("page")
        String page() {
            return "page";
        }

        @GetMapping("/whole")
        @RateLimit("whole")
        void whole(HttpServletRequest request, HttpServletResponse response) throws Exception {
            response.getOutputStream().print("whole[");
            request.getRequestDispatcher("/part").include(request, response);
            response.getOutputStream().print("]");
        }

        @GetMapping("/part")
        @RateLimit("part")
        void part(HttpServletResponse response) throws Exception {
            response.getOutputStream().print("part");
        }
    }

    private static RunningApplication started(Class<?>... sources) {
        return RunningApplication.of(sources)
                .servingOnly()
                .limiter("page", 3)
                .limiter("aside", 1)
                .limiter("whole", 3)
                .limiter("part", 1)
                .start();
    }

    private static List<Integer> statuses(RunningApplication application, String path, int requests) throws Exception {
        List<Integer> statuses = new ArrayList<>();
        for (int i = 0; i < requests; i++) {
            statuses.add(RawHttp.get(application.base(), path).status());
        }
        return statuses;
    }

    @Test
    void limiterIsAskedThoughAnotherRejectedAndNobodyWasTold() throws Exception {
        try (RunningApplication application = started(Application.class, Pages.class, Watcher.class)) {
            assertThat(statuses(application, "/page", 5)).containsExactly(200, 200, 200, 429, 429);
        }
    }

    @Test
    void includedPartIsNoRequestOfItsOwn() throws Exception {
        try (RunningApplication application = started(Application.class, Pages.class)) {
            assertThat(RawHttp.get(application.base(), "/whole").body()).contains("whole[part]");
            assertThat(statuses(application, "/whole", 4)).containsExactly(200, 200, 429, 429);
            assertThat(statuses(application, "/part", 2)).containsExactly(200, 429);
        }
    }
}
