package io.github.ratelimit.http;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Limiters;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Decides about HTTP calls, for every adapter.
 *
 * <p>Safe for concurrent use; holds no resources.
 */
public final class HttpRateLimiter {

    private final Limiters<HttpCall> limiters;
    private final RateLimitFields fields;
    private final Map<String, ToLongFunction<HttpCall>> costs;

    /**
     * Creates a limiter of calls.
     *
     * @param limiters the limiters to ask by name
     * @param style the header fields that tell clients their status
     */
    public HttpRateLimiter(Limiters<HttpCall> limiters, FieldStyle style) {
        this(limiters, new RateLimitFields(style), Map.of());
    }

    private HttpRateLimiter(
            Limiters<HttpCall> limiters, RateLimitFields fields, Map<String, ToLongFunction<HttpCall>> costs) {
        this.limiters = limiters;
        this.fields = fields;
        this.costs = costs;
    }

    /**
     * A copy in which some limiters know the costs of calls, whatever else {@link #check} is given.
     *
     * @param costs by the limiter's name, in place of those that it knew before; each returns permits, 0 or more, or throws an
     *     {@link IllegalArgumentException} that tells the client why it cannot
     */
    public HttpRateLimiter withCosts(Map<String, ? extends ToLongFunction<HttpCall>> costs) {
        Map<String, ToLongFunction<HttpCall>> all = new HashMap<>(this.costs);
        all.putAll(costs);
        return new HttpRateLimiter(limiters, fields, Map.copyOf(all));
    }

    /**
     * Permits that a call takes of a limiter: 1 unless the limiter knows the cost.
     *
     * @throws IllegalArgumentException if the cost cannot be read
     */
    public long cost(String name, HttpCall call) {
        ToLongFunction<HttpCall> known = costs.get(name);
        long cost = known == null ? 1 : known.applyAsLong(call);
        if (cost < 0) {
            throw new IllegalArgumentException("limiter '%s': cost must be 0 or more, was %d".formatted(name, cost));
        }
        return cost;
    }

    /** The limiters to ask by name. */
    public Limiters<HttpCall> limiters() {
        return limiters;
    }

    /** Takes one permit of each of these limiters for a call, or none: {@link #check(List, HttpCall, ToLongFunction)}. */
    public HttpVerdict check(List<String> names, HttpCall call) {
        return check(names, call, name -> 1);
    }

    /**
     * Takes a call's costs from all of these limiters or from none, in one decision.
     *
     * <p>A limiter that has decided about the call before keeps its decision. A rejection gives back the permits of earlier decisions about
     * the same call, because the caller rejects the request. To serve it anyway, ask {@code limiters().get(name).tryAcquire(call)} instead.
     *
     * @param names all limiters of the call at this place, in the order for fields; without names the call may go on
     * @param cost permits to take by the limiter's name, 0 or more; called once for each limiter
     * @return status and fields of the response so far
     * @throws IllegalArgumentException if there is no limiter of one of the names, or a cost is negative
     * @throws UnreadableCostException if the cost of a limiter that knows it cannot be read
     */
    public HttpVerdict check(List<String> names, HttpCall call, ToLongFunction<String> cost) {
        HttpDecisions decisions = call.decisions();
        List<String> undecided = decisions.undecided(names, limiters);
        if (!undecided.isEmpty()) {
            keep(undecided, limiters.of(undecided).tryAcquire(call, costs(call, cost)), decisions);
        }
        return verdict(names, decisions);
    }

    /**
     * As {@link #check(List, HttpCall, ToLongFunction)}, without waiting for the store.
     *
     * <p>Costs and keys are resolved before this returns. No other thread may use the call until the answer is there.
     *
     * @return completes normally even if the store fails; on a thread of the store unless it completes at once
     */
    public CompletableFuture<HttpVerdict> checkAsync(List<String> names, HttpCall call, ToLongFunction<String> cost) {
        HttpDecisions decisions = call.decisions();
        List<String> undecided = decisions.undecided(names, limiters);
        if (undecided.isEmpty()) {
            return CompletableFuture.completedFuture(verdict(names, decisions));
        }
        return limiters.of(undecided).tryAcquireAsync(call, costs(call, cost)).thenApply(decision -> {
            keep(undecided, decision, decisions);
            return verdict(names, decisions);
        });
    }

    private ToLongFunction<String> costs(HttpCall call, ToLongFunction<String> others) {
        return costs.isEmpty()
                ? others
                : name -> costs.containsKey(name) ? known(name, call) : others.applyAsLong(name);
    }

    private long known(String name, HttpCall call) {
        try {
            return cost(name, call);
        } catch (IllegalArgumentException e) {
            throw new UnreadableCostException(e);
        }
    }

    private void keep(List<String> names, Decision decision, HttpDecisions decisions) {
        decisions.add(names, decision, limiters);
        decisions.hold(limiters.hold(decision));
    }

    /**
     * Describes a decision of these limiters that was made elsewhere, such as about a method call.
     *
     * @return status and fields of a response that tells this decision alone
     */
    public HttpVerdict verdict(Decision decision) {
        HttpDecisions decisions = new HttpDecisions();
        decisions.add(List.of(), decision, limiters);
        return new HttpVerdict(decision, decisions, fields);
    }

    private HttpVerdict verdict(List<String> names, HttpDecisions decisions) {
        @Nullable Decision decision = decisions.of(names, limiters);
        return new HttpVerdict(decision != null ? decision : Decision.unlimited(), decisions, fields);
    }
}
