package com.example.legacy;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.Browser;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.http.Outcomes;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** A limiter that an annotation describes follows the variables of an operator, as those of properties do. */
class PropertyBesideAnnotationTest {

    private static ConfigurableApplicationContext start(Map<String, Object> variables, String... arguments) {
        String[] all = new String[arguments.length + 3];
        System.arraycopy(arguments, 0, all, 3, arguments.length);
        all[0] = "--spring.config.location=classpath:/legacy/application.yml";
        all[1] = "--server.port=0";
        all[2] = "--server.address=127.0.0.1";
        return new SpringApplicationBuilder(LegacyApplication.class)
                .initializers(context -> context.getEnvironment()
                        .getPropertySources()
                        .replace(
                                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                                new SystemEnvironmentPropertySource(
                                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                                        new HashMap<>(variables))))
                .run(all);
    }

    private static LimiterSpec<HttpCall> spec(ConfigurableApplicationContext application, String name) {
        return application.getBean(HttpRateLimiter.class).limiters().spec(name);
    }

    @Test
    void variableChangesThePermitsOfTheFirstExample() {
        try (ConfigurableApplicationContext application =
                start(Map.of("RATELIMIT_LIMITERS_ORDERCONTROLLER_ORDER_PERMITS", "5"))) {
            for (int i = 1; i <= 6; i++) {
                assertThat(Browser.of(application).send("POST", "/orders").statusCode())
                        .isEqualTo(i <= 5 ? 200 : 429);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ratelimit.limiters.parcelSearch",
                "ratelimit.limiters.parcel-search",
                "ratelimit.limiters[parcelSearch]",
            })
    void anySpellingChangesOneValueAndKeepsTheOthers(String limiter) {
        try (ConfigurableApplicationContext application = start(Map.of(), "--" + limiter + ".permits=3")) {
            Browser browser = Browser.of(application);
            assertThat(browser.statuses(4, "/parcels", "X-Tenant", "one")).containsExactly(200, 200, 200, 429);
            assertThat(browser.statuses(1, "/parcels", "X-Tenant", "two")).containsExactly(200);
            assertThat(spec(application, "parcelSearch")
                            .rules()
                            .get(0)
                            .limits()
                            .get(0)
                            .window())
                    .isEqualTo(Duration.ofDays(1));
            assertThat(spec(application, "parcelSearch").count()).isEqualTo(Outcomes.of("successes"));
        }
    }

    @Test
    void shadowPolicyWindowAndPathsFollow() {
        Map<String, Object> variables = Map.of(
                "RATELIMIT_LIMITERS_PARCELSEARCH_SHADOW", "true",
                "RATELIMIT_LIMITERS_PARCELSEARCH_WINDOW", "1h",
                "RATELIMIT_LIMITERS_PARCELSEARCH_ONSTOREFAILURE", "reject");
        try (ConfigurableApplicationContext application = start(variables)) {
            assertThat(Browser.of(application).statuses(4, "/parcels")).containsOnly(200);
            LimiterSpec<HttpCall> parcels = spec(application, "parcelSearch");
            assertThat(parcels.onStoreFailure()).isEqualTo(OnStoreFailure.REJECT);
            assertThat(parcels.rules().get(0).limits().get(0).window()).hasHours(1);
            assertThat(parcels.rules().get(0).limits().get(0).permits()).isEqualTo(2);
        }
        try (ConfigurableApplicationContext application =
                start(Map.of("RATELIMIT_LIMITERS_PARCELSEARCH_PATHS", "/parcels/**"))) {
            assertThat(Browser.of(application).statuses(3, "/parcels/open")).containsExactly(200, 200, 429);
        }
    }

    @Test
    void plansStandInPlaceOfThePermits() {
        try (ConfigurableApplicationContext application = start(
                Map.of(),
                "--ratelimit.limiters.parcelSearch.plans.free=1",
                "--ratelimit.limiters.parcelSearch.plan-by=header:X-Plan")) {
            assertThat(Browser.of(application).statuses(2, "/parcels")).containsExactly(200, 429);
        }
    }
}
