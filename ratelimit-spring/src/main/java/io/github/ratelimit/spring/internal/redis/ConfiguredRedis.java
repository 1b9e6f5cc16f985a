package io.github.ratelimit.spring.internal.redis;

import static io.github.ratelimit.spring.internal.properties.ConfiguredLimiters.valid;

import io.github.ratelimit.redis.RedisStore;
import io.github.ratelimit.redis.RedisTopology;
import io.github.ratelimit.spring.internal.InvalidRateLimitException;
import io.github.ratelimit.spring.internal.properties.RateLimitProperties;
import io.github.ratelimit.spring.internal.properties.RateLimitProperties.Redis;
import io.github.ratelimit.spring.internal.properties.RateLimitProperties.Topology;
import io.github.ratelimit.spring.internal.remote.ConfiguredRemote;

/** Makes a store of properties, and names the property by its full name where that cannot be done. */
public final class ConfiguredRedis {

    private ConfiguredRedis() {}

    /**
     * Passes all properties on.
     *
     * @param application says where Redis is if the properties do not
     */
    public static void apply(RateLimitProperties properties, RedisStore.Builder store, RedisClientSource application) {
        Redis redis = properties.redis();
        String uri = redis.uri();
        if (uri != null) {
            store.uri(uri);
        } else {
            application.applyTo(store);
        }
        if (redis.topology() != Topology.AUTO) {
            store.topology(RedisTopology.valueOf(redis.topology().name()));
        }
        valid("ratelimit.redis.key-prefix", () -> store.keyPrefix(redis.keyPrefix()));
        ConfiguredRemote.apply("ratelimit.redis.", redis, properties, store);
    }

    /**
     * Makes it: address and topology are checked together, and only now.
     *
     * @throws InvalidRateLimitException if they are wrong
     */
    public static RedisStore build(RedisStore.Builder store) {
        try {
            return store.build();
        } catch (IllegalArgumentException e) {
            String message = String.valueOf(e.getMessage());
            if (message.startsWith("topology ")) {
                throw new InvalidRateLimitException(
                        "ratelimit.redis.topology: " + message,
                        "correct the value of ratelimit.redis.topology or of ratelimit.redis.uri");
            }
            if (message.startsWith("the client ")) { // it shows no password
                throw new InvalidRateLimitException(
                        "ratelimit.redis.uri: " + message, "correct the value of ratelimit.redis.uri");
            }
            throw new InvalidRateLimitException(
                    "ratelimit.redis.uri: is no address of Redis, such as redis://user:password@host:6379 (not shown, as it may hold a password)",
                    "correct the value of ratelimit.redis.uri; special characters of a password are percent-encoded");
        }
    }
}
