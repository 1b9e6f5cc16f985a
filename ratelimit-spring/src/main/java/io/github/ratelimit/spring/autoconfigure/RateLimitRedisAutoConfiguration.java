package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.Store;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.redis.RedisStore;
import io.github.ratelimit.redis.RedisWarning;
import io.github.ratelimit.spring.Diagnostic;
import io.github.ratelimit.spring.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.spring.autoconfigure.redis.ConfiguredRedis;
import io.github.ratelimit.spring.autoconfigure.redis.RedisClientSource;
import io.github.ratelimit.spring.diagnostics.Diagnostics;
import java.lang.System.Logger.Level;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Counts on Redis where that is wanted. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(RedisStore.class)
@ConditionalOnProperty(name = "ratelimit.store", havingValue = "redis")
@ConditionalOnMissingBean(Store.class)
class RateLimitRedisAutoConfiguration {

    @Bean("io.github.ratelimit.rateLimitStore")
    RedisStore rateLimitStore(
            RateLimitProperties properties,
            ObjectProvider<RedisClientSource> application,
            ObjectProvider<TimeSource> time,
            Diagnostics diagnostics) {
        RedisStore.Builder store = RedisStore.builder()
                .time(time.getIfAvailable(TimeSource::system))
                .startTimeout(Duration.ZERO) // RedisStart waits, when the application starts
                .onWarning(warning -> warn(diagnostics, warning));
        return ConfiguredRedis.store(properties.redis(), store, application.getIfAvailable(() -> any -> {}));
    }

    private static void warn(Diagnostics diagnostics, RedisWarning warning) {
        switch (warning.kind()) {
            case EVICTS -> diagnostics.warn(Diagnostic.REDIS_EVICTS, warning.message());
            case TOO_OLD, NODE_OF_A_CLUSTER -> diagnostics.warn(Diagnostic.REDIS_UNSUITABLE, warning.message());
            // Each time: an event, and no finding on the configuration.
            case COUNTS_LOST -> System.getLogger(RedisStore.class.getName()).log(Level.WARNING, warning.message());
        }
    }
}
