package io.github.ratelimit.redis;

import java.time.Instant;
import java.util.Optional;

/**
 * Whether Redis answers. Immutable.
 *
 * @param state what is known
 * @param since since when
 * @param reason what went wrong, where it does not; shows no key and no password
 */
public record RedisHealth(State state, Instant since, Optional<String> reason) {

    /** What is known of a server. */
    public enum State {
        /** It was not reached yet, and no attempt has failed. */
        STARTING,
        /** It answers: limits are shared. */
        UP,
        /** It does not answer, or not with decisions: limiters decide by their own answer to that. */
        DOWN
    }
}
