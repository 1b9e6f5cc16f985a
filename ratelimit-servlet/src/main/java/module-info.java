/** The servlet filter. */
module io.github.ratelimit.servlet {
    requires transitive io.github.ratelimit.core;
    requires transitive jakarta.servlet;
    requires static transitive org.jspecify;

    exports io.github.ratelimit.servlet;
}
