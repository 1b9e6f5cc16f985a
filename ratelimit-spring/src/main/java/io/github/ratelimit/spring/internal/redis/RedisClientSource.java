package io.github.ratelimit.spring.internal.redis;

import io.github.ratelimit.redis.RedisStore;

/** Tells a store where the application's own Redis is. */
@FunctionalInterface
public interface RedisClientSource {

    /** Tells the builder of addresses, topology, and what a client is made of. */
    void applyTo(RedisStore.Builder store);
}
