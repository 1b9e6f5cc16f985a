package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.github.ratelimit.contract.RawHttp;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The application's beans may have any name: those of the library have a prefix. */
class BeanNamesTest {

    private static final String PREFIX = "io.github.ratelimit.";

    /** Written by users: by it, Actuator calls the component, and one of the application's replaces it. */
    private static final String NAMED_BY_USERS = "ratelimitHealthIndicator";

    private static List<JavaMethod> beans() {
        return new ClassFileImporter()
                        .withImportOption(
                                location -> location.contains("/ratelimit-spring/") && location.contains("/classes/"))
                        .importPackages("io.github.ratelimit.spring")
                        .stream()
                        .flatMap(type -> type.getMethods().stream())
                        .filter(method -> method.isAnnotatedWith(Bean.class))
                        .filter(method -> !NAMED_BY_USERS.equals(method.getName()))
                        .toList();
    }

    @Test
    void everyBeanOfTheLibraryHasThePrefix() {
        assertThat(beans())
                .hasSizeGreaterThan(30)
                .allSatisfy(method -> assertThat(
                                method.getAnnotationOfType(Bean.class).value())
                        .as(method.getFullName())
                        .containsExactly(PREFIX + method.getName()));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void applicationMayUseEverySimpleName(boolean reactive) throws Exception {
        Set<String> taken = Stream.concat(
                        beans().stream().map(JavaMethod::getName),
                        Stream.of("filter", "interceptor", "limiters", "rateLimiter", "store", "clientAddress"))
                .collect(Collectors.toSet());
        RunningApplication.Builder named = RunningApplication.of(Application.class, Pages.class)
                .limiter("page", 1)
                .property("ratelimit.limiters.page.paths", "/page");
        taken.forEach(name -> named.bean(name, new Object()));
        requireLimited(reactive ? named.reactive() : named);
    }

    @Test
    void applicationMayHaveClassesOfTheSameNames() throws Exception {
        requireLimited(RunningApplication.of(
                        Application.class,
                        Pages.class,
                        RateLimitFilter.class,
                        RateLimitInterceptor.class,
                        RateLimitConfig.class,
                        RateLimitService.class,
                        RateLimitProperties.class)
                .limiter("page", 1)
                .property("ratelimit.limiters.page.paths", "/page"));
    }

    private static void requireLimited(RunningApplication.Builder application) throws Exception {
        try (RunningApplication running = application.start()) {
            assertThat(RawHttp.get(running.base(), "/page").status()).isEqualTo(200);
            assertThat(RawHttp.get(running.base(), "/page").status()).isEqualTo(429);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @RestController
    static class Pages {

        @GetMapping("/page")
        String page() {
            return "page";
        }
    }

    /** Named as a scan of components names them. */
    @Component("rateLimitFilter")
    static class RateLimitFilter implements Filter {

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            chain.doFilter(request, response);
        }
    }

    @Component("rateLimitInterceptor")
    static class RateLimitInterceptor {}

    @Configuration("rateLimitConfig")
    static class RateLimitConfig {}

    @Service("rateLimitService")
    static class RateLimitService {}

    @Component("rateLimitProperties")
    static class RateLimitProperties {}
}
