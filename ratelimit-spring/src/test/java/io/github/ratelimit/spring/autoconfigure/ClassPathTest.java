package io.github.ratelimit.spring.autoconfigure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.contract.RawHttp.Answer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The applications of the manual with nothing on their class path but what they need. */
class ClassPathTest {

    private static final String SERVLETS =
            "(ratelimit-servlet|tomcat-embed|jakarta\\.servlet|spring-webmvc|spring-boot-webmvc|spring-boot-servlet"
                    + "|spring-boot-tomcat|spring-security|spring-boot-security|spring-boot-actuator|spring-boot-micrometer|micrometer-core).*";
    private static final String SPRING_MVC_AND_WEBFLUX =
            "(spring-webmvc|spring-boot-webmvc|spring-webflux|spring-boot-webflux|spring-boot-starter-web)-.*|"
                    + IsolatedApplication.SECURITY_AND_REDIS;
    private static final String WEB = SERVLETS
            + "|(spring-web|spring-boot-web|spring-boot-http|spring-boot-reactor|spring-boot-netty|reactor-|reactive-streams|netty-|lettuce"
            + "|spring-data|spring-boot-data|ratelimit-redis|spring-boot-jackson|jackson-).*";

    @TempDir
    private Path classes;

    @Test
    void webFluxApplicationNeedsNoServletApi() throws Exception {
        IsolatedApplication.compile("Reactive", classes);
        try (IsolatedApplication application = new IsolatedApplication("Reactive", SERVLETS, classes)) {
            application.requireMissing(
                    "io.github.ratelimit.servlet.ServletCall",
                    "jakarta.servlet.Servlet",
                    "org.springframework.web.servlet.DispatcherServlet");
            AutoCloseable context = application.run(
                    "--ratelimit.limiters.search.permits=1",
                    "--ratelimit.limiters.search.window=1h",
                    "--ratelimit.limiters.pages.permits=1",
                    "--ratelimit.limiters.pages.window=1h",
                    "--ratelimit.limiters.pages.paths=/pages/**");
            try (context) {
                URI base = URI.create("http://127.0.0.1:" + IsolatedApplication.property(context, "local.server.port"));
                assertThat(RawHttp.get(base, "/search").body()).contains("found");
                Answer worded = RawHttp.get(base, "/search");
                assertThat(worded.status()).isEqualTo(429);
                assertThat(worded.values("Retry-After")).hasSize(1);
                assertThat(worded.body()).contains("{\"error\":\"Too many requests; try again in ");
                assertThat(RawHttp.get(base, "/pages/1").status()).isEqualTo(200);
                Answer rejected = RawHttp.get(base, "/pages/2");
                assertThat(rejected.status()).isEqualTo(429);
                assertThat(rejected.body())
                        .as("by the same handler")
                        .contains("{\"error\":\"Too many requests; try again in ");
            }
        }
    }

    /** The starter brings the library's module for servlets, and nothing brings their API. */
    @Test
    void beansOfAWebFluxApplicationNeedNoServletApi() throws Exception {
        IsolatedApplication.compile("Jobs", classes);
        String servlets = SERVLETS.replace("ratelimit-servlet|", "");
        try (IsolatedApplication application = new IsolatedApplication("Jobs", servlets, classes)) {
            application.requireMissing("jakarta.servlet.Servlet");
            try (AutoCloseable context = application.run(
                    "--ratelimit.limiters.reports.permits=1",
                    "--ratelimit.limiters.reports.window=1h",
                    "--ratelimit.limiters.reports.key=#tenant")) {
                assertThat(reports(IsolatedApplication.bean(context, "jobs.Reports"), "acme", "acme"))
                        .containsExactly("report of acme", "RejectedRequest");
            }
        }
    }

    /** Such as one of Jersey. */
    @Test
    void pathsOfAServletAreLimitedWithoutSpringMvc() throws Exception {
        Path source = Files.writeString(classes.resolve("Servlets.java"), """
                package demo;

                import jakarta.servlet.http.*;
                import java.io.IOException;
                import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
                import org.springframework.boot.web.servlet.ServletRegistrationBean;
                import org.springframework.context.annotation.*;

                @Configuration(proxyBeanMethods = false)
                @EnableAutoConfiguration
                public class Servlets {

                    @Bean
                    ServletRegistrationBean<HttpServlet> things() {
                        return new ServletRegistrationBean<>(new HttpServlet() {
                            @Override
                            protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                                response.getWriter().write("thing");
                            }
                        }, "/things/*");
                    }
                }
                """);
        IsolatedApplication.compileAll(source, classes);
        try (IsolatedApplication application = new IsolatedApplication("Servlets", SPRING_MVC_AND_WEBFLUX, classes)) {
            application.requireMissing("org.springframework.web.servlet.DispatcherServlet");
            AutoCloseable context = application.run(
                    "--ratelimit.limiters.things.permits=1",
                    "--ratelimit.limiters.things.window=1h",
                    "--ratelimit.limiters.things.paths=/things/**",
                    "--ratelimit.limiters.late.permits=1",
                    "--ratelimit.limiters.late.window=1h",
                    "--ratelimit.limiters.late.phase=after-authentication",
                    "--ratelimit.limiters.late.paths=/things/late");
            try (context) {
                URI base = URI.create("http://127.0.0.1:" + IsolatedApplication.property(context, "local.server.port"));
                for (String path : List.of("/things/late", "/things/1")) {
                    Answer answer = RawHttp.get(base, path);
                    assertThat(answer.status()).isEqualTo(path.equals("/things/1") ? 429 : 200);
                    assertThat(answer.values("X-RateLimit-Limit")).containsExactly("1");
                }
                assertThat(RawHttp.get(base, "/things/1", "Accept: text/html").status())
                        .isEqualTo(429);
                assertThat(IsolatedApplication.bean(context, "io.github.ratelimit.rateLimitHandlerCheck"))
                        .as("what prints the table")
                        .isNotNull();
            }
        }
    }

    @Test
    void applicationWithoutWebNeedsNothingOfSpringWeb() throws Exception {
        IsolatedApplication.compile("Jobs", classes);
        for (String enabled : List.of("true", "false")) {
            try (IsolatedApplication application = new IsolatedApplication("Jobs", WEB, classes)) {
                application.requireMissing(
                        "org.springframework.web.method.HandlerMethod",
                        "jakarta.servlet.Servlet",
                        "reactor.core.publisher.Mono");
                try (AutoCloseable context = application.run(
                        "--ratelimit.enabled=" + enabled,
                        "--ratelimit.limiters.reports.permits=1",
                        "--ratelimit.limiters.reports.window=1h",
                        "--ratelimit.limiters.reports.key=#tenant")) {
                    Object mailer = IsolatedApplication.bean(context, "jobs.Mailer");
                    Method send = mailer.getClass().getMethod("send", String.class);
                    send.setAccessible(true);
                    List<Object> sent = new ArrayList<>();
                    for (String customer : List.of("ann", "ann", "ann", "bob")) {
                        sent.add(send.invoke(mailer, customer));
                    }
                    assertThat(sent)
                            .isEqualTo(
                                    enabled.equals("true")
                                            ? List.of(true, true, false, true)
                                            : List.of(true, true, true, true));
                    assertThat(IsolatedApplication.bean(context, "io.github.ratelimit.rateLimitLimiters"))
                            .isNotNull();
                    assertThat(reports(IsolatedApplication.bean(context, "jobs.Reports"), "acme", "acme", "other"))
                            .isEqualTo(
                                    enabled.equals("true")
                                            ? List.of("report of acme", "RateLimitException", "report of other")
                                            : List.of("report of acme", "report of acme", "report of other"));
                }
            }
        }
    }

    private static List<Object> reports(Object reports, String... tenants) throws Exception {
        Method of = reports.getClass().getMethod("of", String.class);
        of.setAccessible(true);
        List<Object> answers = new ArrayList<>();
        for (String tenant : tenants) {
            try {
                answers.add(of.invoke(reports, tenant));
            } catch (InvocationTargetException rejected) {
                answers.add(requireNonNull(rejected.getCause()).getClass().getSimpleName());
            }
        }
        return answers;
    }
}
