package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.redis.RedisStore;
import io.github.ratelimit.spring.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.spring.autoconfigure.redis.RedisStart;
import io.github.ratelimit.spring.endpoint.RedisKeyNames;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Beans beside a store on Redis: one waits for it at the startup, one tells the names of its counters. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(RedisStore.class)
@ConditionalOnBean(RedisStore.class)
class RedisCompanionsConfiguration {

    @Bean("io.github.ratelimit.rateLimitRedisStart")
    RedisStart rateLimitRedisStart(RedisStore store, RateLimitProperties properties) {
        return RedisStart.of(store, properties.redis().startTimeout());
    }

    @Bean("io.github.ratelimit.rateLimitRedisKeyNames")
    RedisKeyNames rateLimitRedisKeyNames(RedisStore store) {
        return store::keyNames;
    }
}
