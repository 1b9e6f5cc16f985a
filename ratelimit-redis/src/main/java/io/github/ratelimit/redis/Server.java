package io.github.ratelimit.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.RedisClusterURIUtil;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Where Redis is, and a client that gets there: a server, a master that Sentinel knows, or a Cluster.
 *
 * <p>Safe for concurrent use. Closing shuts down a client of its own, never the caller's.
 */
final class Server implements AutoCloseable {

    /** Chosen: a handshake across an ocean takes less, and a server that came back is found again within two seconds. */
    private static final Duration CONNECT_TIMEOUT = Duration.ofMillis(800);

    /** Chosen: what the first one may take while a busy process still loads its classes. */
    private static final Duration FIRST_CONNECT_TIMEOUT = Duration.ofSeconds(5);

    /** Chosen: what gathers in a connection that stalls is bounded by the deadline long before. */
    private static final int QUEUE = 65_536;

    private final AbstractRedisClient client;
    private final Supplier<StatefulConnection<byte[], byte[]>> connector;
    private final boolean cluster;
    private final List<RedisURI> ownUris;
    private final String shown;

    /**
     * Makes it.
     *
     * @param ownUris where its own client connects to; none if the client is the caller's
     */
    private Server(
            AbstractRedisClient client,
            Supplier<StatefulConnection<byte[], byte[]>> connector,
            boolean cluster,
            List<RedisURI> ownUris,
            String shown) {
        this.client = client;
        this.connector = connector;
        this.cluster = cluster;
        this.ownUris = ownUris;
        this.shown = shown;
    }

    /**
     * Makes a client for an address.
     *
     * @throws IllegalArgumentException if it is none
     */
    static Server at(String uri) {
        URI parsed = URI.create(uri);
        String authority = parsed.getRawAuthority();
        boolean sentinel = parsed.getScheme() != null && parsed.getScheme().contains("sentinel");
        if (authority != null && authority.contains(",") && !sentinel) {
            return cluster(RedisClusterURIUtil.toRedisURIs(parsed));
        }
        return single(RedisURI.create(uri));
    }

    private static Server single(RedisURI uri) {
        setTimeout(List.of(uri), FIRST_CONNECT_TIMEOUT);
        RedisClient client = RedisClient.create(uri);
        client.setOptions(atMostOnce(ClientOptions.builder()).build());
        return new Server(client, () -> client.connect(ByteArrayCodec.INSTANCE), false, List.of(uri), shown(uri));
    }

    private static Server cluster(List<RedisURI> uris) {
        setTimeout(uris, FIRST_CONNECT_TIMEOUT);
        RedisClusterClient client = RedisClusterClient.create(uris);
        ClusterClientOptions.Builder options = ClusterClientOptions.builder()
                .topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                        .enablePeriodicRefresh(Duration.ofSeconds(30))
                        .adaptiveRefreshTriggersTimeout(Duration.ofSeconds(1))
                        .build());
        atMostOnce(options);
        client.setOptions(options.build());
        return new Server(
                client,
                () -> connect(client),
                true,
                uris,
                uris.stream().map(Server::shown).collect(Collectors.joining(",")));
    }

    /** A caller's client, whose options are the caller's. */
    static Server of(RedisClient client) {
        return new Server(
                client, () -> client.connect(ByteArrayCodec.INSTANCE), false, List.of(), "the application's Redis");
    }

    /** A caller's client, whose options are the caller's. */
    static Server of(RedisClusterClient client) {
        return new Server(client, () -> connect(client), true, List.of(), "the application's Redis Cluster");
    }

    /** Looks at the topology first: what is known of it may be what has just fallen apart. */
    private static StatefulConnection<byte[], byte[]> connect(RedisClusterClient client) {
        client.refreshPartitions();
        return client.connect(ByteArrayCodec.INSTANCE);
    }

    /**
     * Without reconnecting by itself a connection never sends a command twice: what was on its way when it broke fails. A new
     * connection is {@link Link}'s to make.
     */
    private static ClientOptions.Builder atMostOnce(ClientOptions.Builder options) {
        if (MaintenanceNotifications.areKnown()) {
            MaintenanceNotifications.switchOff(options);
        }
        return options.autoReconnect(false)
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .requestQueueSize(QUEUE)
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(CONNECT_TIMEOUT)
                        .tcpNoDelay(true)
                        .keepAlive(true)
                        .build());
    }

    /** Connects. Blocks. */
    StatefulConnection<byte[], byte[]> connect() {
        StatefulConnection<byte[], byte[]> connection = connector.get();
        setTimeout(ownUris, CONNECT_TIMEOUT);
        return connection;
    }

    private static void setTimeout(List<RedisURI> uris, Duration timeout) {
        for (RedisURI uri : uris) {
            uri.setTimeout(timeout);
            uri.getSentinels().forEach(sentinel -> sentinel.setTimeout(timeout));
        }
    }

    /**
     * Runs when the connection breaks, or the Cluster's connection loses a node.
     *
     * @param isOurs whether it is the connection in use
     */
    void onDisconnect(Predicate<Object> isOurs, Runnable listener) {
        client.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
                // The connections to a Cluster's nodes are not known to anybody outside. Those that the client closes
                // itself, as it does after each look at the topology, are no loss.
                if (cluster ? !connection.isClosed() : isOurs.test(connection)) {
                    listener.run();
                }
            }
        });
    }

    /** What a key's fate depends on: the master of its slot; the same for all keys where there is no Cluster. */
    String shardOf(byte[] redisKey) {
        if (client instanceof RedisClusterClient clusterClient) {
            RedisClusterNode master = clusterClient.getPartitions().getPartitionBySlot(SlotHash.getSlot(redisKey));
            return master == null ? "no master" : master.getNodeId();
        }
        return "the server";
    }

    boolean isCluster() {
        return cluster;
    }

    /** The addresses, without who logs in. */
    private static String shown(RedisURI uri) {
        if (!uri.getSentinels().isEmpty()) {
            return uri.getSentinels().stream()
                    .map(each -> each.getHost() + ":" + each.getPort())
                    .collect(Collectors.joining(",", "sentinel ", " master " + uri.getSentinelMasterId()));
        }
        return uri.getHost() == null ? "socket" : uri.getHost() + ":" + uri.getPort();
    }

    @Override
    public String toString() {
        return shown;
    }

    @Override
    public void close() {
        if (!ownUris.isEmpty()) {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        }
    }
}
