package io.github.ratelimit.spring.boot;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Key;
import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.LimitResolver;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.LimiterSpec.Rule;
import io.github.ratelimit.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Counts nothing and allows everything: every limit stands as if nobody had taken from it. Safe for concurrent use. */
final class UnlimitedStore implements Store {

    /** A limiter that no limit of applies to any request. */
    static <R> LimiterSpec<R> spec(String name) {
        LimitResolver<R> none = request -> Optional.empty();
        KeyResolver<R> nobody = request -> Key.absent();
        return new LimiterSpec<>(name, List.of(new Rule<>(none, nobody)));
    }

    @Override
    public CompletionStage<Decision> tryAcquireAsync(List<Charge> charges, long cost) {
        Store.requireValid(charges, cost);
        Instant now = time().instant();
        List<LimitStatus> untouched = charges.stream()
                .map(charge -> new LimitStatus(
                        charge.scope(),
                        charge.limit(),
                        charge.limit().permits(),
                        Duration.ZERO,
                        now,
                        Optional.of(Duration.ZERO)))
                .toList();
        return CompletableFuture.completedFuture(Decision.of(charges, cost, untouched));
    }

    @Override
    public CompletionStage<Void> refundAsync(Decision decision) {
        decision.markRefunded();
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Void> resetAsync(List<Charge> charges) {
        Store.requireValid(charges, 0);
        return CompletableFuture.completedFuture(null);
    }
}
