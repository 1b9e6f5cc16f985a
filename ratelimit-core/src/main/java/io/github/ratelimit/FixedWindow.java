package io.github.ratelimit;

/**
 * The definition of {@link Algorithm#FIXED_WINDOW}: arithmetic on what a window has used, when it ends, what is asked and when.
 *
 * <p>No clock, no lock, no state: a store keeps the two figures of a counter, what is used and until when, and asks here what they mean.
 * Moments are monotonic nanoseconds and are compared by difference, as they may overflow.
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

    /**
     * How long until the window's permits are back.
     *
     * <p>Never longer than one window: a caller that read the clock before another one started the window must not be told more.
     */
    static long resetAfter(long end, long now, long window) {
        return Math.min(end - now, window);
    }

    /** How long until the cost fits, where it does not: until the window ends, or never. */
    static long retryAfter(long permits, long cost, long resetAfter) {
        return cost > permits ? Decision.NEVER : resetAfter;
    }
}
