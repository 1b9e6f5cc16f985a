package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.control.OperatorChanges;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.spring.internal.diagnostics.RuleText;
import io.github.ratelimit.spring.internal.endpoint.DescribedCall;
import io.github.ratelimit.spring.internal.properties.RefreshedLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.test.context.support.TestPropertySourceUtils;

/** A property is changed alone, by whatever means Spring Boot has, and nothing else changes. */
class OverridesTest {

    private static final String FILE = """
            ratelimit:
              limiters:
                widget-init:
                  rules:
                    per-minute: { permits: 1000, window: 1m, key: [client-address, user-agent] }
                    hourly: { permits: 30000, window: 1h }
                login:
                  permits: 10
                  window: 1m
                  key: user-agent
                  paths: POST /login
                tenants:
                  plans: { free-trial: 1, pro: 9 }
                  plan-by: header:X-Plan
                  window: 1h
            """;

    private static final String BURST = "per-minute: 1000 in 1m by client-address + user-agent";
    private static final String HOURLY = "hourly: 30000 in 1h by client-address";
    private static final String LOGIN = "login: 10 in 1m by user-agent";
    private static final String TENANTS = "tenants: free-trial 1, pro 9 in 1h by client-address";

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(RateLimitAutoConfiguration.class)
    static class Application {}

    @TempDir
    private Path files;

    private final Map<String, Object> environment = new LinkedHashMap<>();

    @BeforeEach
    void write() throws IOException {
        Files.writeString(files.resolve("application.yml"), FILE);
    }

    private ConfigurableApplicationContext start(String[] arguments, String... testProperties) {
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties("spring.config.location=file:" + files + "/")
                .initializers(context -> {
                    context.getEnvironment()
                            .getPropertySources()
                            .replace(
                                    StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                                    new SystemEnvironmentPropertySource(
                                            StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, environment));
                    TestPropertySourceUtils.addInlinedPropertiesToEnvironment(context, testProperties);
                })
                .run(arguments);
    }

    private ConfigurableApplicationContext start() {
        return start(new String[0]);
    }

    @SuppressWarnings("unchecked")
    private static Limiters<HttpCall> limiters(ConfigurableApplicationContext context) {
        return context.getBean(Limiters.class);
    }

    /** All limiters with all of their rules, in their order. */
    private static Map<String, List<String>> all(ConfigurableApplicationContext context) {
        Limiters<HttpCall> limiters = limiters(context);
        return limiters.names().stream()
                .collect(Collectors.toMap(
                        name -> name,
                        name -> limiters.spec(name).rules().stream()
                                .map(RuleText::line)
                                .toList()));
    }

    private static void requireOnly(
            ConfigurableApplicationContext context, String burst, String hourly, String login, String tenants) {
        assertThat(all(context))
                .isEqualTo(Map.of(
                        "widget-init", List.of(burst, hourly),
                        "login", List.of(login),
                        "tenants", List.of(tenants)));
    }

    @Test
    void fileAlone() {
        try (ConfigurableApplicationContext context = start()) {
            requireOnly(context, BURST, HOURLY, LOGIN, TENANTS);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "RATELIMIT_LIMITERS_LOGIN_PERMITS",
        "ratelimit.limiters.login.permits",
    })
    void variableOfOneRuleSaidDirectly(String name) {
        environment.put(name, "20");
        try (ConfigurableApplicationContext context = start()) {
            requireOnly(context, BURST, HOURLY, "login: 20 in 1m by user-agent", TENANTS);
        }
    }

    /** Spring Boot makes a twin of the limiter and one of the rule. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "RATELIMIT_LIMITERS_WIDGETINIT_RULES_PERMINUTE_PERMITS",
                "RATELIMIT_LIMITERS_WIDGET_INIT_RULES_PER_MINUTE_PERMITS"
            })
    void variableOfNamesWithDashes(String name) {
        environment.put(name, "20");
        try (ConfigurableApplicationContext context = start()) {
            requireOnly(context, "per-minute: 20 in 1m by client-address + user-agent", HOURLY, LOGIN, TENANTS);
        }
    }

    @Test
    void variablesOfAPlanAndOfTheLastRule() {
        environment.put("RATELIMIT_LIMITERS_TENANTS_PLANS_FREETRIAL", "3");
        environment.put("RATELIMIT_LIMITERS_WIDGETINIT_RULES_HOURLY_PERMITS", "40");
        try (ConfigurableApplicationContext context = start()) {
            requireOnly(
                    context,
                    BURST,
                    "hourly: 40 in 1h by client-address",
                    LOGIN,
                    "tenants: free-trial 3, pro 9 in 1h by client-address");
            assertThat(limiters(context).spec("tenants").rules().get(0).plans()).containsOnlyKeys("free-trial", "pro");
        }
    }

    @Test
    void profileThatNamesOneRule() throws IOException {
        Files.writeString(files.resolve("application-staging.yml"), """
                ratelimit.limiters.widget-init.rules.hourly.permits: 50
                """);
        try (ConfigurableApplicationContext context = start(new String[] {"--spring.profiles.active=staging"})) {
            requireOnly(context, BURST, "hourly: 50 in 1h by client-address", LOGIN, TENANTS);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"widget-init", "widgetInit", "widgetinit", "WIDGET-INIT"})
    void propertyOfATestInAnySpelling(String name) {
        try (ConfigurableApplicationContext context =
                start(new String[0], "ratelimit.limiters." + name + ".rules.hourly.window=2h")) {
            requireOnly(context, BURST, "hourly: 30000 in 2h by client-address", LOGIN, TENANTS);
        }
    }

    @Test
    void keyIsReplacedWhole() {
        environment.put("RATELIMIT_LIMITERS_WIDGETINIT_RULES_PERMINUTE_KEY", "everybody");
        try (ConfigurableApplicationContext context = start()) {
            requireOnly(context, "per-minute: 1000 in 1m by everybody", HOURLY, LOGIN, TENANTS);
        }
    }

    @Test
    void allMeansTogether() throws IOException {
        Files.writeString(files.resolve("application-staging.yml"), """
                ratelimit:
                  limiters:
                    widget-init.rules.extra: { permits: 7, window: 1s }
                    login: { permits: 11, window: 2m }
                """);
        environment.put("RATELIMIT_LIMITERS_LOGIN_PERMITS", "12");
        environment.put("RATELIMIT_LIMITERS_WIDGETINIT_RULES_PERMINUTE_PERMITS", "13");
        String[] arguments = {
            "--spring.profiles.active=staging", "--ratelimit.limiters.widgetInit.rules.perMinute.window=3m"
        };
        try (ConfigurableApplicationContext context = start(arguments, "ratelimit.limiters.login.key=everybody")) {
            assertThat(all(context))
                    .isEqualTo(Map.of(
                            "widget-init",
                                    List.of(
                                            "per-minute: 13 in 3m by client-address + user-agent",
                                            HOURLY,
                                            "extra: 7 in 1s by client-address"),
                            "login", List.of("login: 12 in 2m by everybody"),
                            "tenants", List.of(TENANTS)));
            refresh(context, Map.of("ratelimit.limiters.widget-init.rules.extra.permits", 8));
            assertThat(all(context).get("widget-init"))
                    .containsExactly(
                            "per-minute: 13 in 3m by client-address + user-agent",
                            HOURLY,
                            "extra: 8 in 1s by client-address");
        }
    }

    @Test
    void variableOfALimiterThatNoFileNames() {
        environment.put("RATELIMIT_LIMITERS_OTHER_PERMITS", "5");
        environment.put("RATELIMIT_LIMITERS_OTHER_WINDOW", "60");
        try (ConfigurableApplicationContext context = start()) {
            assertThat(all(context))
                    .containsEntry("other", List.of("other: 5 in 1m by client-address"))
                    .hasSize(4);
        }
    }

    // ---- refresh

    private static void refresh(ConfigurableApplicationContext context, Map<String, Object> changed) {
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("refreshed", changed));
        context.publishEvent(new EnvironmentChangeEvent(context, Set.copyOf(changed.keySet())));
    }

    private static HttpCall call() {
        return DescribedCall.of("address:192.0.2.1");
    }

    @Test
    void refreshAppliesFromTheNextDecisionAndKeepsCounts() {
        try (ConfigurableApplicationContext context = start()) {
            Limiters<HttpCall> limiters = limiters(context);
            for (int i = 0; i < 10; i++) {
                assertThat(limiters.get("login").tryAcquire(call()).allowed()).isTrue();
            }
            assertThat(limiters.get("login").tryAcquire(call()).allowed()).isFalse();
            refresh(context, Map.of("ratelimit.limiters.login.permits", 12));
            requireOnly(context, BURST, HOURLY, "login: 12 in 1m by user-agent", TENANTS);
            Decision next = limiters.get("login").tryAcquire(call());
            assertThat(next.allowed()).isTrue();
            assertThat(next.statuses().get(0).remaining()).isEqualTo(1);
        }
    }

    @Test
    void refreshLeavesWhatAnOperatorChangedAndNoPropertyDid() {
        try (ConfigurableApplicationContext context = start()) {
            new OperatorChanges<>(limiters(context)).change("login", null, 99L, null, null, null, "ann");
            refresh(context, Map.of("ratelimit.limiters.widgetinit.rules.hourly.permits", 5));
            requireOnly(context, BURST, "hourly: 5 in 1h by client-address", "login: 99 in 1m by user-agent", TENANTS);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "ratelimit.limiters.login.permits, 0, 'ratelimit.limiters.login.permits: limit ''login'': permits must be'",
        "ratelimit.limiters.login.permits, many, Failed to bind properties under 'ratelimit.limiters.login.permits'",
        "ratelimit.limiters.login.rules.other.permits, 1, 'ratelimit.limiters.login: settings such as permits or window stand beside rules'"
    })
    void refreshWithAWrongValueChangesNothing(String property, String value, String message) {
        try (ConfigurableApplicationContext context = start();
                Heard told = Heard.of(RefreshedLimits.class)) {
            refresh(context, Map.of(property, value, "ratelimit.limiters.tenants.window", "2h"));
            requireOnly(context, BURST, HOURLY, LOGIN, TENANTS);
            assertThat(told.lines()).singleElement().asString().contains("all limits stay as they were", message);
        }
    }

    @Test
    void refreshTellsOfWhatWaitsForTheNextStart() {
        try (ConfigurableApplicationContext context = start();
                Heard told = Heard.of(RefreshedLimits.class)) {
            refresh(
                    context,
                    Map.of(
                            "ratelimit.limiters.fresh.permits", 1,
                            "ratelimit.limiters.fresh.window", "1m",
                            "ratelimit.limiters.login.key", "principal"));
            requireOnly(context, BURST, HOURLY, LOGIN, TENANTS);
            assertThat(told.lines())
                    .anyMatch(line -> line.contains("limiter 'fresh' follows its properties from the next start only"))
                    .anyMatch(line -> line.contains("limiter 'login' follows its properties from the next start only"));
        }
    }
}
