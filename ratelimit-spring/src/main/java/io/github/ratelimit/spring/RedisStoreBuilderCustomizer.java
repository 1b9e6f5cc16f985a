package io.github.ratelimit.spring;

import io.github.ratelimit.redis.RedisStore;

/**
 * Changes the auto-configured store on Redis. Spring Boot's startup calls all beans of this type in their order, after it has applied the
 * properties.
 */
@FunctionalInterface
public interface RedisStoreBuilderCustomizer {

    /** Changes the builder. The startup calls it once, on one thread. */
    void customize(RedisStore.Builder builder);
}
