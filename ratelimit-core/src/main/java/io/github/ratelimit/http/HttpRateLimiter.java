package io.github.ratelimit.http;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Limiters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Decides about HTTP calls: what every adapter asks.
 *
 * <p>Safe for concurrent use; holds no resources of its own.
 */
public final class HttpRateLimiter {

    private final Limiters<HttpCall> limiters;
    private final RateLimitFields fields;

    /**
     * Makes one.
     *
     * @param limiters the limiters there are
     * @param style which header fields tell a client where it stands
     */
    public HttpRateLimiter(Limiters<HttpCall> limiters, FieldStyle style) {
        this.limiters = limiters;
        this.fields = new RateLimitFields(style);
    }

    /** The limiters there are. */
    public Limiters<HttpCall> limiters() {
        return limiters;
    }

    /** Takes one permit of each of these limiters for a call, or none: {@link #check(List, HttpCall, ToLongFunction)}. */
    public HttpVerdict check(List<String> names, HttpCall call) {
        return check(names, call, name -> 1);
    }

    /**
     * Takes a call's cost from all of these limiters or from none, in one decision.
     *
     * <p>A limiter that has decided about the call before is not asked again: that decision stands. A refusal gives back what earlier
     * decisions about the same call took, once: so it is for whoever refuses the request then. Who would serve it all the same asks
     * {@code limiters().get(name).tryAcquire(call)} instead. Limiters that are asked for different costs are one decision for each cost.
     *
     * @param names all limiters that the call meets here, in the order that fields list them; none: the call may go on
     * @param cost permits to take by a limiter's name, 0 or more; 0 reads without taking. Asked once for each limiter
     * @return status and fields of the response so far
     * @throws io.github.ratelimit.UnknownLimiterException if there is no limiter of one of the names
     * @throws IllegalArgumentException if a cost is negative
     */
    public HttpVerdict check(List<String> names, HttpCall call, ToLongFunction<String> cost) {
        HttpDecisions decisions = call.decisions();
        List<String> open = decisions.undecided(names);
        if (open.size() == 1) {
            decide(open, call, cost.applyAsLong(open.get(0)), decisions);
        } else if (!open.isEmpty()) {
            decideAll(open, call, cost, decisions);
        }
        Decision decision = decisions.of(names);
        return new HttpVerdict(
                decision != null ? decision : limiters.tryAcquire(List.of(), call, 0), decisions, fields);
    }

    private void decideAll(List<String> open, HttpCall call, ToLongFunction<String> cost, HttpDecisions decisions) {
        long first = cost.applyAsLong(open.get(0));
        int alike = 1;
        long other = first;
        while (alike < open.size() && other == first) {
            other = cost.applyAsLong(open.get(alike));
            alike += other == first ? 1 : 0;
        }
        if (alike == open.size()) {
            decide(open, call, first, decisions);
            return;
        }
        long[] costs = new long[open.size()];
        Arrays.fill(costs, 0, alike, first);
        costs[alike] = other;
        for (int i = alike + 1; i < costs.length; i++) {
            costs[i] = cost.applyAsLong(open.get(i));
        }
        for (int i = 0; i < costs.length; i++) { // a mistake is told before anything is taken
            if (costs[i] < 0) {
                throw new IllegalArgumentException(
                        "cost must be 0 or more, was %d for limiter '%s'".formatted(costs[i], open.get(i)));
            }
            limiters.get(open.get(i));
        }
        boolean[] asked = new boolean[costs.length];
        for (int i = 0; i < costs.length; i++) {
            if (!asked[i]) {
                List<String> together = new ArrayList<>(costs.length);
                for (int j = i; j < costs.length; j++) {
                    if (costs[j] == costs[i]) {
                        asked[j] = true;
                        together.add(open.get(j));
                    }
                }
                if (!decide(together, call, costs[i], decisions)) {
                    return;
                }
            }
        }
    }

    private boolean decide(List<String> names, HttpCall call, long cost, HttpDecisions decisions) {
        Decision decision = limiters.tryAcquire(names, call, cost);
        decisions.add(names, decision, limiters);
        return decision.allowed();
    }
}
