package io.github.ratelimit;

/** A fixed window that the first request too many closes for some time. A closed one counts as used up for ever, so nothing prolongs it. */
final class BlockingWindow extends FixedWindow {

    @Override
    boolean reject(Counter counter) {
        if (counter.cost > counter.limit.permits() || counter.used == Limit.MAX_PERMITS) {
            return false;
        }
        counter.end = counter.now + counter.limit.shape().block().toNanos();
        counter.used = Limit.MAX_PERMITS;
        return true;
    }

    @Override
    void giveBack(Counter counter, long permits, long window) {
        if (counter.used != Limit.MAX_PERMITS) {
            super.giveBack(counter, permits, window);
        }
    }
}
