package io.github.ratelimit.spring.boot;

import io.github.ratelimit.Store;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.redis.RedisStore;
import io.github.ratelimit.redis.RedisWarning;
import io.github.ratelimit.spring.Diagnostic;
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
    RedisStore rateLimitStore(
            RateLimitProperties properties,
            ObjectProvider<RedisClientSource> application,
            ObjectProvider<TimeSource> time,
            Diagnostics diagnostics) {
        RedisStore.Builder store = RedisStore.builder()
                .time(time.getIfAvailable(TimeSource::system))
                .onWarning(warning -> diagnostics.warn(diagnostic(warning.kind()), warning.message()));
        return ConfiguredRedis.store(properties.redis(), store, application.getIfAvailable(() -> any -> {}));
    }

    private static Diagnostic diagnostic(RedisWarning.Kind kind) {
        return kind == RedisWarning.Kind.EVICTS ? Diagnostic.REDIS_EVICTS : Diagnostic.REDIS_UNSUITABLE;
    }
}
