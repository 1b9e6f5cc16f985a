package io.github.ratelimit.http;

import io.github.ratelimit.Key;
import io.github.ratelimit.KeyResolver;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The address of the client.
 *
 * <p>Usually this is the socket's peer. If the peer is a trusted proxy, the forwarding header fields are read from the right, up to the first
 * address that is not a trusted proxy's: anybody can have written the rest. IPv6 clients are counted by network, because they choose the rest
 * of their address freely. Immutable and safe for concurrent use.
 *
 * <p>Rule: docs/design/rules.md, "The client's address".
 */
public final class ClientAddress implements KeyResolver<HttpCall> {

    /** The smallest network of one subscriber. Rule: RFC 6177 §2, RFC 4291 §2.5.1. */
    public static final int DEFAULT_IPV6_PREFIX = 64;

    private final List<AddressRange> trustedProxies;
    private final int ipv6Prefix;

    private ClientAddress(List<AddressRange> trustedProxies, int ipv6Prefix) {
        this.trustedProxies = trustedProxies;
        this.ipv6Prefix = ipv6Prefix;
    }

    /** Whether there are no trusted proxies. */
    public boolean trustsNobody() {
        return trustedProxies.isEmpty();
    }

    /** The peer's address, without trusted proxies. */
    public static ClientAddress ofPeer() {
        return of(List.of(), DEFAULT_IPV6_PREFIX);
    }

    /**
     * The client's address behind trusted proxies.
     *
     * @param trustedProxies ranges such as {@code 10.0.0.0/8}; may be empty
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
        if (trustedProxies.isEmpty() && IpAddress.isDotted(call.origin().peer())) {
            return Key.of(call.origin().peer()); // the only spelling of this address
        }
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

    /**
     * Whether a peer is a trusted proxy.
     *
     * @param peer an address in any spelling; other texts are not trusted
     */
    public boolean trusts(String peer) {
        return !trustedProxies.isEmpty() && isTrusted(IpAddress.parse(peer));
    }

    private @Nullable IpAddress find(HttpCall call) {
        Origin origin = call.origin();
        IpAddress peer = IpAddress.parse(origin.peer());
        if (trustedProxies.isEmpty() || !isTrusted(peer)) {
            return peer;
        }
        // X-Forwarded-For wins, because nearly all proxies write it and pass Forwarded on unchanged. If Forwarded won,
        // clients could choose
        // their address.
        List<String> xForwardedFor = origin.xForwardedFor();
        boolean standard = xForwardedFor.isEmpty();
        ForwardedHops hops = new ForwardedHops(standard ? origin.forwarded() : xForwardedFor, standard);
        IpAddress client = peer;
        while (hops.hasNext()) {
            client = hops.next();
            if (client == null) {
                return peer; // a trusted proxy wrote no address
            }
            if (!isTrusted(client)) {
                return client;
            }
        }
        return client;
    }

    private boolean isTrusted(@Nullable IpAddress address) {
        for (AddressRange range : trustedProxies) { // without a stream: each request asks
            if (range.contains(address)) {
                return true;
            }
        }
        return false;
    }
}
