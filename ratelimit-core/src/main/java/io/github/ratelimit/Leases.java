package io.github.ratelimit;

/** Permits that are given back, or come back as in a sliding window as long as their lease. */
final class Leases extends SlidingWindow {

    Leases() {}

    @Override
    void read(Counter counter) {
        super.read(counter);
        counter.retryAfter = Shape.CONCURRENT_RETRY.toNanos();
    }
}
