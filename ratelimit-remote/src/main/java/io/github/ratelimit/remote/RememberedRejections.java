package io.github.ratelimit.remote;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Limit.Shape;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Remembers counters of requests that were rejected or took the last permit, and rejects by them without asking.
 *
 * <p>A window that has no room for a cost has none until it ends, so such a rejection is exact. Nothing is ever allowed from here. It is not
 * remembered for long, as others may give permits back or reset the counter. Buckets, sliding windows and concurrency limits have room again
 * before they end, and are not remembered. A window is over here when as much time has passed as the server said, from when its answer came: at most one round trip
 * late. Limits with room are reported as this node last saw them. Bounded; safe for concurrent use.
 */
final class RememberedRejections {

    /** A state, its moment, and until when it is of use. */
    private record Known(LimitStatus state, long at, long until) {}

    /** Chosen: some 40 MB. When as many are of use, further ones are not remembered. */
    private static final int MAXIMUM = 100_000;

    private final TimeSource time;
    private final long longestNanos;
    private final Map<Counter, Known> known = new ConcurrentHashMap<>();

    /**
     * Makes it.
     *
     * @param longest how long anything is remembered at most; with 0 nothing is
     */
    RememberedRejections(TimeSource time, Duration longest) {
        this.time = time;
        this.longestNanos = longest.toNanos();
    }

    /** How the counters stand, if all are known and one has no room for its cost; else null. */
    @Nullable
    List<LimitStatus> rejecting(List<Charge> charges, Counter[] counters) {
        if (known.isEmpty() || !known.containsKey(counters[0])) {
            return null;
        }
        long now = time.nanoTime();
        LimitStatus[] states = new LimitStatus[counters.length];
        LimitStatus exceeded = null;
        for (int i = 0; i < counters.length; i++) {
            Known one = known.get(counters[i]);
            if (one == null || one.until - now <= 0) {
                return null;
            }
            LimitStatus state = one.state.later(now - one.at);
            long left = state.resetAfterNanos();
            long used = left > 0 ? state.used() : 0; // else the window is over
            long end = state.resetAtMillis();
            states[i] = Request.Answer.status(charges.get(i), false, used, left, end, left, false);
            if (states[i].exceeded()) {
                Shape.Kind kind = states[i].limit().shape().kind();
                if (left == 0 || (kind == Shape.Kind.BLOCKING && used >= 0)) {
                    return null; // the window is over, or this request closes it by a block
                }
                exceeded = states[i];
            }
        }
        for (int i = 0; exceeded != null && i < states.length; i++) {
            if (states[i].resetAfterNanos() == 0) { // the reset is now, by the server's calendar
                long moment = exceeded.decidedAtMillis();
                states[i] = Request.Answer.status(states[i].charge(), false, 0, 0, moment, 0, false);
            }
        }
        return exceeded == null ? null : List.of(states);
    }

    /**
     * Remembers how a request's counters stand, if that may reject one later, or if older knowledge of them is here.
     *
     * @param answer that came just now
     * @param rejected whether a request was rejected
     * @param ageNanos how old the answer may be: this process may have stood still before it read it
     */
    void remember(Request request, Request.Answer answer, boolean rejected, long ageNanos) {
        Counter[] counters = request.counters();
        if (longestNanos <= ageNanos || !isRemembered(request)) {
            drop(counters); // the remembered state is older
            return;
        }
        List<LimitStatus> states = answer.states();
        boolean mayReject = rejected;
        for (int i = 0; i < counters.length; i++) {
            mayReject |= Math.abs(states.get(i).used())
                    >= request.charges().get(i).limit().permits();
        }
        long now = time.nanoTime();
        for (int i = 0; i < counters.length; i++) {
            boolean isKnown = known.containsKey(counters[i]);
            if (isKnown || (mayReject && known.size() < MAXIMUM)) {
                known.put(counters[i], new Known(states.get(i), now, now + longestNanos - ageNanos));
            }
        }
    }

    private static boolean isRemembered(Request request) {
        return request.operation() != Request.Operation.SETTLE
                && request.operation() != Request.Operation.RESET
                && request.charges().stream()
                        .map(charge -> charge.limit().shape().kind())
                        .noneMatch(kind -> kind == Shape.Kind.BUCKET
                                || kind == Shape.Kind.SLIDING
                                || kind == Shape.Kind.CONCURRENT);
    }

    /** Drops these counters: a settlement or a reset changes them. */
    void drop(Counter[] counters) {
        for (Counter counter : counters) {
            known.remove(counter);
        }
    }

    /** Drops everything: the server or its counters may be others. */
    void clear() {
        known.clear();
    }

    /** Drops rejections that are over. */
    void sweep() {
        long now = time.nanoTime();
        known.values().removeIf(one -> one.until - now <= 0);
    }

    /** How many counters are known. */
    int size() {
        return known.size();
    }
}
