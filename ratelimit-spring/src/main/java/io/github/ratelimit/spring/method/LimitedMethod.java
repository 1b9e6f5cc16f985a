package io.github.ratelimit.spring.method;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.spring.RateLimitException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One method, and whom to ask about its calls.
 *
 * @param parameters the names of its parameters; empty if they are not known
 * @param names its limiters; none: its calls are not limited here
 * @param maxWait the longest wait for permits; null: nobody waits
 * @param async whether a thread of its own calls it, which may wait for the decision
 * @param scheduled whether the scheduler calls it, which knows nothing to do about a rejection but to log it as an error: the run is left out
 */
record LimitedMethod(
        List<String> parameters,
        List<String> names,
        @Nullable Duration maxWait,
        boolean async,
        boolean scheduled,
        Limiters<HttpCall> limiters,
        Function<Decision, RateLimitException> rejection) {

    /** Waits for the store, and for a permit where that is wanted. */
    Decision decide(MethodCall call) {
        try {
            return maxWait == null
                    ? limiters.of(names).tryAcquire(call)
                    : limiters.get(names.get(0)).acquire(call, 1, maxWait);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while %s waited for a permit".formatted(call.path()), e);
        }
    }

    /** The same without a thread that waits. */
    CompletionStage<Decision> ask(MethodCall call) {
        return maxWait == null
                ? limiters.of(names).tryAcquireAsync(call)
                : limiters.get(names.get(0)).acquireAsync(call, 1, maxWait);
    }

    /**
     * Whether the method is called.
     *
     * @throws RateLimitException if its caller is to know that it is not
     */
    boolean admits(Decision decision) {
        if (!decision.allowed() && !scheduled) {
            throw rejection.apply(decision);
        }
        return decision.allowed();
    }
}
