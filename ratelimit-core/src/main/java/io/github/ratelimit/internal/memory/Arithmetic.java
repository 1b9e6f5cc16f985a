package io.github.ratelimit.internal.memory;

/**
 * The arithmetic of one shape, on the two words that are stored of a counter: {@link CounterAccess#end}, until which it is open, and
 * {@link CounterAccess#used}. Pure: no clock, no lock, no I/O. Immutable.
 *
 * <p>Moments are monotonic nanoseconds, compared by difference, because they may overflow.
 */
public abstract class Arithmetic {

    /** A window begins with a key's first request, and ends after a fixed time. */
    public static final Arithmetic FIXED = new FixedWindow(Segment.PERMITS);

    /** As {@link #FIXED}, but ends by the calendar. */
    public static final Arithmetic CALENDAR = new FixedWindow(Segment.DAYS);

    /** As {@link #FIXED}, but the first request too many closes it. */
    public static final Arithmetic BLOCKING = new BlockingWindow();

    /** Permits come back one by one. */
    public static final Arithmetic BUCKET = new TokenBucket();

    /** Permits come back a window's length after they were taken, or up to a third later. */
    public static final Arithmetic SLIDING = new SlidingWindow();

    /** A permit comes back when its ticket ends. */
    public static final Arithmetic CONCURRENT = new Semaphore();

    /** What {@link CounterAccess#used} holds, for {@link Segment}, which compares counters. */
    final int unit;

    Arithmetic(int unit) {
        this.unit = unit;
    }

    /** Tells how many permits are available, and when the cost fits if it does not. */
    abstract void read(CounterAccess counter);

    /** Takes the cost, also if it does not fit: the excess is a debt. */
    abstract void take(CounterAccess counter);

    /** Gives permits back to where a decision took them. */
    abstract void giveBack(CounterAccess counter, long permits, long window);

    /** Lets the present limit apply from now on, in place of one with other permits. */
    void apply(CounterAccess counter) {}

    /** Changes the stored state because the cost does not fit. */
    boolean reject(CounterAccess counter) {
        return false;
    }

    /** What a later {@link #giveBack} needs to know: the window of this decision. */
    long window(CounterAccess counter) {
        return counter.end ^ counter.number;
    }
}
