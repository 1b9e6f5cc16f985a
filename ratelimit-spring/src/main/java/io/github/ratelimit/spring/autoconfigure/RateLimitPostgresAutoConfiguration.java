package io.github.ratelimit.spring.autoconfigure;

import static io.github.ratelimit.spring.internal.properties.ConfiguredLimiters.valid;

import io.github.ratelimit.Store;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.postgresql.PostgresStore;
import io.github.ratelimit.spring.PostgresStoreBuilderCustomizer;
import io.github.ratelimit.spring.internal.endpoint.CounterKeys;
import io.github.ratelimit.spring.internal.postgresql.ApplicationDataSource;
import io.github.ratelimit.spring.internal.properties.RateLimitProperties;
import io.github.ratelimit.spring.internal.properties.RateLimitProperties.Postgresql;
import io.github.ratelimit.spring.internal.remote.ConfiguredRemote;
import io.github.ratelimit.spring.internal.remote.RemoteStart;
import java.time.Duration;
import java.util.UUID;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/**
 * Counts on PostgreSQL where {@code ratelimit.store} says so, and waits for PostgreSQL at the startup.
 *
 * <p>Public so that it can be named, in {@code exclude} of {@code @SpringBootApplication} or in {@code @AutoConfigureAfter}. It is of no other
 * use.
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class)
@ConditionalOnClass(PostgresStore.class)
@Conditional({OnLimits.class, OnLimiters.class})
public final class RateLimitPostgresAutoConfiguration {

    /** Makes it. */
    public RateLimitPostgresAutoConfiguration() {}

    /** Makes the store, after Flyway, Liquibase or a script of the application may have made its schema. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = "ratelimit.store", havingValue = "postgresql")
    @ConditionalOnMissingBean(Store.class)
    @Order(0) // before its companions
    static class SharedStore {

        @Bean("io.github.ratelimit.rateLimitStore")
        @DependsOnDatabaseInitialization
        PostgresStore rateLimitStore(
                RateLimitProperties properties,
                ListableBeanFactory beans,
                ObjectProvider<PostgresStoreBuilderCustomizer> customizers,
                ObjectProvider<TimeSource> time) {
            Postgresql postgresql = properties.postgresql();
            PostgresStore.Builder store = PostgresStore.builder()
                    .time(time.getIfAvailable(TimeSource::system))
                    .startTimeout(Duration.ZERO) // RemoteStart waits, when the application starts
                    .createSchema(postgresql.createSchema())
                    .logged(postgresql.logged());
            valid("ratelimit.postgresql.schema", () -> store.schema(postgresql.schema()));
            ConfiguredRemote.apply("ratelimit.postgresql.", postgresql, properties, store);
            store.dataSource(ApplicationDataSource.of(beans, postgresql.dataSource(), postgresql.startTimeout()));
            customizers.orderedStream().forEach(each -> each.customize(store));
            return store.build();
        }
    }

    /** Stands beside the store: one bean waits for it at the startup, one tells the names of its counters. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean(PostgresStore.class)
    static class Companions {

        @Bean("io.github.ratelimit.rateLimitStart")
        RemoteStart rateLimitStart(PostgresStore store, RateLimitProperties properties) {
            return RemoteStart.of(
                    store,
                    "ratelimit.postgresql.start-timeout",
                    properties.postgresql().startTimeout());
        }

        @Bean("io.github.ratelimit.rateLimitCounterKeys")
        CounterKeys rateLimitCounterKeys(PostgresStore store) {
            return charges -> store.keys(charges).stream().map(UUID::toString).toList();
        }
    }
}
