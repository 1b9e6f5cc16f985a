package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.contract.RawHttp;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** An application that is processed ahead of time limits on the JVM as any other one. */
class AheadOfTimeTest {

    @TempDir
    private Path folder;

    @Test
    void processedServletApplicationLimitsAsAnyOther() throws Exception {
        limitsWhenProcessed("servlet");
    }

    @Test
    @EnabledIfSystemProperty(named = "full", matches = "true")
    void processedWebFluxApplicationLimitsAsAnyOther() throws Exception {
        limitsWhenProcessed("reactive");
    }

    private void limitsWhenProcessed(String type) throws Exception {
        String[] arguments = {
            "--spring.main.web-application-type=" + type,
            "--my.window=1h",
            "--ratelimit.limiters.search.permits=2",
            "--ratelimit.limiters.search.window=1h",
            "--ratelimit.limiters.search.skip-if=203.0.113.0/24",
            "--ratelimit.limiters.pages.plans.free=1",
            "--ratelimit.limiters.pages.plan-by=header:X-Plan",
            "--ratelimit.limiters.pages.window=1h",
            "--ratelimit.limiters.pages.paths=/pages/**",
            "--management.endpoints.web.exposure.include=ratelimits"
        };
        Path classes = Files.createDirectory(folder.resolve("classes"));
        Path sources = folder.resolve("sources");
        Path generated = folder.resolve("generated");
        IsolatedApplication.compile("Processed", classes);
        try (IsolatedApplication application =
                new IsolatedApplication("Processed", IsolatedApplication.SECURITY_AND_REDIS, classes)) {
            application.processAheadOfTime(sources, generated, arguments);
        }
        IsolatedApplication.compileAll(sources, generated, classes, generated);
        assertThat(generated.resolve("demo/Processed__ApplicationContextInitializer.class"))
                .exists();
        System.setProperty("spring.aot.enabled", "true");
        try (IsolatedApplication application = new IsolatedApplication(
                        "Processed", IsolatedApplication.SECURITY_AND_REDIS, classes, generated);
                AutoCloseable context = application.runMain(arguments)) {
            assertThatThrownBy(() -> application.runMain(laterOnRedis(arguments)))
                    .as("its store was fixed when it was processed")
                    .hasStackTraceContaining("ratelimit.store: is redis, but the store on Redis is not there");
            limits(URI.create("http://127.0.0.1:" + IsolatedApplication.property(context, "local.server.port")));
        } finally {
            System.clearProperty("spring.aot.enabled");
        }
    }

    private static String[] laterOnRedis(String... arguments) {
        String[] all = Arrays.copyOf(arguments, arguments.length + 1);
        all[arguments.length] = "--ratelimit.store=redis";
        return all;
    }

    private static void limits(URI base) throws Exception {
        assertThat(RawHttp.get(base, "/search").values("X-RateLimit-Remaining")).containsExactly("1");
        assertThat(RawHttp.get(base, "/search").body()).contains("found");
        RawHttp.Answer rejected = RawHttp.get(base, "/search");
        assertThat(rejected.status()).isEqualTo(429);
        assertThat(rejected.values("Retry-After")).hasSize(1);
        assertThat(rejected.body()).contains("\"rate_limited\"");
        assertThat(RawHttp.get(base, "/suggest", "X-Tenant: a").status()).isEqualTo(200);
        assertThat(RawHttp.get(base, "/suggest", "X-Tenant: a").status()).isEqualTo(429);
        assertThat(RawHttp.get(base, "/suggest", "X-Tenant: b").status()).isEqualTo(200);
        assertThat(RawHttp.get(base, "/pages/one").status()).isEqualTo(200);
        assertThat(RawHttp.get(base, "/pages/two").status()).isEqualTo(429);
        assertThat(RawHttp.get(base, "/mails").body()).contains("sent to acme");
        assertThat(RawHttp.get(base, "/mails").status()).isEqualTo(429);
        assertThat(RawHttp.get(base, "/actuator/ratelimits").body()).contains("\"calls\":[\"");
    }
}
