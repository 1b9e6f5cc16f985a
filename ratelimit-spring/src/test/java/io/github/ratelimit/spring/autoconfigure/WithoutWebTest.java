package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Key;
import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.Store;
import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.micrometer.MicrometerDecisionListener;
import io.github.ratelimit.redis.RedisStore;
import io.github.ratelimit.servlet.RateLimitFilter;
import io.github.ratelimit.servlet.ServletOrigin;
import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.RateLimitWebFilter;
import io.github.ratelimit.spring.internal.endpoint.DescribedCall;
import io.github.ratelimit.spring.internal.endpoint.RateLimitsEndpoint;
import io.github.ratelimit.spring.internal.remote.RemoteStart;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.RestController;

/** An application that serves no requests has limiters as well: for jobs and consumers of messages. */
class WithoutWebTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(Ours.autoConfigurations())
            .withPropertyValues("ratelimit.limiters.jobs.permits=2")
            .withPropertyValues("ratelimit.limiters.jobs.window=1h");

    private static DescribedCall call() {
        return DescribedCall.of("address:192.0.2.1");
    }

    @Test
    void configuredLimitersAndTheirStoreAreThereAndNoAdapterIs() {
        runner.run(context -> {
            assertThat(context)
                    .hasNotFailed()
                    .hasSingleBean(Store.class)
                    .hasSingleBean(HttpRateLimiter.class)
                    .hasSingleBean(ClientAddress.class)
                    .doesNotHaveBean(ServletOrigin.class)
                    .doesNotHaveBean(RateLimitFilter.class)
                    .doesNotHaveBean(RateLimitWebFilter.class);
            Limiters<?> limiters = context.getBean(Limiters.class);
            assertThat(limiters.names()).containsExactly("jobs");
            HttpRateLimiter limiter = context.getBean(HttpRateLimiter.class);
            assertThat(limiter.check(List.of("jobs"), call()).allowed()).isTrue();
            assertThat(limiter.check(List.of("jobs"), call()).allowed()).isTrue();
            assertThat(limiter.check(List.of("jobs"), call()).allowed()).isFalse();
        });
    }

    @Test
    void decisionsAreMeteredAndTheEndpointIsThere() {
        runner.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withPropertyValues("spring.jmx.enabled=true", "management.endpoints.jmx.exposure.include=*")
                .run(context -> {
                    assertThat(context)
                            .hasNotFailed()
                            .hasSingleBean(MicrometerDecisionListener.class)
                            .hasBean("io.github.ratelimit.rateLimitInProcessMeters")
                            .hasSingleBean(RateLimitsEndpoint.class);
                    context.getBean(HttpRateLimiter.class).check(List.of("jobs"), call());
                    assertThat(context.getBean(MeterRegistry.class)
                                    .get("ratelimit.decisions")
                                    .tag("limiter", "jobs")
                                    .counter()
                                    .count())
                            .isEqualTo(1);
                    assertThat(context.getBean(RateLimitsEndpoint.class)
                                    .limiters()
                                    .limiters())
                            .containsOnlyKeys("jobs");
                });
    }

    @Test
    void storeOnRedisIsThereWithItsHealth() {
        runner.withPropertyValues(
                        "ratelimit.store=redis",
                        "ratelimit.redis.uri=redis://127.0.0.1:1",
                        "ratelimit.redis.start-timeout=0")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(RedisStore.class)
                        .hasSingleBean(RemoteStart.class)
                        .hasBean("ratelimitHealthIndicator"));
    }

    @Test
    void mistakesStopTheStart() {
        runner.withPropertyValues("ratelimit.limiters.jobs.permits=0")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageStartingWith("ratelimit.limiters.jobs.permits: limit 'jobs': permits must be"));
        runner.withPropertyValues("ratelimit.limiters.jbos.paths=/x")
                .run(
                        context -> assertThat(context)
                                .getFailure()
                                .hasMessage(
                                        "ratelimit.limiters.jbos: no such limiter: 'jbos' has paths and no permits, and nothing else describes it; known: jobs"));
        runner.withUserConfiguration(Misspelt.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessage("@RateLimit(\"jbos\") on Misspelt.get: no such limiter; known: jobs"));
    }

    @Test
    void wholeApplicationStartsWithoutWeb() {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties("ratelimit.limiters.jobs.permits=1")
                .properties("ratelimit.limiters.jobs.window=1h")
                .properties("ratelimit.limiters.jobs.key=tenant")
                .properties("spring.main.banner-mode=off", "logging.level.root=off")
                .registerShutdownHook(false)
                .initializers(made -> made.getBeanFactory()
                        .registerSingleton("tenant", (KeyResolver<HttpCall>) call -> Key.of("acme")))
                .run()) {
            assertThat(context.getBean(HttpRateLimiter.class).limiters().names())
                    .containsExactly("jobs");
            assertThat(context.getBeansOfType(MeterRegistry.class)).isNotEmpty();
            assertThat(context.getBeansOfType(MicrometerDecisionListener.class)).hasSize(1);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @RestController
    static class Misspelt {
        @RateLimit("jbos")
        void get() {}
    }
}
