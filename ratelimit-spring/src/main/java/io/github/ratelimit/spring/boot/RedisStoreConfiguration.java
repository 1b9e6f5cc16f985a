package io.github.ratelimit.spring.boot;

import io.github.ratelimit.Store;
import io.github.ratelimit.redis.RedisStore;
import io.github.ratelimit.spring.boot.RateLimitProperties.Redis;
import java.util.Base64;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;

/** Counts on Redis where that is wanted. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(RedisStore.class)
@ConditionalOnProperty(name = "ratelimit.store", havingValue = "redis")
@ConditionalOnMissingBean(Store.class)
@ImportRuntimeHints(RedisScriptHints.class)
class RedisStoreConfiguration {

    @Bean
    RedisStore rateLimitStore(RateLimitProperties properties, ObjectProvider<RedisClientSource> ownClient) {
        Redis redis = properties.redis();
        RedisStore.Builder store = RedisStore.builder();
        String uri = redis.uri();
        if (uri != null) {
            ConfiguredLimiters.valid("ratelimit.redis.uri", () -> store.uri(uri));
        } else {
            ownClient.ifAvailable(source -> source.applyTo(store));
        }
        ConfiguredLimiters.valid("ratelimit.redis.timeout", () -> store.timeout(redis.timeout()));
        ConfiguredLimiters.valid(
                "ratelimit.redis.remember-refusals", () -> store.rememberRefusals(redis.rememberRefusals()));
        ConfiguredLimiters.valid("ratelimit.redis.key-prefix", () -> store.keyPrefix(redis.keyPrefix()));
        String secret = redis.secret();
        if (secret != null) {
            ConfiguredLimiters.valid(
                    "ratelimit.redis.secret",
                    () -> store.secret(Base64.getDecoder().decode(secret)));
        }
        return ConfiguredLimiters.valid("ratelimit.redis.uri", store::build);
    }
}
