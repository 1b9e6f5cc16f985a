package io.github.ratelimit.redis;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.Shape;
import io.github.ratelimit.SharedSettings;
import io.github.ratelimit.Store;
import io.github.ratelimit.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;

/**
 * A store whose servers' time is moved by moving expiries. Tells the ends of windows by the test's calendar, so that a window keeps its
 * end while time passes; and by the server's where a decision is given back.
 */
final class MovedTime implements Store {

    private final Store store;
    private final RedisTestBed bed;

    /** What the test's calendar is ahead of the server's, beside what time is moved. */
    private final Duration ahead;

    private final int movesBefore;

    MovedTime(Store store, RedisTestBed bed) {
        this.store = store;
        this.bed = bed;
        this.ahead = Duration.between(bed.time(), store.time().instant())
                .minus(bed.moved())
                .truncatedTo(ChronoUnit.MILLIS); // as windows end
        this.movesBefore = bed.moves().size() - 1;
    }

    @Override
    public CompletableFuture<Decision> tryAcquireAsync(List<Charge> charges) {
        return store.tryAcquireAsync(charges).thenApply(decision -> {
            Duration by = ahead.plus(bed.moved());
            return told(
                    this,
                    decision,
                    status -> decision.allowed() ? status.resetAt().plus(by) : ofRejection(status));
        });
    }

    @Override
    public Optional<SharedSettings> sharedSettings() {
        return store.sharedSettings();
    }

    /** A rejection may be remembered from before the last moves of time. */
    private Instant ofRejection(LimitStatus status) {
        Instant byReset = store.time().instant().plus(status.resetAfter());
        List<Duration> moves = bed.moves();
        return moves.subList(movesBefore, moves.size()).stream()
                .map(moved -> status.resetAt().plus(ahead).plus(moved))
                .min(Comparator.comparing(
                        resetAt -> Duration.between(resetAt, byReset).abs()))
                .orElseThrow();
    }

    @Override
    public CompletableFuture<Void> settleAsync(Decision decision, ToLongFunction<Charge> actual) {
        Duration by = ahead.plus(bed.moved());
        return decision.settleOnce(
                this,
                () -> store.settleAsync(
                        told(store, decision, status -> status.resetAt().minus(by)), actual));
    }

    @Override
    public CompletableFuture<Boolean> renewAsync(Decision decision) {
        return store.renewAsync(decision);
    }

    @Override
    public CompletableFuture<Void> resetAsync(List<Charge> charges) {
        return store.resetAsync(charges);
    }

    @Override
    public boolean supports(Shape.Kind kind) {
        return store.supports(kind);
    }

    @Override
    public TimeSource time() {
        return store.time();
    }

    private static Decision told(Store store, Decision decision, Function<LimitStatus, Instant> resetAt) {
        UnaryOperator<LimitStatus> moved = status -> new LimitStatus(
                status.limiter(),
                status.limit(),
                status.remaining(),
                status.resetAfter(),
                resetAt.apply(status),
                status.retryAfter());
        return Decision.of(
                store,
                decision.charges(),
                decision.statuses().stream().map(moved).toList(),
                decision.ticket().orElse(null));
    }

    @Override
    public void close() {
        store.close();
    }
}
