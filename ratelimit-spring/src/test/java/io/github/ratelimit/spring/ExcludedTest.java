package io.github.ratelimit.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Store;
import io.github.ratelimit.spring.autoconfigure.RateLimitAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
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

    @Test
    void anotherAutoConfigurationCanComeAfterIt() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(After.class, RateLimitAutoConfiguration.class))
                .run(context -> assertThat(context).hasBean("after"));
    }
}
