package io.github.ratelimit.redis;

import io.github.ratelimit.TimeSource;
import io.github.ratelimit.redis.RedisHealth.State;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.models.partitions.ClusterPartitionParser;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode.NodeFlag;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Knows the master of each key: the only server, or the master of the key's slot in a Cluster.
 *
 * <p>A Cluster's topology is asked for on connections that are open anyway, every second and a half, and at once when a node names another one, a
 * node does not answer, or no node has a slot. Decisions that come before it is known wait for it. Belongs to the event loop, except for
 * the methods that say otherwise.
 */
final class Topology implements Server.Owner {

    /** Chosen: a promoted replica is found within two seconds, also if no key of it is asked for. */
    private static final long PAUSE_NANOS = 1_500_000_000;

    private static final long TICK_NANOS = 250_000_000;

    /** A node that was cut off tells of an older Cluster. Chosen: it is believed if nothing newer was told for so many answers. */
    private static final int OLDER_ANSWERS = 8;

    /** Chosen: so many that each slot has some. */
    private static final int LOOK_KEYS = 1 << 20;

    /** A line of CLUSTER NODES: id, {@code host:port@bus}, and since Redis 7.0 the announced name. */
    private static final Pattern NODE = Pattern.compile("(?m)^(\\S+) ([^\\s,]*):(\\d+)(@\\d+)?(?:,([^\\s,]*)\\S*)?");

    private static final TimeSource TIME = TimeSource.system();

    private final Connections connections;
    private final Server.Settings settings;
    private final Health health;
    private final String keyPrefix;

    /** The only server. On a Cluster it stands for the masters of slots that are not known, and never connects. */
    private final Server only;

    private volatile Map<String, Server> masters = Map.of(); // of a Cluster, by address
    private Map<String, Server> names = Map.of(); // the same by address and announced name
    private volatile Server[] slots = new Server[0]; // of a Cluster
    private volatile List<Server> serving;
    private volatile RedisStatistics.Traffic former = new RedisStatistics.Traffic(0, 0, 0, 0, 0);
    private volatile long formerLosses;
    private boolean asking;
    private boolean wanted = true;
    private boolean closed;
    private long askedAt;
    private long epoch;
    private int olderAnswers;
    private int nextAddress;

    Topology(Connections connections, Server.Settings settings, Health health, String keyPrefix) {
        this.connections = connections;
        this.settings = settings;
        this.health = health;
        this.keyPrefix = keyPrefix;
        this.only = new Server(connections.toString(), connections::connect, false, settings, this);
        this.serving = List.of(only);
        if (connections.isCluster()) {
            this.slots = unknownSlots();
        }
    }

    private Server[] unknownSlots() {
        Server[] all = new Server[SlotHash.SLOT_COUNT];
        Arrays.fill(all, only);
        return all;
    }

    /** Begins to connect. Any thread may call it. */
    void open() {
        if (connections.isCluster()) {
            settings.loop().execute(this::tick);
        } else {
            only.open();
        }
    }

    /** The master that has the key. Any thread may call it. */
    Server of(byte[] key) {
        return connections.isCluster() ? slots[SlotHash.getSlot(key)] : only;
    }

    /** Those that have keys. Any thread may call it. */
    List<Server> serving() {
        return serving;
    }

    /** The traffic of all masters, with former ones. Any thread may call it. */
    RedisStatistics.Traffic traffic() {
        return Stream.concat(serving.stream(), masters.values().stream())
                .distinct()
                .map(server -> server.statistics().traffic())
                .reduce(former, RedisStatistics.Traffic::plus);
    }

    /** How often one of all masters had lost counters. Any thread may call it. */
    long losses() {
        return serving.stream().mapToLong(Server::losses).reduce(formerLosses, Long::sum);
    }

    private List<RedisHealth.Shard> health() {
        return serving.stream().map(Server::health).toList();
    }

    // ---- what servers tell

    @Override
    public void stateChanged(Server server) {
        wanted |= server.state() == State.DOWN;
        if (!closed) {
            health.update(health());
        }
    }

    @Override
    public void connected(Server server) {
        settings.remembered().clear();
    }

    @Override
    public byte @Nullable [] lookKey(Server server) {
        if (connections.isCluster() && !serving.contains(server)) {
            return null;
        }
        while (true) {
            String key = keyPrefix + "{look" + ThreadLocalRandom.current().nextInt(LOOK_KEYS) + "}";
            byte[] bytes = key.getBytes(StandardCharsets.US_ASCII);
            if (of(bytes) == server) {
                return bytes;
            }
        }
    }

    /** The error is {@code MOVED <slot> <host>:<port>} or {@code ASK …}. Rule: Redis Cluster specification, "MOVED Redirection". */
    @Override
    public void redirected(Server from, Call call, String error) {
        String[] words = error.split(" ");
        boolean toOneSlot = words[0].equals("ASK"); // it is being moved, and is still where the topology says
        String name = words[words.length - 1];
        if (name.startsWith(":")) { // the host that says so. Rule: Redis 7, "cluster-preferred-endpoint-type"
            name = from.address().substring(0, from.address().lastIndexOf(':')) + name;
        }
        Server to = names.get(name);
        wanted |= !toOneSlot || to == null;
        if (to == null) {
            call.fail(Unanswered.rejected(error));
        } else {
            to.sendRedirected(call, toOneSlot);
        }
    }

    // ---- the topology of a Cluster

    private void tick() {
        if (closed) {
            return;
        }
        if (!asking && (wanted || TIME.nanoTime() - askedAt > PAUSE_NANOS)) {
            ask();
        }
        settings.loop().schedule(this::tick, TICK_NANOS, TimeUnit.NANOSECONDS);
    }

    /** Asks a master that answers; if none does, the next of all addresses that are known, over a connection for this question. */
    private void ask() {
        asking = true;
        wanted = false;
        askedAt = TIME.nanoTime();
        List<Server> up = new ArrayList<>(serving);
        up.removeIf(server -> server.state() != State.UP);
        if (up.isEmpty()) {
            askAnew();
        } else {
            Server server = up.get(ThreadLocalRandom.current().nextInt(up.size()));
            String address = server.address();
            hear(server.clusterNodes(), address.substring(0, address.lastIndexOf(':')));
        }
    }

    private void askAnew() {
        List<RedisURI> uris = connections.uris();
        RedisURI uri = uris.get(nextAddress++ % uris.size());
        hear(
                connections
                        .connect(uri)
                        .thenCompose(made ->
                                made.async().clusterNodes().whenComplete((nodes, failure) -> made.closeAsync())),
                uri.getHost());
    }

    private void hear(CompletionStage<String> answer, String host) {
        boolean[] heard = new boolean[1];
        settings.loop()
                .schedule(
                        () -> {
                            if (!heard[0]) {
                                heard[0] = true;
                                notTold("no answer in time");
                            }
                        },
                        Math.max(TimeUnit.SECONDS.toNanos(2), 2 * settings.timeoutNanos()),
                        TimeUnit.NANOSECONDS);
        answer.whenComplete((nodes, failure) -> settings.loop().execute(() -> {
            if (!heard[0]) {
                heard[0] = true;
                if (nodes == null) {
                    notTold(ServerErrors.words(failure));
                } else {
                    asking = false;
                    follow(nodes, host);
                }
            }
        }));
    }

    private void notTold(String why) {
        asking = false;
        wanted = true;
        if (masters.isEmpty()) {
            only.down("cannot ask any node for the Cluster's topology: " + why);
        }
    }

    /** Connects to new masters, and drops former ones. */
    private void follow(String nodes, String askedHost) {
        List<RedisClusterNode> now = new ArrayList<>();
        long newest = 0;
        Map<String, String> hosts = new HashMap<>();
        String readable = NODE.matcher(nodes).replaceAll(line -> {
            String host = line.group(2).isEmpty() ? askedHost : line.group(2);
            hosts.put(line.group(1), line.group(5) == null ? "" : line.group(5));
            String bus = line.group(4) == null ? "" : line.group(4);
            return Matcher.quoteReplacement(line.group(1) + " " + host + ":" + line.group(3) + bus);
        });
        for (RedisClusterNode node : ClusterPartitionParser.parse(readable)) {
            newest = Math.max(newest, node.getConfigEpoch());
            if (isMaster(node)) {
                now.add(node);
            }
        }
        boolean isOlder = newest < epoch && ++olderAnswers < OLDER_ANSWERS;
        if (closed || now.isEmpty() || isOlder) {
            return;
        }
        epoch = newest;
        olderAnswers = 0;
        follow(now, hosts);
    }

    /** One without slots as well: it may be about to get some, and keys are sent to it before the topology says so. */
    private static boolean isMaster(RedisClusterNode node) {
        return node.is(NodeFlag.UPSTREAM)
                && !node.is(NodeFlag.NOADDR)
                && !node.is(NodeFlag.HANDSHAKE)
                && !(node.hasNoSlots() && (node.is(NodeFlag.FAIL) || node.is(NodeFlag.EVENTUAL_FAIL)));
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // only the loop writes it
    private void follow(List<RedisClusterNode> nodes, Map<String, String> hosts) {
        Map<String, Server> before = masters;
        Map<String, Server> now = new HashMap<>();
        Map<String, Server> named = new HashMap<>();
        List<Server> fresh = new ArrayList<>();
        Server[] slotsNow = unknownSlots();
        for (RedisClusterNode node : nodes) {
            String host = node.getUri().getHost();
            int port = node.getUri().getPort();
            String address = host + ":" + port;
            Server known = before.get(address);
            Server server = known != null
                    ? known
                    : new Server(address, () -> connections.connect(host, port), true, settings, this);
            if (server != known) {
                fresh.add(server);
            }
            now.put(address, server);
            named.put(address, server);
            named.put(hosts.getOrDefault(node.getNodeId(), "") + ":" + port, server);
            node.forEachSlot(slot -> slotsNow[slot] = server);
        }
        names = named;
        if (now.keySet().equals(before.keySet()) && Arrays.equals(slots, slotsNow)) {
            return;
        }
        masters = now;
        slots = slotsNow;
        serving = List.copyOf(new LinkedHashSet<>(Arrays.asList(slotsNow)));
        settings.remembered().clear();
        fresh.forEach(Server::open);
        List<Ask> rest = new ArrayList<>(only.leave("no master of the Cluster has these keys"));
        for (Server server : before.values()) {
            if (!now.containsValue(server)) {
                former = former.plus(server.statistics().traffic());
                formerLosses = formerLosses + server.losses();
                rest.addAll(server.stop("it is no master any more", true));
            }
        }
        rest.forEach(ask -> of(ask.counters()[0].redisKey()).submit(ask));
        health.update(health());
    }

    /** Stops asking, and fails waiting decisions. */
    void close() {
        closed = true;
        Stream.concat(Stream.of(only), masters.values().stream())
                .flatMap(server -> server.stop("the store was closed", false).stream())
                .forEach(ask -> ask.fail(new Unanswered("the store was closed")));
    }
}
