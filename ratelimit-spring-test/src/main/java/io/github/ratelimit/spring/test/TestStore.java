package io.github.ratelimit.spring.test;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Store;
import io.github.ratelimit.TimeSource;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Counts in this process, forgets all of it between tests, and takes nothing while limits are off. Safe for concurrent use. */
final class TestStore implements Store {

    private final TimeSource time;
    private volatile InProcessStore counts;
    private volatile boolean off;

    TestStore(TimeSource time) {
        this.time = time;
        this.counts = InProcessStore.create(time);
    }

    /** Forgets what was counted. */
    void begin(boolean withoutLimits) {
        counts = InProcessStore.create(time);
        off = withoutLimits;
    }

    @Override
    public Decision tryAcquire(List<Charge> charges, long cost) {
        return counts.tryAcquire(charges, taken(charges, cost));
    }

    @Override
    public CompletionStage<Decision> tryAcquireAsync(List<Charge> charges, long cost) {
        return counts.tryAcquireAsync(charges, taken(charges, cost));
    }

    /** A look is always allowed. */
    private long taken(List<Charge> charges, long cost) {
        Store.requireValid(charges, cost);
        return off ? 0 : cost;
    }

    @Override
    public CompletionStage<Void> refundAsync(Decision decision) {
        return counts.refundAsync(decision);
    }

    @Override
    public CompletionStage<Void> resetAsync(List<Charge> charges) {
        return counts.resetAsync(charges);
    }

    @Override
    public TimeSource time() {
        return time;
    }
}
