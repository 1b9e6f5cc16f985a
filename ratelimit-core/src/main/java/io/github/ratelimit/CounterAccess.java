package io.github.ratelimit;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The access of one charge to its counter during one call. Used by one thread, within the monitor of its segment. */
final class CounterAccess {

    final Charge charge;
    final Limit limit;
    final long cost;
    final long digest;
    final Segment segment;

    /** Names what the decision takes of concurrency limits; null if it takes nothing of them. */
    final @Nullable UUID ticket;

    /** The moment of the call. */
    long now;

    int slot;

    /** Whether anything is counted. */
    boolean open;

    /** Until when it is open; the moment of the call if it is not. */
    long end;

    /** The count; its meaning depends on the shape. */
    long used;

    /** The permits of the limit that the last decision applied. */
    long permits;

    /** Tells the counter's openings apart: the bits of {@link Segment#LIMIT} above the permits. */
    long number;

    /** How many permits are left; negative for a debt. */
    long available;

    boolean fits;

    /** How long until the cost fits, if it does not and ever will. */
    long retryAfter;

    /** What is taken of a concurrency limit when the words are stored. */
    Tickets.@Nullable Ticket taken;

    /** How long until there is a slot; 0 if there is one. */
    long untilFree;

    private final Arithmetic arithmetic;
    private final TimeSource time;

    CounterAccess(Charge charge, long digest, Segment segment, @Nullable UUID ticket, TimeSource time) {
        this.charge = charge;
        this.limit = charge.limit();
        this.cost = charge.cost();
        this.digest = digest;
        this.segment = segment;
        this.ticket = ticket;
        this.arithmetic = limit.shape().kind().arithmetic;
        this.time = time;
    }

    void read(long now) {
        this.now = now;
        if (byCalendar()) {
            segment.followWallClock(time.millis() * 1_000_000 - now, now);
        }
        slot = segment.find(digest);
        open = slot >= 0 && segment.isOpen(slot, now);
        if (open) {
            long[] words = segment.words();
            end = words[slot + Segment.END];
            used = words[slot + Segment.USED];
            permits = words[slot + Segment.LIMIT] & Limit.MAX_PERMITS;
            number = words[slot + Segment.LIMIT] & ~Limit.MAX_PERMITS;
            // The shortest window has seven eighths of the longest: this may end with the next one, as the clock was
            // ahead.
            if (byCalendar() && end - now > limit.window().toNanos() / 8 * 7) {
                end = Math.min(end - now, windowNanos()) + now;
            }
        } else {
            end = now;
            used = 0;
            permits = limit.permits();
        }
        judge();
    }

    boolean byCalendar() {
        return limit.shape().calendar() != null;
    }

    /** Reads it for a decision: from now on the present limit applies. */
    void readToDecide(long now) {
        read(now);
        if (permits != limit.permits() || available < -limit.capacity()) { // of a bucket: more than it may owe
            arithmetic.apply(this);
            permits = limit.permits();
            judge();
        }
    }

    private void judge() {
        arithmetic.read(this);
        fits = cost == 0 || cost <= available;
    }

    /** Whether it has to be opened before anything is taken. */
    boolean needsSlot() {
        return !open && cost > 0;
    }

    /** Whether it has a slot to write to: of its own window, or of one that was opened for this call. */
    boolean isKept() {
        return slot >= 0 && (open || cost > 0);
    }

    /** Opens it in a slot of its own. Nothing is counted yet. */
    void open(int slot) {
        segment.begin(slot, digest, now + 1, limit.permits(), arithmetic.unit);
        number = segment.words()[slot + Segment.LIMIT] & ~Limit.MAX_PERMITS;
    }

    /** Computes the words to store after the cost is taken. */
    void take() {
        if (cost > 0) {
            arithmetic.take(this);
            available -= cost;
        }
    }

    /** Computes the words to store after a rejection. */
    void reject() {
        if (!fits && arithmetic.reject(this)) {
            judge();
        }
    }

    /** Stores the computed words. Assignments only, so that a stack overflow cannot leave a part of it. */
    void write() {
        long[] words = segment.words();
        words[slot + Segment.END] = end;
        words[slot + Segment.USED] = used;
        words[slot + Segment.LIMIT] = number | permits;
        if (taken != null) {
            taken.take(cost);
        }
    }

    void giveBack(long permits, long window) {
        if (open) {
            arithmetic.giveBack(this, permits, window);
        }
    }

    /** The tickets of an open concurrency limit. */
    @Nullable
    Tickets tickets() {
        return open ? segment.tickets(slot) : null;
    }

    /** Holds what the ticket took, and tells whether it was still there. */
    boolean hold() {
        Tickets tickets = tickets();
        boolean holds = tickets != null && ticket != null && tickets.hold(ticket);
        if (holds) {
            arithmetic.read(this); // it is open for longer
            write();
        }
        return holds;
    }

    long window() {
        return arithmetic.window(this);
    }

    /** How long until it ends. What is held of a concurrency limit has no end: then it is the lease. */
    long resetAfter() {
        long rest = end - now;
        return limit.shape().isConcurrent() ? Math.min(rest, limit.window().toNanos()) : rest;
    }

    /** 0 if the cost fits, or {@link LimitStatus#NEVER}. */
    long retryAfter() {
        return fits ? 0 : cost > limit.capacity() ? LimitStatus.NEVER : retryAfter;
    }

    /** The window's length; to its end by the calendar, for one that begins now. */
    long windowNanos() {
        CalendarWindow calendar = limit.shape().calendar();
        if (calendar == null) {
            return limit.window().toNanos();
        }
        long wall = time.millis();
        return (calendar.endOf(Instant.ofEpochMilli(wall)).toEpochMilli() - wall) * 1_000_000;
    }
}
