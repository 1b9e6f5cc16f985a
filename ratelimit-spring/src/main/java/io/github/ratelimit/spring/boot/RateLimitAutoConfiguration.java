package io.github.ratelimit.spring.boot;

import io.github.ratelimit.http.RefusalBody;
import io.github.ratelimit.servlet.RequestCost;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.web.servlet.HandlerInterceptor;

/** Limits the requests of a servlet application. Each bean gives way to one of the application's own. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration", // 3.5
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration", // 4
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration"
        })
@ConditionalOnClass(HandlerInterceptor.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@Import({LimitsOnConfiguration.class, LimitsOffConfiguration.class})
class RateLimitAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    RefusalBody rateLimitRefusalBody() {
        return RefusalBody.json();
    }

    @Bean
    @ConditionalOnMissingBean
    RequestCost rateLimitRequestCost() {
        return RequestCost.ONE;
    }
}
