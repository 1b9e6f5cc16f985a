package io.github.ratelimit.spring.boot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.contract.RawHttp.Answer;
import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.live.LiveFeed;
import io.github.ratelimit.test.TestClock;
import jakarta.servlet.Servlet;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The live page as a browser gets it, on servlets and on WebFlux. */
class LivePageTest {

    private static final int MOST_BYTES = 100 * 1024;

    private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class));

    @Test
    void thereIsNoneUnlessItIsSwitchedOn() {
        runner.run(context -> assertThat(context).doesNotHaveBean(LiveFeed.class));
        runner.withPropertyValues("ratelimit.live.enabled=true", "ratelimit.enabled=false")
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

    @Test
    void offersExplanationsOnlyWhereTheEndpointGivesThem() {
        runner.withPropertyValues("ratelimit.live.enabled=true", "ratelimit.live.path=/limits")
                .run(context -> {
                    MockHttpServletResponse page = new MockHttpServletResponse();
                    Servlet servlet = context.getBean("rateLimitLiveServlet", ServletRegistrationBean.class)
                            .getServlet();
                    servlet.service(new MockHttpServletRequest("GET", "/limits"), page);
                    assertThat(page.getContentAsString()).contains("data-from=\"\"");
                });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void servesAPageThatRunsNothingElseAndFramesThatFollowTheClock(boolean reactive) throws Exception {
        TestClock clock = new TestClock();
        RunningApplication.Builder builder = RunningApplication.of(Application.class, Limited.class)
                .limiter("search", 3)
                .property("ratelimit.live.enabled", "true")
                .property("ratelimit.live.path", "/operation/limits")
                .property("management.endpoints.web.exposure.include", "ratelimits")
                .property("management.endpoint.ratelimits.access", "unrestricted")
                .bean(TestClock.class, clock);
        try (RunningApplication application = (reactive ? builder.reactive() : builder).start()) {
            servesThePage(application.base());
            servesFrames(application.base(), clock);
        }
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
        assertThat(page.body()).as("where it asks for explanations").contains("data-from=\"../actuator/ratelimits\"");
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
        assertThat(events.readLine()).isEqualTo("retry: 1000");
        String data = events.readLine();
        assertThat(events.readLine()).isEmpty();
        return data;
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
