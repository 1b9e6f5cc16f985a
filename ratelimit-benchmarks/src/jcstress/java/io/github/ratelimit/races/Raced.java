package io.github.ratelimit.races;

import static io.github.ratelimit.contract.StoreContract.costing;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import java.time.Duration;
import java.util.List;

/** A small store of its own for each run, with a clock that only an actor moves. What races are written over. */
abstract class Raced {

    static final Duration WINDOW = Duration.ofSeconds(1);

    final MovedClock clock = new MovedClock();
    final InProcessStore store =
            InProcessStore.builder().time(clock).maximumCounters(1024).build();

    static Charge charge(String limiter, long permits) {
        return charge(limiter, permits, "raced");
    }

    static Charge charge(String limiter, long permits, String key) {
        return new Charge(limiter, Limit.of("limit", permits, WINDOW), Key.of(key));
    }

    final Decision take(Charge... charges) {
        return store.tryAcquire(List.of(charges));
    }

    /** How many of so many single permits are granted. */
    final int takeEach(int attempts, Charge charge) {
        int granted = 0;
        for (int i = 0; i < attempts; i++) {
            granted += take(charge).allowed() ? 1 : 0;
        }
        return granted;
    }

    final void refund(Decision decision) {
        store.refundAsync(decision).toCompletableFuture().join();
    }

    final void reset(Charge charge) {
        store.resetAsync(List.of(charge)).toCompletableFuture().join();
    }

    /** What is left now; takes nothing. */
    final int remaining(Charge charge) {
        return (int) store.tryAcquire(costing(List.of(charge), 0)).statuses().get(0).remaining();
    }

    /** Ends the windows that were open when the run began. */
    final void endWindow() {
        clock.moveTo(WINDOW);
    }

    /** To the last moment of the windows that were opened before. */
    final void approachEnd() {
        clock.moveTo(WINDOW.minusNanos(1));
    }
}
