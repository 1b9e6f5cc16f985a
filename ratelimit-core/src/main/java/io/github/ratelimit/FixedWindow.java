package io.github.ratelimit;

/**
 * The arithmetic of fixed windows: a window begins with a key's first request, ends after a fixed time, and then the next request begins a
 * new one.
 *
 * <p>Moments are monotonic nanoseconds, compared by difference, because they may overflow.
 */
final class FixedWindow {

    private FixedWindow() {}

    /** Whether a window that ends at {@code end} is over at {@code now}. Its last moment is the one before its end. */
    static boolean isOver(long end, long now) {
        return end - now <= 0;
    }

    /** Whether the cost fits beside what is used. Nothing always fits. Never overflows: no figure is negative. */
    static boolean fits(long permits, long used, long cost) {
        return cost == 0 || used <= permits - cost;
    }

    /** What is left. A limit that was lowered below what is used has nothing left, not less than nothing. */
    static long remaining(long permits, long used) {
        return Math.max(0, permits - used);
    }

    /** How long until the cost fits, where it does not: until the window ends, or never. */
    static long retryAfter(long permits, long cost, long resetAfter) {
        return cost > permits ? Decision.NEVER : resetAfter;
    }
}
