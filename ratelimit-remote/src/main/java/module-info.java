/** The engine of stores behind a network. */
module io.github.ratelimit.remote {
    requires transitive io.github.ratelimit.core;
    requires static micrometer.core;
    requires static org.jspecify;

    exports io.github.ratelimit.remote;
    exports io.github.ratelimit.remote.micrometer;
}
