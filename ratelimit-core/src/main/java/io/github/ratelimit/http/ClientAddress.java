package io.github.ratelimit.http;

import io.github.ratelimit.Key;
import io.github.ratelimit.KeyResolver;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds whose address a call comes from.
 *
 * <p>It is the socket's peer. Only where the peer is a trusted proxy are forwarding header fields read, from the right, where trusted
 * proxies wrote, up to the first address that is not a trusted proxy's: what stands left of that, anybody can have written. An IPv6
 * client is its network, as it can choose the rest of its address freely. Immutable and safe for concurrent use.
 *
 * <p>Rule: docs/rules.md, "The client's address".
 */
public final class ClientAddress implements KeyResolver<HttpCall> {

    /** The network that a subscriber gets at least. Rule: RFC 6177 §2, RFC 4291 §2.5.1. */
    public static final int DEFAULT_IPV6_PREFIX = 64;

    private static final String X_FORWARDED_FOR = "X-Forwarded-For";
    private static final String FORWARDED = "Forwarded";

    private final List<AddressRange> trustedProxies;
    private final int ipv6Prefix;

    private ClientAddress(List<AddressRange> trustedProxies, int ipv6Prefix) {
        this.trustedProxies = trustedProxies;
        this.ipv6Prefix = ipv6Prefix;
    }

    /** Believes no forwarding header field. */
    public static ClientAddress ofPeer() {
        return of(List.of(), DEFAULT_IPV6_PREFIX);
    }

    /**
     * Believes the forwarding header fields of these proxies.
     *
     * @param trustedProxies ranges such as {@code 10.0.0.0/8}; empty: nobody is believed
     * @param ipv6Prefix how many bits of an IPv6 address are one client, 32 to 128
     * @throws IllegalArgumentException if a range is malformed or the prefix is out of its range
     */
    public static ClientAddress of(List<String> trustedProxies, int ipv6Prefix) {
        if (ipv6Prefix < 32 || ipv6Prefix > 128) {
            throw new IllegalArgumentException(
                    "ipv6-prefix must be 32..128, was %d; 64 is one subscriber's network, 56 one household's"
                            .formatted(ipv6Prefix));
        }
        return new ClientAddress(
                trustedProxies.stream().map(AddressRange::parse).toList(), ipv6Prefix);
    }

    @Override
    public Key resolve(HttpCall call) {
        IpAddress address = find(call);
        if (address == null) {
            return Key.absent();
        }
        boolean whole = address.isV4() || address.isTranslated();
        return Key.of(whole ? address.text() : address.network(ipv6Prefix).text());
    }

    /** The client's whole address in its one spelling; empty if the peer has none. */
    public Optional<String> address(HttpCall call) {
        return Optional.ofNullable(find(call)).map(IpAddress::text);
    }

    private @Nullable IpAddress find(HttpCall call) {
        IpAddress peer = IpAddress.parse(call.remoteAddress());
        if (!isTrusted(peer)) {
            return peer;
        }
        List<@Nullable IpAddress> hops = hops(call);
        if (hops == null) {
            return peer;
        }
        IpAddress client = peer;
        for (int i = hops.size() - 1; i >= 0; i--) {
            client = hops.get(i);
            if (client == null) {
                return peer; // a trusted proxy wrote what is no address
            }
            if (!isTrusted(client)) {
                return client;
            }
        }
        return client;
    }

    /**
     * A proxy writes one of the two fields and passes the other on as it came. {@code X-Forwarded-For} is the one that nearly all
     * write, and wins: were it the other way round, whoever sends a {@code Forwarded} of his own would be whom he likes.
     */
    private @Nullable List<@Nullable IpAddress> hops(HttpCall call) {
        List<String> xForwardedFor = call.headers(X_FORWARDED_FOR);
        if (!xForwardedFor.isEmpty()) {
            return ForwardedHops.ofXForwardedFor(xForwardedFor);
        }
        List<String> forwarded = call.headers(FORWARDED);
        return forwarded.isEmpty() ? List.of() : ForwardedHops.ofForwarded(forwarded);
    }

    private boolean isTrusted(@Nullable IpAddress address) {
        for (AddressRange range : trustedProxies) {
            if (range.contains(address)) {
                return true;
            }
        }
        return false;
    }
}
