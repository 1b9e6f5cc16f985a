package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.redis.RedisStore;
import io.github.ratelimit.spring.autoconfigure.redis.RedisMeters;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Meters the store on Redis. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({RedisStore.class, MeterRegistry.class})
@ConditionalOnBean({RedisStore.class, MeterRegistry.class})
class RedisMeteringConfiguration {

    @Bean("io.github.ratelimit.rateLimitRedisMeters")
    RedisMeters rateLimitRedisMeters(RedisStore store) {
        return new RedisMeters(store);
    }
}
