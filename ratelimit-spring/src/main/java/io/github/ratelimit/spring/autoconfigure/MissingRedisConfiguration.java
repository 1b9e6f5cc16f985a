package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.Store;
import io.github.ratelimit.spring.InvalidRateLimitException;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Stops the start where counts are wanted on Redis and nothing can put them there: counting in each process would grant too much. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnMissingClass("io.github.ratelimit.redis.RedisStore")
@ConditionalOnProperty(name = "ratelimit.store", havingValue = "redis")
@ConditionalOnMissingBean(Store.class)
class MissingRedisConfiguration {

    @Bean("io.github.ratelimit.rateLimitStore")
    Store rateLimitStore() {
        throw new InvalidRateLimitException(
                "ratelimit.store: is redis, but the store on Redis is not there",
                "add the dependency io.github.ratelimit:ratelimit-redis, or set ratelimit.store to in-process");
    }
}
