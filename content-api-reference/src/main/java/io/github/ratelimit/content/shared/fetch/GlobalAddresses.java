package io.github.ratelimit.content.shared.fetch;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.List;

/**
 * Which IP addresses belong to the public network.
 *
 * <p>Immutable; safe for concurrent use. The tables follow the IANA special-purpose address registries for IPv4 and IPv6
 * (RFC 6890 and its updates). For IPv6 the question is turned round: only global unicast, 2000::/3, can be public at all,
 * which refuses mapped, compatible, NAT64, unique-local, link-local and multicast addresses without naming them.
 */
public final class GlobalAddresses {

    private static final Block GLOBAL_UNICAST = Block.of(128, 3, 0x20);

    private static final List<Block> SPECIAL_V6 = List.of(
            Block.of(128, 23, 0x20, 0x01, 0x00, 0x00), // protocol assignments: Teredo, benchmarking, ORCHID
            Block.of(128, 32, 0x20, 0x01, 0x0d, 0xb8), // documentation
            Block.of(128, 16, 0x20, 0x02), // 6to4: the IPv4 address inside may be anything
            Block.of(128, 48, 0x26, 0x20, 0x00, 0x4f, 0x80, 0x00), // AS112
            Block.of(128, 20, 0x3f, 0xff, 0x00)); // documentation

    private static final List<Block> SPECIAL_V4 = List.of(
            Block.of(32, 8, 0), // this network
            Block.of(32, 8, 10),
            Block.of(32, 10, 100, 64), // shared by carriers
            Block.of(32, 8, 127),
            Block.of(32, 16, 169, 254), // link-local, and where clouds keep their metadata
            Block.of(32, 12, 172, 16),
            Block.of(32, 24, 192, 0, 0), // protocol assignments
            Block.of(32, 24, 192, 0, 2), // documentation
            Block.of(32, 24, 192, 31, 196), // AS112
            Block.of(32, 24, 192, 52, 193), // AMT
            Block.of(32, 24, 192, 88, 99), // 6to4 relays
            Block.of(32, 16, 192, 168),
            Block.of(32, 24, 192, 175, 48), // AS112
            Block.of(32, 15, 198, 18), // benchmarking
            Block.of(32, 24, 198, 51, 100), // documentation
            Block.of(32, 24, 203, 0, 113), // documentation
            Block.of(32, 4, 224), // multicast
            Block.of(32, 4, 240)); // reserved, and the broadcast address

    private GlobalAddresses() {}

    /**
     * Tells whether an address belongs to the public network.
     *
     * @param address the address that a connection would go to
     * @return false for every address of a special-purpose block, and for IPv6 outside 2000::/3
     */
    public static boolean contains(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (address instanceof Inet4Address) {
            return SPECIAL_V4.stream().noneMatch(block -> block.contains(bytes));
        }
        return GLOBAL_UNICAST.contains(bytes) && SPECIAL_V6.stream().noneMatch(block -> block.contains(bytes));
    }

    /** The addresses that begin with the same bits. */
    private static final class Block {

        private final byte[] start;
        private final int prefix;

        private Block(byte[] start, int prefix) {
            this.start = start;
            this.prefix = prefix;
        }

        static Block of(int width, int prefix, int... leading) {
            byte[] start = new byte[width / 8];
            for (int i = 0; i < leading.length; i++) {
                start[i] = (byte) leading[i];
            }
            return new Block(start, prefix);
        }

        boolean contains(byte[] address) {
            if (address.length != start.length) {
                return false;
            }
            int whole = prefix / 8;
            for (int i = 0; i < whole; i++) {
                if (address[i] != start[i]) {
                    return false;
                }
            }
            int rest = prefix % 8;
            return rest == 0 || (((address[whole] ^ start[whole]) & 0xff) >>> (8 - rest)) == 0;
        }
    }
}
