package io.github.ratelimit.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisURI;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.RedisClusterURIUtil;
import io.lettuce.core.cluster.models.partitions.Partitions;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.masterreplica.MasterReplica;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.resource.ClientResources;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Where Redis is, and the client that gets there: always one of the store's own, so that nothing which the application does to its
 * connections touches the limits.
 *
 * <p>Lettuce reconnects what breaks, and repeats nothing: what is on its way then fails, and what is sent meanwhile is rejected. Nothing here
 * blocks, but for closing. Safe for concurrent use.
 */
final class Client implements AutoCloseable {

    private static final Duration SHORTEST_HANDSHAKE = Duration.ofMillis(500);
    private static final Duration LONGEST_HANDSHAKE = Duration.ofSeconds(5);

    /** Chosen: what gathers in a connection that stalls is bounded by the deadlines long before. */
    private static final int QUEUE = 65_536;

    private static final long CLOSING_MILLIS = 1000;

    private final RedisTopology topology;
    private final List<RedisURI> uris;
    private final ClientResources resources;
    private final RedisClient client;
    private final @Nullable RedisClusterClient cluster;

    /**
     * Makes it. Connects to nothing yet.
     *
     * @param resources the application's, which stay open; null for resources of its own
     * @param options the application's: what they say of TLS, sockets and protocol is kept
     * @param timeout of a decision
     * @throws IllegalArgumentException if topology and addresses do not fit
     */
    Client(
            List<RedisURI> uris,
            RedisTopology topology,
            @Nullable ClientResources resources,
            ClientOptions options,
            Duration timeout) {
        this.topology = topology == RedisTopology.AUTO ? told(uris) : topology;
        requireFitting(this.topology, uris);
        Duration handshake = handshake(timeout);
        this.uris = uris.stream().map(uri -> bounded(uri, handshake)).toList();
        this.resources = resources(resources);
        this.client = RedisClient.create(this.resources);
        ClientOptions ours = atMostOnce(options, handshake);
        client.setOptions(ours);
        this.cluster = this.topology == RedisTopology.CLUSTER ? clusterClient(ours) : null;
    }

    /** With a delay between attempts of our own; what is the application's is shared, and left open when ours are shut down. */
    private static ClientResources resources(@Nullable ClientResources shared) {
        ClientResources.Builder ours = ClientResources.builder()
                .reconnectDelay(Backoff::new)
                .commandLatencyRecorder(CommandLatencyRecorder.disabled());
        if (shared != null) {
            ours.eventLoopGroupProvider(shared.eventLoopGroupProvider())
                    .eventExecutorGroup(shared.eventExecutorGroup())
                    .timer(shared.timer())
                    .socketAddressResolver(shared.socketAddressResolver())
                    .addressResolverGroup(shared.addressResolverGroup())
                    .nettyCustomizer(shared.nettyCustomizer());
        }
        return ours.build();
    }

    private RedisClusterClient clusterClient(ClientOptions options) {
        RedisClusterClient asksForTopology = RedisClusterClient.create(resources, uris);
        asksForTopology.setOptions(ClusterClientOptions.builder(options).build());
        return asksForTopology;
    }

    /**
     * Reads addresses.
     *
     * @throws IllegalArgumentException if it is none
     */
    static List<RedisURI> addresses(String uri) {
        URI parsed = URI.create(uri);
        String authority = parsed.getRawAuthority();
        boolean sentinel = parsed.getScheme() != null && parsed.getScheme().contains("sentinel");
        return authority != null && authority.contains(",") && !sentinel
                ? List.copyOf(RedisClusterURIUtil.toRedisURIs(parsed))
                : List.of(RedisURI.create(uri));
    }

    private static RedisTopology told(List<RedisURI> uris) {
        if (uris.size() > 1) {
            return RedisTopology.CLUSTER;
        }
        return uris.stream().anyMatch(uri -> !uri.getSentinels().isEmpty())
                ? RedisTopology.SENTINEL
                : RedisTopology.SINGLE;
    }

    private static void requireFitting(RedisTopology topology, List<RedisURI> uris) {
        boolean sentinels = uris.stream().anyMatch(uri -> !uri.getSentinels().isEmpty());
        boolean many = topology == RedisTopology.CLUSTER || topology == RedisTopology.MASTER_REPLICA;
        if (uris.isEmpty() || sentinels != (topology == RedisTopology.SENTINEL) || (uris.size() > 1 && !many)) {
            throw new IllegalArgumentException("topology %s does not fit %s: %s"
                    .formatted(
                            topology,
                            shown(uris),
                            topology == RedisTopology.SENTINEL
                                    ? "it needs an address redis-sentinel://host:port#master"
                                    : many ? "it needs addresses of servers" : "it needs one address of a server"));
        }
    }

    /** Chosen: a decision waits for one round trip, a handshake over TLS for four, and most timeouts are for several. */
    private static Duration handshake(Duration timeout) {
        Duration handshake = timeout.multipliedBy(3);
        if (handshake.compareTo(SHORTEST_HANDSHAKE) < 0) {
            return SHORTEST_HANDSHAKE;
        }
        return handshake.compareTo(LONGEST_HANDSHAKE) > 0 ? LONGEST_HANDSHAKE : handshake;
    }

    private static RedisURI bounded(RedisURI uri, Duration handshake) {
        RedisURI.Builder ours = RedisURI.builder(uri).withTimeout(handshake);
        uri.getSentinels().forEach(sentinel -> ours.withSentinel(bounded(sentinel, handshake)));
        RedisURI built = ours.build();
        built.setSentinelMasterId(uri.getSentinelMasterId());
        return built;
    }

    private static ClientOptions atMostOnce(ClientOptions options, Duration handshake) {
        ClientOptions.Builder ours = options.mutate();
        if (MaintenanceNotifications.areKnown()) {
            MaintenanceNotifications.switchOff(ours);
        }
        return ours.autoReconnect(true)
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .replayFilter(command -> true)
                .requestQueueSize(QUEUE)
                .suspendReconnectOnProtocolFailure(false)
                .timeoutOptions(
                        TimeoutOptions.create()) // none: calls have a deadline, and handshakes that of the address
                .socketOptions(options.getSocketOptions()
                        .mutate()
                        .connectTimeout(handshake)
                        .tcpNoDelay(true)
                        .keepAlive(true)
                        .build())
                .build();
    }

    /** Threads for what may block for a moment, such as looking up a name: not those that read answers. */
    Executor background() {
        return resources.eventExecutorGroup();
    }

    boolean isCluster() {
        return cluster != null;
    }

    /** Whether a connection made anew may lead to another server than the one before. */
    boolean findsAnotherMaster() {
        return topology == RedisTopology.SENTINEL || topology == RedisTopology.MASTER_REPLICA;
    }

    /** Connects to the only server, or to the one that is the master now. */
    CompletionStage<? extends StatefulConnection<byte[], byte[]>> connect() {
        return topology == RedisTopology.MASTER_REPLICA
                ? MasterReplica.connectAsync(client, ByteArrayCodec.INSTANCE, uris)
                : client.connectAsync(ByteArrayCodec.INSTANCE, uris.get(0));
    }

    /**
     * Connects to one node of a Cluster.
     *
     * @param address only its host and port are looked at: all else is as for the addresses that were given
     */
    CompletionStage<? extends StatefulConnection<byte[], byte[]>> connect(RedisURI address) {
        return client.connectAsync(
                ByteArrayCodec.INSTANCE,
                RedisURI.builder(uris.get(0))
                        .withHost(address.getHost())
                        .withPort(address.getPort())
                        .build());
    }

    /** What the Cluster's nodes say of it now. */
    CompletionStage<Partitions> topology() {
        RedisClusterClient asked = cluster;
        if (asked == null) {
            throw new IllegalStateException("no Cluster");
        }
        return asked.refreshPartitionsAsync()
                .thenApply(done -> asked.getPartitions())
                .toCompletableFuture()
                .orTimeout(LONGEST_HANDSHAKE.toSeconds() * 2, TimeUnit.SECONDS); // or nobody would ever ask again
    }

    /** Tells of every connection that Lettuce has made, the first time and again. Runs on the event loop. */
    void onConnected(Consumer<RedisChannelHandler<?, ?>> listener) {
        client.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisConnected(RedisChannelHandler<?, ?> connection, java.net.SocketAddress address) {
                listener.accept(connection);
            }
        });
    }

    /** The addresses, without who logs in. */
    @Override
    public String toString() {
        return shown(uris);
    }

    private static String shown(List<RedisURI> uris) {
        return uris.stream().map(Client::shown).collect(Collectors.joining(","));
    }

    static String shown(RedisURI uri) {
        if (!uri.getSentinels().isEmpty()) {
            return uri.getSentinels().stream()
                    .map(each -> each.getHost() + ":" + each.getPort())
                    .collect(Collectors.joining(",", "sentinel ", " master " + uri.getSentinelMasterId()));
        }
        return uri.getHost() == null ? "socket" : uri.getHost() + ":" + uri.getPort();
    }

    /** Closes all connections. Waits for a second at most. */
    @Override
    public void close() {
        CompletableFuture<?> closed = client.shutdownAsync(0, CLOSING_MILLIS, TimeUnit.MILLISECONDS);
        if (cluster != null) {
            closed = CompletableFuture.allOf(closed, cluster.shutdownAsync(0, CLOSING_MILLIS, TimeUnit.MILLISECONDS));
        }
        await(closed);
        resources.shutdown(0, CLOSING_MILLIS, TimeUnit.MILLISECONDS).awaitUninterruptibly(CLOSING_MILLIS);
    }

    private static void await(CompletableFuture<?> closed) {
        closed.handle((done, failure) -> null)
                .completeOnTimeout(null, CLOSING_MILLIS, TimeUnit.MILLISECONDS)
                .join();
    }
}
