package io.github.ratelimit.spring.internal.redis;

import io.github.ratelimit.spring.internal.InvalidRateLimitException;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Translates connections of Jedis for the store, which uses Lettuce. */
public final class JedisConnections {

    private JedisConnections() {}

    /** Makes a factory with the same settings, which is never started. */
    public static LettuceConnectionFactory toLettuce(JedisConnectionFactory jedis) {
        JedisClientConfiguration client = jedis.getClientConfiguration();
        if (Stream.of(client.getSslSocketFactory(), client.getSslParameters(), client.getHostnameVerifier())
                .anyMatch(Optional::isPresent)) {
            throw new InvalidRateLimitException(
                    "ratelimit.redis.uri: must be given, because the store cannot read the TLS settings of Jedis",
                    "set it to an address that begins with rediss://; a RedisStoreBuilderCustomizer bean sets trust and keys by clientOptions");
        }
        LettuceClientConfigurationBuilder same = LettuceClientConfiguration.builder();
        client.getClientName().ifPresent(same::clientName);
        if (client.isUseSsl()) {
            same.useSsl();
        }
        return new LettuceConnectionFactory(servers(jedis), same.build());
    }

    private static RedisConfiguration servers(JedisConnectionFactory jedis) {
        return Stream.of(jedis.getClusterConfiguration(), jedis.getSentinelConfiguration())
                .flatMap(Stream::ofNullable)
                .findFirst()
                .orElseGet(jedis::getStandaloneConfiguration);
    }
}
