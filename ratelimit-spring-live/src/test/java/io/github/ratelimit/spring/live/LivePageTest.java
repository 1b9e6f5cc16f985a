package io.github.ratelimit.spring.live;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.contract.RawHttp.Answer;
import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.test.TestClock;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The live page as a browser gets it, on servlets and on WebFlux. */
class LivePageTest {

    private static final int MOST_BYTES = 100 * 1024;

    private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class, LiveAutoConfiguration.class));

    @Test
    void thereIsNoneUnlessItIsSwitchedOn() {
        runner.run(context -> assertThat(context).doesNotHaveBean(LiveFeed.class));
        runner.withPropertyValues("ratelimit.live.enabled=off")
                .run(context -> assertThat(context).doesNotHaveBean(LiveFeed.class));
        runner.withPropertyValues("ratelimit.live.enabled=true", "ratelimit.enabled=off")
                .run(context -> assertThat(context).doesNotHaveBean(LiveFeed.class));
        runner.withPropertyValues("ratelimit.live.enabled=true")
                .run(context -> assertThat(context).hasSingleBean(LiveFeed.class));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "limits", "/limits/", "/limits/*", "/a//b", "/../limits", "/a b"})
    void pathThatCannotBeServedStopsTheStart(String path) {
        runner.withPropertyValues("ratelimit.live.enabled=true", "ratelimit.live.path=" + path)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("path must begin with a slash")
                        .hasMessageContaining("was '" + path + "'"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void servesAPageThatRunsNothingElseAndFramesThatFollowTheClock(boolean reactive) throws Exception {
        TestClock clock = new TestClock();
        try (ConfigurableApplicationContext context = started(clock, reactive)) {
            URI base = URI.create("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port"));
            servesThePage(base);
            servesFrames(base, clock);
        }
    }

    /** And so behind whatever stands before the application's own pages. */
    @ParameterizedTest
    @CsvSource({"false, spring.mvc.servlet.path", "true, spring.webflux.base-path"})
    void isServedWhereTheApplicationIs(boolean reactive, String property) throws Exception {
        try (ConfigurableApplicationContext context = started(new TestClock(), reactive, property + "=/app")) {
            URI base = URI.create("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port"));
            assertThat(RawHttp.get(base, "/app/operation/limits").status()).isEqualTo(200);
            assertThat(RawHttp.get(base, "/app/operation/limits/live.js").status())
                    .isEqualTo(200);
            assertThat(RawHttp.get(base, "/operation/limits").status()).isEqualTo(404);
        }
    }

    /** As docs/operations.md says, on either line of Spring Security. */
    @Test
    void rowOfTheDocumentsProtectsThePageBelowAServletPath() throws Exception {
        try (ConfigurableApplicationContext context =
                started(new TestClock(), false, List.of(Secured.class), "spring.mvc.servlet.path=/app")) {
            URI base = URI.create("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port"));
            String operator =
                    "Authorization: Basic " + Base64.getEncoder().encodeToString("operator:secret".getBytes(UTF_8));
            for (String file : List.of("", "/", "/live.js", "/events")) {
                assertThat(RawHttp.get(base, "/app/operation/limits" + file).status())
                        .isEqualTo(401);
            }
            assertThat(RawHttp.get(base, "/app/operation/limits", operator).status())
                    .isEqualTo(200);
            assertThat(RawHttp.get(base, "/app/search").status()).isEqualTo(200);
        }
    }

    private static ConfigurableApplicationContext started(TestClock clock, boolean reactive, String... more) {
        return started(clock, reactive, List.of(Open.class, OpenExchanges.class), more);
    }

    private static ConfigurableApplicationContext started(
            TestClock clock, boolean reactive, List<Class<?>> security, String... more) {
        return new SpringApplicationBuilder(Application.class, Limited.class)
                .sources(security.toArray(Class<?>[]::new))
                .web(reactive ? WebApplicationType.REACTIVE : WebApplicationType.SERVLET)
                .registerShutdownHook(false)
                .initializers((GenericApplicationContext context) -> context.registerBean(TestClock.class, () -> clock))
                .properties(more)
                .properties(
                        "server.port=0",
                        "server.address=127.0.0.1",
                        "spring.main.banner-mode=off",
                        "logging.level.root=off",
                        "ratelimit.limiters.search.permits=3",
                        "ratelimit.limiters.search.window=1h",
                        "ratelimit.live.enabled=true",
                        "ratelimit.live.path=/operation/limits")
                .run();
    }

    private static void servesThePage(URI base) throws Exception {
        Answer page = RawHttp.get(base, "/operation/limits");
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.values("Content-Security-Policy"))
                .singleElement()
                .asString()
                .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'self'")
                .doesNotContain("unsafe");
        assertThat(page.values("Cache-Control")).containsExactly("private, no-cache");
        assertThat(page.body())
                .contains("href=\"limits/live.css\"", "src=\"limits/live.js\"", "data-events=\"limits/events\"");
        assertThat(page.body()).doesNotContain("<style", " style=", "onclick", "http://", "https://");

        Answer script = RawHttp.get(base, "/operation/limits/live.js");
        Answer theme = RawHttp.get(base, "/operation/limits/theme.js");
        Answer style = RawHttp.get(base, "/operation/limits/live.css");
        assertThat(script.values("Content-Type").get(0)).startsWith("text/javascript");
        assertThat(style.values("Content-Type").get(0)).startsWith("text/css");
        assertThat(Stream.of(page, script, theme, style)
                        .mapToInt(file -> file.body().length())
                        .sum())
                .isBetween(1, MOST_BYTES);
        assertThat(RawHttp.get(
                                base,
                                "/operation/limits/live.js",
                                "If-None-Match: " + script.values("ETag").get(0))
                        .status())
                .isEqualTo(304);

        Answer slash = RawHttp.get(base, "/operation/limits/");
        assertThat(slash.status()).isEqualTo(302);
        assertThat(slash.values("Location")).containsExactly("../limits");
        assertThat(RawHttp.get(base, "/operation/limits/other").status()).isEqualTo(404);
        assertThat(RawHttp.send(base, "POST /operation/limits HTTP/1.1", "Content-Length: 0")
                        .status())
                .isIn(404, 405);
    }

    private static void servesFrames(URI base, TestClock clock) throws Exception {
        HttpURLConnection connection = (HttpURLConnection)
                base.resolve("/operation/limits/events").toURL().openConnection();
        connection.setReadTimeout(30_000);
        try (BufferedReader events = new BufferedReader(new InputStreamReader(connection.getInputStream(), UTF_8))) {
            assertThat(connection.getContentType()).startsWith("text/event-stream");
            assertThat(connection.getHeaderField("Cache-Control")).isEqualTo("no-store");
            assertThat(frame(events))
                    .contains("\"name\":\"search\"")
                    .contains("\"permits\":3,\"windowMillis\":3600000,\"remaining\":3");

            assertThat(RawHttp.get(base, "/search").status()).isEqualTo(200);
            clock.advance(Duration.ofSeconds(1));
            assertThat(frame(events)).contains("\"remaining\":2,\"resetMillis\":3599000");
        } finally {
            connection.disconnect();
        }
    }

    private static String frame(BufferedReader events) throws Exception {
        assertThat(events.readLine()).isEqualTo("retry:1000");
        String data = events.readLine();
        assertThat(events.readLine()).isEmpty();
        return data;
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static class Open {

        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                    .csrf(csrf -> csrf.disable())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    static class OpenExchanges {

        @Bean
        SecurityWebFilterChain chain(ServerHttpSecurity http) {
            return http.authorizeExchange(exchanges -> exchanges.anyExchange().permitAll())
                    .csrf(csrf -> csrf.disable())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Secured {

        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.requestMatchers(
                                    PathPatternRequestMatcher.withDefaults().matcher("/app/operation/limits/**"))
                            .hasRole("OPERATOR")
                            .anyRequest()
                            .permitAll())
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }

        @Bean
        UserDetailsService users() {
            return new InMemoryUserDetailsManager(User.withUsername("operator")
                    .password("{noop}secret")
                    .roles("OPERATOR")
                    .build());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @RestController
    static class Limited {

        @GetMapping("/search")
        @RateLimit("search")
        String search() {
            return "found";
        }
    }
}
