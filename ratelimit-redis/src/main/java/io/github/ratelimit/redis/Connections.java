package io.github.ratelimit.redis;

import static java.util.stream.Collectors.joining;

import io.github.ratelimit.remote.UnansweredException;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultEventLoopGroupProvider;
import io.lettuce.core.resource.ThreadFactoryProvider;
import io.lettuce.core.resource.Transports;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where Redis is, and the client that gets there. It is the store's own, with one event loop, so that nothing that the application does to
 * its connections touches the limits.
 *
 * <p>The client connects and no more: it does not reconnect, repeats nothing and looks for no topology. Nothing here blocks, but for closing.
 */
final class Connections implements AutoCloseable {

    private static final Duration SHORTEST_HANDSHAKE = Duration.ofMillis(500);
    private static final Duration LONGEST_HANDSHAKE = Duration.ofSeconds(5);
    private static final long CLOSING_MILLIS = 1000;

    private final RedisTopology topology;
    private final List<RedisURI> uris;
    private final Duration timeout;
    private final Duration handshake;
    private final DefaultEventLoopGroupProvider loops;
    private final ClientResources resources;
    private final EventLoop loop;
    private final RedisClient client;

    /**
     * Connects to nothing yet.
     *
     * @param shared the application's, for resolvers and customizers; null if it has none
     * @param options the application's: what they say of TLS, sockets and protocol is kept
     * @param timeout of a decision
     * @throws IllegalArgumentException if topology and addresses do not fit
     */
    Connections(
            List<RedisURI> uris,
            RedisTopology topology,
            @Nullable ClientResources shared,
            ClientOptions options,
            Duration timeout) {
        this.topology = topology == RedisTopology.AUTO ? topologyOf(uris) : topology;
        requireFitting(this.topology, uris);
        this.timeout = timeout;
        // Chosen: a decision waits for one round trip, a handshake over TLS for four, and most timeouts are for
        // several.
        Duration threeTimes = timeout.multipliedBy(3);
        this.handshake = threeTimes.compareTo(SHORTEST_HANDSHAKE) < 0
                ? SHORTEST_HANDSHAKE
                : threeTimes.compareTo(LONGEST_HANDSHAKE) > 0 ? LONGEST_HANDSHAKE : threeTimes;
        this.uris = uris.stream().map(this::bounded).toList();
        this.loops = new DefaultEventLoopGroupProvider(
                1, (ThreadFactoryProvider) pool -> new DefaultThreadFactory("ratelimit-redis-loop", true));
        this.resources = resources(shared, loops);
        this.loop = loops.allocate(Transports.eventLoopGroupClass()).next();
        this.client = RedisClient.create(resources);
        client.setOptions(atMostOnce(options));
    }

    private static ClientResources resources(@Nullable ClientResources shared, DefaultEventLoopGroupProvider loops) {
        ClientResources.Builder ours = ClientResources.builder()
                .eventLoopGroupProvider(loops)
                .commandLatencyRecorder(CommandLatencyRecorder.disabled());
        if (shared != null) {
            ours.socketAddressResolver(shared.socketAddressResolver())
                    .addressResolverGroup(shared.addressResolverGroup())
                    .nettyCustomizer(shared.nettyCustomizer());
        }
        return ours.build();
    }

    private static RedisTopology topologyOf(List<RedisURI> uris) {
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
            String needs = many ? "it needs addresses of servers" : "it needs one address of a server";
            throw new IllegalArgumentException("topology %s does not fit %s: %s"
                    .formatted(
                            topology,
                            shown(uris),
                            topology == RedisTopology.SENTINEL
                                    ? "it needs an address redis-sentinel://host:port#master"
                                    : needs));
        }
    }

    private RedisURI bounded(RedisURI uri) {
        RedisURI.Builder ours = RedisURI.builder(uri).withTimeout(handshake);
        uri.getSentinels().forEach(sentinel -> ours.withSentinel(bounded(sentinel)));
        RedisURI built = ours.build();
        built.setSentinelMasterId(uri.getSentinelMasterId());
        return built;
    }

    private ClientOptions atMostOnce(ClientOptions options) {
        ClientOptions.Builder ours = options.mutate();
        if (MaintenanceNotifications.areKnown()) {
            MaintenanceNotifications.switchOff(ours);
        }
        return ours.autoReconnect(false)
                .requestQueueSize(Integer.MAX_VALUE) // waiting requests are bounded before
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .timeoutOptions(
                        TimeoutOptions.create()) // none: calls have deadlines, and handshakes that of the address
                .socketOptions(options.getSocketOptions()
                        .mutate()
                        .connectTimeout(handshake)
                        .tcpNoDelay(true)
                        .keepAlive(true)
                        .build())
                .build();
    }

    /** The thread that all state of the servers belongs to. */
    EventLoop loop() {
        return loop;
    }

    /** Of a decision. */
    Duration timeout() {
        return timeout;
    }

    boolean isCluster() {
        return topology == RedisTopology.CLUSTER;
    }

    /** The addresses that were given. */
    List<RedisURI> uris() {
        return uris;
    }

    /** Connects to the only server, or to the one that is the master now. */
    CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connect() {
        return topology == RedisTopology.MASTER_REPLICA ? connectToMaster(0) : connect(uris.get(0));
    }

    /** Asks one server after the other for its role, and keeps the connection to the master. */
    private CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connectToMaster(int next) {
        if (next == uris.size()) {
            return CompletableFuture.failedFuture(
                    new UnansweredException("none of " + this + " is a master that answers"));
        }
        return connect(uris.get(next))
                .thenCompose(made -> inTime(made.async().role()).handle((role, failure) -> {
                    boolean isMaster = failure == null
                            && !role.isEmpty()
                            && role.get(0) instanceof byte[] name
                            && new String(name, java.nio.charset.StandardCharsets.US_ASCII).equals("master");
                    if (!isMaster) {
                        made.closeAsync();
                    }
                    return isMaster ? made : null;
                }))
                .exceptionally(failure -> null)
                .thenCompose(
                        made -> made == null ? connectToMaster(next + 1) : CompletableFuture.completedFuture(made));
    }

    /**
     * Connects to one node of a Cluster.
     *
     * @param host and port; all else is as for the addresses that were given
     */
    CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connect(String host, int port) {
        return connect(
                RedisURI.builder(uris.get(0)).withHost(host).withPort(port).build());
    }

    /** Fails if there is no answer within the time of a handshake. */
    <T> CompletableFuture<T> inTime(CompletionStage<T> answer) {
        return within(handshake, "no answer in time", answer, late -> {});
    }

    /** Fails if there is no answer in time, and hands one that comes later to somebody else. */
    <T> CompletableFuture<T> within(Duration time, String why, CompletionStage<T> answer, Consumer<T> late) {
        CompletableFuture<T> inTime = new CompletableFuture<>();
        Future<?> deadline = loop.schedule(
                () -> inTime.completeExceptionally(new UnansweredException(why)),
                time.toMillis(),
                TimeUnit.MILLISECONDS);
        answer.whenComplete((value, failure) -> {
            deadline.cancel(false);
            if (failure != null) {
                inTime.completeExceptionally(failure);
            } else if (!inTime.complete(value)) {
                late.accept(value);
            }
        });
        return inTime;
    }

    /** Fails in any case if nothing comes of it: what a channel's set-up throws is only logged, by Netty. */
    CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connect(RedisURI uri) {
        Duration time = handshake.multipliedBy(3);
        return within(
                time,
                "connecting to %s did not end within %d ms; see Netty's log".formatted(shown(uri), time.toMillis()),
                client.connectAsync(ByteArrayCodec.INSTANCE, uri),
                StatefulRedisConnection::closeAsync);
    }

    /** The addresses, without user and password. */
    @Override
    public String toString() {
        return shown(uris);
    }

    private static String shown(List<RedisURI> uris) {
        return uris.stream().map(Connections::shown).collect(joining(","));
    }

    static String shown(RedisURI uri) {
        if (!uri.getSentinels().isEmpty()) {
            return uri.getSentinels().stream()
                    .map(each -> each.getHost() + ":" + each.getPort())
                    .collect(joining(",", "sentinel ", " master " + uri.getSentinelMasterId()));
        }
        return uri.getHost() == null ? "socket" : uri.getHost() + ":" + uri.getPort();
    }

    /** Closes all connections. Waits for two seconds at most. */
    @Override
    public void close() {
        CompletableFuture<@Nullable Void> disconnected = client.shutdownAsync(0, CLOSING_MILLIS, TimeUnit.MILLISECONDS)
                .<@Nullable Void>handle((done, failure) -> null);
        // Not by completeOnTimeout: its thread would keep the class loader of the first application that closes a
        // store.
        loop.schedule(() -> disconnected.complete(null), CLOSING_MILLIS, TimeUnit.MILLISECONDS);
        disconnected.join();
        resources.shutdown(0, CLOSING_MILLIS, TimeUnit.MILLISECONDS).awaitUninterruptibly(CLOSING_MILLIS);
        loops.shutdown(0, CLOSING_MILLIS, TimeUnit.MILLISECONDS).awaitUninterruptibly(CLOSING_MILLIS);
    }
}
