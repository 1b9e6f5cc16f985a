package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.redis.RedisStore;
import io.github.ratelimit.spring.InvalidRateLimitException;
import io.github.ratelimit.spring.autoconfigure.redis.ApplicationRedis;
import io.github.ratelimit.spring.autoconfigure.redis.RedisClientSource;
import java.util.TreeSet;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Finds Redis where the application's own connections go, be their factory Spring Boot's or the application's. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({RedisStore.class, LettuceConnectionFactory.class})
@ConditionalOnProperty(name = "ratelimit.store", havingValue = "redis")
@ConditionalOnBean(LettuceConnectionFactory.class)
class SpringDataRedisConfiguration {

    /** Asks for the factory only where no address is given: of several factories, nobody can tell which one is meant. */
    @Bean("io.github.ratelimit.rateLimitRedisClientSource")
    RedisClientSource rateLimitRedisClientSource(
            ObjectProvider<LettuceConnectionFactory> factories, ListableBeanFactory beans) {
        return store -> {
            LettuceConnectionFactory factory = factories.getIfUnique();
            if (factory == null) {
                throw new InvalidRateLimitException(
                        "ratelimit.redis.uri: must be given where there are several connection factories: "
                                + String.join(
                                        ", ",
                                        new TreeSet<>(beans.getBeansOfType(LettuceConnectionFactory.class, false, false)
                                                .keySet())),
                        "give the address, or mark one of the factories as @Primary");
            }
            new ApplicationRedis(factory).applyTo(store);
        };
    }
}
