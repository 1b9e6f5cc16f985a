package io.github.ratelimit.internal.memory;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The access of one charge to its counter during one call. Used by one thread, within the monitor of its segment. */
public abstract class CounterAccess {

    /** A wait that means "never". */
    public static final long NEVER = Long.MAX_VALUE;

    /** The bits of {@link Segment#LIMIT} that hold permits. */
    static final long MAX_PERMITS = (1L << 53) - 1;

    final long limitPermits;
    final long capacity;
    final long windowNanos;
    final long blockNanos;
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

    /**
     * Describes it.
     *
     * @param limitPermits the permits of the limit
     * @param capacity the most permits that the counter can have
     * @param blockNanos how long a rejection closes a blocking window
     * @param ticket names what the decision takes of concurrency limits; null if it takes nothing of them
     */
    protected CounterAccess(
            Arithmetic arithmetic,
            long limitPermits,
            long capacity,
            long windowNanos,
            long blockNanos,
            long cost,
            long digest,
            Segment segment,
            @Nullable UUID ticket) {
        this.arithmetic = arithmetic;
        this.limitPermits = limitPermits;
        this.capacity = capacity;
        this.windowNanos = windowNanos;
        this.blockNanos = blockNanos;
        this.cost = cost;
        this.digest = digest;
        this.segment = segment;
        this.ticket = ticket;
    }

    /** The moment of the call by the wall clock. Asked for windows of the calendar alone. */
    protected abstract long wallNanos();

    /** How long a window of the calendar is that begins now. */
    protected abstract long untilCalendarEnd();

    /** Whether the window ends by the calendar. */
    public boolean byCalendar() {
        return arithmetic.unit == Segment.DAYS;
    }

    void read(long now) {
        this.now = now;
        if (byCalendar()) {
            segment.followWallClock(wallNanos() - now, now);
        }
        slot = segment.find(digest);
        open = slot >= 0 && segment.isOpen(slot, now);
        if (open) {
            long[] words = segment.words();
            end = words[slot + Segment.END];
            used = words[slot + Segment.USED];
            permits = words[slot + Segment.LIMIT] & MAX_PERMITS;
            number = words[slot + Segment.LIMIT] & ~MAX_PERMITS;
            // The shortest window has seven eighths of the longest: this may end with the next one, as the clock was
            // ahead. Otherwise its end stays, to the nanosecond: a refund knows the window by it.
            if (byCalendar() && end - now > windowNanos / 8 * 7) {
                long rest = windowNanos();
                end = end - now - rest > CounterTable.CALENDAR_SET_NANOS ? now + rest : end;
            }
        } else {
            end = now;
            used = 0;
            permits = limitPermits;
        }
        judge();
    }

    /** Reads it for a decision: from now on the present limit applies. */
    void readToDecide(long now) {
        read(now);
        if (permits != limitPermits || available < -capacity) { // of a bucket: more than it may owe
            arithmetic.apply(this);
            permits = limitPermits;
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
        segment.begin(slot, digest, now + 1, limitPermits, arithmetic.unit);
        number = segment.words()[slot + Segment.LIMIT] & ~MAX_PERMITS;
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

    /** The window of this decision among all windows of the counter. */
    public long window() {
        return arithmetic.window(this);
    }

    /** How long until it ends. What is held of a concurrency limit has no end: then it is the lease. */
    public long resetAfter() {
        long rest = end - now;
        return arithmetic == Shapes.CONCURRENT ? Math.min(rest, windowNanos) : rest;
    }

    /** 0 if the cost fits, or {@link #NEVER}. */
    public long retryAfter() {
        return fits ? 0 : cost > capacity ? NEVER : retryAfter;
    }

    /** The window's length; to its end by the calendar, for one that begins now. */
    long windowNanos() {
        return byCalendar() ? untilCalendarEnd() : windowNanos;
    }

    /**
     * Decides about this counter alone, if it has a slot: takes the cost, or rejects it.
     *
     * @return false if it has no slot; then nothing has changed
     */
    public boolean decide(long now) {
        readToDecide(now);
        if (slot < 0) {
            return false;
        }
        if (!fits) {
            reject();
        } else if (!open) {
            open(slot);
        }
        if (fits) {
            take();
        }
        if (fits || open) {
            write();
        }
        return true;
    }

    /** Whether the window was not open before, or the cost does not fit: then the wall clock matters. */
    public boolean beginsOrRejects() {
        return !open || !fits;
    }

    /** The moment of the call. */
    public long now() {
        return now;
    }

    /** Permits that count as taken; negative if a block keeps them. */
    public long taken() {
        return capacity - available;
    }

    /** The part of the table that holds it; its monitor guards it. */
    public Segment segment() {
        return segment;
    }

    /** How long until there is a slot; 0 if there is one. */
    public long untilFree() {
        return Math.min(untilFree, windowNanos);
    }
}
