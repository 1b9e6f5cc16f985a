package io.github.ratelimit.internal.memory;

/**
 * The arithmetic of one shape, on the two words that are stored of a counter: {@link CounterAccess#end}, until which it is open, and
 * {@link CounterAccess#used}. Pure: no clock, no lock, no I/O. Immutable.
 *
 * <p>Moments are monotonic nanoseconds, compared by difference, because they may overflow.
 */
public abstract class Arithmetic {

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
