package io.github.ratelimit.spring.boot;

import io.github.ratelimit.redis.RedisStore;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Takes the application's own client for Redis, where Spring Data has made one. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({RedisStore.class, LettuceConnectionFactory.class})
@ConditionalOnProperty(name = "ratelimit.store", havingValue = "redis")
@ConditionalOnBean(LettuceConnectionFactory.class)
class SpringDataRedisConfiguration {

    @Bean
    RedisClientSource rateLimitRedisClientSource(LettuceConnectionFactory connections) {
        return store -> {
            Object client = connections.getNativeClient();
            if (client instanceof RedisClusterClient cluster) {
                store.client(cluster);
            } else if (client instanceof RedisClient single) {
                store.client(single);
            }
        };
    }
}
