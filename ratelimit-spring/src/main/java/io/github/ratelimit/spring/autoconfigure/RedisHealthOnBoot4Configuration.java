package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.redis.RedisStore;
import io.github.ratelimit.spring.autoconfigure.redis.RedisHealthReport;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Tells Actuator of Spring Boot 4 how the store on Redis is: the other line has the same types in another package. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({RedisStore.class, HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(RedisStore.class)
class RedisHealthOnBoot4Configuration {

    /** Under its bean's name, less the name of its type. */
    @Bean
    @ConditionalOnMissingBean(name = "ratelimitHealthIndicator")
    @ConditionalOnEnabledHealthIndicator("ratelimit") // on the method: looked at only where the class above is there
    HealthIndicator ratelimitHealthIndicator(RedisStore store, HttpRateLimiter limiter) {
        return () -> {
            RedisHealthReport report = RedisHealthReport.of(store, limiter.limiters());
            return (report.isUp() ? Health.up() : Health.down())
                    .withDetails(report.details())
                    .build();
        };
    }
}
