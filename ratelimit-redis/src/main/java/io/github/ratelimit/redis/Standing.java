package io.github.ratelimit.redis;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where a counter stands at a moment. Immutable.
 *
 * @param used permits taken in the open window; 0 where none is open
 * @param resetAtMillis when the window ends, by the server's calendar; the moment itself where none is open
 * @param resetAfterNanos how long that is from the moment on; 0 exactly where no window is open
 * @param retryAfterNanos after how long the cost fits if it does not
 * @param opened whether the window was opened by the call that tells this
 */
record Standing(long used, long resetAtMillis, long resetAfterNanos, long retryAfterNanos, boolean opened) {

    private static final long NANOS = 1_000_000;

    /**
     * Reads what the script answered.
     *
     * @param expiry when the key expires; negative if it was given its expiry just now; 0 if there is no key
     * @param now the server's time
     * @param limit what is counted
     */
    static Standing of(long used, long expiry, long now, Limit limit) {
        if (expiry == 0) {
            return closed(now);
        }
        return of(used, expiry, now, limit, -1);
    }

    /**
     * Reads what the script for other shapes answered.
     *
     * @param retry in how many milliseconds the cost fits; negative: when the window ends
     */
    static Standing of(long used, long expiry, long now, Limit limit, long retry) {
        if (expiry == 0) {
            return closed(now);
        }
        long end = Math.abs(expiry) + 1; // a key is there until the end of the millisecond that it expires in
        // At least a millisecond and at most a window: whether a key is there goes by the moment when a script began,
        // and the script reads the time a little later.
        long left = Math.max(end - now, 1);
        if (!Shapes.isOther(limit)) {
            left = Math.min(left, limit.window().toMillis());
        }
        return new Standing(used, end, left * NANOS, (retry < 0 ? left : retry) * NANOS, expiry < 0);
    }

    /**
     * Where no window is open.
     *
     * @param nowMillis the moment by the server's calendar
     */
    static Standing closed(long nowMillis) {
        return new Standing(0, nowMillis, 0, 0, false);
    }

    /** All counters after some requests took their costs. Cannot overflow: the costs fitted. */
    static Standing[] after(Standing[] before, List<Charge> charges, long requests) {
        if (requests == 0) {
            return before;
        }
        Standing[] after = new Standing[before.length];
        for (int i = 0; i < before.length; i++) {
            after[i] = before[i].withUsed(
                    before[i].used + requests * charges.get(i).cost());
        }
        return after;
    }

    private Standing withUsed(long used) {
        return new Standing(used, resetAtMillis, resetAfterNanos, retryAfterNanos, opened);
    }

    /** The same without what a request took, and without the window if that was opened for it. */
    Standing before(long cost) {
        return opened && used == cost ? closed(nowMillis()) : withUsed(used - cost);
    }

    /** The moment by the server's calendar. */
    long nowMillis() {
        return resetAtMillis - (resetAfterNanos + NANOS - 1) / NANOS;
    }

    /** What names a window among all of its counter: when its key expires. */
    static long window(long resetAtMillis) {
        return resetAtMillis - 1;
    }

    /** The window that a rejected decision gives back to; negative if the window goes when nothing is used in it any more. */
    long windowToUndo() {
        return opened ? -window(resetAtMillis) : window(resetAtMillis);
    }

    /**
     * Puts a decision into figures.
     *
     * @param after where each charge stands after it
     * @param granted whether the cost was taken
     */
    static Decision decision(Store store, List<Charge> charges, Standing[] after, boolean granted) {
        List<LimitStatus> statuses = new ArrayList<>(after.length);
        for (int i = 0; i < after.length; i++) {
            statuses.add(after[i].status(charges.get(i), granted));
        }
        return Decision.of(store, charges, statuses);
    }

    /** Whether the window is open and has no room for the cost. */
    boolean exceeds(Charge charge) {
        return resetAfterNanos > 0 && charge.cost() > 0 && used > charge.limit().permits() - charge.cost();
    }

    /** Whether the window is used up for every cost. */
    boolean isUsedUp(long permits) {
        return used >= permits;
    }

    private LimitStatus status(Charge charge, boolean granted) {
        Limit limit = charge.limit();
        long cost = charge.cost();
        Duration reset = Duration.ofNanos(resetAfterNanos);
        Optional<Duration> retry = Optional.of(Duration.ZERO);
        if (!granted && cost > 0 && used > limit.capacity() - cost) {
            retry = cost > limit.capacity() ? Optional.empty() : Optional.of(Duration.ofNanos(retryAfterNanos));
        }
        long remaining = Math.max(0, limit.capacity() - used);
        return new LimitStatus(charge.limiter(), limit, remaining, reset, Instant.ofEpochMilli(resetAtMillis), retry);
    }
}
