package io.github.ratelimit.redis;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import io.github.ratelimit.TimeSource;
import io.github.ratelimit.redis.RedisWarning.Kind;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Asks a server for its version, and once a minute for lost counters. Reports faults. Belongs to the server's event loop. */
final class ServerCheck {

    /** Where nobody hears of it. */
    static final Consumer<RedisWarning> LOGGED =
            warning -> System.getLogger(RedisStore.class.getName()).log(WARNING, warning.message());

    static final System.Logger LOG = System.getLogger(RedisStore.class.getName());

    private static final Pattern MAJOR_AND_MINOR = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})");
    private static final Pattern FLUSHES = Pattern.compile("(?m)^cmdstat_flush(?:all|db):calls=(\\d{1,18})");
    private static final long PAUSE_NANOS = 60_000_000_000L;

    private final String address;
    private final boolean cluster;
    private final Consumer<RedisWarning> onWarning;
    private List<RedisWarning> reported = List.of();
    private String before = "";
    private long askedAt;
    private final Runnable onLoss;

    /**
     * Makes it.
     *
     * @param onLoss hears each time that the server is found to have lost counters
     */
    ServerCheck(String address, boolean cluster, Consumer<RedisWarning> onWarning, Runnable onLoss) {
        this.address = address;
        this.cluster = cluster;
        this.onWarning = onWarning;
        this.onLoss = onLoss;
        forget();
    }

    /** Is due again: the connection, and perhaps the server, is another one. */
    void forget() {
        askedAt = TimeSource.system().nanoTime() - PAUSE_NANOS - 1;
    }

    void askIfDue(StatefulRedisConnection<byte[], byte[]> connection, long now) {
        if (now - askedAt <= PAUSE_NANOS) {
            return;
        }
        askedAt = now;
        try {
            connection.async().info("all").whenComplete((info, failure) -> {
                if (info != null) {
                    hear(info);
                } else {
                    LOG.log(DEBUG, "Redis does not say what it is, so its eviction policy is not checked", failure);
                }
            });
        } catch (RuntimeException e) {
            LOG.log(DEBUG, "Redis cannot be asked what it is", e); // the connection was closed
        }
    }

    /** Hears a server's account of itself. */
    void hear(String info) {
        List<RedisWarning> warnings = warnings(info, cluster);
        if (!warnings.equals(reported)) { // once, not after each reconnect
            reported = warnings;
            warnings.forEach(onWarning);
        }
        String reason = before.isEmpty() ? "" : loss(before, info);
        before = info;
        if (!reason.isEmpty()) {
            onLoss.run();
            onWarning.accept(new RedisWarning(
                    Kind.COUNTS_LOST,
                    "Redis (%s) %s: clients whose counters were lost start with a full limit (%s)"
                            .formatted(address, reason, ServerErrors.PAGE)));
        }
    }

    /** Losses of counters between two reports of the server; empty if there are none. */
    private static String loss(String before, String now) {
        if (!field(before, "run_id").equals(field(now, "run_id"))) {
            return "was restarted or replaced";
        }
        if (flushes(now) > flushes(before)) {
            return "was flushed";
        }
        long evicted = number(now, "evicted_keys") - number(before, "evicted_keys");
        return evicted > 0 ? "has evicted %d keys".formatted(evicted) : "";
    }

    private static long flushes(String info) {
        Matcher commands = FLUSHES.matcher(info);
        long flushes = 0;
        while (commands.find()) {
            flushes += Long.parseLong(commands.group(1));
        }
        return flushes;
    }

    private static long number(String info, String name) {
        String text = field(info, name);
        return text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
    }

    /** The warnings that follow from a server's report. */
    static List<RedisWarning> warnings(String info, boolean cluster) {
        List<RedisWarning> warnings = new ArrayList<>();
        String valkey = field(info, "valkey_version");
        String product = valkey.isEmpty() ? "Redis" : "Valkey " + valkey;
        String policy = field(info, "maxmemory_policy");
        if (!policy.isEmpty() && !policy.equals("noeviction") && number(info, "maxmemory") > 0) {
            warnings.add(
                    new RedisWarning(
                            Kind.EVICTS,
                            "%s may evict counters when its memory is full (maxmemory-policy %s), and a client whose counter is"
                                            .formatted(product, policy)
                                    + " evicted has a fresh budget; set maxmemory-policy noeviction or give the counters a server of their own"));
        }
        String version = field(info, "redis_version");
        if (isTooOld(version)) {
            warnings.add(new RedisWarning(
                    Kind.TOO_OLD,
                    "Redis %s is too old, 6.2 or newer is needed: no limit is shared".formatted(version)));
        }
        if (!cluster && field(info, "cluster_enabled").equals("1")) {
            warnings.add(
                    new RedisWarning(
                            Kind.NODE_OF_A_CLUSTER,
                            product
                                    + " is one node of a Cluster but only one address is given: give several, separated by commas"));
        }
        return warnings;
    }

    /** Other texts than versions are never too old. */
    private static boolean isTooOld(String version) {
        Matcher numbers = MAJOR_AND_MINOR.matcher(version);
        if (!numbers.lookingAt()) {
            return false;
        }
        int major = Integer.parseInt(numbers.group(1));
        return major < 6 || (major == 6 && Integer.parseInt(numbers.group(2)) < 2);
    }

    /** Empty if it is missing. */
    private static String field(String info, String name) {
        return info.lines()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst()
                .orElse("");
    }
}
