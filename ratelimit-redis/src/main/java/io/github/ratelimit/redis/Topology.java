package io.github.ratelimit.redis;

import static java.lang.System.Logger.Level.WARNING;

import io.github.ratelimit.TimeSource;
import io.github.ratelimit.remote.Counter;
import io.github.ratelimit.remote.Request;
import io.github.ratelimit.remote.Server;
import io.github.ratelimit.remote.StoreHealth.State;
import io.github.ratelimit.remote.StoreStatistics.Traffic;
import io.github.ratelimit.remote.UnansweredException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.models.partitions.ClusterPartitionParser;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode.NodeFlag;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Knows the master of each key: the only server, or the master of the key's slot in a Cluster.
 *
 * <p>It asks for a Cluster's topology every second and a half, on open connections. It asks at once if a node names another one, a node does not
 * answer, or no node has a slot. Decisions that come before it is known wait for it. Belongs to the event loop, except for
 * the methods that say otherwise.
 */
final class Topology implements Server.Listener {

    /** Chosen: a promoted replica is found within two seconds, even without a request for its keys. */
    private static final long PAUSE_NANOS = 1_500_000_000;

    private static final long TICK_NANOS = 250_000_000;

    /** A node that was cut off tells of an older Cluster. Chosen: believed after so many answers without a newer one. */
    private static final Duration LEAST_PATIENCE = Duration.ofSeconds(2);

    private static final int OLDER_ANSWERS = 8;

    /** A line of CLUSTER NODES: id, {@code host:port@bus}, and since Redis 7.0 the announced name. */
    private static final Pattern NODE = Pattern.compile("(?m)^(\\S+) ([^\\s,]*):(\\d+)(@\\d+)?(?:,([^\\s,]*)\\S*)?");

    private static final TimeSource TIME = TimeSource.system();

    private final Connections connections;
    private final RedisStore store;
    private final RedisKeys keys;
    private final Consumer<RedisWarning> onWarning;
    private final Runnable onHealthChange;
    private final Runnable onOtherCounters;
    private final LongAdder losses = new LongAdder();
    private final Script script = Script.USUAL; // read from the class path here, as the event loop must not block

    /** The only server. On a Cluster it stands for the masters of slots that are not known, and never connects. */
    private final Server only;

    private volatile Map<String, Server> masters = Map.of(); // of a Cluster, by address
    private Map<String, Server> names = Map.of(); // the same by address and announced name
    private volatile Server[] slots = new Server[0]; // of a Cluster
    private volatile List<Server> serving;
    private volatile Traffic former = new Traffic(0, 0, 0, 0, 0);
    private boolean asking;
    private boolean wanted = true;
    private boolean closed;
    private long askedAt;
    private long epoch;
    private int olderAnswers;
    private int nextAddress;

    /**
     * Makes it; {@link #open} connects.
     *
     * @param onHealthChange hears that a master answers, or does not any more
     * @param onOtherCounters hears that counters were lost, or have other masters
     */
    Topology(
            RedisStore store,
            Connections connections,
            RedisKeys keys,
            Consumer<RedisWarning> onWarning,
            Runnable onHealthChange,
            Runnable onOtherCounters) {
        this.store = store;
        this.connections = connections;
        this.keys = keys;
        this.onWarning = onWarning;
        this.onHealthChange = onHealthChange;
        this.onOtherCounters = onOtherCounters;
        this.only = server(connections.toString(), connections::connect);
        this.serving = List.of(only);
        if (connections.isCluster()) {
            this.slots = unknownSlots();
        }
    }

    private Server server(
            String address, Supplier<CompletableFuture<StatefulRedisConnection<byte[], byte[]>>> connector) {
        RedisConnection.Redirection redirection = connections.isCluster() ? this::redirect : null;
        ServerCheck check = new ServerCheck(address, connections.isCluster(), this::warn, losses::increment);
        Server[] made = new Server[1];
        made[0] = new Server(
                address,
                () -> connector
                        .get()
                        .thenApply(client -> new RedisConnection(client, script, made[0], keys, check, redirection)),
                store,
                this);
        return made[0];
    }

    private void warn(RedisWarning warning) {
        if (warning.kind() == RedisWarning.Kind.COUNTS_LOST) {
            onOtherCounters.run();
        }
        try {
            onWarning.accept(warning);
        } catch (RuntimeException | Error e) { // else the reply that it was found in would reach no caller
            ServerCheck.LOG.log(WARNING, "A listener to warnings of Redis has failed", e);
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
            connections.loop().execute(this::tick);
        } else {
            only.open();
        }
    }

    /** The master that has the counter. Any thread may call it. */
    Server of(Counter counter) {
        return connections.isCluster() ? slots[keys.slot(counter)] : only;
    }

    /** The master that has the settings. Any thread may call it. */
    Server ofSettings() {
        return connections.isCluster() ? slots[keys.slotOfSettings()] : only;
    }

    /** The masters with counters. Any thread may call it. */
    List<Server> serving() {
        return serving;
    }

    /** The traffic of former masters, and of masters without counters. Any thread may call it. */
    Traffic otherTraffic() {
        List<Server> now = serving;
        return masters.values().stream()
                .filter(server -> !now.contains(server))
                .map(server -> server.statistics().traffic())
                .reduce(former, Traffic::plus);
    }

    /** How often a master was found to have lost counters. Any thread may call it. */
    long losses() {
        return losses.sum();
    }

    // ---- what servers tell

    @Override
    public void stateChanged(Server server) {
        wanted |= server.state() == State.DOWN;
        if (!closed) {
            onHealthChange.run();
        }
    }

    @Override
    public @Nullable Counter probed(Server server) {
        if (connections.isCluster() && !serving.contains(server)) {
            return null;
        }
        while (true) {
            Counter counter = new Counter(ThreadLocalRandom.current().nextLong(), 0, 0);
            if (of(counter) == server) {
                return counter;
            }
        }
    }

    @Override
    public int partOf(Counter counter) {
        return connections.isCluster() ? keys.slot(counter) : 0;
    }

    @Override
    public void clocksDiffer(Server server, Instant here, Instant there) {
        warn(new RedisWarning(
                RedisWarning.Kind.CLOCKS_DIFFER,
                "it is %s here and %s on Redis (%s), whose clock decides: set the clock of this machine or of that one"
                        .formatted(here, there, server.address())));
    }

    /** The error is {@code MOVED <slot> <host>:<port>} or {@code ASK …}. Rule: Redis Cluster specification, "MOVED Redirection". */
    private void redirect(RedisConnection from, ScriptCall call, String error) {
        String[] words = error.split(" ");
        boolean toOneSlot = words[0].equals("ASK"); // it is being moved, and is still where the topology says
        String name = words[words.length - 1];
        if (name.startsWith(":")) { // the host that says so. Rule: Redis 7, "cluster-preferred-endpoint-type"
            String address = from.server().address();
            name = address.substring(0, address.lastIndexOf(':')) + name;
        }
        Server to = names.get(name);
        wanted |= !toOneSlot || to == null;
        if (to != null && to.connection() instanceof RedisConnection connection) {
            connection.sendRedirected(call, toOneSlot);
        } else {
            call.batch().fail(RedisConnection.failure(error, true));
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
        connections.loop().schedule(this::tick, TICK_NANOS, TimeUnit.NANOSECONDS);
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
            CompletionStage<String> nodes = server.connection() instanceof RedisConnection connection
                    ? connection.clusterNodes()
                    : CompletableFuture.failedFuture(new UnansweredException("there is no connection to " + address));
            followAnswer(nodes, address.substring(0, address.lastIndexOf(':')));
        }
    }

    private void askAnew() {
        List<RedisURI> uris = connections.uris();
        RedisURI uri = uris.get(nextAddress++ % uris.size());
        followAnswer(
                connections
                        .connect(uri)
                        .thenCompose(made -> connections
                                .inTime(made.async().clusterNodes())
                                .whenComplete((nodes, failure) -> made.closeAsync())),
                uri.getHost());
    }

    private void followAnswer(CompletionStage<String> answer, String host) {
        Duration longest =
                Collections.max(List.of(LEAST_PATIENCE, connections.timeout().multipliedBy(2)));
        connections
                .within(longest, "no answer in time", answer, late -> {})
                .whenComplete((nodes, failure) -> connections.loop().execute(() -> {
                    asking = false;
                    wanted |= nodes == null;
                    if (nodes != null) {
                        follow(nodes, host);
                    } else if (masters.isEmpty()) {
                        String why = UnansweredException.words(failure);
                        only.down("cannot ask any node for the Cluster's topology: " + why);
                    }
                }));
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
            Server server = known != null ? known : server(address, () -> connections.connect(host, port));
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
        onOtherCounters.run();
        fresh.forEach(Server::open);
        List<Request> rest = new ArrayList<>(only.leave("no master of the Cluster has these keys"));
        for (Server server : before.values()) {
            if (!now.containsValue(server)) {
                former = former.plus(server.statistics().traffic());
                rest.addAll(server.stop("it is no master any more", true));
            }
        }
        rest.forEach(request -> of(request.counters()[0]).submit(request));
        onHealthChange.run();
    }

    /** Stops asking, and fails waiting decisions. */
    void close() {
        closed = true;
        Stream.concat(Stream.of(only), masters.values().stream())
                .flatMap(server -> server.stop("the store was closed", false).stream())
                .forEach(request -> request.completeExceptionally(new UnansweredException("the store was closed")));
    }
}
