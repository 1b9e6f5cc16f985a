package io.github.ratelimit.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A Cluster of three masters that share the slots. Stopped by {@link #close()}. */
final class RedisClusterProcesses implements AutoCloseable {

    private static final int SLOTS = 16_384;

    private final List<RedisProcess> masters = new ArrayList<>();

    static RedisClusterProcesses start() {
        RedisClusterProcesses cluster = new RedisClusterProcesses();
        for (int i = 0; i < 3; i++) {
            cluster.masters.add(RedisProcess.start(
                    "--cluster-enabled",
                    "yes",
                    "--cluster-node-timeout",
                    "2000",
                    "--cluster-require-full-coverage",
                    "no"));
        }
        cluster.meet();
        return cluster;
    }

    private void meet() {
        RedisClient client = RedisClient.create();
        try {
            List<RedisCommands<String, String>> nodes = masters.stream()
                    .map(master -> client.connect(RedisURI.create(master.uri())).sync())
                    .toList();
            for (int i = 0; i < nodes.size(); i++) {
                int from = i * SLOTS / nodes.size();
                int to = (i + 1) * SLOTS / nodes.size();
                nodes.get(i).clusterSetConfigEpoch(i + 1L);
                nodes.get(i).clusterAddSlots(IntStream.range(from, to).toArray());
                nodes.get(i).clusterMeet("127.0.0.1", masters.get(0).port());
            }
            RedisProcess.await(
                    30,
                    "the Cluster forms",
                    () -> nodes.stream()
                            .map(RedisCommands::clusterInfo)
                            .allMatch(info -> info.contains("cluster_state:ok")
                                    && info.contains("cluster_slots_ok:" + SLOTS)
                                    && info.contains("cluster_known_nodes:3")));
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        }
    }

    String uri() {
        return masters.stream()
                .map(master -> "127.0.0.1:" + master.port())
                .collect(Collectors.joining(",", "redis://", ""));
    }

    /** A client as an application has one: it waits for connections that are being made. The caller closes it. */
    RedisClusterClient client() {
        return RedisClusterClient.create(
                nodeUris().stream().map(RedisURI::create).toList());
    }

    List<RedisProcess> masters() {
        return List.copyOf(masters);
    }

    List<String> nodeUris() {
        return masters.stream().map(RedisProcess::uri).toList();
    }

    @Override
    public void close() {
        masters.forEach(RedisProcess::close);
    }
}
