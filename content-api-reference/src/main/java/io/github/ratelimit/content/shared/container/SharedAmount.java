package io.github.ratelimit.content.shared.container;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * An amount that all clients share, such as workers that may wait. One address takes a part of it, and leaves the rest to the others: so it takes
 * many addresses to take all. Safe for concurrent use.
 */
final class SharedAmount {
    private final long most;
    private final long part;
    private final int ipv6Prefix;
    private final Predicate<String> unbounded;
    private final AtomicLong taken = new AtomicLong();
    private final Map<String, Long> takenBy = new ConcurrentHashMap<>();

    /**
     * Makes one of which nothing is taken.
     *
     * @param most of all clients together, positive
     * @param parts an address takes one of so many
     * @param ipv6Prefix how many bits of an IPv6 address are one client, 0 to 128
     * @param unbounded tells the addresses of peers that may take all of it: proxies, behind which all clients are one peer
     */
    SharedAmount(long most, int parts, int ipv6Prefix, Predicate<String> unbounded) {
        this.most = most;
        this.part = Math.max(1, most / parts);
        this.ipv6Prefix = ipv6Prefix;
        this.unbounded = unbounded;
    }

    /**
     * Takes more for a request, if there is some. A request that is the only one of its address may take all that is left: how much one request
     * takes is bounded elsewhere.
     *
     * @param peer the client's address; an IPv6 one is its network
     * @param own what that request has taken before
     * @param amount positive
     */
    boolean tryTake(String peer, long own, long amount) {
        if (taken.addAndGet(amount) > most) {
            taken.addAndGet(-amount);
            return false;
        }
        boolean[] mayTake = {true};
        takenBy.compute(PeerNetwork.of(peer, ipv6Prefix), (network, known) -> {
            long before = known == null ? 0 : known;
            mayTake[0] = before == own || before + amount <= part || unbounded.test(peer);
            return mayTake[0] ? Long.valueOf(before + amount) : known;
        });
        if (!mayTake[0]) {
            taken.addAndGet(-amount);
        }
        return mayTake[0];
    }

    /** Gives back what was taken for a request. */
    void give(String peer, long amount) {
        if (amount > 0) {
            taken.addAndGet(-amount);
            takenBy.computeIfPresent(
                    PeerNetwork.of(peer, ipv6Prefix), (network, known) -> known == amount ? null : known - amount);
        }
    }

    long most() {
        return most;
    }

    long taken() {
        return taken.get();
    }
}
