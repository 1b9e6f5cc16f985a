package io.github.ratelimit.spring.boot;

import io.github.ratelimit.redis.RedisStore;

/** Gives a store the application's own client for Redis. */
@FunctionalInterface
interface RedisClientSource {

    /** Tells the builder of the client. */
    void applyTo(RedisStore.Builder store);
}
