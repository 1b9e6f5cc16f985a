package io.github.ratelimit.spring.live;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How often something happened in each of the last slots of time. Takes 8 bytes for each slot and nothing more; safe for concurrent use, without
 * a lock.
 */
final class Slots {

    private static final int HALF = 32;
    private static final long COUNT = 0xffff_ffffL;

    private final int seconds;
    private final AtomicLongArray ring; // in each the number of its slot, and how often it happened in that one

    /**
     * Makes slots in which nothing has happened.
     *
     * @param slots how many
     * @param seconds how long each of them is
     */
    Slots(int slots, int seconds) {
        this.seconds = seconds;
        this.ring = new AtomicLongArray(slots);
    }

    void add(long second) {
        long slot = second / seconds;
        int at = (int) (slot % ring.length());
        long seen;
        long next;
        do {
            seen = ring.get(at);
            if (seen >>> HALF > slot) {
                return; // from before a pause that lasted for a whole round
            }
            next = seen >>> HALF == slot ? seen + 1 : slot << HALF | 1;
        } while (!ring.compareAndSet(at, seen, next));
    }

    /** The counts until now, the oldest first. */
    long[] counts(long second) {
        long last = second / seconds;
        long[] counts = new long[ring.length()];
        for (int i = 0; i < counts.length; i++) {
            long slot = last - counts.length + 1 + i;
            long seen = slot < 0 ? 0 : ring.get((int) (slot % counts.length));
            counts[i] = seen >>> HALF == slot ? seen & COUNT : 0;
        }
        return counts;
    }
}
