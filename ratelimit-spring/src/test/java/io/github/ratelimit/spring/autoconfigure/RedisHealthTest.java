package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.contract.RawHttp.Answer;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.redis.Servers;
import io.github.ratelimit.spring.internal.endpoint.DescribedCall;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

/** What Actuator and the meters tell of real servers that come and go. */
class RedisHealthTest {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    private static RunningApplication.Builder application(String uri) {
        return RunningApplication.of(Application.class)
                .property("ratelimit.store", "redis")
                .property("ratelimit.redis.uri", uri)
                .property(
                        "management.health.redis.enabled",
                        "false") // Spring Boot's own, of the application's connections
                .property("management.endpoint.health.show-details", "always")
                .limiter("patient", 1000)
                .limiter("shadowy", 1000)
                .property("ratelimit.limiters.shadowy.shadow", "true")
                .property("ratelimit.limiters.shadowy.on-store-failure", "reject");
    }

    private static Answer health(RunningApplication application) {
        try {
            return RawHttp.get(application.base(), "/actuator/health/ratelimit");
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void awaitHealth(RunningApplication application, String text) {
        Servers.await(text, () -> health(application).body().contains(text));
    }

    @Test
    void applicationIsUpWithoutRedisWhereNoLimiterRejects() {
        MeterRegistry registry = new SimpleMeterRegistry();
        try (RedisProcess redis = RedisProcess.start();
                RunningApplication application = application(redis.uri())
                        .bean(MeterRegistry.class, registry)
                        .start()) {
            String address = "127.0.0.1:" + Servers.port(redis);
            assertThat(health(application).status()).isEqualTo(200);
            assertThat(health(application).body())
                    .contains("\"status\":\"UP\"", "\"state\":\"up\"", "\"since\":\"20")
                    .contains("\"shards\":[{\"address\":\"" + address + "\",\"state\":\"up\"}]");
            redis.kill();
            awaitHealth(application, "\"state\":\"down\"");
            assertThat(health(application).status()).isEqualTo(200);
            assertThat(health(application).body())
                    .contains("\"status\":\"UP\"", "\"reason\":")
                    .doesNotContain("rejecting");
            Servers.await("it counts as down", () -> gauge(registry, "ratelimit.store.up") == 0);
            Servers.restart(redis);
            awaitHealth(application, "\"state\":\"up\"");
        }
    }

    @Test
    void applicationIsDownWhereALimiterRejectsWithoutRedis() {
        try (RedisProcess redis = RedisProcess.start();
                RunningApplication application = application(redis.uri())
                        .limiter("strict", 1000)
                        .property("ratelimit.limiters.strict.on-store-failure", "reject")
                        .start()) {
            assertThat(health(application).body()).contains("\"status\":\"UP\"");
            redis.kill();
            awaitHealth(application, "\"status\":\"DOWN\"");
            assertThat(health(application).status()).isEqualTo(503);
            assertThat(health(application).body()).contains("\"rejecting\":[\"strict\"]");
        }
    }

    @Test
    void degradedClusterIsUpAndTellsWhichMasterDoesNotAnswer() {
        try (Servers.Cluster cluster = new Servers.Cluster();
                RunningApplication application = application(cluster.uris().get(0))
                        .property("ratelimit.redis.topology", "cluster")
                        .property("ratelimit.limiters.patient.on-store-failure", "reject")
                        .start()) {
            for (String uri : cluster.uris()) {
                assertThat(health(application).body())
                        .contains("{\"address\":\"" + uri.replace("redis://", "") + "\",\"state\":\"up\"}");
            }
            cluster.kill(2);
            awaitHealth(application, "\"state\":\"degraded\"");
            assertThat(health(application).status()).isEqualTo(200);
            assertThat(health(application).body())
                    .contains("\"status\":\"UP\"")
                    .contains("{\"address\":\"" + cluster.uris().get(2).replace("redis://", "")
                            + "\",\"state\":\"down\",\"reason\":");
        }
    }

    @Test
    void contributorCanBeSwitchedOffAndIsNotThereWithoutRedis() {
        for (String off : List.of("management.health.ratelimit.enabled=false", "ratelimit.store=in-process")) {
            new WebApplicationContextRunner()
                    .withConfiguration(Ours.autoConfigurations())
                    .withPropertyValues(
                            "ratelimit.store=redis",
                            "ratelimit.redis.uri=redis://127.0.0.1:1",
                            "ratelimit.redis.start-timeout=0",
                            off)
                    .run(context ->
                            assertThat(context).as(off).hasNotFailed().doesNotHaveBean("ratelimitHealthIndicator"));
        }
    }

    // ---- meters

    @Test
    void allMastersAreMeteredTogether() {
        MeterRegistry registry = new SimpleMeterRegistry();
        try (Servers.Cluster cluster = new Servers.Cluster();
                RunningApplication application = application(cluster.uris().get(0))
                        .property("ratelimit.redis.topology", "cluster")
                        .property("ratelimit.redis.timeout", "10s")
                        .bean(MeterRegistry.class, registry)
                        .start()) {
            var limiters = application.context().getBean(HttpRateLimiter.class);
            for (int i = 0; i < 100; i++) {
                DescribedCall call = DescribedCall.of("address:" + "192.0.2." + i);
                assertThat(limiters.check(List.of("patient"), call).allowed()).isTrue();
            }
            assertThat(gauge(registry, "ratelimit.store.up")).isEqualTo(1);
            assertThat(counter(registry, "ratelimit.store.decisions")).isGreaterThanOrEqualTo(100);
            assertThat(counter(registry, "ratelimit.store.failed.calls")).isZero();
            assertThat(counter(registry, "ratelimit.store.connections"))
                    .isEqualTo(cluster.uris().size());
            var timer = registry.get("ratelimit.store.call.duration").functionTimer();
            assertThat(timer.count()).isPositive();
            assertThat(timer.mean(TimeUnit.MILLISECONDS)).isBetween(0.001, 10_000.0);
            assertThat(registry.getMeters())
                    .filteredOn(meter -> meter.getId().getName().matches("ratelimit\\.store\\.(?!duration|failures).*"))
                    .hasSize(13)
                    .allSatisfy(RedisHealthTest::isDescribed);
        }
    }

    private static void isDescribed(Meter meter) {
        Meter.Id id = meter.getId();
        assertThat(id.getDescription()).as(id.getName()).isNotBlank();
        if (!id.getName().equals("ratelimit.store.up")) { // yes or no
            assertThat(id.getBaseUnit()).as(id.getName()).isNotBlank();
        }
        assertThat(id.getTags()).isEmpty();
    }

    private static double gauge(MeterRegistry registry, String name) {
        return registry.get(name).gauge().value();
    }

    private static double counter(MeterRegistry registry, String name) {
        return registry.get(name).functionCounter().count();
    }
}
