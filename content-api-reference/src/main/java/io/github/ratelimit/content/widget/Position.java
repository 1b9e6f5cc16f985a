package io.github.ratelimit.content.widget;

import java.time.Instant;
import java.util.UUID;

/**
 * The last entry of a long list that was seen, in the order of moment and id. Behind it a list goes on at the same cost
 * however far it is.
 *
 * @param moment when the entry was made
 * @param id the entry
 */
record Position(Instant moment, UUID id) {

    /** Before every entry. */
    static final Position START = new Position(Instant.EPOCH, new UUID(0, 0));
}
