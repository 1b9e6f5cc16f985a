/** A filter for servlet containers, and what other adapters on servlets need. */
module io.github.ratelimit.servlet {
    requires transitive io.github.ratelimit.core;
    requires transitive jakarta.servlet;
    requires static transitive org.jspecify;

    exports io.github.ratelimit.servlet;
}
