package io.github.ratelimit.http;

import io.github.ratelimit.Decision;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.Limiter;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.http.HttpDecisions.Taken;
import java.util.List;
import java.util.Map;

/**
 * Decides about HTTP calls: what every door asks.
 *
 * <p>Safe for concurrent use; holds no resources of its own.
 */
public final class HttpRateLimiter {

    private final Limiters<HttpCall> limiters;
    private final FieldStyle style;

    /**
     * Makes one.
     *
     * @param limiters the limiters there are
     * @param style which header fields tell a client where it stands
     */
    public HttpRateLimiter(Limiters<HttpCall> limiters, FieldStyle style) {
        this.limiters = limiters;
        this.style = style;
    }

    /** The limiters there are. */
    public Limiters<HttpCall> limiters() {
        return limiters;
    }

    /** Takes one permit for a call, unless this limiter has decided about it before. */
    public HttpVerdict check(String limiter, HttpCall call) {
        return check(limiter, call, 1);
    }

    /**
     * Takes {@code cost} permits for a call, unless this limiter has decided about it before: then that decision stands.
     *
     * <p>A call that this limiter refuses costs the limiters that it passed before nothing: what they took is given back.
     *
     * @param limiter the limiter's name
     * @param cost permits to take, 0 or more; 0 looks without taking
     * @return status and fields of the response so far
     * @throws io.github.ratelimit.UnknownLimiterException if there is no limiter of that name
     * @throws IllegalArgumentException if {@code cost} is negative
     */
    public HttpVerdict check(String limiter, HttpCall call, long cost) {
        HttpDecisions decisions = call.decisions();
        Taken taken = decisions.get(limiter);
        if (taken == null) {
            taken = new Taken(limiters.get(limiter).tryAcquire(call, cost), cost);
            if (!taken.decision().allowed()) {
                giveBack(decisions, call);
            }
            decisions.put(limiter, taken);
        }
        int status = status(taken.decision());
        return new HttpVerdict(
                limiter, taken.decision(), status, RateLimitFields.of(statuses(decisions), status, style));
    }

    private void giveBack(HttpDecisions decisions, HttpCall call) {
        for (Map.Entry<String, Taken> earlier : decisions.all().entrySet()) {
            Taken taken = earlier.getValue();
            if (taken.decision().allowed() && taken.decision().source() != Decision.Source.NONE && taken.cost() > 0) {
                Limiter<HttpCall> limiter = limiters.get(earlier.getKey());
                limiter.refund(call, taken.cost()).exceptionally(lost -> null); // not given back: errs towards refusing
            }
        }
    }

    private static List<LimitStatus> statuses(HttpDecisions decisions) {
        return decisions.all().values().stream()
                .flatMap(taken -> taken.decision().statuses().stream())
                .toList();
    }

    private static int status(Decision decision) {
        if (decision.allowed()) {
            return HttpVerdict.OK;
        }
        return decision.source() == Decision.Source.NONE
                ? HttpVerdict.SERVICE_UNAVAILABLE
                : HttpVerdict.TOO_MANY_REQUESTS;
    }
}
