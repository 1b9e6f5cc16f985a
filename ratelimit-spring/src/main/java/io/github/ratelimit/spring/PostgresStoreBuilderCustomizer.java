package io.github.ratelimit.spring;

import io.github.ratelimit.postgresql.PostgresStore;

/**
 * Changes the auto-configured store on PostgreSQL. Spring Boot's startup calls all beans of this type in their order, after it has applied
 * the properties.
 */
@FunctionalInterface
public interface PostgresStoreBuilderCustomizer {

    /** Changes the builder. The startup calls it once, on one thread. */
    void customize(PostgresStore.Builder builder);
}
