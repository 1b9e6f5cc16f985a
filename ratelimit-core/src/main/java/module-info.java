/** Limits, keys, named limiters, the in-process store and the HTTP layer. */
module io.github.ratelimit.core {
    requires static transitive org.jspecify;
    requires static micrometer.core;

    exports io.github.ratelimit;
    exports io.github.ratelimit.http;
    exports io.github.ratelimit.micrometer;
}
