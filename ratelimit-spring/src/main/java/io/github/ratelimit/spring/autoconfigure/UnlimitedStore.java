package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limit.Shape;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Rule;
import io.github.ratelimit.Store;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToLongFunction;

/** Counts nothing and allows everything: every limit stands as if nobody had taken from it. Safe for concurrent use. */
final class UnlimitedStore implements Store {

    /** A limiter that no limit of applies to any request. */
    static <R> LimiterSpec<R> spec(String name) {
        Rule<R> any = Rule.of(Limit.of(1, Duration.ofSeconds(1)), KeyResolver.everybody());
        return LimiterSpec.of(name, any.unless(request -> true));
    }

    @Override
    public CompletableFuture<Decision> tryAcquireAsync(List<Charge> charges) {
        Store.requireValid(charges);
        long now = time().millis();
        List<LimitStatus> untouched = charges.stream()
                .map(charge -> new LimitStatus(charge, 0, 0, now, 0, now))
                .toList();
        return CompletableFuture.completedFuture(Decision.of(this, untouched, null));
    }

    @Override
    public CompletableFuture<Void> settleAsync(Decision decision, ToLongFunction<Charge> actual) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Void> resetAsync(List<Charge> charges) {
        Store.requireValid(charges);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public boolean supports(Shape.Kind kind) {
        return true;
    }
}
