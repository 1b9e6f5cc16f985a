package io.github.ratelimit.content.server.fetch;

import java.time.Duration;
import java.util.Set;

/**
 * How much a fetch may cost, and where it may go.
 *
 * @param ports the ports that may be connected to; at least one
 * @param redirects how many redirects are followed; 0 or more
 * @param bytes the longest body, in bytes; 1 or more
 * @param connect the longest wait for a connection
 * @param total the longest time for one fetch, redirects and a slow body included
 * @param failureStep a failure is told at a whole multiple of this time, so that a refused address, a closed port and an
 *     open one that talks nonsense look alike; zero tells at once
 * @param concurrent how many fetches run at a time; 1 or more
 */
public record FetchLimits(
        Set<Integer> ports,
        int redirects,
        int bytes,
        Duration connect,
        Duration total,
        Duration failureStep,
        int concurrent) {

    /** Checks the values. */
    public FetchLimits {
        ports = Set.copyOf(ports);
        if (ports.isEmpty()) {
            throw new IllegalArgumentException("ports: at least one is needed");
        }
        if (redirects < 0 || bytes < 1 || concurrent < 1) {
            throw new IllegalArgumentException("redirects, bytes and concurrent must be at least 0, 1 and 1, were "
                    + redirects + ", " + bytes + " and " + concurrent);
        }
        if (connect.isNegative() || connect.isZero() || total.compareTo(connect) < 0 || failureStep.isNegative()) {
            throw new IllegalArgumentException(
                    "connect must be positive and no longer than total, failureStep not negative, were " + connect
                            + ", " + total + " and " + failureStep);
        }
    }

    /** Returns the usual limits: the two web ports, 3 redirects, 1 MiB, 2 s to connect, 5 s in all, 8 at a time. */
    public static FetchLimits usual() {
        return new FetchLimits(
                Set.of(80, 443),
                3,
                1 << 20,
                Duration.ofSeconds(2),
                Duration.ofSeconds(5),
                // Chosen: longer than a round trip to anywhere, so that closed and refused fall into the same step.
                Duration.ofMillis(500),
                8);
    }
}
