package io.github.ratelimit.remote;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Whether the servers of a store answer. Immutable.
 *
 * @param state what is known
 * @param since since when
 * @param reason the reason of an outage; contains no key and no password
 * @param shards each master of today's topology; a single server is one
 */
public record StoreHealth(State state, Instant since, Optional<String> reason, List<Shard> shards) {

    /** The state of a server, or of all. */
    public enum State {
        /** It was not reached yet, and no attempt has failed. */
        STARTING,
        /** It answers: limits are shared. */
        UP,
        /** Some of several masters answer, and some do not: their keys are decided by the limiters' own answer to that. */
        DEGRADED,
        /** It does not answer, or not with decisions: limiters decide by their own answer to that. */
        DOWN
    }

    /**
     * One master. Immutable.
     *
     * @param address its host and port, or another name of it
     * @param state its state, never {@link State#DEGRADED}
     * @param reason the reason of its outage
     */
    public record Shard(String address, State state, Optional<String> reason) {}

    /** Copies the list. */
    public StoreHealth {
        shards = List.copyOf(shards);
    }
}
