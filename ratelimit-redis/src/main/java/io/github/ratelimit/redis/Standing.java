package io.github.ratelimit.redis;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitStatus;
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
 */
record Standing(long used, long resetAtMillis, long resetAfterNanos) {

    private static final long NANOS = 1_000_000;

    /**
     * Reads what the script answered.
     *
     * @param expiry when the key expires; 0 if there is none
     * @param now the server's time
     * @param limit what is counted
     */
    static Standing of(long used, long expiry, long now, Limit limit) {
        if (expiry == 0) {
            return new Standing(0, now, 0);
        }
        long end = expiry + 1; // a key is there until the end of the millisecond that it expires in
        // At least a millisecond and at most a window: a key lives by the server's clock of one moment of the script,
        // and the script
        // reads the time in another one.
        long left = Math.min(Math.max(end - now, 1), limit.window().toMillis());
        return new Standing(used, end, left * NANOS);
    }

    /** All of them after the same cost was taken from each. */
    static Standing[] after(Standing[] before, long taken) {
        if (taken == 0) {
            return before;
        }
        Standing[] after = new Standing[before.length];
        for (int i = 0; i < before.length; i++) {
            after[i] = new Standing(before[i].used + taken, before[i].resetAtMillis, before[i].resetAfterNanos);
        }
        return after;
    }

    /**
     * Puts a decision into figures.
     *
     * @param after where each charge stands after it
     * @param granted whether the cost was taken
     */
    static Decision decision(List<Charge> charges, Standing[] after, long cost, boolean granted) {
        List<LimitStatus> statuses = new ArrayList<>(after.length);
        for (int i = 0; i < after.length; i++) {
            statuses.add(after[i].status(charges.get(i).limit(), cost, granted));
        }
        return Decision.of(statuses);
    }

    /** Whether the window is open and has no room for the cost. */
    boolean exceeds(long permits, long cost) {
        return resetAfterNanos > 0 && used > permits - cost;
    }

    /** Whether the window is used up for every cost. */
    boolean isUsedUp(long permits) {
        return used >= permits;
    }

    private LimitStatus status(Limit limit, long cost, boolean granted) {
        // Never more than a window, though clocks of two servers may differ by more after a failover.
        Duration reset =
                Duration.ofNanos(Math.min(resetAfterNanos, limit.window().toNanos()));
        Optional<Duration> retry = Optional.of(Duration.ZERO);
        if (!granted && used > limit.permits() - cost) {
            retry = cost > limit.permits() ? Optional.empty() : Optional.of(reset);
        }
        long remaining = Math.max(0, limit.permits() - used);
        return new LimitStatus(limit, remaining, reset, Instant.ofEpochMilli(resetAtMillis), retry);
    }
}
