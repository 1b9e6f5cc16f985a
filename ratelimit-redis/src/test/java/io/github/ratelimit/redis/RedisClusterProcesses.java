package io.github.ratelimit.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.github.ratelimit.Charge;
import io.github.ratelimit.contract.FaultProxy;
import io.github.ratelimit.contract.FaultProxy.Fault;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A Cluster of three masters that share the slots, each with a replica if that is asked for. Stopped by {@link #close()}. */
final class RedisClusterProcesses implements AutoCloseable {

    private static final int SLOTS = 16_384;
    private static final int SHARDS = 3;

    private final RedisClient client = RedisClient.create();
    private final List<RedisProcess> masters = new ArrayList<>();
    private final List<RedisProcess> replicas = new ArrayList<>();
    private final List<FaultProxy> proxies = new ArrayList<>(); // of the masters, then of the replicas; or none

    static RedisClusterProcesses start() {
        return start(false, false);
    }

    /** With a replica for each master. None takes over by itself: {@link #promoteReplicaOf} says when. */
    static RedisClusterProcesses startWithReplicas() {
        return start(true, false);
    }

    /** Each node is announced to clients at a proxy's port, so that its network may fail. */
    static RedisClusterProcesses startBehindProxies() {
        return start(false, true);
    }

    private static RedisClusterProcesses start(boolean withReplicas, boolean behindProxies) {
        RedisClusterProcesses cluster = new RedisClusterProcesses();
        for (int i = 0; i < SHARDS; i++) {
            cluster.masters.add(cluster.node(behindProxies));
        }
        for (int i = 0; withReplicas && i < SHARDS; i++) {
            cluster.replicas.add(cluster.node(behindProxies));
        }
        cluster.meet();
        return cluster;
    }

    private RedisProcess node(boolean behindProxy) {
        List<String> options = new ArrayList<>(List.of(
                "--cluster-enabled",
                "yes",
                "--cluster-node-timeout",
                "2000",
                "--cluster-require-full-coverage",
                "no",
                "--cluster-replica-no-failover",
                "yes",
                "--cluster-allow-replica-migration",
                "no",
                "--repl-diskless-sync-delay",
                "0"));
        if (behindProxy) {
            proxies.add(FaultProxy.withoutServer());
            options.addAll(List.of(
                    "--cluster-announce-port",
                    Integer.toString(proxies.get(proxies.size() - 1).port())));
        }
        RedisProcess node = RedisProcess.start(options.toArray(String[]::new));
        if (behindProxy) {
            proxies.get(proxies.size() - 1).server(node.port());
        }
        return node;
    }

    private void meet() {
        List<RedisCommands<String, String>> nodes = IntStream.range(0, SHARDS)
                .mapToObj(i -> commands(masters.get(i)))
                .toList();
        List<RedisCommands<String, String>> others =
                replicas.stream().map(this::commands).toList();
        for (int i = 0; i < SHARDS; i++) {
            nodes.get(i).clusterSetConfigEpoch(i + 1L);
            nodes.get(i)
                    .clusterAddSlots(IntStream.range(i * SLOTS / SHARDS, (i + 1) * SLOTS / SHARDS)
                            .toArray());
            nodes.get(i).clusterMeet("127.0.0.1", masters.get(0).port());
        }
        for (int i = 0; i < others.size(); i++) {
            // Newer than any master's: with an epoch of its own making it could take over with one that no other node
            // believes.
            others.get(i).clusterSetConfigEpoch(SHARDS + i + 1L);
            others.get(i).clusterMeet("127.0.0.1", masters.get(0).port());
        }
        String known = "cluster_known_nodes:" + (nodes.size() + others.size());
        List<String> ids = nodes.stream().map(RedisCommands::clusterMyId).toList();
        RedisProcess.await(
                "the replicas know the masters",
                () -> others.stream().allMatch(node -> {
                    String table = node.clusterNodes();
                    return ids.stream().allMatch(table::contains);
                }));
        for (int i = 0; i < others.size(); i++) {
            others.get(i).clusterReplicate(ids.get(i));
        }
        RedisProcess.await(
                "the Cluster forms",
                () -> nodes.stream()
                        .map(RedisCommands::clusterInfo)
                        .allMatch(info -> info.contains("cluster_state:ok")
                                && info.contains("cluster_slots_ok:" + SLOTS)
                                && info.contains(known)));
        awaitReplicas();
    }

    /**
     * Adds a master without slots, and waits until all know it. It is none of {@link #masters()}.
     *
     * @param options of the server
     */
    RedisProcess add(String... options) {
        List<String> all = new ArrayList<>(List.of("--cluster-enabled", "yes", "--cluster-node-timeout", "2000"));
        all.addAll(List.of("--cluster-require-full-coverage", "no"));
        all.addAll(List.of(options));
        RedisProcess added = RedisProcess.start(all.toArray(String[]::new));
        ask(added, node -> node.clusterMeet("127.0.0.1", masters.get(0).port()));
        String id = ask(added, RedisCommands::clusterMyId);
        RedisProcess.await(
                "all know the node",
                () -> masters.stream()
                                .allMatch(node ->
                                        ask(node, RedisCommands::clusterNodes).contains(id + " 127.0.0.1:"))
                        && ask(added, RedisCommands::clusterInfo).contains("cluster_state:ok"));
        RedisProcess.await(
                "nobody is in a handshake",
                () -> masters.stream()
                        .noneMatch(
                                node -> ask(node, RedisCommands::clusterNodes).contains("handshake")));
        return added;
    }

    /** Begins to move slots: new keys are the target's, and the others follow by {@link #moveKeys}. */
    void beginToMove(RedisProcess from, RedisProcess to, int... slots) {
        String source = ask(from, RedisCommands::clusterMyId);
        String target = ask(to, RedisCommands::clusterMyId);
        each(to, slots, (node, slot) -> node.clusterSetSlotImporting(slot, source));
        each(from, slots, (node, slot) -> node.clusterSetSlotMigrating(slot, target));
    }

    /** All at once: one after the other, thousands of slots take half a minute. */
    private <T> List<T> each(
            RedisProcess node,
            int[] slots,
            BiFunction<RedisAsyncCommands<String, String>, Integer, RedisFuture<T>> command) {
        try (StatefulRedisConnection<String, String> connection = client.connect(RedisURI.create(node.uri()))) {
            List<RedisFuture<T>> answers = IntStream.of(slots)
                    .mapToObj(slot -> command.apply(connection.async(), slot))
                    .toList();
            return answers.stream()
                    .map(answer -> answer.toCompletableFuture().join())
                    .toList();
        }
    }

    /** Moves keys of a slot that is being moved, at most so many. */
    void moveKeys(int slot, RedisProcess from, RedisProcess to, int most) {
        ask(from, node -> {
            for (String key : node.clusterGetKeysInSlot(slot, most)) {
                node.migrate("127.0.0.1", to.port(), key, 0, 5000);
            }
            return null;
        });
    }

    /** Ends what {@link #beginToMove} began: all keys and the slots themselves. */
    void endMove(RedisProcess from, RedisProcess to, int... slots) {
        String target = ask(to, RedisCommands::clusterMyId);
        List<Long> keys = each(from, slots, RedisAsyncCommands::clusterCountKeysInSlot);
        for (int i = 0; i < slots.length; i++) {
            int slot = slots[i];
            while (keys.get(i) > 0 && ask(from, node -> node.clusterCountKeysInSlot(slot)) > 0) {
                moveKeys(slot, from, to, 100);
            }
        }
        each(to, slots, (node, slot) -> node.clusterSetSlotNode(slot, target));
        each(from, slots, (node, slot) -> node.clusterSetSlotNode(slot, target));
        masters.forEach(master -> each(master, slots, (node, slot) -> node.clusterSetSlotNode(slot, target)));
    }

    /** Waits until each master has a replica that is in step. */
    void awaitReplicas() {
        RedisProcess.await(
                "the replicas are in step",
                () -> replicas.stream()
                        .allMatch(node ->
                                ask(node, asked -> asked.info("replication")).contains("master_link_status:up")));
    }

    /** Waits until a node serves its slots: a master that was restarted does not for two seconds of its own accord. */
    void awaitServing(RedisProcess node) {
        RedisProcess.await(
                "the node serves", () -> ask(node, RedisCommands::clusterInfo).contains("cluster_state:ok"));
    }

    private RedisCommands<String, String> commands(RedisProcess node) {
        return client.connect(RedisURI.create(node.uri())).sync();
    }

    private <T> T ask(RedisProcess node, Function<RedisCommands<String, String>, T> question) {
        try (StatefulRedisConnection<String, String> connection = client.connect(RedisURI.create(node.uri()))) {
            return question.apply(connection.sync());
        }
    }

    /**
     * Lets a replica take over, as after a vote of the other masters. What was its master is its replica from now on, once it runs.
     *
     * @return when the replica said that it is a master, by {@link System#nanoTime}
     */
    long promoteReplicaOf(int shard) {
        RedisProcess replica = replicas.get(shard);
        RedisProcess.await("the replica is a master", () -> {
            if (!isMaster(replica)) {
                ask(replica, node -> node.clusterFailover(false, true)); // again, if it was not in a position to
            }
            return isMaster(replica);
        });
        long promoted = System.nanoTime();
        replicas.set(shard, masters.set(shard, replica));
        return promoted;
    }

    private boolean isMaster(RedisProcess node) {
        return ask(node, asked -> asked.info("replication")).contains("role:master");
    }

    /** Which of three thirds of the slots a limit's only counter is in, by the limiter's name and the client: the index of its master. */
    static int shardOf(Charge charge) {
        return SlotHash.getSlot(redisKey(charge).getBytes(US_ASCII)) * SHARDS / SLOTS;
    }

    private static String redisKey(Charge charge) {
        return TestKeys.key(charge);
    }

    /** Where a store connects to: the masters, or their proxies. */
    String uri() {
        return uri(proxies.isEmpty() ? masters.stream().map(RedisProcess::port).toList() : proxyPorts());
    }

    private List<Integer> proxyPorts() {
        return proxies.stream().limit(SHARDS).map(FaultProxy::port).toList();
    }

    private static String uri(List<Integer> ports) {
        return ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(",", "redis://", ""));
    }

    /** A client as an application has one: it waits for connections that are being made. The caller closes it. */
    RedisClusterClient client() {
        return RedisClusterClient.create(
                nodeUris().stream().map(RedisURI::create).toList());
    }

    /** Today's, by shard. */
    List<RedisProcess> masters() {
        return List.copyOf(masters);
    }

    List<FaultProxy> proxies() {
        return List.copyOf(proxies);
    }

    void set(Fault fault) {
        proxies.forEach(proxy -> proxy.set(fault));
    }

    List<String> nodeUris() {
        return masters.stream().map(RedisProcess::uri).toList();
    }

    @Override
    public void close() {
        proxies.forEach(FaultProxy::close);
        client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        masters.forEach(RedisProcess::close);
        replicas.forEach(RedisProcess::close);
    }
}
