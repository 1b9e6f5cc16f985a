package io.github.ratelimit.content.server.fetch;

import io.github.ratelimit.http.AddressRange;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.List;
import java.util.stream.Stream;

/**
 * Which IP addresses belong to the public network.
 *
 * <p>Immutable; safe for concurrent use. The tables follow the IANA special-purpose address registries for IPv4 and IPv6
 * (RFC 6890 and its updates). For IPv6 the question is turned round: only global unicast, 2000::/3, can be public at all,
 * which rejects mapped, compatible, NAT64, unique-local, link-local and multicast addresses without naming them.
 */
public final class GlobalAddresses {

    private static final AddressRange GLOBAL_UNICAST = AddressRange.parse("2000::/3");

    private static final List<AddressRange> SPECIAL = Stream.of(
                    "0.0.0.0/8", // this network
                    "10.0.0.0/8",
                    "100.64.0.0/10", // shared by carriers
                    "127.0.0.0/8",
                    "169.254.0.0/16", // link-local, and where clouds keep their metadata
                    "172.16.0.0/12",
                    "192.0.0.0/24", // protocol assignments
                    "192.0.2.0/24", // documentation
                    "192.31.196.0/24", // AS112
                    "192.52.193.0/24", // AMT
                    "192.88.99.0/24", // 6to4 relays
                    "192.168.0.0/16",
                    "192.175.48.0/24", // AS112
                    "198.18.0.0/15", // benchmarking
                    "198.51.100.0/24", // documentation
                    "203.0.113.0/24", // documentation
                    "224.0.0.0/4", // multicast
                    "240.0.0.0/4", // reserved, and the broadcast address
                    "2001::/23", // protocol assignments: Teredo, benchmarking, ORCHID
                    "2001:db8::/32", // documentation
                    "2002::/16", // 6to4: the IPv4 address inside may be anything
                    "2620:4f:8000::/48", // AS112
                    "3fff::/20") // documentation
            .map(AddressRange::parse)
            .toList();

    private GlobalAddresses() {}

    /**
     * Tells whether an address belongs to the public network.
     *
     * @param address the address that a connection would go to
     * @return false for every address of a special-purpose block, and for IPv6 outside 2000::/3
     */
    public static boolean contains(InetAddress address) {
        String text = address.getHostAddress();
        return (address instanceof Inet4Address || GLOBAL_UNICAST.contains(text))
                && SPECIAL.stream().noneMatch(range -> range.contains(text));
    }
}
