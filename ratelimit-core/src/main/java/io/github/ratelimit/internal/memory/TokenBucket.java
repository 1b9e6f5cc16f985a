package io.github.ratelimit.internal.memory;

/**
 * Permits come back one by one, evenly over the window, and no more than the limit's capacity are kept.
 *
 * <p>{@link CounterAccess#end} is when all are back (GCRA's theoretical arrival time), rounded up by less than a microsecond;
 * {@link CounterAccess#used} is by how much, in parts of which a microsecond has as many as the limit has permits. So nothing is rounded away,
 * however often it is asked. In these parts, a permit is as many as the window has microseconds; the deficit is what is missing from a full
 * bucket. It is the same in parts of any rate, so a changed rate changes the end and nothing else.
 */
final class TokenBucket extends Arithmetic {

    private static final int MICRO = 1000;

    TokenBucket() {
        super(Segment.PARTS);
    }

    @Override
    void read(CounterAccess counter) {
        long permit = permit(counter);
        long full = counter.capacity * permit;
        counter.available = Math.floorDiv(full - deficit(counter), permit);
        if (counter.cost > counter.available && counter.cost <= counter.capacity) {
            long room = full - counter.cost * permit;
            counter.retryAfter = counter.end - (room + counter.used) / counter.permits * MICRO - counter.now;
        }
    }

    @Override
    void take(CounterAccess counter) {
        long permit = permit(counter);
        long deficit = deficit(counter);
        long taken = Math.min(counter.cost, Math.max(0, most(counter) - deficit) / permit);
        set(counter, deficit + taken * permit);
    }

    @Override
    void apply(CounterAccess counter) {
        long deficit = Math.min(deficit(counter), most(counter));
        counter.permits = counter.limitPermits;
        set(counter, deficit);
    }

    /**
     * What has come back by time is not given back once more: permits come back in the order in which they were taken. A decision at another
     * rate gives nothing back, because its end was that of its rate.
     */
    @Override
    void giveBack(CounterAccess counter, long permits, long window) {
        long left = up((window ^ counter.number) - counter.now, MICRO);
        if (counter.permits == counter.limitPermits
                && left > 0
                && left <= up(counter.capacity * permit(counter), counter.permits)) { // else of another opening
            long parts = Math.min(permits * permit(counter), left * counter.permits);
            set(counter, Math.max(0, deficit(counter) - parts));
        }
    }

    private static long permit(CounterAccess counter) {
        return counter.windowNanos / MICRO;
    }

    /** A debt of one bucket at most, or it might take years. */
    private static long most(CounterAccess counter) {
        return 2 * counter.capacity * permit(counter);
    }

    private static long deficit(CounterAccess counter) {
        return counter.open ? Math.max(0, micros(counter) * counter.permits - counter.used) : 0;
    }

    private static void set(CounterAccess counter, long deficit) {
        long micros = up(deficit, counter.permits);
        // From the end that was: its fraction of a microsecond stays the same.
        counter.end += (micros - micros(counter)) * MICRO;
        counter.used = micros * counter.permits - deficit;
    }

    /** How long until the end, in microseconds, rounded up. */
    private static long micros(CounterAccess counter) {
        return up(counter.end - counter.now, MICRO);
    }

    private static long up(long dividend, long divisor) {
        return Math.floorDiv(dividend + divisor - 1, divisor);
    }
}
