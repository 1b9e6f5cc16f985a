package io.github.ratelimit.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/** What other modules' tests need of the servers that this package's tests start. */
public final class Servers {

    private Servers() {}

    /** A Cluster of three masters. */
    public static final class Cluster implements AutoCloseable {

        private final RedisClusterProcesses processes = RedisClusterProcesses.start();

        /** Each node's address. */
        public List<String> uris() {
            return processes.nodeUris();
        }

        /** Ends one as a crash would. */
        public void kill(int node) {
            processes.masters().get(node).kill();
        }

        /** Gives all slots of a node to another one: it is no master of anything then. They hold no keys any more. */
        public void giveSlotsAway(int from, int to) {
            RedisClient client = RedisClient.create();
            try {
                List<StatefulRedisConnection<String, String>> nodes = uris().stream()
                        .map(uri -> client.connect(RedisURI.create(uri)))
                        .toList();
                String id = nodes.get(to).sync().clusterMyId();
                nodes.get(from).sync().flushall();
                List<Integer> slots = IntStream.range(0, SlotHash.SLOT_COUNT)
                        .filter(slot -> slot >= from * SlotHash.SLOT_COUNT / nodes.size())
                        .filter(slot -> slot < (from + 1) * SlotHash.SLOT_COUNT / nodes.size())
                        .boxed()
                        .toList();
                // The new owner first: it takes a higher epoch, and what it says counts.
                for (int node : new int[] {to, from}) {
                    List<RedisFuture<String>> told = slots.stream()
                            .map(slot -> nodes.get(node).async().clusterSetSlotNode(slot, id))
                            .toList();
                    told.forEach(each -> each.toCompletableFuture().join());
                }
            } finally {
                client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
            }
        }

        @Override
        public void close() {
            processes.close();
        }
    }

    /** A Sentinel that watches one master. */
    public static RedisProcess sentinel(String master, RedisProcess of) {
        return RedisProcess.startSentinel(master, of.port());
    }

    /** The port on the loopback interface. */
    public static int port(RedisProcess process) {
        return process.port();
    }

    /** Starts it again after {@link RedisProcess#kill()}. */
    public static void restart(RedisProcess process) {
        process.restart();
    }

    /** Lets it accept connections and answer nothing, until {@link #resume}. */
    public static void pause(RedisProcess process) {
        process.pause();
    }

    /** Lets it answer again. */
    public static void resume(RedisProcess process) {
        process.resume();
    }

    /** Waits until something holds. */
    public static void await(String what, BooleanSupplier condition) {
        RedisProcess.await(what, condition);
    }
}
