package io.github.ratelimit.remote;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limit.Shape;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How a counter stands after a request. Immutable.
 *
 * @param used permits taken; 0 where no window is open; negative if a block keeps them until its end
 * @param endMillis when the window ends, by the server's calendar; the moment itself where none is open
 * @param resetAfterMillis how long that is from the moment on; 0 exactly where no window is open
 * @param retryAfterMillis after how long the cost fits if it does not
 * @param opened whether the window was opened by the call that tells this
 */
public record CounterState(long used, long endMillis, long resetAfterMillis, long retryAfterMillis, boolean opened) {

    /**
     * Where no window is open.
     *
     * @param nowMillis the moment by the server's calendar
     */
    static CounterState closed(long nowMillis) {
        return new CounterState(0, nowMillis, 0, 0, false);
    }

    /**
     * Reads what a server told of a group, for one of its requests.
     *
     * @param before the permits used before the group; negative during a block
     * @param end the window's end after the group, 0 if none is open; negative if the group opened it
     * @param retryAfterMillis after how long the cost fits after the group
     * @param taken how many requests took their cost, up to this one
     * @param all how many requests of the group took their cost
     */
    static CounterState of(
            Charge charge, long before, long end, long retryAfterMillis, long now, long taken, long all) {
        if (end == 0) {
            return closed(now);
        }
        Limit limit = charge.limit();
        long more = charge.cost() == 0 ? 0 : taken * charge.cost(); // cannot overflow: the costs fitted
        long used = before < 0 ? before - more : before + more;
        long windowMillis = limit.window().toMillis();
        long endMillis = Math.abs(end);
        if (limit.shape().kind() == Shape.Kind.BUCKET && all > taken) { // full again so much earlier
            endMillis -= (all - taken) * charge.cost() * windowMillis / limit.permits();
        }
        // At least a millisecond, and a window at most: the server reads its clock a little after a window was found
        // open.
        long left = Math.max(endMillis - now, 1);
        if (limit.shape().kind() == Shape.Kind.FIXED) {
            left = Math.min(left, windowMillis);
        }
        return new CounterState(used, endMillis, left, retryAfterMillis, end < 0);
    }

    /** The same after a request that did not fit: a blocking window is closed by it. */
    CounterState rejecting(Charge charge, long now) {
        Limit limit = charge.limit();
        if (limit.shape().kind() != Shape.Kind.BLOCKING
                || charge.cost() > limit.permits()
                || used < 0
                || !exceeds(charge)) {
            return this;
        }
        long block = limit.shape().block().toMillis();
        return new CounterState(-Math.max(used, limit.permits()), now + block, block, block, opened);
    }

    /** The same some time later; closed when the window is over. */
    CounterState later(long millis) {
        long left = Math.max(resetAfterMillis - millis, 0);
        return new CounterState(left > 0 ? used : 0, endMillis, left, left, false);
    }

    /** The moment by the server's calendar. */
    public long nowMillis() {
        return endMillis - resetAfterMillis;
    }

    /** The window to give back to; negative if the window goes when nothing else is used in it. */
    public long windowToUndo() {
        return opened ? -endMillis : endMillis;
    }

    /** Whether the limit has no room for the cost. */
    boolean exceeds(Charge charge) {
        return charge.cost() > 0 && Math.abs(used) > charge.limit().capacity() - charge.cost();
    }

    /**
     * Puts a decision into figures.
     *
     * @param states how each charge stands
     * @param allowed whether the costs were taken
     * @param ticket names what was taken of concurrency limits
     */
    static Decision decision(
            Store store, List<Charge> charges, List<CounterState> states, boolean allowed, @Nullable UUID ticket) {
        List<LimitStatus> statuses = new ArrayList<>(states.size());
        for (int i = 0; i < states.size(); i++) {
            statuses.add(states.get(i).status(charges.get(i), allowed));
        }
        return Decision.of(store, charges, statuses, ticket);
    }

    private LimitStatus status(Charge charge, boolean allowed) {
        Limit limit = charge.limit();
        Optional<Duration> retry = Optional.of(Duration.ZERO);
        Duration wait = limit.shape().isConcurrent() ? Shape.CONCURRENT_RETRY : Duration.ofMillis(retryAfterMillis);
        if (!allowed && exceeds(charge)) {
            retry = charge.cost() > limit.capacity() ? Optional.empty() : Optional.of(wait);
        }
        return new LimitStatus(
                charge.limiter(),
                limit,
                Math.max(0, limit.capacity() - Math.abs(used)),
                Duration.ofMillis(resetAfterMillis),
                Instant.ofEpochMilli(endMillis),
                retry);
    }
}
