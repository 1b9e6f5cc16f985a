package io.github.ratelimit.redis;

import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterURIUtil;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads addresses of Redis. No message shows a part of a password. */
final class RedisAddresses {

    /** An address up to its hosts, which end where the path, the query or the name of a Sentinel's master begins. */
    private static final Pattern WRITTEN =
            Pattern.compile("(?<scheme>[\\w+.-]+)://(?<user>.*@)?(?<hosts>[^/?#@]*)([/?#][^@]*)?");

    private RedisAddresses() {}

    /**
     * Reads one address, or several of a Cluster.
     *
     * @throws IllegalArgumentException if it is none, or the client reads it otherwise than it is written
     */
    static List<RedisURI> of(String uri) {
        List<RedisURI> read = read(uri);
        if (read == null) {
            throw new IllegalArgumentException(
                    "the address of Redis cannot be read: '%s'; it looks like redis://user:password@host:6379, with %%-escapes in user and password"
                            .formatted(uri.replaceFirst("(?<=://).*@", "***@")));
        }
        Matcher written = WRITTEN.matcher(uri);
        if (written.matches() && !written.group("scheme").contains("socket")) {
            requireSame(read, written.group("hosts"), written.group("user") != null);
        }
        return read;
    }

    /** The requested topology; null if the client can read nothing. Its message and cause would show the whole address. */
    private static @Nullable List<RedisURI> read(String uri) {
        try {
            URI parsed = URI.create(uri);
            String authority = parsed.getRawAuthority();
            boolean sentinel = parsed.getScheme() != null && parsed.getScheme().contains("sentinel");
            return authority != null && authority.contains(",") && !sentinel
                    ? List.copyOf(RedisClusterURIUtil.toRedisURIs(parsed))
                    : List.of(RedisURI.create(uri));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** A password with a number sign makes a host of the user, and a name with an underscore one with two ports. */
    private static void requireSame(List<RedisURI> read, String written, boolean hasUser) {
        List<String> asked = read.stream()
                .flatMap(each -> each.getSentinels().isEmpty() ? Stream.of(each) : each.getSentinels().stream())
                .map(each -> String.valueOf(each.getHost()))
                .toList();
        List<String> hosts = Stream.of(written.split(",", -1))
                .map(address -> address.replaceFirst(":\\d*$", ""))
                .toList();
        if (bare(asked).equals(bare(hosts))) {
            return;
        }
        throw new IllegalArgumentException(
                hasUser
                        ? "the client does not ask for %s, as the address of Redis is written: write each of :/?#[]@%% in user and password with a %%-escape"
                                .formatted(String.join(",", hosts))
                        : "the client asks for %s where the address of Redis is written %s: a host has letters, digits, hyphens and dots"
                                .formatted(String.join(",", asked), written));
    }

    private static List<String> bare(List<String> hosts) {
        return hosts.stream()
                .map(host -> host.replaceAll("[\\[\\]]", "").toLowerCase(Locale.ROOT))
                .toList();
    }
}
