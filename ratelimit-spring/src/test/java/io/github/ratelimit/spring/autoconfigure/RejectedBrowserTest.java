package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.contract.RawHttp.Answer;
import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.internal.Diagnostic;
import io.github.ratelimit.spring.internal.diagnostics.Diagnostics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionListener;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.RestController;

/** What a browser gets that is rejected, where Spring Security would ask for a sign-in on an error dispatch. */
class RejectedBrowserTest {

    private static final String HTML = "Accept: text/html,application/xhtml+xml,*/*;q=0.8";

    private static RunningApplication.Builder application(Class<?> security, Class<?>... more) {
        Class<?>[] sources = new Class<?>[more.length + 3];
        sources[0] = Application.class;
        sources[1] = Pages.class;
        sources[2] = security;
        System.arraycopy(more, 0, sources, 3, more.length);
        return RunningApplication.of(sources)
                .secured()
                .limiter("early", 1)
                .property("ratelimit.limiters.early.paths", "/open")
                .limiter("late", 1)
                .property("ratelimit.limiters.late.paths", "/late")
                .property("ratelimit.limiters.late.phase", "after-authentication")
                .limiter("login", 1)
                .property("ratelimit.limiters.login.paths", "POST /login")
                .limiter("annotated", 1);
    }

    private static Answer rejected(RunningApplication application, String path, String... fields) throws Exception {
        RawHttp.get(application.base(), path, fields);
        return rejection(RawHttp.get(application.base(), path, fields));
    }

    private static Answer rejection(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(429);
        assertThat(answer.values("X-RateLimit-Limit")).containsExactly("1");
        assertThat(answer.values("X-RateLimit-Remaining")).containsExactly("0");
        assertThat(answer.values("Retry-After")).hasSize(1);
        assertThat(answer.values("Location")).isEmpty();
        assertThat(answer.values("WWW-Authenticate")).isEmpty();
        assertThat(answer.values("Set-Cookie")).isEmpty();
        return answer;
    }

    @ParameterizedTest
    @ValueSource(classes = {Form.class, Basic.class})
    void rejectedBrowserGetsThePageOfTheApplicationBehindSecurity(Class<?> security) throws Exception {
        try (RunningApplication application = application(security)
                .property("spring.web.resources.static-locations", "classpath:/error-pages/")
                .start()) {
            for (String path : new String[] {"/open", "/late", "/open/annotated"}) {
                Answer page = rejected(application, path, HTML);
                assertThat(page.body()).contains("A page of the application about 4xx.");
                assertThat(page.values("Content-Type"))
                        .singleElement()
                        .asString()
                        .startsWith("text/html");
                assertThat(rejection(RawHttp.get(application.base(), path, "Accept: application/json"))
                                .body())
                        .contains("\"rate_limited\"");
            }
        }
    }

    @Test
    void rejectionsOpenNoSessionAndAccuseNobodyAndASignInIsNotRedirected() throws Exception {
        Sessions sessions = new Sessions();
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        try (RunningApplication application = application(Form.class)
                .bean(HttpSessionListener.class, sessions)
                .bean(MeterRegistry.class, meters)
                .start()) {
            for (String path : new String[] {"/open", "/open/annotated"}) {
                rejected(application, path, HTML);
                int before = sessions.created.get();
                for (int i = 0; i < 50; i++) {
                    rejection(RawHttp.get(application.base(), path, HTML));
                }
                assertThat(sessions.created.get() - before).isZero();
            }
            assertThat(application.context().getBean(Diagnostics.class).found(Diagnostic.REJECTION_SWALLOWED))
                    .isZero();
            assertThat(meters.find("http.server.requests")
                            .tag("status", "429")
                            .tag("uri", "/open/annotated")
                            .timer())
                    .as("counted by the path that was asked for, not by that of the page")
                    .isNotNull();
            String[] form = {HTML, "Content-Type: application/x-www-form-urlencoded", "Content-Length: 0"};
            RawHttp.send(application.base(), "POST /login HTTP/1.1", form);
            assertThat(rejection(RawHttp.send(application.base(), "POST /login HTTP/1.1", form))
                            .body())
                    .contains("Whitelabel Error Page", "status=429");
        }
    }

    @Test
    void errorHandlerOfTheApplicationMakesThePageWhereverItIs() throws Exception {
        try (RunningApplication application = application(Form.class, OwnErrors.class)
                .property("server.servlet.context-path", "/context")
                .property("spring.mvc.servlet.path", "/servlet")
                .property("server.error.path", "/oops")
                .property("spring.web.error.path", "/oops")
                .property("ratelimit.limiters.early.paths", "/servlet/open")
                .start()) {
            assertThat(rejected(application, "/context/servlet/open", HTML).body())
                    .isEqualTo("own page");
        }
    }

    @Test
    void rejectionHasATextWhereThePageCannotBeRendered() throws Exception {
        try (RunningApplication application = application(Form.class)
                .property("server.error.whitelabel.enabled", "false")
                .property("spring.web.error.whitelabel.enabled", "false")
                .start()) {
            assertThat(rejected(application, "/open", HTML).body()).contains("\"rate_limited\"");
            assertThat(rejected(application, "/open/annotated", HTML).body()).contains("\"rate_limited\"");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @Configuration(proxyBeanMethods = false)
    static class Form {

        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return secured(http).formLogin(Customizer.withDefaults()).build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Basic {

        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return secured(http).httpBasic(Customizer.withDefaults()).build();
        }
    }

    private static HttpSecurity secured(HttpSecurity http) throws Exception {
        return http.authorizeHttpRequests(requests -> requests.requestMatchers("/open/**", "/late")
                        .permitAll()
                        .anyRequest()
                        .authenticated())
                .csrf(csrf -> csrf.disable());
    }

    static final class Sessions implements HttpSessionListener {

        final AtomicInteger created = new AtomicInteger();

        @Override
        public void sessionCreated(HttpSessionEvent event) {
            created.incrementAndGet();
        }
    }

    @RestController
    static class Pages {

        @GetMapping({"/open", "/late"})
        String open() {
            return "open";
        }

        @GetMapping("/open/annotated")
        @RateLimit("annotated")
        String annotated() {
            return "annotated";
        }
    }

    /** Spring Boot's own handler stays: it is mapped to every method, this one to GET. */
    @Controller
    static class OwnErrors {

        @GetMapping(path = "/oops", produces = "text/html")
        @ResponseBody
        String page() {
            return "own page";
        }
    }
}
