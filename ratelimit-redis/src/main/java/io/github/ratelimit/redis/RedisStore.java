package io.github.ratelimit.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.github.ratelimit.Charge;
import io.github.ratelimit.SharedSettings;
import io.github.ratelimit.remote.Counter;
import io.github.ratelimit.remote.RemoteStore;
import io.github.ratelimit.remote.Server;
import io.github.ratelimit.remote.StoreStatistics;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.ClientResources;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Counts in Redis, so that many nodes share one exact budget. A decision is one script call, with any number of limiters and limits.
 *
 * <p>Windows open and end by Redis' clock. A counter's expiry is the end of its window. {@link RemoteStore}
 * describes travel, deadlines and outages. The store owns its client.
 *
 * <p>Redis 6.2 or newer; single, behind Sentinel, a master with replicas, or a Cluster. On a Cluster, keys with the same first part are in
 * one slot. A decision on keys of several slots takes from one slot after the other. If a later slot rejects or fails, the earlier ones get
 * their permits back first. So it never grants too much, and for a moment others may see too little.
 */
public final class RedisStore extends RemoteStore {

    /** Chosen: calls that are full, and calls to a server that is far away, leave until so many are on their way. */
    private static final int MOST_CALLS_ON_THE_WAY = 16;

    private final Connections connections;
    private final RedisKeys keys;
    private final Topology topology;
    private final SharedSettings sharedSettings;

    private RedisStore(Builder builder, Connections connections) {
        super(
                builder,
                "Redis",
                connections.toString(),
                connections.loop(),
                () -> connections.loop().inEventLoop(),
                MOST_CALLS_ON_THE_WAY);
        this.connections = connections;
        this.keys = new RedisKeys(builder.keyPrefix);
        this.topology =
                new Topology(this, connections, keys, builder.onWarning, this::healthChanged, this::forgetRejections);
        this.sharedSettings = settingsOn(topology::ofSettings);
    }

    /** Starts to describe a store, by default on {@value Builder#DEFAULT_URI}. */
    public static Builder builder() {
        return new Builder();
    }

    /** Makes a store at an address, with everything else as it is by default. */
    public static RedisStore create(String uri) {
        return builder().uri(uri).build();
    }

    @Override
    protected Server server(Counter counter) {
        return topology.of(counter);
    }

    @Override
    protected List<Server> serving() {
        return topology.serving();
    }

    @Override
    protected StoreStatistics.Traffic formerTraffic() {
        return topology.otherTraffic();
    }

    @Override
    protected long losses() {
        return topology.losses();
    }

    @Override
    public Optional<SharedSettings> sharedSettings() {
        return Optional.of(sharedSettings);
    }

    @Override
    protected void stop() {
        topology.close();
    }

    @Override
    protected void shutDown() {
        connections.close();
    }

    /** Whether the counters are spread over a Cluster: there, a decision on keys without a common first part takes several calls. */
    public boolean isCluster() {
        return connections.isCluster();
    }

    /** The names of the charges' counters in Redis, in their order, for Redis' own tools. */
    public List<String> keyNames(List<Charge> charges) {
        return Arrays.stream(counters(charges)).map(this::nameOf).toList();
    }

    @Override
    protected String nameOf(Counter counter) {
        return new String(keys.key(counter), US_ASCII);
    }

    /** Gathers what a store needs. Not safe for concurrent use. */
    public static final class Builder extends RemoteStore.Builder<Builder> {

        /** The default address of Redis. */
        public static final String DEFAULT_URI = "redis://localhost:6379";

        /** The default prefix of counters' names; the 1 is the version of the stored form. */
        public static final String DEFAULT_KEY_PREFIX = "rl:1:";

        private static final int LONGEST_PREFIX = 64;

        private String uri = DEFAULT_URI;
        private List<RedisURI> uris = List.of();
        private RedisTopology topology = RedisTopology.AUTO;
        private @Nullable ClientResources clientResources;
        private ClientOptions clientOptions = ClientOptions.create();
        private String keyPrefix = DEFAULT_KEY_PREFIX;
        private Consumer<RedisWarning> onWarning = ServerCheck.LOGGED;

        private Builder() {}

        @Override
        protected Builder self() {
            return this;
        }

        /**
         * Where Redis is: {@code redis://user:password@host:6379/0}, {@code rediss://…} over TLS, {@code
         * redis-sentinel://host:26379,host:26379/0#master}; or, with several addresses, a Cluster:
         * {@code redis://host:6379,host:6379,host:6379}.
         */
        public Builder uri(String uri) {
            this.uri = uri;
            this.uris = List.of();
            return this;
        }

        /** The address of Redis, with credentials, TLS and other settings; none: as {@link #uri} says. */
        public Builder uris(List<RedisURI> uris) {
            this.uris = List.copyOf(uris);
            return this;
        }

        /** How the addresses belong together, where they do not say so by themselves: a Cluster with one address, replicas. */
        public Builder topology(RedisTopology topology) {
            this.topology = topology;
            return this;
        }

        /** The application's resolvers and customizers. The event loop and the connections are the store's own. */
        public Builder clientResources(ClientResources clientResources) {
            this.clientResources = clientResources;
            return this;
        }

        /** TLS, sockets and protocol as the application has them. Their settings of reconnecting, queues and timeouts are ignored. */
        public Builder clientOptions(ClientOptions clientOptions) {
            this.clientOptions = clientOptions;
            return this;
        }

        /**
         * The prefix of counters' names: up to 64 printable ASCII characters. Braces are rejected, because they would move counters between
         * the slots of a Cluster. Applications that share a server and not their limits need different ones.
         */
        public Builder keyPrefix(String keyPrefix) {
            if (keyPrefix.length() > LONGEST_PREFIX
                    || !keyPrefix.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '{' && c != '}')) {
                throw new IllegalArgumentException(
                        "key prefix must be up to 64 printable ASCII characters without braces, was '%s'"
                                .formatted(keyPrefix.replaceAll("[^\\x21-\\x7e]", "?")));
            }
            this.keyPrefix = keyPrefix;
            return this;
        }

        /**
         * Hears, once until it changes, what a server's account of itself gives reason to warn of; on a thread that must not be held up. A
         * line in the log at WARNING if not given.
         */
        public Builder onWarning(Consumer<RedisWarning> onWarning) {
            this.onWarning = onWarning;
            return this;
        }

        /**
         * Makes the store, and waits until Redis has answered, or an attempt to connect has failed, or the start timeout has passed. It
         * returns in each case: a server that is down now may be up when the first request comes, and {@link RedisStore#health} tells.
         *
         * @throws IllegalArgumentException if the address is none
         */
        public RedisStore build() {
            List<RedisURI> addresses = uris.isEmpty() ? RedisAddresses.of(uri) : uris;
            RedisStore store = new RedisStore(
                    this, new Connections(addresses, topology, clientResources, clientOptions, timeout()));
            store.topology.open();
            store.awaitKnown(this);
            return store;
        }
    }
}
