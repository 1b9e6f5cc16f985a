/** The shared store, on Redis through Lettuce. */
module io.github.ratelimit.redis {
    requires transitive io.github.ratelimit.core;
    requires transitive lettuce.core;
    requires com.github.benmanes.caffeine;
    requires io.github.resilience4j.circuitbreaker;
    requires io.github.resilience4j.core;
    requires static org.jspecify;

    exports io.github.ratelimit.redis;
}
