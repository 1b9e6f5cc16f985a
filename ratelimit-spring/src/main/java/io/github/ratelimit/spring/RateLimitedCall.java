package io.github.ratelimit.spring;

import io.github.ratelimit.Decision;
import io.github.ratelimit.spring.internal.method.CurrentCall;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/**
 * The request or the call of a bean's method that is limited, for the code that knows what it really costs.
 *
 * <pre>{@code
 * RateLimitedCall.current().settle("tokens", answer.tokens());
 * }</pre>
 *
 * <p>A controller's method gets it as a parameter. May be kept, and settled after the request or the call has ended, such as at the end of a stream. Used by one thread at a time.
 */
public final class RateLimitedCall {

    private static final RateLimitedCall NONE = new RateLimitedCall(
            Decision::unlimited, (limiter, actual) -> CompletableFuture.completedFuture(null), null);

    private final Supplier<Decision> decision;
    private final BiFunction<String, Long, CompletableFuture<Void>> settlement;
    private final @Nullable RateLimitedCall outer;

    /**
     * Makes one.
     *
     * @param settlement settles what a limiter took, by its name
     * @param outer the call or request that this one is a part of; null: none
     */
    public RateLimitedCall(
            Supplier<Decision> decision,
            BiFunction<String, Long, CompletableFuture<Void>> settlement,
            @Nullable RateLimitedCall outer) {
        this.decision = decision;
        this.settlement = settlement;
        this.outer = outer;
    }

    /**
     * The innermost limited call that runs on this thread, or else its request on Spring MVC. Without one, such as on other threads and where
     * limits are switched off, a call that took nothing. In a {@code Mono} or a {@code Flux} use {@link #of}.
     */
    public static RateLimitedCall current() {
        RateLimitedCall found = CurrentCall.find();
        return found == null ? NONE : found;
    }

    /**
     * The limited call or request of a {@code Mono}, a {@code Flux} or a {@code suspend} function:
     * {@code Mono.deferContextual(context -> … RateLimitedCall.of(context) …)}. On Spring MVC, where the context has none, the {@link #current}
     * one: ask for it when the answer is subscribed to, as here.
     */
    public static RateLimitedCall of(ContextView context) {
        RateLimitedCall found = context.getOrDefault(RateLimitedCall.class, null);
        return found == null ? current() : found;
    }

    /** The last decision about it. */
    public Decision decision() {
        return decision.get();
    }

    /**
     * Settles what a limiter took by the real cost, once for each limiter: a smaller one gives permits back, a larger one takes more, even above
     * the limit. If the limiter took nothing of this call, that of the call or request around it is settled.
     *
     * @param limiter the limiter's name
     * @param actual permits, 0 or more
     * @return completes when it is done, or exceptionally with {@link io.github.ratelimit.StoreException}; at once if the limiter took nothing
     * @throws IllegalArgumentException if {@code actual} is negative
     */
    public CompletableFuture<Void> settle(String limiter, long actual) {
        return outer != null && decision().statuses(limiter).isEmpty()
                ? outer.settle(limiter, actual)
                : settlement.apply(limiter, actual);
    }
}
