package io.github.ratelimit.content.shared.container;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;

/** Whose an address is. An IPv6 client is its network, as it can choose the rest of its address freely. */
final class PeerNetwork {
    private PeerNetwork() {}

    /**
     * Tells the network of an address.
     *
     * @param address of four or sixteen bytes, which it may change
     * @param ipv6Prefix how many bits of an IPv6 address are one client, 0 to 128
     */
    static String of(byte[] address, int ipv6Prefix) {
        if (address.length > 4) {
            for (int bit = ipv6Prefix; bit < address.length * 8; bit++) {
                address[bit / 8] &= (byte) ~(0x80 >> (bit % 8));
            }
        }
        return HexFormat.of().formatHex(address);
    }

    /** The same, of an address as it is spelled. What is none is a client by itself, and no name is looked up. */
    static String of(String peer, int ipv6Prefix) {
        if (peer.indexOf(':') < 0 || !isSpelledLikeAnAddress(peer.charAt(0))) {
            return peer;
        }
        try {
            return of(InetAddress.getAllByName(peer)[0].getAddress(), ipv6Prefix);
        } catch (UnknownHostException noAddress) {
            return peer;
        }
    }

    /** Whatever begins otherwise, such as what a proxy calls a peer that it does not tell, would be asked of the resolver. */
    private static boolean isSpelledLikeAnAddress(char first) {
        return first == ':' || first == '[' || Character.digit(first, 16) >= 0;
    }
}
