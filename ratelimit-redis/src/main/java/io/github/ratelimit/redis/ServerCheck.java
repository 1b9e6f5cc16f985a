package io.github.ratelimit.redis;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import io.github.ratelimit.redis.RedisWarning.Kind;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Asks a server what it is, once for each connection, and warns of what will go wrong. */
final class ServerCheck {

    /** Where nobody hears of it. */
    static final Consumer<RedisWarning> LOGGED =
            warning -> System.getLogger(RedisStore.class.getName()).log(WARNING, warning.message());

    private static final System.Logger LOG = System.getLogger(RedisStore.class.getName());

    private static final Pattern MAJOR_AND_MINOR = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})");

    private final boolean cluster;
    private final Consumer<RedisWarning> onWarning;
    private volatile List<RedisWarning> told = List.of();

    ServerCheck(boolean cluster, Consumer<RedisWarning> onWarning) {
        this.cluster = cluster;
        this.onWarning = onWarning;
    }

    /** Asks without waiting. A server that does not tell is not asked again before the next connection. */
    void ask(StatefulConnection<byte[], byte[]> connection) {
        AsyncCommand<byte[], byte[], String> info =
                new AsyncCommand<>(new Command<>(CommandType.INFO, new StatusOutput<>(ByteArrayCodec.INSTANCE), null));
        Ends.of(info, (text, failure) -> {
            if (failure == null) {
                warn(text);
            } else {
                LOG.log(DEBUG, "Redis does not say what it is, so its eviction policy is not checked", failure);
            }
        });
        connection.dispatch(info);
    }

    private void warn(@Nullable String info) {
        List<RedisWarning> warnings = warnings(info == null ? "" : info, cluster);
        if (!warnings.equals(told)) { // once, not after each reconnect
            told = warnings;
            warnings.forEach(onWarning);
        }
    }

    /** What a server's account of itself gives reason to warn of. */
    static List<RedisWarning> warnings(String info, boolean cluster) {
        List<RedisWarning> warnings = new ArrayList<>();
        String policy = field(info, "maxmemory_policy").orElse("noeviction");
        if (!policy.equals("noeviction")
                && !field(info, "maxmemory").orElse("0").equals("0")) {
            warnings.add(
                    new RedisWarning(
                            Kind.EVICTS,
                            "Redis may evict counters when its memory is full (maxmemory-policy %s), and a client whose counter is"
                                            .formatted(policy)
                                    + " evicted has a fresh budget; set maxmemory-policy noeviction or give the counters a server of their own"));
        }
        String version = field(info, "redis_version").orElse("");
        if (isTooOld(version)) {
            warnings.add(new RedisWarning(
                    Kind.TOO_OLD,
                    "Redis %s is too old, 6.2 or newer is needed: no limit is shared".formatted(version)));
        }
        if (!cluster && field(info, "cluster_enabled").orElse("0").equals("1")) {
            warnings.add(new RedisWarning(
                    Kind.NODE_OF_A_CLUSTER,
                    "Redis is one node of a Cluster but only one address is given: give several, separated by commas"));
        }
        return warnings;
    }

    /** Whether it has no SET with PXAT, by which windows are opened. What is no version is none that could be too old. */
    private static boolean isTooOld(String version) {
        Matcher numbers = MAJOR_AND_MINOR.matcher(version);
        if (!numbers.lookingAt()) {
            return false;
        }
        int major = Integer.parseInt(numbers.group(1));
        return major < 6 || (major == 6 && Integer.parseInt(numbers.group(2)) < 2);
    }

    private static Optional<String> field(String info, String name) {
        return info.lines()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst();
    }
}
