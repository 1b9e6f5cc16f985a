/** Limits, keys, named limiters, the in-process store and the HTTP layer. */
module io.github.ratelimit.core {
    requires static transitive org.jspecify;
    requires static transitive java.net.http;
    requires static micrometer.commons;
    requires static micrometer.core;
    requires static micrometer.observation;

    exports io.github.ratelimit;
    exports io.github.ratelimit.http;
    exports io.github.ratelimit.http.client;
    exports io.github.ratelimit.micrometer;
}
