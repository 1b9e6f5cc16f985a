package io.github.ratelimit.redis;

import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.models.partitions.Partitions;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode.NodeFlag;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Knows which master a key belongs to: the only one, or that of its slot in today's topology of a Cluster.
 *
 * <p>The topology is asked for in the background, every second and a half, and at once where a node sends a key elsewhere, does not answer, or
 * nobody has a slot. A key that is asked for before it is known waits for it. Nothing blocks; safe for concurrent use.
 */
final class Router implements Shard.Listener, AutoCloseable {

    private static final long CLOSING_MILLIS = 1000;
    private static final long TICK_NANOS = 100_000_000;

    /** Chosen: a replica that was promoted is found within two seconds, also where nobody asks for its keys. */
    private static final long TOPOLOGY_NANOS = 1_500_000_000;

    private static final long TOPOLOGY_PAUSE_NANOS = 250_000_000;

    /** Chosen: so many that each slot has some. */
    private static final int LOOK_KEYS = 1 << 20;

    private final Client client;
    private final Timer timer;
    private final Executor background;
    private final Standings standings;
    private final Health health;
    private final String keyPrefix;
    private final ServerCheck check;

    /** The only server; on a Cluster it stands for masters that are not known, at first for all of them, and never connects. */
    private final Shard only;

    private final AtomicBoolean asking = new AtomicBoolean();
    private volatile Map<String, Shard> masters = Map.of(); // of a Cluster, by address
    private volatile Shard[] slots = new Shard[0]; // of a Cluster

    /** Those that have keys: of a Cluster the ones in {@link #slots}. */
    private volatile List<Shard> serving;

    private volatile boolean topologyWanted;
    private volatile long topologyAskedAt;
    private volatile boolean closed;
    private volatile RedisStatistics.Traffic former =
            new RedisStatistics.Traffic(0, 0, 0, 0, 0); // written guarded by this

    Router(
            Client client,
            Timer timer,
            Standings standings,
            Health health,
            String keyPrefix,
            Consumer<RedisWarning> onWarning) {
        this.client = client;
        this.timer = timer;
        this.background = client.background();
        this.standings = standings;
        this.health = health;
        this.keyPrefix = keyPrefix;
        this.check = new ServerCheck(client.isCluster(), onWarning);
        this.only = shard(client.toString(), client::connect);
        this.serving = List.of(only);
        if (client.isCluster()) {
            this.slots = slots();
        }
        this.topologyAskedAt = timer.now() - TOPOLOGY_NANOS;
    }

    private Shard shard(String address, Shard.Connector connector) {
        return new Shard(
                address,
                connector,
                client.findsAnotherMaster(),
                client.isCluster(),
                this::lookKey,
                timer,
                background,
                standings,
                check,
                this);
    }

    private Shard[] slots() {
        Shard[] all = new Shard[SlotHash.SLOT_COUNT];
        Arrays.fill(all, only);
        return all;
    }

    /** A key that is no counter's, in any of the slots that the master has now, as every single one may move; null if it has none. */
    private byte @Nullable [] lookKey(Shard shard) {
        Shard[] now = slots;
        if (client.isCluster() && !Arrays.asList(now).contains(shard)) {
            return null;
        }
        while (true) {
            String key = keyPrefix + "{look" + ThreadLocalRandom.current().nextInt(LOOK_KEYS) + "}";
            byte[] bytes = key.getBytes(StandardCharsets.US_ASCII);
            if (!client.isCluster() || now[SlotHash.getSlot(bytes)] == shard) {
                return bytes;
            }
        }
    }

    /** Begins to connect. */
    void open() {
        client.onConnected(connection -> Stream.concat(Stream.of(only), masters.values().stream())
                .filter(shard -> shard.owns(connection))
                .forEach(Shard::reconnected));
        if (!client.isCluster()) {
            only.open();
        }
        tick();
    }

    private void tick() {
        if (closed) {
            return;
        }
        try {
            lookAround();
            timer.after(TICK_NANOS, this::tick);
        } catch (IllegalStateException | RejectedExecutionException e) {
            return; // closed since a moment ago
        }
    }

    private void lookAround() {
        if (client.isCluster()) {
            masters.values().forEach(Shard::tick);
            long pause = topologyWanted ? TOPOLOGY_PAUSE_NANOS : TOPOLOGY_NANOS;
            if (timer.now() - topologyAskedAt >= pause) {
                background.execute(this::askForTopology);
            }
        } else {
            only.tick();
        }
    }

    /** The master that has the key. */
    Shard of(byte[] key) {
        return client.isCluster() ? slots[SlotHash.getSlot(key)] : only;
    }

    List<RedisHealth.Shard> health() {
        return serving.stream().map(Shard::health).toList();
    }

    List<RedisStatistics.Shard> statistics() {
        return serving.stream().map(Shard::statistics).toList();
    }

    /** What all masters were asked, those included that have no keys any more. */
    RedisStatistics.Traffic traffic() {
        return Stream.concat(serving.stream(), masters.values().stream())
                .distinct()
                .map(shard -> shard.statistics().traffic())
                .reduce(former, RedisStatistics.Traffic::plus);
    }

    /** Whether the thread reads some master's answers. */
    boolean isReadBy(Thread thread) {
        for (Shard shard : serving) {
            if (shard.isReadBy(thread)) {
                return true;
            }
        }
        return false;
    }

    // ---- the topology of a Cluster

    private void askForTopology() {
        if (!asking.compareAndSet(false, true)) {
            return;
        }
        topologyAskedAt = timer.now();
        topologyWanted = false;
        CompletionStage<Partitions> answer;
        try {
            answer = client.topology();
        } catch (RuntimeException e) {
            asking.set(false);
            return; // the client is closed
        }
        Ends.of(answer, (topology, failure) -> {
            asking.set(false);
            if (topology != null) {
                follow(topology);
            } else if (masters.isEmpty()) {
                only.down("cannot ask any node for the Cluster's topology: " + message(failure));
                topologyWanted = true;
            }
        });
    }

    private static String message(@Nullable Throwable failure) {
        return failure == null
                ? "no answer"
                : String.valueOf(Ends.cause(failure).getMessage());
    }

    /** Connects to masters that are new, and lets go of those that are none any more. */
    private synchronized void follow(Partitions topology) {
        if (closed) {
            return;
        }
        Map<String, Shard> before = masters;
        Map<String, Shard> now = new HashMap<>();
        Shard[] slotsNow = slots();
        List<Shard> fresh = new ArrayList<>();
        for (RedisClusterNode node : topology) {
            if (isMaster(node)) {
                RedisURI uri = node.getUri();
                String address = Client.shown(uri);
                Shard known = before.get(address);
                Shard shard = known != null ? known : shard(address, () -> client.connect(uri));
                if (shard != known) {
                    fresh.add(shard);
                }
                now.put(address, shard);
                node.forEachSlot(slot -> slotsNow[slot] = shard);
            }
        }
        if (now.isEmpty() || (now.keySet().equals(before.keySet()) && Arrays.equals(slots, slotsNow))) {
            return;
        }
        masters = now;
        slots = slotsNow;
        serving = List.copyOf(new LinkedHashSet<>(Arrays.asList(slotsNow)));
        fresh.forEach(Shard::open);
        standings.clear();
        only.leaveTo(this::of, "no master of the Cluster has these keys");
        for (Shard shard : before.values()) {
            if (!now.containsValue(shard)) {
                former = former.plus(shard.statistics().traffic());
                shard.leaveTo(this::of, "it is no master any more");
                shard.close();
            }
        }
        now.values().forEach(Shard::tick); // one that has its first slots now is looked at before it is asked
        health.update(this::health);
    }

    /** One without slots as well: it may be about to get some, and keys are sent to it before the topology says so. */
    private static boolean isMaster(RedisClusterNode node) {
        return node.is(NodeFlag.UPSTREAM)
                && !(node.hasNoSlots() && (node.is(NodeFlag.FAIL) || node.is(NodeFlag.EVENTUAL_FAIL)));
    }

    @Override
    public void onState(Shard shard) {
        if (!closed) {
            if (shard.state() == RedisHealth.State.DOWN) {
                topologyWanted = true;
            }
            health.update(this::health);
        }
    }

    @Override
    public void onConnected(Shard shard) {
        standings.clear();
    }

    /** The error is {@code MOVED <slot> <host>:<port>} or {@code ASK …}. Rule: Redis Cluster specification, "MOVED Redirection". */
    @Override
    public void onRedirect(Shard from, Call call, String error) {
        String[] words = error.split(" ");
        boolean asking = words[0].equals("ASK");
        String address = words[words.length - 1];
        if (address.startsWith(":")) { // the host that says so. Rule: Redis 7, "cluster-preferred-endpoint-type"
            address = from.address().substring(0, from.address().lastIndexOf(':')) + address;
        }
        Shard shard = masters.get(address);
        if (!asking || shard == null) {
            topologyWanted = true; // ASK is for one slot that is being moved: it is still where the topology says
        }
        if (shard == null) {
            call.completeExceptionally(new Unanswered("Redis refused: " + ServerErrors.explained(error)));
        } else {
            shard.sendRedirected(call, asking);
        }
    }

    /** Asks nobody any more, and fails what waits. Waits for a second at most. */
    @Override
    public void close() {
        List<Shard> open;
        synchronized (this) {
            closed = true;
            open = new ArrayList<>(masters.values());
            open.add(only);
        }
        CompletableFuture<?>[] attempts =
                open.stream().map(shard -> shard.stop("the store is closed")).toArray(CompletableFuture[]::new);
        // An event loop that ends while a connection is being made leaves it open.
        CompletableFuture.allOf(attempts)
                .completeOnTimeout(null, CLOSING_MILLIS, TimeUnit.MILLISECONDS)
                .join();
    }
}
