package io.github.ratelimit.internal.memory;

/**
 * Permits come back a window's length after they were taken, or up to a third later.
 *
 * <p>{@link CounterAccess#used} holds four counts of 16 bits, each of a third of the window, the newest lowest. {@link CounterAccess#end} is
 * when the newest one leaves: four thirds after its own begin. The counts cover the last window and at most a third more: no interval of a
 * window's length ever has more than the permits, and who asks for more gets three quarters of them at least.
 */
final class SlidingWindow extends Arithmetic {

    private static final int COUNTS = 4;
    private static final int BITS = 16;
    private static final long MOST = (1L << BITS) - 1;

    SlidingWindow() {
        super(Segment.THIRDS);
    }

    @Override
    void read(CounterAccess counter) {
        long third = third(counter);
        int passed = passed(counter);
        long counts = counter.used << (passed * BITS);
        long permits = counter.limitPermits;
        counter.available = permits - sum(counts);
        int thirds = 1;
        while (thirds < COUNTS && permits - sum(counts << (thirds * BITS)) < counter.cost) {
            thirds++;
        }
        counter.retryAfter = begin(counter) + (passed + thirds) * third - counter.now;
    }

    @Override
    void take(CounterAccess counter) {
        int passed = passed(counter);
        long begin = begin(counter) + passed * third(counter);
        long counts = counter.used << (passed * BITS);
        counter.used = counts + Math.min(counter.cost, MOST - (counts & MOST));
        counter.end = begin + COUNTS * third(counter);
    }

    @Override
    void giveBack(CounterAccess counter, long permits, long window) {
        long third = (begin(counter) - (window ^ counter.number)) / third(counter);
        if (third >= 0 && third < COUNTS) {
            long at = third * BITS;
            counter.used -= Math.min(permits, (counter.used >>> at) & MOST) << at;
            while (counter.used != 0
                    && (counter.used & MOST) == 0) { // it is over when the newest permit that is left leaves
                counter.used >>>= BITS;
                counter.end -= third(counter);
            }
            counter.end = counter.used == 0 ? counter.now : counter.end;
        }
    }

    @Override
    long window(CounterAccess counter) {
        return begin(counter) ^ counter.number;
    }

    /** When the newest count begins; now where there is none. */
    private static long begin(CounterAccess counter) {
        return counter.end == counter.now ? counter.now : counter.end - COUNTS * third(counter);
    }

    /** How many thirds have begun since then. */
    private static int passed(CounterAccess counter) {
        return (int) ((counter.now - begin(counter)) / third(counter));
    }

    private static long third(CounterAccess counter) {
        return (counter.windowNanos / 1_000_000 + 2) / 3 * 1_000_000;
    }

    static long sum(long counts) {
        return (counts & MOST)
                + ((counts >>> BITS) & MOST)
                + ((counts >>> (2 * BITS)) & MOST)
                + (counts >>> (3 * BITS));
    }
}
