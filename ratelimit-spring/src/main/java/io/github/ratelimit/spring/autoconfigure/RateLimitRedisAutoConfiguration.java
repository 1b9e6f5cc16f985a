package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.Store;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.redis.RedisStore;
import io.github.ratelimit.redis.RedisWarning;
import io.github.ratelimit.spring.RedisStoreBuilderCustomizer;
import io.github.ratelimit.spring.internal.Diagnostic;
import io.github.ratelimit.spring.internal.diagnostics.Diagnostics;
import io.github.ratelimit.spring.internal.endpoint.CounterKeys;
import io.github.ratelimit.spring.internal.properties.RateLimitProperties;
import io.github.ratelimit.spring.internal.redis.ApplicationRedis;
import io.github.ratelimit.spring.internal.redis.ConfiguredRedis;
import io.github.ratelimit.spring.internal.redis.RedisClientSource;
import io.github.ratelimit.spring.internal.remote.RemoteStart;
import java.lang.System.Logger.Level;
import java.time.Duration;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Counts on Redis where {@code ratelimit.store} says so, and waits for Redis at the startup.
 *
 * <p>Public so that it can be named, in {@code exclude} of {@code @SpringBootApplication} or in {@code @AutoConfigureAfter}. It is of no other
 * use.
 */
@AutoConfiguration(
        after = RateLimitAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration", // 3.5
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration" // 4
        })
@ConditionalOnClass(RedisStore.class)
@Conditional({OnLimits.class, OnLimiters.class})
public final class RateLimitRedisAutoConfiguration {

    /** Makes it. */
    public RateLimitRedisAutoConfiguration() {}

    /** Finds Redis where the application's own connections go, be their factory Spring Boot's or the application's. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(RedisConnectionFactory.class)
    @ConditionalOnProperty(name = "ratelimit.store", havingValue = "redis")
    @ConditionalOnBean(RedisConnectionFactory.class)
    static class ApplicationConnection {

        /** Asks for the factory only where no address is given: several factories would leave the choice open. */
        @Bean("io.github.ratelimit.rateLimitRedisClientSource")
        RedisClientSource rateLimitRedisClientSource(
                ObjectProvider<RedisConnectionFactory> factories, ListableBeanFactory beans) {
            return store -> ApplicationRedis.of(factories.getIfUnique(), beans).applyTo(store);
        }
    }

    /** Makes the store. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = "ratelimit.store", havingValue = "redis")
    @ConditionalOnMissingBean(Store.class)
    @Order(0) // before its companions
    static class SharedStore {

        @Bean("io.github.ratelimit.rateLimitStore")
        RedisStore rateLimitStore(
                RateLimitProperties properties,
                ObjectProvider<RedisClientSource> application,
                ObjectProvider<RedisStoreBuilderCustomizer> customizers,
                ObjectProvider<TimeSource> time,
                Diagnostics diagnostics) {
            RedisStore.Builder store = RedisStore.builder()
                    .time(time.getIfAvailable(TimeSource::system))
                    .startTimeout(Duration.ZERO) // RemoteStart waits, when the application starts
                    .onWarning(warning -> warn(diagnostics, warning));
            ConfiguredRedis.apply(properties, store, application.getIfAvailable(() -> any -> {}));
            customizers.orderedStream().forEach(each -> each.customize(store));
            return ConfiguredRedis.build(store);
        }

        private static void warn(Diagnostics diagnostics, RedisWarning warning) {
            switch (warning.kind()) {
                case EVICTS -> diagnostics.warn(Diagnostic.REDIS_EVICTS, warning.message());
                case TOO_OLD, NODE_OF_A_CLUSTER -> diagnostics.warn(Diagnostic.REDIS_UNSUITABLE, warning.message());
                // Each time: an event, and no finding on the configuration.
                case COUNTS_LOST, CLOCKS_DIFFER ->
                    System.getLogger(RedisStore.class.getName()).log(Level.WARNING, warning.message());
            }
        }
    }

    /** Stands beside the store: one bean waits for it at the startup, one tells the names of its counters. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean(RedisStore.class)
    static class Companions {

        @Bean("io.github.ratelimit.rateLimitStart")
        RemoteStart rateLimitStart(RedisStore store, RateLimitProperties properties) {
            return RemoteStart.of(
                    store, "ratelimit.redis.start-timeout", properties.redis().startTimeout());
        }

        @Bean("io.github.ratelimit.rateLimitCounterKeys")
        CounterKeys rateLimitCounterKeys(RedisStore store) {
            return store::keyNames;
        }
    }
}
