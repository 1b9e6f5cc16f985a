package io.github.ratelimit.spring.autoconfigure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Key;
import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.control.OperatorChanges;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.redis.Servers;
import io.github.ratelimit.spring.internal.endpoint.DescribedCall;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.yaml.snakeyaml.Yaml;

/** The dashboard and the alerts of the manual, asked of what Prometheus reads of an application whose Redis goes away. */
class ObservabilityTest {

    private static final Path DOCS = Path.of("..", "docs");

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        KeyResolver<HttpCall> who() {
            return call -> call.principal().map(user -> Key.of(user.getName())).orElse(Key.absent());
        }

        @Bean
        Spans spans() {
            return new Spans();
        }

        @RestController
        static class Pages {

            @GetMapping({"/search", "/early"})
            String search() {
                return "found";
            }
        }
    }

    /** What the spans of requests say of limits. */
    static final class Spans implements ObservationHandler<Observation.Context> {

        private final Set<String> told = ConcurrentHashMap.newKeySet();

        @Override
        public void onStop(Observation.Context context) {
            context.getHighCardinalityKeyValues().forEach(each -> told.add(each.getKey() + "=" + each.getValue()));
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true; // it is named later
        }
    }

    private static RunningApplication.Builder application(String uri) {
        return RunningApplication.of(Application.class)
                .property("management.prometheus.metrics.export.enabled", "true")
                .property("management.endpoints.web.exposure.include", "prometheus")
                .property("ratelimit.store", "redis")
                .property("ratelimit.redis.uri", uri)
                .property("ratelimit.redis.timeout", "10s") // the calm part is calm on a busy machine, too
                .property("ratelimit.in-process.maximum-counters", "1024")
                .limiter("search", 10)
                .limiter("tried", 1)
                .property("ratelimit.limiters.tried.shadow", "true")
                .property("ratelimit.limiters.search.paths", "/search")
                .property("ratelimit.limiters.tried.paths", "/search")
                .limiter("early", 10_000)
                .property("ratelimit.limiters.early.key", "who")
                .property("ratelimit.limiters.early.phase", "before-authentication")
                .property("ratelimit.limiters.early.paths", "/early");
    }

    @Test
    void everyQueryIsAnsweredAndEachAlertFiresForItsCauseOnly() throws Exception {
        try (RedisProcess redis = RedisProcess.start();
                RunningApplication application = application(redis.uri()).start()) {
            goCalmly(application, 1);
            String first = scrape(application);
            goCalmly(application, 2);
            String second = scrape(application);
            alerts().forEach((alert, expression) -> assertThat(PromQl.ask(expression, first, second))
                    .as("%s, though nothing is wrong", alert)
                    .isEmpty());

            application
                    .context()
                    .getBean(OperatorChanges.class)
                    .change("search", null, 10L, null, null, null, "ann")
                    .join();
            redis.kill();
            goWrong(application);
            String third = scrape(application);
            goWrong(application);
            String fourth = scrape(application);

            redis.restart();
            Servers.await("the loss of its counters", () -> lost(application) > 0);
            String restarted = scrape(application);
            alerts().forEach((alert, expression) -> {
                boolean isOfTheReturn = alert.equals("RateLimitCountersLost");
                assertThat(PromQl.ask(expression, third, isOfTheReturn ? restarted : fourth))
                        .as("%s: %s", alert, expression)
                        .isNotEmpty();
            });
            assertThat(PromQl.ask("max by (code) (ratelimit_diagnostics_total) > 0", third, fourth))
                    .containsOnlyKeys(Map.of("code", "RL-007"), Map.of("code", "RL-010"));
            String fifth = scrape(application);
            assertThat(PromQl.ask(requireNonNull(alerts().get("RateLimitMisconfiguredOrForged")), fifth, fifth))
                    .as("the stranger has stopped")
                    .isEmpty();
            assertThat(PromQl.ask(requireNonNull(alerts().get("RateLimitMisconfigured")), third, fourth))
                    .containsOnlyKeys(Map.of("code", "RL-010"));
            for (String query : queries()) {
                assertThat(PromQl.ask(query, third, fourth)).as(query).isNotEmpty();
            }
            Spans spans = application.context().getBean(Spans.class);
            Servers.await("spans of rejected requests", () -> spans.told.contains("ratelimit.rejected=search"));
            assertThat(spans.told).contains("ratelimit.would.reject=tried", "ratelimit.store.failed=search");
            everyMeterIsOnThePage(application.context().getBean(MeterRegistry.class));
        }
    }

    @Test
    void spanOfARequestOnWebFluxSaysWhoRejectedIt() throws Exception {
        try (RunningApplication application = RunningApplication.of(Application.class)
                .reactive()
                .limiter("search", 1)
                .property("ratelimit.limiters.search.paths", "/search")
                .start()) {
            assertThat(RawHttp.get(application.base(), "/search").status()).isEqualTo(200);
            assertThat(RawHttp.get(application.base(), "/search").status()).isEqualTo(429);
            Spans spans = application.context().getBean(Spans.class);
            Servers.await("the span of a rejected request", () -> spans.told.contains("ratelimit.rejected=search"));
        }
    }

    /** Six requests of three clients, who are allowed; the limiter in shadow would reject half of them. One more costs two, as it turns out. */
    private static void goCalmly(RunningApplication application, int network) {
        Limiters<HttpCall> limiters =
                application.context().getBean(HttpRateLimiter.class).limiters();
        HttpCall call = DescribedCall.of("address:10.%d.1.0".formatted(network));
        limiters.settle(limiters.get("search").tryAcquire(call), "search", 2).join();
        for (int i = 0; i < 6; i++) {
            assertThat(ask(application, "10.%d.0.%d".formatted(network, i / 2))).isTrue();
        }
    }

    /** Somebody is rejected, somebody forges a field, a bean asks for the user too early, and more clients come than the fallback has counters for. */
    private static void goWrong(RunningApplication application) throws Exception {
        for (int i = 0; i < 11; i++) { // one more than the limit
            RawHttp.get(application.base(), "/search", "X-Forwarded-For: 192.0.2.1");
        }
        RawHttp.get(application.base(), "/early");
        for (int i = 0; i < 1000; i++) {
            ask(application, "10.4.0.1");
        }
        for (int i = 0; i < 3000; i++) {
            ask(application, "10.3.%d.%d".formatted(i / 250, i % 250));
        }
    }

    private static boolean ask(RunningApplication application, String address) {
        DescribedCall call = DescribedCall.of("address:" + address);
        return application
                .context()
                .getBean(HttpRateLimiter.class)
                .check(List.of("search", "tried"), call)
                .allowed();
    }

    private static double lost(RunningApplication application) {
        MeterRegistry meters = application.context().getBean(MeterRegistry.class);
        return meters.get("ratelimit.store.losses").functionCounter().count();
    }

    private static String scrape(RunningApplication application) throws Exception {
        URL endpoint = application.base().resolve("/actuator/prometheus").toURL();
        try (InputStream answer = endpoint.openStream()) {
            return new String(answer.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static void everyMeterIsOnThePage(MeterRegistry registry) throws IOException {
        String page = Files.readString(DOCS.resolve("operations.md"));
        String section = page.substring(page.indexOf("\n## Metrics\n"), page.indexOf("\n## Traces\n"));
        Set<String> told = Pattern.compile("^\\| `(ratelimit\\.[a-z.]+)`", Pattern.MULTILINE)
                .matcher(section)
                .results()
                .map(row -> row.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> metered = registry.getMeters().stream()
                .map(meter -> meter.getId().getName())
                .filter(name -> name.startsWith("ratelimit."))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(metered).isEqualTo(told);
    }

    // ---- the files; JSON is YAML

    private static Map<String, String> alerts() {
        Map<String, String> alerts = new LinkedHashMap<>();
        for (Map<String, ?> rule :
                maps(maps(read("alerts.yml").get("groups")).get(0).get("rules"))) {
            alerts.put(String.valueOf(rule.get("alert")), String.valueOf(rule.get("expr")));
            assertThat(String.valueOf(rule.get("annotations"))).contains("runbook_url=https://github.com/");
        }
        assertThat(alerts).hasSize(8);
        return alerts;
    }

    private static List<String> queries() {
        List<String> queries = new ArrayList<>();
        for (Map<String, ?> panel : maps(read("dashboard.json").get("panels"))) {
            if (panel.get("targets") != null) {
                maps(panel.get("targets"))
                        .forEach(target -> queries.add(String.valueOf(target.get("expr"))
                                .replace("$__rate_interval", "5m")
                                .replace("$job", ".*")
                                .replace("$instance", ".*")));
            }
        }
        assertThat(queries).hasSizeGreaterThan(15);
        return queries;
    }

    private static Map<String, ?> read(String file) {
        try {
            return new Yaml()
                    .load(Files.readString(DOCS.resolve("observability").resolve(file)));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, ?>> maps(@Nullable Object list) {
        return (List<Map<String, ?>>) requireNonNull(list);
    }
}
