package io.github.ratelimit.remote;

import java.util.List;

/**
 * The work of a store since it was created. Immutable.
 *
 * @param localRejections requests rejected without asking, as their window was known to be used up
 * @param pending requests that wait for a decision now
 * @param knownCounters counters of used-up limits that are remembered now, about
 * @param shards the traffic of each master of the current topology
 * @param total the traffic of all masters, with those of former topologies
 * @param losses how often a master was found to have lost counters: restarted, flushed, or with evicted keys
 * @param ahead requests that were granted ahead
 */
public record StoreStatistics(
        long localRejections,
        long pending,
        long knownCounters,
        List<StoreStatistics.Shard> shards,
        Traffic total,
        long losses,
        Ahead ahead) {

    /**
     * Requests that a server granted before they came. Immutable.
     *
     * @param granted those granted
     * @param served those that came in time
     * @param givenBack those that were given back
     */
    public record Ahead(long granted, long served, long givenBack) {}

    /**
     * Commands and their replies. Immutable.
     *
     * @param calls commands that were sent, each for one or more requests
     * @param failedCalls commands without a decision, and those not sent during an outage
     * @param decisions requests that travelled in calls
     * @param callNanos how long all calls took together, in nanoseconds
     * @param connections connections that were made
     */
    public record Traffic(long calls, long failedCalls, long decisions, long callNanos, long connections) {

        /** The sum of both. */
        public Traffic plus(Traffic other) {
            return new Traffic(
                    calls + other.calls,
                    failedCalls + other.failedCalls,
                    decisions + other.decisions,
                    callNanos + other.callNanos,
                    connections + other.connections);
        }
    }

    /**
     * One master. Immutable.
     *
     * @param address its host and port
     * @param asked whether it is asked; false while it is known not to answer
     * @param traffic its traffic
     */
    public record Shard(String address, boolean asked, Traffic traffic) {}

    /** Copies the list. */
    public StoreStatistics {
        shards = List.copyOf(shards);
    }

    /** Commands that were sent, each for one or more requests. */
    public long calls() {
        return total.calls();
    }

    /** Commands without a decision, and those not sent during an outage. */
    public long failedCalls() {
        return total.failedCalls();
    }

    /** Connections that were made. */
    public long connections() {
        return total.connections();
    }
}
