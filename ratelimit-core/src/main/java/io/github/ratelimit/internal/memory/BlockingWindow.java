package io.github.ratelimit.internal.memory;

/**
 * A fixed window that the first request too many closes for some time. Then {@link CounterAccess#used} is negative until its end: so many
 * permits count as used, at least those of the exceeded limit. None is given back, and no rejection prolongs the block. A limit of more permits
 * has room.
 */
final class BlockingWindow extends FixedWindow {

    BlockingWindow() {
        super(Segment.PERMITS);
    }

    @Override
    boolean reject(CounterAccess counter) {
        if (counter.cost > counter.limitPermits || counter.used < 0) {
            return false;
        }
        counter.end = counter.now + counter.blockNanos;
        counter.used = -Math.max(counter.used, counter.limitPermits);
        return true;
    }

    @Override
    void giveBack(CounterAccess counter, long permits, long window) {
        if (counter.used >= 0) {
            super.giveBack(counter, permits, window);
        }
    }
}
