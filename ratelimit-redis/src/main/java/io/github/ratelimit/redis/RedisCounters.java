package io.github.ratelimit.redis;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitStatus;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanIterator;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode.NodeFlag;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Finds counters in Redis for operators: the name and state of a client's counter, and the most used ones. Resets a counter. {@code
 * docs/redis.md} shows how it is called.
 */
public final class RedisCounters {

    private static final String USAGE = """
            java -cp <class path> io.github.ratelimit.redis.RedisCounters [options] name|look|reset <key part>...
            java -cp <class path> io.github.ratelimit.redis.RedisCounters [options] top [<how many>]

            name   prints what the client's counter is called in Redis
            look   prints where it stands, and takes nothing
            reset  gives the client a fresh window
            top    prints the counters with the most used permits, 20 if nothing is said; reads every counter

            --uri=<address>        as ratelimit.redis.uri; redis://localhost:6379 if not given
            --key-prefix=<text>    as ratelimit.redis.key-prefix; rl:1: if not given
            --secret=<base64>      as ratelimit.redis.secret, where there is one
            --topology=<name>      as ratelimit.redis.topology
            --limiter=<name> --limit=<name> --permits=<number> --window=<ISO duration, such as PT1M>
                                   the limiter and its rule; needed for all but top

            Key parts are those of the rule, in order; - is a part that the request does not have.
            """;

    private final Map<String, String> options = new HashMap<>();
    private final List<String> words = new ArrayList<>();

    private RedisCounters(String[] args) {
        for (String arg : args) {
            if (arg.startsWith("--")) {
                int equals = arg.indexOf('=');
                options.put(arg.substring(2, equals < 0 ? arg.length() : equals), arg.substring(equals + 1));
            } else {
                words.add(arg);
            }
        }
    }

    /** Does what is asked for. Ends with 1, and says why, where it cannot. */
    public static void main(String[] args) {
        System.exit(run(args, System.out, System.err));
    }

    static int run(String[] args, PrintStream out, PrintStream err) {
        try {
            RedisCounters asked = new RedisCounters(args);
            if (asked.words.isEmpty()) {
                err.print(USAGE);
                return 1;
            }
            asked.run(out);
            return 0;
        } catch (RuntimeException e) {
            err.println(e.getMessage());
            return 1;
        }
    }

    private void run(PrintStream out) {
        switch (words.get(0)) {
            case "name", "look", "reset" -> ofOneClient(out);
            case "top" -> top(words.size() > 1 ? Integer.parseInt(words.get(1)) : 20, out);
            default ->
                throw new IllegalArgumentException("'%s' is none of name, look, reset and top".formatted(words.get(0)));
        }
    }

    private void ofOneClient(PrintStream out) {
        List<Charge> charges = List.of(new Charge(
                needed("limiter"),
                Limit.of(needed("limit"), Long.parseLong(needed("permits")), Duration.parse(needed("window"))),
                key(),
                0));
        try (RedisStore store = builder().build()) {
            out.println(store.keyNames(charges).get(0));
            if (words.get(0).equals("name")) {
                return;
            }
            if (words.get(0).equals("reset")) {
                store.resetAsync(charges).toCompletableFuture().join();
            }
            LimitStatus status = store.tryAcquire(charges).statuses().get(0);
            out.println("%d of %d permits remain; the window ends in %s"
                    .formatted(status.remaining(), status.limit().permits(), status.resetAfter()));
        }
    }

    private RedisStore.Builder builder() {
        RedisStore.Builder store = RedisStore.builder().timeout(Duration.ofSeconds(10));
        option("uri").ifPresent(store::uri);
        option("key-prefix").ifPresent(store::keyPrefix);
        option("secret").ifPresent(secret -> store.secret(Base64.getDecoder().decode(secret)));
        option("topology").ifPresent(name -> store.topology(topology(name)));
        return store;
    }

    private static RedisTopology topology(String name) {
        return RedisTopology.valueOf(name.toUpperCase(java.util.Locale.ROOT).replace('-', '_'));
    }

    private Key key() {
        List<Key> parts = words.subList(1, words.size()).stream()
                .map(part -> part.equals("-") ? Key.absent() : Key.of(part))
                .toList();
        if (parts.isEmpty()) {
            throw new IllegalArgumentException("the key is missing: give its parts, such as 203.0.113.7");
        }
        return parts.stream().reduce(Key::and).orElseThrow();
    }

    private Optional<String> option(String name) {
        return Optional.ofNullable(options.get(name));
    }

    private String needed(String name) {
        return option(name)
                .orElseThrow(() -> new IllegalArgumentException(
                        "--%s is missing: a counter is named by limiter, limit, window and key".formatted(name)));
    }

    /** A counter as the server knows it. */
    private record Found(String name, long used, long leftMillis) {}

    private void top(int many, PrintStream out) {
        PriorityQueue<Found> most = new PriorityQueue<>(Comparator.comparingLong(Found::used));
        List<RedisURI> uris = Connections.addresses(option("uri").orElse(RedisStore.Builder.DEFAULT_URI));
        boolean cluster = uris.size() > 1
                || option("topology").map(RedisCounters::topology).orElse(RedisTopology.AUTO) == RedisTopology.CLUSTER;
        if (cluster) {
            RedisClusterClient client = RedisClusterClient.create(uris);
            try (var connection = client.connect()) {
                connection.getPartitions().stream()
                        .filter(node -> node.is(NodeFlag.UPSTREAM))
                        .forEach(node -> gather(
                                connection.getConnection(node.getNodeId()).sync(), most, many));
            } finally {
                client.shutdown();
            }
        } else {
            RedisClient client = RedisClient.create(uris.get(0));
            try (var connection = client.connect()) {
                gather(connection.sync(), most, many);
            } finally {
                client.shutdown();
            }
        }
        most.stream()
                .sorted(Comparator.comparingLong(Found::used).reversed())
                .forEach(found -> out.println(
                        "%d used, %s left: %s".formatted(found.used, Duration.ofMillis(found.leftMillis), found.name)));
    }

    private void gather(RedisCommands<String, String> server, PriorityQueue<Found> most, int many) {
        String prefix = option("key-prefix").orElse(RedisStore.Builder.DEFAULT_KEY_PREFIX);
        String literally = prefix.replaceAll("[\\[\\]?*^\\\\]", "\\\\$0"); // SCAN takes a pattern
        ScanIterator<String> names = ScanIterator.scan(
                server, ScanArgs.Builder.matches(literally + "{*").limit(1000));
        while (names.hasNext()) {
            String name = names.next();
            String used = server.type(name).equals("string") ? server.get(name) : null;
            if (used != null && used.matches("\\d{1,16}")) { // else its window has ended since, or it is no counter
                most.add(new Found(name, Long.parseLong(used), server.pttl(name)));
                if (most.size() > many) {
                    most.remove();
                }
            }
        }
    }
}
