package io.github.ratelimit.spring.internal.properties;

import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.http.FieldStyle;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of the library.
 *
 * @param enabled Whether limits are enforced.
 * @param store Place of the counters.
 * @param inProcess The store in this process' memory, and the fallback of a shared store.
 * @param redis The shared store on Redis.
 * @param postgresql The shared store on PostgreSQL.
 * @param http Settings of limiters over HTTP.
 * @param limiters Limiters by name.
 * @param onStoreFailure Policy of all limiters in an outage of the store.
 * @param diagnostics Reports of mistakes in the configuration.
 */
@ConfigurationProperties("ratelimit")
public record RateLimitProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("in-process") StoreKind store,
        @DefaultValue InProcess inProcess,
        @Nullable Redis redis,
        @Nullable Postgresql postgresql,
        @DefaultValue Http http,
        @DefaultValue Map<String, LimiterProperties> limiters,
        @DefaultValue("local") OnStoreFailure onStoreFailure,
        @DefaultValue Reports diagnostics) {

    /** The default values where no property is given: they are bound when they are asked for, as most starts never do. */
    @Override
    public Redis redis() {
        return redis == null ? new Binder().bindOrCreate("redis", Redis.class) : redis;
    }

    /** As {@link #redis()}. */
    @Override
    public Postgresql postgresql() {
        return postgresql == null ? new Binder().bindOrCreate("postgresql", Postgresql.class) : postgresql;
    }

    /** The share of limits while the shared store does not answer. */
    double localShare() {
        Remote remote = store == StoreKind.POSTGRESQL ? postgresql : redis;
        return remote == null ? 1 : remote.localShare();
    }

    /**
     * Reports of mistakes in the configuration.
     *
     * @param ignore Numbers of diagnostics that are neither logged nor counted, such as RL-007.
     */
    public record Reports(@DefaultValue List<String> ignore) {}

    /** Where counts are kept. */
    public enum StoreKind {

        /** In this process' memory: each process counts for itself. */
        IN_PROCESS,

        /** On Redis: all processes count together. */
        REDIS,

        /** On PostgreSQL: all processes count together. */
        POSTGRESQL
    }

    /**
     * The store in this process' memory, and the fallback of a shared store.
     *
     * @param maximumCounters Maximum number of counters of all limiters, from 1024 to 67108864, of 34 to 70 bytes of heap each.
     * @param whenFull Policy for a new key if no counter is free.
     */
    public record InProcess(
            @DefaultValue("2097152") int maximumCounters,
            @DefaultValue("evict") InProcessStore.WhenFull whenFull) {}

    /**
     * The shared store on Redis.
     *
     * @param uri Address of Redis, by default the application's own connection to Redis or else redis://localhost:6379.
     * @param topology Kind of deployment that the addresses belong to.
     * @param timeout Maximum time that a decision waits for Redis, connecting and queueing included.
     * @param rememberRejections Maximum time to repeat a rejection without asking Redis, 0 for never.
     * @param keyPrefix Prefix of all keys in Redis.
     * @param secret Base64 of the HMAC key that names counters, 16 bytes or more and the same on all nodes.
     * @param maximumPending Maximum number of requests that wait for Redis before further ones fail at once.
     * @param localShare Share of each limit that a node grants during an outage, above 0 and at most 1.
     * @param startTimeout Maximum time that the startup waits for the first answer of Redis, 0 for no wait.
     */
    public record Redis(
            @Nullable String uri,
            @DefaultValue("auto") Topology topology,
            @DefaultValue("100ms") Duration timeout,
            @DefaultValue("1s") Duration rememberRejections,
            @DefaultValue("rl:1:") String keyPrefix,
            @Nullable String secret,
            @DefaultValue("16384") int maximumPending,
            @DefaultValue("1") double localShare,
            @DefaultValue("2s") Duration startTimeout)
            implements Remote {}

    /**
     * The shared store on PostgreSQL.
     *
     * @param dataSource Name of the DataSource bean that gives two connections, instead of two beside the HikariCP pool of the primary one.
     * @param schema Schema of the table and the functions.
     * @param createSchema Whether to make the schema if a part of it is missing or older.
     * @param logged Whether a table that create-schema makes survives a crash of the server.
     * @param timeout Maximum time that a decision waits for PostgreSQL, connecting and queueing included.
     * @param rememberRejections Maximum time to repeat a rejection without asking PostgreSQL, 0 for never.
     * @param secret Base64 of the HMAC key that names counters, 16 bytes or more and the same on all nodes.
     * @param maximumPending Maximum number of requests that wait for PostgreSQL before further ones fail at once.
     * @param localShare Share of each limit that a node grants during an outage, above 0 and at most 1.
     * @param startTimeout Maximum time that the startup waits for the first answer of PostgreSQL, 0 for no wait.
     */
    public record Postgresql(
            @Nullable String dataSource,
            @DefaultValue("ratelimit") String schema,
            @DefaultValue("false") boolean createSchema,
            @DefaultValue("false") boolean logged,
            @DefaultValue("100ms") Duration timeout,
            @DefaultValue("1s") Duration rememberRejections,
            @Nullable String secret,
            @DefaultValue("16384") int maximumPending,
            @DefaultValue("1") double localShare,
            @DefaultValue("2s") Duration startTimeout)
            implements Remote {}

    /** Settings of every store behind a network. */
    public sealed interface Remote {

        Duration timeout();

        Duration rememberRejections();

        @Nullable
        String secret();

        int maximumPending();

        double localShare();
    }

    /** How Redis servers belong together; as the store has it, which need not be there. */
    public enum Topology {

        /** The kind that the addresses show. */
        AUTO,

        /** One server. */
        SINGLE,

        /** A master that Sentinel names. */
        SENTINEL,

        /** A Cluster, also where only one of its addresses is given. */
        CLUSTER,

        /** A master and its replicas, with all of their addresses. */
        MASTER_REPLICA
    }

    /**
     * Settings of limiters over HTTP.
     *
     * @param trustedProxies Address ranges of proxies whose forwarding fields are trusted, such as 10.0.0.0/8.
     * @param ipv6Prefix Length of the IPv6 network that is one client, from 32 to 128.
     * @param headers Header fields that report limits to clients.
     * @param exclude Patterns of paths that are never limited, by default Actuator's health probes on the application's port.
     * @param rejectAmbiguousPaths Whether to answer 400 to paths that servers read in different ways, if a path limit could match.
     * @param filter Where the filters stand among filters.
     */
    public record Http(
            @DefaultValue List<String> trustedProxies,
            @DefaultValue("64") int ipv6Prefix,
            @DefaultValue("x-ratelimit") FieldStyle headers,
            @Nullable List<String> exclude,
            @DefaultValue("true") boolean rejectAmbiguousPaths,
            @DefaultValue Filter filter) {}

    /**
     * Where the filters stand among filters.
     *
     * @param beforeOrder Order of the filter that runs before authentication, by default before Spring Security.
     * @param afterOrder Order of the filter that runs after authentication, by default behind Spring Security.
     */
    public record Filter(
            @DefaultValue("-110") int beforeOrder,
            @DefaultValue("-90") int afterOrder) {}
}
