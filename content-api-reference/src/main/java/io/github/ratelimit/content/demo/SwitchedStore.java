package io.github.ratelimit.content.demo;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit.Shape;
import io.github.ratelimit.Store;
import io.github.ratelimit.StoreException;
import io.github.ratelimit.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToLongFunction;

/**
 * A store that can be taken away, to see what limiters do then. It comes back by itself after a while, whoever forgets it. Safe for concurrent use.
 */
final class SwitchedStore implements Store {
    /** Chosen: long enough to look around. */
    static final Duration AWAY = Duration.ofMinutes(2);

    private final Store store;
    private volatile boolean taken;
    private volatile long takenAt;

    SwitchedStore(Store store) {
        this.store = store;
    }

    /** Takes it away, unless it is away: who asks again and again does not keep it away for longer. */
    synchronized void take() {
        if (!isAway()) {
            takenAt = time().nanoTime();
            taken = true;
        }
    }

    synchronized void giveBack() {
        taken = false;
    }

    boolean isAway() {
        return taken && time().nanoTime() - takenAt < AWAY.toNanos();
    }

    @Override
    public CompletableFuture<Decision> tryAcquireAsync(List<Charge> charges) {
        return isAway() ? CompletableFuture.failedFuture(away()) : store.tryAcquireAsync(charges);
    }

    @Override
    public Decision tryAcquire(List<Charge> charges) {
        if (isAway()) {
            throw away();
        }
        return store.tryAcquire(charges);
    }

    @Override
    public CompletableFuture<Void> settleAsync(Decision decision, ToLongFunction<Charge> actual) {
        return isAway() ? CompletableFuture.failedFuture(away()) : store.settleAsync(decision, actual);
    }

    @Override
    public CompletableFuture<Void> resetAsync(List<Charge> charges) {
        return isAway() ? CompletableFuture.failedFuture(away()) : store.resetAsync(charges);
    }

    @Override
    public boolean supports(Shape.Kind kind) {
        return store.supports(kind);
    }

    @Override
    public TimeSource time() {
        return store.time();
    }

    @Override
    public void close() {
        store.close();
    }

    private static StoreException away() {
        return new StoreException("the store was taken away on the demonstration page", null);
    }
}
