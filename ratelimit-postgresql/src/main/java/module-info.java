/** The shared store, on PostgreSQL through JDBC. */
module io.github.ratelimit.postgresql {
    requires transitive io.github.ratelimit.remote;
    requires transitive java.sql;
    requires static org.jspecify;

    exports io.github.ratelimit.postgresql;
}
