package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Store;
import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.spring.RateLimit;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletResponse;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

/** What the second filter finds out about the method that a request is on its way to, and what it must leave alone. */
class HandlerLookUpTest {

    private final CountingStore store = new CountingStore();

    private RunningApplication.Builder application(Class<?>... more) {
        return RunningApplication.of(more)
                .servingOnly()
                .bean(Store.class, store)
                .limiter("path", 100)
                .property("ratelimit.limiters.path.phase", "after-authentication")
                .limiter("method", 100)
                .property("ratelimit.limiters.path.paths", "/**");
    }

    @Test
    void findsTheMethodBelowContextAndServletPathsWithEitherMatcher() throws Exception {
        for (String strategy : List.of("ant-path-matcher", "path-pattern-parser")) {
            try (RunningApplication running = application(Application.class, Methods.class)
                    .property("server.servlet.context-path", "/context")
                    .property("spring.mvc.servlet.path", "/servlet")
                    .property("spring.mvc.pathmatch.matching-strategy", strategy)
                    .start()) {
                assertThat(RawHttp.get(running.base(), "/context/servlet/inner;x=1")
                                .body())
                        .isEqualTo("inner");
                assertThat(store.decisions()).as(strategy).containsExactly(List.of("path", "method"));
            }
        }
    }

    /** Its context may have another method at that path. */
    @Test
    void takesNoMethodOfAnotherDispatcherServletsPath() throws Exception {
        try (RunningApplication running =
                application(Application.class, Methods.class, Second.class).start()) {
            for (int i = 0; i < 2; i++) {
                assertThat(RawHttp.get(running.base(), "/admin/inner").body()).isEqualTo("other");
                assertThat(store.decisions()).containsExactly(List.of("path"));
            }
        }
    }

    @Test
    void leavesTheBodyToTheFiltersBehind() throws Exception {
        try (RunningApplication running =
                application(Application.class, Methods.class, Reading.class).start()) {
            HttpResponse<String> answer = post(running, "/form");
            assertThat(answer.headers().firstValue("Body")).hasValue("kind=a");
        }
    }

    @Test
    void methodThatDependsOnAFormIsDecidedByTheInterceptor() throws Exception {
        try (RunningApplication running =
                application(Application.class, Methods.class).start()) {
            HttpResponse<String> answer = post(running, "/form");
            assertThat(answer.body()).isEqualTo("a");
            assertThat(store.decisions()).containsExactly(List.of("path"), List.of("method"));
            assertThat(post(running, "/form?kind=b").statusCode()).isEqualTo(200);
        }
    }

    private static HttpResponse<String> post(RunningApplication running, String path) throws Exception {
        HttpRequest form = HttpRequest.newBuilder(running.base().resolve(path))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("kind=a"))
                .build();
        return HttpClient.newHttpClient().send(form, BodyHandlers.ofString());
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @RestController
    static class Methods {

        @GetMapping("/inner")
        @RateLimit("method")
        String inner() {
            return "inner";
        }

        @PostMapping(path = "/form", params = "kind=a")
        @RateLimit("method")
        String a() {
            return "a";
        }

        @PostMapping(path = "/form", params = "kind=b")
        String b() {
            return "b";
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Second {

        @Bean
        ServletRegistrationBean<DispatcherServlet> second() {
            AnnotationConfigWebApplicationContext own = new AnnotationConfigWebApplicationContext();
            own.register(OwnMvc.class, Other.class);
            ServletRegistrationBean<DispatcherServlet> registration =
                    new ServletRegistrationBean<>(new DispatcherServlet(own), "/admin/*");
            registration.setName("second");
            return registration;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableWebMvc
    static class OwnMvc {}

    @RestController
    static class Other {

        @GetMapping("/inner")
        String inner() {
            return "other";
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Reading {

        @Bean
        FilterRegistrationBean<Filter> reading() {
            FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>((request, response, chain) -> {
                String body = new String(request.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
                ((HttpServletResponse) response).setHeader("Body", body);
            });
            registration.setOrder(0);
            return registration;
        }
    }
}
