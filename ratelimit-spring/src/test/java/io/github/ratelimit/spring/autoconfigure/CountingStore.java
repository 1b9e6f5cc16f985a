package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Limit.Shape;
import io.github.ratelimit.Store;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToLongFunction;

/** An in-process store that remembers what it was asked. */
final class CountingStore implements Store {

    private final Store store = InProcessStore.create();
    private final List<List<String>> decisions = new CopyOnWriteArrayList<>();

    /** The limiters of each decision since the last call, one name for each charge. */
    List<List<String>> decisions() {
        List<List<String>> made = List.copyOf(decisions);
        decisions.clear();
        return made;
    }

    @Override
    public Decision tryAcquire(List<Charge> charges) {
        decisions.add(charges.stream().map(Charge::limiter).toList());
        return store.tryAcquire(charges);
    }

    @Override
    public CompletableFuture<Decision> tryAcquireAsync(List<Charge> charges) {
        decisions.add(charges.stream().map(Charge::limiter).toList());
        return store.tryAcquireAsync(charges);
    }

    @Override
    public CompletableFuture<Void> settleAsync(Decision decision, ToLongFunction<Charge> actual) {
        return store.settleAsync(decision, actual);
    }

    @Override
    public CompletableFuture<Void> resetAsync(List<Charge> charges) {
        return store.resetAsync(charges);
    }

    @Override
    public boolean supports(Shape.Kind kind) {
        return store.supports(kind);
    }
}
