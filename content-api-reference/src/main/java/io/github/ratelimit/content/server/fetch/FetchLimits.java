package io.github.ratelimit.content.server.fetch;

import java.time.Duration;
import java.util.Set;

/**
 * How much a fetch may cost, and where it may go.
 *
 * @param ports the ports that may be connected to
 * @param redirects how many redirects are followed
 * @param bytes the longest body, in bytes
 * @param connect the longest wait for a connection
 * @param total the longest time for one fetch, redirects and a slow body included
 * @param concurrent how many fetches run at a time
 */
record FetchLimits(Set<Integer> ports, int redirects, int bytes, Duration connect, Duration total, int concurrent) {

    /** Returns the usual limits: the two web ports, 3 redirects, 1 MiB, 2 s to connect, 5 s in all, 8 at a time. */
    static FetchLimits usual() {
        return new FetchLimits(Set.of(80, 443), 3, 1 << 20, Duration.ofSeconds(2), Duration.ofSeconds(5), 8);
    }
}
