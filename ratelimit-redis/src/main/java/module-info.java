/** The shared store, on Redis through Lettuce. */
module io.github.ratelimit.redis {
    requires transitive io.github.ratelimit.remote;
    requires transitive lettuce.core;
    // Lettuce is no module and cannot say so: the graph has no Netty
    // unless a module asks for it. This one brings the others.
    requires static io.netty.resolver.dns;
    requires io.netty.buffer;
    requires io.netty.common;
    requires io.netty.transport;
    requires io.netty.handler;
    requires static org.jspecify;

    exports io.github.ratelimit.redis;
}
