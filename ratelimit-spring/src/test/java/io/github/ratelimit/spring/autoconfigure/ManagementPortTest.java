package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.contract.RawHttp;
import java.net.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** An application whose Actuator has a port of its own. */
class ManagementPortTest {

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void requestsOfTheManagementPortAreNotLimited(boolean reactive) throws Exception {
        RunningApplication.Builder builder = RunningApplication.of(Application.class, Pages.class)
                .property("management.server.port", "0")
                .property("management.server.address", "127.0.0.1")
                .property("management.endpoint.health.probes.enabled", "true")
                .property("management.health.defaults.enabled", "false") // there is no Redis
                .property("spring.main.allow-bean-definition-overriding", reactive) // Boot 4 with two servers
                .limiter("all", 1)
                .property("ratelimit.limiters.all.paths", "/**");
        try (RunningApplication application = (reactive ? builder.reactive() : builder).start()) {
            URI management = URI.create(
                    "http://127.0.0.1:" + application.context().getEnvironment().getProperty("local.management.port"));
            for (String probe : new String[] {"", "/liveness", "/readiness"}) {
                RawHttp.Answer answer = RawHttp.get(management, "/actuator/health" + probe);
                assertThat(answer.status()).isEqualTo(200);
                assertThat(answer.values("X-RateLimit-Limit")).isEmpty();
            }
            assertThat(RawHttp.get(application.base(), "/page").status()).isEqualTo(200);
            assertThat(RawHttp.get(application.base(), "/page").status()).isEqualTo(429);
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
}
