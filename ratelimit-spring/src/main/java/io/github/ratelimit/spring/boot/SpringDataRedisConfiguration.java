package io.github.ratelimit.spring.boot;

import io.github.ratelimit.redis.RedisStore;
import io.github.ratelimit.spring.InvalidRateLimitException;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Finds Redis where the application's own connections go, be their factory Spring Boot's or the application's. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({RedisStore.class, RedisConnectionFactory.class})
@ConditionalOnProperty(name = "ratelimit.store", havingValue = "redis")
@ConditionalOnBean(RedisConnectionFactory.class)
class SpringDataRedisConfiguration {

    /** Asks for the factory only where no address is given: of several factories, nobody can tell which one is meant. */
    @Bean("io.github.ratelimit.rateLimitRedisClientSource")
    RedisClientSource rateLimitRedisClientSource(
            ObjectProvider<RedisConnectionFactory> factories, ListableBeanFactory beans) {
        return store -> new ApplicationRedis(lettuce(factories.getIfUnique(), beans)).applyTo(store);
    }

    private static LettuceConnectionFactory lettuce(
            @Nullable RedisConnectionFactory factory, ListableBeanFactory beans) {
        if (factory == null) {
            throw new InvalidRateLimitException(
                    "ratelimit.redis.uri: must be given where there are several connection factories: "
                            + String.join(
                                    ", ",
                                    new TreeSet<>(beans.getBeansOfType(RedisConnectionFactory.class, false, false)
                                            .keySet())),
                    "give the address, or mark one of the factories as @Primary");
        }
        if (factory instanceof JedisConnectionFactory jedis) {
            return JedisConnections.toLettuce(jedis);
        }
        if (factory instanceof LettuceConnectionFactory lettuce) {
            return lettuce;
        }
        throw new InvalidRateLimitException(
                "ratelimit.redis.uri: must be given, because the store cannot read the address from "
                        + factory.getClass().getName(),
                "set it to the address of Redis, such as redis://user:password@host:6379");
    }
}
