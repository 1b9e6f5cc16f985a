package io.github.ratelimit.spring.test;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Limit.Shape;
import io.github.ratelimit.Store;
import io.github.ratelimit.TimeSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToLongFunction;

/** Counts in this process, forgets all of it between tests, and takes nothing while limits are off. Safe for concurrent use. */
final class TestStore implements Store {

    private final TimeSource time;
    private volatile InProcessStore counts;
    private volatile boolean off;

    TestStore(TimeSource time) {
        this.time = time;
        this.counts = InProcessStore.create(time);
    }

    /** Drops all counts. */
    void begin(boolean withoutLimits) {
        counts = InProcessStore.create(time);
        off = withoutLimits;
    }

    @Override
    public Decision tryAcquire(List<Charge> charges) {
        return counts.tryAcquire(taken(charges));
    }

    @Override
    public CompletableFuture<Decision> tryAcquireAsync(List<Charge> charges) {
        return counts.tryAcquireAsync(taken(charges));
    }

    /** Without limits, charges cost nothing: they only read. */
    private List<Charge> taken(List<Charge> charges) {
        return off ? charges.stream().map(charge -> charge.withCost(0)).toList() : charges;
    }

    @Override
    public CompletableFuture<Void> settleAsync(Decision decision, ToLongFunction<Charge> actual) {
        return counts.settleAsync(decision, actual);
    }

    @Override
    public CompletableFuture<Void> resetAsync(List<Charge> charges) {
        return counts.resetAsync(charges);
    }

    @Override
    public boolean supports(Shape.Kind kind) {
        return true;
    }

    @Override
    public TimeSource time() {
        return time;
    }
}
