package io.github.ratelimit.http;

import static java.util.Objects.requireNonNull;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Limiters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

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
            Turn turn = turns(open, cost);
            while (turn != null && decide(turn.names, call, turn.cost, decisions)) {
                turn = turn.next;
            }
        }
        return verdict(names, call, decisions);
    }

    /**
     * The same as {@link #check(List, HttpCall, ToLongFunction)}, without waiting for the store.
     *
     * <p>Costs are asked for before this returns, and so are keys; but where costs differ, the keys of a later decision are asked for when the
     * earlier one is there, on the thread that tells it. Nobody else uses the call until the answer is there.
     *
     * @param names all limiters that the call meets here, in the order that fields list them; none: the call may go on
     * @param cost permits to take by a limiter's name, 0 or more; 0 reads without taking. Asked once for each limiter
     * @return completes with status and fields of the response so far, on a thread of the store's unless it is done at once; not
     *     exceptionally for a store that fails
     * @throws io.github.ratelimit.UnknownLimiterException if there is no limiter of one of the names
     * @throws IllegalArgumentException if a cost is negative
     */
    public CompletionStage<HttpVerdict> checkAsync(List<String> names, HttpCall call, ToLongFunction<String> cost) {
        HttpDecisions decisions = call.decisions();
        List<String> open = decisions.undecided(names);
        if (open.isEmpty()) {
            return CompletableFuture.completedFuture(verdict(names, call, decisions));
        }
        return decideAsync(turns(open, cost), call, decisions).thenApply(last -> verdict(names, call, decisions));
    }

    /**
     * A decision of these limiters that was made otherwise, in the words of HTTP: about what a request led to, such as the call of a method.
     *
     * @return status and fields of a response that tells of this decision alone
     */
    public HttpVerdict verdict(Decision decision) {
        HttpDecisions decisions = new HttpDecisions();
        decisions.add(List.of(), decision, limiters);
        return new HttpVerdict(decision, decisions, fields);
    }

    private HttpVerdict verdict(List<String> names, HttpCall call, HttpDecisions decisions) {
        Decision decision = decisions.of(names);
        return new HttpVerdict(
                decision != null ? decision : limiters.tryAcquire(List.of(), call, 0), decisions, fields);
    }

    /** Limiters that are asked together, as they are asked for one cost, and those that are asked next, if these allow the call. */
    private record Turn(
            List<String> names, long cost, @Nullable Turn next) {}

    /** Who is asked when: limiters of the same cost at once, in the order of their first. */
    private Turn turns(List<String> open, ToLongFunction<String> cost) {
        long first = cost.applyAsLong(open.get(0));
        int alike = 1;
        long other = first;
        while (alike < open.size() && other == first) {
            other = cost.applyAsLong(open.get(alike));
            alike += other == first ? 1 : 0;
        }
        if (alike == open.size()) {
            return new Turn(open, first, null);
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
        @Nullable Turn turn = null;
        for (int i = costs.length - 1; i >= 0; i--) {
            if (firstOf(costs, costs[i]) == i) {
                turn = new Turn(ofOneCost(open, costs, costs[i]), costs[i], turn);
            }
        }
        return requireNonNull(turn);
    }

    private static int firstOf(long[] costs, long cost) {
        int at = 0;
        while (costs[at] != cost) {
            at++;
        }
        return at;
    }

    private static List<String> ofOneCost(List<String> names, long[] costs, long cost) {
        List<String> together = new ArrayList<>(costs.length);
        for (int i = 0; i < costs.length; i++) {
            if (costs[i] == cost) {
                together.add(names.get(i));
            }
        }
        return together;
    }

    private boolean decide(List<String> names, HttpCall call, long cost, HttpDecisions decisions) {
        Decision decision = limiters.tryAcquire(names, call, cost);
        decisions.add(names, decision, limiters);
        return decision.allowed();
    }

    private CompletionStage<Decision> decideAsync(Turn turn, HttpCall call, HttpDecisions decisions) {
        return limiters.tryAcquireAsync(turn.names, call, turn.cost).thenCompose(decision -> {
            decisions.add(turn.names, decision, limiters);
            return decision.allowed() && turn.next != null
                    ? decideAsync(turn.next, call, decisions)
                    : CompletableFuture.completedFuture(decision);
        });
    }
}
