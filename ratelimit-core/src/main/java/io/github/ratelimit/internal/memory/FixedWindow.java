package io.github.ratelimit.internal.memory;

/** A window begins with a key's first request and ends after a fixed time or by the calendar; then the next request begins a new one. */
class FixedWindow extends Arithmetic {

    FixedWindow(int unit) {
        super(unit);
    }

    /** Whether a window that ends at {@code end} is over at {@code now}. Its last moment is the one before its end. */
    static boolean isOver(long end, long now) {
        return end - now <= 0;
    }

    @Override
    void read(CounterAccess counter) {
        counter.available = counter.limitPermits - Math.abs(counter.used);
        counter.retryAfter = counter.end - counter.now;
    }

    @Override
    void take(CounterAccess counter) {
        if (!counter.open) {
            counter.end = counter.now + counter.windowNanos();
        }
        long taken = Math.min(counter.cost, CounterAccess.MAX_PERMITS - Math.abs(counter.used));
        counter.used += counter.used < 0 ? -taken : taken;
    }

    @Override
    void giveBack(CounterAccess counter, long permits, long window) {
        if (window(counter) == window) {
            counter.used = Math.max(0, counter.used - permits);
        }
    }
}
