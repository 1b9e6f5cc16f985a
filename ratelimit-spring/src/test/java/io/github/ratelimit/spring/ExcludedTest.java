package io.github.ratelimit.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Store;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.spring.autoconfigure.RateLimitActuatorAutoConfiguration;
import io.github.ratelimit.spring.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.spring.autoconfigure.RateLimitPostgresAutoConfiguration;
import io.github.ratelimit.spring.autoconfigure.RateLimitRedisAutoConfiguration;
import io.github.ratelimit.spring.autoconfigure.RateLimitWebFluxAutoConfiguration;
import io.github.ratelimit.spring.autoconfigure.RateLimitWebMvcAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The auto-configuration can be named from any package. */
class ExcludedTest {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Included {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = RateLimitAutoConfiguration.class)
    static class Excluded {}

    @AutoConfiguration(after = RateLimitAutoConfiguration.class)
    static class After {
        @Bean
        @ConditionalOnBean(Store.class)
        String after() {
            return "after";
        }
    }

    @Test
    void canBeExcludedByItsClass() {
        new ApplicationContextRunner()
                .withUserConfiguration(Included.class)
                .run(context -> assertThat(context).hasSingleBean(Store.class));
        new ApplicationContextRunner()
                .withUserConfiguration(Excluded.class)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Store.class));
    }

    /** Each but the first leaves the limiters themselves where they are. */
    @ParameterizedTest
    @ValueSource(
            classes = {
                RateLimitAutoConfiguration.class,
                RateLimitActuatorAutoConfiguration.class,
                RateLimitPostgresAutoConfiguration.class,
                RateLimitRedisAutoConfiguration.class,
                RateLimitWebFluxAutoConfiguration.class,
                RateLimitWebMvcAutoConfiguration.class
            })
    void eachPartCanBeExcluded(Class<?> part) {
        int limiters = part == RateLimitAutoConfiguration.class ? 0 : 1;
        String[] properties = {
            "spring.autoconfigure.exclude=" + part.getName(),
            "ratelimit.limiters.api.permits=1",
            "ratelimit.limiters.api.window=1h",
            "ratelimit.limiters.api.paths=/**"
        };
        new WebApplicationContextRunner()
                .withUserConfiguration(Included.class)
                .withPropertyValues(properties)
                .run(context -> assertThat(context.getBeansOfType(HttpRateLimiter.class))
                        .hasSize(limiters));
        new ReactiveWebApplicationContextRunner()
                .withUserConfiguration(Included.class)
                .withPropertyValues(properties)
                .run(context -> assertThat(context.getBeansOfType(HttpRateLimiter.class))
                        .hasSize(limiters));
    }

    @Test
    void applicationWithoutLimitersAsksForNoRedis() {
        new ApplicationContextRunner()
                .withUserConfiguration(Excluded.class)
                .withPropertyValues("ratelimit.store=redis")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Store.class));
    }

    @Test
    void anotherAutoConfigurationCanComeAfterIt() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(After.class, RateLimitAutoConfiguration.class))
                .run(context -> assertThat(context).hasBean("after"));
    }
}
