/** Limits, keys, named limiters, the in-process store and the HTTP layer. */
@SuppressWarnings("module") // the others are not there while this one is compiled
module io.github.ratelimit.core {
    requires static transitive org.jspecify;
    requires static transitive java.net.http;
    requires static micrometer.commons;
    requires static micrometer.core;
    requires static micrometer.observation;

    exports io.github.ratelimit;
    exports io.github.ratelimit.control;
    exports io.github.ratelimit.http;
    exports io.github.ratelimit.http.adapter;
    exports io.github.ratelimit.http.client;
    exports io.github.ratelimit.micrometer;
    exports io.github.ratelimit.internal to
            io.github.ratelimit.postgresql,
            io.github.ratelimit.redis,
            io.github.ratelimit.remote,
            io.github.ratelimit.servlet,
            io.github.ratelimit.spring,
            io.github.ratelimit.spring.client,
            io.github.ratelimit.spring.live,
            io.github.ratelimit.spring.test,
            io.github.ratelimit.test;
}
