package io.github.ratelimit.internal.memory;

import static java.util.Objects.requireNonNull;

/**
 * A permit comes back when the ticket ends by which it was taken. {@link CounterAccess#end} is the end of the last one,
 * {@link CounterAccess#used} the sum of their costs.
 */
final class Semaphore extends Arithmetic {

    /** Chosen: nobody knows when a permit is given back. */
    private static final long RETRY_NANOS = 1_000_000_000;

    Semaphore() {
        super(Segment.PERMITS);
    }

    @Override
    void read(CounterAccess counter) {
        Tickets tickets = counter.tickets();
        counter.used = tickets == null ? 0 : tickets.used(counter.now);
        counter.end = tickets == null ? counter.now : tickets.end(counter.now);
        counter.available = counter.limitPermits - counter.used;
        counter.retryAfter = RETRY_NANOS;
    }

    @Override
    void take(CounterAccess counter) {
        long end = counter.now + counter.windowNanos;
        counter.taken = counter.segment.ticketsOf(counter.slot).add(requireNonNull(counter.ticket, "ticket"), end);
        counter.end = counter.end - end > 0 ? counter.end : end;
        counter.used += counter.cost;
    }

    /** Ends the ticket, however much it took. */
    @Override
    void giveBack(CounterAccess counter, long permits, long window) {
        Tickets tickets = counter.tickets();
        if (tickets != null && counter.ticket != null) {
            tickets.remove(counter.ticket);
            read(counter);
            if (counter.used == 0) {
                counter.segment.forgetTickets(counter.slot);
            }
        }
    }
}
