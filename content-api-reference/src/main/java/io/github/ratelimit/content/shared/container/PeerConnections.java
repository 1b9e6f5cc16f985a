package io.github.ratelimit.content.shared.container;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The connections that each peer holds, and the most of them. An IPv6 peer is its {@linkplain PeerNetwork network}. Safe for
 * concurrent use.
 */
final class PeerConnections {
    /** Closed ones are forgotten after so many new ones. Chosen: as many as the container holds at a time. */
    private static final int SWEPT_AFTER = 4096;

    private final int most;
    private final int ipv6Prefix;
    private final Predicate<String> unbounded;
    private final Map<String, Deque<SocketChannel>> held = new HashMap<>();
    private int sinceSweep;

    /**
     * Makes an empty one.
     *
     * @param most connections of one peer, positive
     * @param ipv6Prefix how many bits of an IPv6 address are one peer, 0 to 128
     * @param unbounded tells the addresses of peers that may hold any number: proxies, behind which all clients are one peer
     */
    PeerConnections(int most, int ipv6Prefix, Predicate<String> unbounded) {
        this.most = most;
        this.ipv6Prefix = ipv6Prefix;
        this.unbounded = unbounded;
    }

    /** Says whether the peer of a fresh connection may hold one more; counts it then, until it is closed. */
    synchronized boolean tryHold(SocketChannel connection) {
        InetAddress peer = peer(connection);
        if (peer == null) {
            return false;
        }
        if (unbounded.test(peer.getHostAddress())) {
            return true;
        }
        if (++sinceSweep > SWEPT_AFTER) {
            sweep();
        }
        Deque<SocketChannel> own =
                held.computeIfAbsent(PeerNetwork.of(peer.getAddress(), ipv6Prefix), key -> new ArrayDeque<>());
        if (own.size() >= most) {
            own.removeIf(earlier -> !earlier.isOpen());
        }
        return own.size() < most && own.add(connection);
    }

    /** Tells how many connections are remembered, closed ones that were not yet forgotten among them. */
    synchronized int remembered() {
        return held.values().stream().mapToInt(Deque::size).sum();
    }

    private void sweep() {
        sinceSweep = 0;
        held.values().forEach(own -> own.removeIf(earlier -> !earlier.isOpen()));
        held.values().removeIf(Deque::isEmpty);
    }

    private static @Nullable InetAddress peer(SocketChannel connection) {
        try {
            return connection.getRemoteAddress() instanceof InetSocketAddress address ? address.getAddress() : null;
        } catch (IOException alreadyClosed) {
            return null;
        }
    }
}
