package io.github.ratelimit.internal.memory;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The tickets of one concurrency counter: by their names, and those with an end in the order of their ends. Callers hold the segment's
 * monitor.
 *
 * <p>A ticket without cost counts nothing: it is not yet taken, or is over. A stack overflow leaves such a name at worst.
 */
final class Tickets {

    /** The end of a ticket that is held, from now: 146 years, half of the largest difference of two moments. */
    private static final long NO_END = 1L << 62;

    /** What one decision took. */
    final class Ticket {

        private final @Nullable UUID name; // null: the ring's own
        private final long end;
        private long cost;
        private boolean isHeld;
        private Ticket before = this;
        private Ticket after = this;

        private Ticket(@Nullable UUID name, long end) {
            this.name = name;
            this.end = end;
        }

        /** Counts it from now on. Assignments only. */
        void take(long cost) {
            this.cost = cost;
            used += cost;
            before = ring.before;
            after = ring;
            ring.before.after = this;
            ring.before = this;
        }

        private void leaveRing() {
            before.after = after;
            after.before = before;
            before = this;
            after = this;
        }

        private void over() {
            leaveRing();
            used -= cost;
            cost = 0;
            held -= isHeld ? 1 : 0;
            isHeld = false;
            named.remove(name);
        }
    }

    private final Map<UUID, Ticket> named = new HashMap<>(4);

    /** Those with an end. All have the same lease, so the one that was taken last ends last. */
    private final Ticket ring = new Ticket(null, 0);

    private long used;
    private int held;

    /** The costs of all tickets. Those that have ended are removed. */
    long used(long now) {
        for (Ticket first = ring.after; first != ring && FixedWindow.isOver(first.end, now); first = ring.after) {
            first.over();
        }
        return used;
    }

    /** When the last ticket ends; now if there is none. */
    long end(long now) {
        return held > 0 ? now + NO_END : ring.before == ring ? now : ring.before.end;
    }

    /** Makes room for a ticket, which takes nothing yet. */
    Ticket add(UUID name, long end) {
        Ticket ticket = new Ticket(name, end);
        named.put(name, ticket);
        return ticket;
    }

    /**
     * Takes a ticket's end away.
     *
     * @return whether there is such a ticket
     */
    boolean hold(UUID name) {
        Ticket ticket = named.get(name);
        if (ticket == null || ticket.cost == 0) {
            return false;
        }
        if (!ticket.isHeld) {
            ticket.leaveRing();
            ticket.isHeld = true;
            held++;
        }
        return true;
    }

    /** Ends a ticket, if it has not ended. */
    void remove(UUID name) {
        Ticket ticket = named.get(name);
        if (ticket != null) {
            ticket.over();
        }
    }
}
