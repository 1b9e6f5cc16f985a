package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.control.OperatorChanges;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.micrometer.MicrometerDecisionListener;
import io.github.ratelimit.micrometer.ObservationDecisionListener;
import io.github.ratelimit.remote.RemoteStore;
import io.github.ratelimit.remote.micrometer.RemoteStoreMeters;
import io.github.ratelimit.spring.internal.Diagnostic;
import io.github.ratelimit.spring.internal.diagnostics.Diagnostics;
import io.github.ratelimit.spring.internal.diagnostics.LimitedRequests;
import io.github.ratelimit.spring.internal.diagnostics.StartReport;
import io.github.ratelimit.spring.internal.endpoint.CounterKeys;
import io.github.ratelimit.spring.internal.endpoint.OperatorLog;
import io.github.ratelimit.spring.internal.endpoint.RateLimitsEndpoint;
import io.github.ratelimit.spring.internal.method.MethodLimits;
import io.github.ratelimit.spring.internal.remote.RemoteHealthReport;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/**
 * Lets operators see limits: meters, traces, health, and the endpoint {@code ratelimits}.
 *
 * <p>Public so that it can be named, in {@code exclude} of {@code @SpringBootApplication} or in {@code @AutoConfigureAfter}. It is of no other
 * use.
 */
@AutoConfiguration(
        after = {
            RateLimitAutoConfiguration.class,
            RateLimitPostgresAutoConfiguration.class,
            RateLimitRedisAutoConfiguration.class
        },
        afterName = {
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration", // 3.5
            "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration", // 4
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
        })
@Conditional({OnLimits.class, OnLimiters.class})
public final class RateLimitActuatorAutoConfiguration {

    /** Makes it. */
    public RateLimitActuatorAutoConfiguration() {}

    /** Meters decisions where there is something to meter into. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    @ConditionalOnBean(MeterRegistry.class)
    static class Metrics {

        @Bean("io.github.ratelimit.micrometerDecisionListener")
        @ConditionalOnMissingBean
        MicrometerDecisionListener micrometerDecisionListener(MeterRegistry registry) {
            return new MicrometerDecisionListener(registry);
        }

        @Bean("io.github.ratelimit.rateLimitDiagnosticsMeters")
        MeterBinder rateLimitDiagnosticsMeters(Diagnostics diagnostics) {
            return registry -> {
                for (Diagnostic each : Diagnostic.values()) {
                    FunctionCounter.builder("ratelimit.diagnostics", diagnostics, all -> all.found(each))
                            .description("Findings that something is wrong with how limits are set up")
                            .tag("code", each.code())
                            .register(registry);
                }
            };
        }

        @Bean("io.github.ratelimit.rateLimitChangesMeters")
        MeterBinder rateLimitChangesMeters(HttpRateLimiter limiter, OperatorChanges<HttpCall> changes) {
            return registry -> limiter.limiters()
                    .names()
                    .forEach(name -> Gauge.builder("ratelimit.changes", changes, all -> StartReport.changed(all, name))
                            .description("Values of a limiter that operators changed")
                            .tag("limiter", name)
                            .register(registry));
        }

        @Bean("io.github.ratelimit.rateLimitInProcessMeters")
        MeterBinder rateLimitInProcessMeters(HttpRateLimiter limiter) {
            Limiters<HttpCall> limiters = limiter.limiters();
            Tags role = Tags.of("role", limiters.fallback() == limiters.store() ? "store" : "fallback");
            return registry -> {
                if (!(limiters.fallback() instanceof InProcessStore counted)) {
                    return;
                }
                Gauge.builder("ratelimit.in.process.counters", counted, InProcessStore::counters)
                        .description("Counters with an open window")
                        .baseUnit("counters")
                        .tags(role)
                        .register(registry);
                Gauge.builder("ratelimit.in.process.maximum.counters", counted, InProcessStore::maximumCounters)
                        .description("How many counters there may be")
                        .baseUnit("counters")
                        .tags(role)
                        .register(registry);
                FunctionCounter.builder("ratelimit.in.process.evicted", counted, InProcessStore::evicted)
                        .description("Open windows that were evicted to make room for others")
                        .baseUnit("counters")
                        .tags(role)
                        .register(registry);
            };
        }

        /** Meters a store behind a network. */
        @Configuration(proxyBeanMethods = false)
        @ConditionalOnClass(RemoteStore.class)
        @ConditionalOnBean(RemoteStore.class)
        static class OfRemoteStore {

            @Bean("io.github.ratelimit.rateLimitStoreMeters")
            RemoteStoreMeters rateLimitStoreMeters(RemoteStore store) {
                return new RemoteStoreMeters(store);
            }
        }
    }

    /** Writes rejections onto the spans of requests where requests are observed. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ObservationRegistry.class)
    @ConditionalOnBean(ObservationRegistry.class)
    static class Tracing {

        @Bean("io.github.ratelimit.observationDecisionListener")
        @ConditionalOnMissingBean
        ObservationDecisionListener observationDecisionListener(ObservationRegistry registry) {
            return new ObservationDecisionListener(registry);
        }
    }

    /** Tells Actuator of Spring Boot 3.5 how a store behind a network is. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({RemoteStore.class, HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
    @ConditionalOnBean(RemoteStore.class)
    static class HealthOnBoot3 {

        /** Under its bean's name, less the name of its type. */
        @Bean
        @ConditionalOnMissingBean(name = "ratelimitHealthIndicator")
        @ConditionalOnEnabledHealthIndicator(
                "ratelimit") // on the method: looked at only where the class above is there
        HealthIndicator ratelimitHealthIndicator(RemoteStore store, HttpRateLimiter limiter) {
            return () -> {
                RemoteHealthReport report = RemoteHealthReport.of(store, limiter.limiters());
                return (report.isUp() ? Health.up() : Health.down())
                        .withDetails(report.details())
                        .build();
            };
        }
    }

    /** The same for Spring Boot 4, which has these types in another package. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({
        RemoteStore.class,
        org.springframework.boot.health.contributor.HealthIndicator.class,
        org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator.class
    })
    @ConditionalOnBean(RemoteStore.class)
    static class HealthOnBoot4 {

        /** Under its bean's name, less the name of its type. */
        @Bean
        @ConditionalOnMissingBean(name = "ratelimitHealthIndicator")
        @org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator(
                "ratelimit") // on the method: looked at only where the class above is there
        org.springframework.boot.health.contributor.HealthIndicator ratelimitHealthIndicator(
                RemoteStore store, HttpRateLimiter limiter) {
            return () -> {
                RemoteHealthReport report = RemoteHealthReport.of(store, limiter.limiters());
                return (report.isUp()
                                ? org.springframework.boot.health.contributor.Health.up()
                                : org.springframework.boot.health.contributor.Health.down())
                        .withDetails(report.details())
                        .build();
            };
        }
    }

    /** Shows limiters where the application shows anything of itself. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
    static class Endpoint {

        // Each on the method: looked at only where the class above is there.

        @Bean("io.github.ratelimit.rateLimitsEndpoint")
        @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
        @ConditionalOnAvailableEndpoint
        RateLimitsEndpoint rateLimitsEndpoint(
                HttpRateLimiter limiter,
                ObjectProvider<CounterKeys> names,
                ObjectProvider<LimitedRequests> places,
                MethodLimits calls,
                OperatorChanges<HttpCall> changes,
                ApplicationEventPublisher publisher) {
            return new RateLimitsEndpoint(
                    limiter,
                    names.getIfAvailable(() -> CounterKeys.NONE),
                    places::getIfAvailable,
                    calls,
                    changes,
                    new OperatorLog(publisher));
        }
    }
}
