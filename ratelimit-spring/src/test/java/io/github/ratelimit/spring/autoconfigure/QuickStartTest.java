package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.contract.RawHttp.Answer;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The application of the manual, compiled and run against the line of Spring Boot that is on the class path. */
class QuickStartTest {

    private static final Path SOURCES = Path.of("..", "examples", "spring");

    @TempDir
    private Path classes;

    @Test
    void applicationOfTheManualCompilesAndRuns() throws Exception {
        IsolatedApplication.compile("QuickStart", classes);
        IsolatedApplication.compile("OrderController", classes);
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {classes.toUri().toURL()}, before)) {
            Thread.currentThread().setContextClassLoader(loader);
            try (RunningApplication application = RunningApplication.of(loader.loadClass("demo.QuickStart"))
                    .limiter("site", 1000)
                    .limiter("search", 3)
                    .start()) {
                exercise(application.base());
            }
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    @Test
    void firstApplicationCompilesAndRejectsTheSixthRequest() throws Exception {
        IsolatedApplication.compileAll(SOURCES.resolve(Path.of("first", "FirstApplication.java")), classes);
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {classes.toUri().toURL()}, before)) {
            Thread.currentThread().setContextClassLoader(loader);
            try (RunningApplication application = RunningApplication.of(loader.loadClass("first.FirstApplication"))
                    .limiter("search", 5)
                    .start()) {
                for (int i = 0; i < 5; i++) {
                    assertThat(RawHttp.get(application.base(), "/search?q=tea").body())
                            .contains("found tea");
                }
                assertThat(RawHttp.get(application.base(), "/search?q=tea").status())
                        .isEqualTo(429);
                assertThat(RawHttp.get(application.base(), "/ping").values("X-RateLimit-Limit"))
                        .containsExactly("600");
            }
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    private static void exercise(URI base) throws Exception {
        for (int remaining = 2; remaining >= 0; remaining--) {
            Answer served = RawHttp.get(base, "/search");
            assertThat(served.status()).isEqualTo(200);
            assertThat(served.values("X-RateLimit-Limit")).containsExactly("3");
            assertThat(served.values("X-RateLimit-Remaining")).containsExactly(Integer.toString(remaining));
        }
        Answer rejected = RawHttp.get(base, "/search");
        assertThat(rejected.status()).isEqualTo(429);
        assertThat(rejected.values("X-RateLimit-Remaining")).containsExactly("0");
        assertThat(rejected.values("Retry-After")).hasSize(1);
        assertThat(rejected.body()).contains("{\"error\":\"Too many requests; try again in ");
        assertThat(RawHttp.get(base, "/suggest", "X-Tenant: a").values("X-RateLimit-Limit"))
                .containsExactly("2");
        String order = "POST /orders HTTP/1.1";
        for (int i = 0; i < 10; i++) {
            assertThat(RawHttp.send(base, order, "Content-Length: 0").status()).isEqualTo(200);
        }
        assertThat(RawHttp.send(base, order, "Content-Length: 0").status()).isEqualTo(429);
    }
}
