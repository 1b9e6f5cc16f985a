package io.github.ratelimit.contract;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit.Shape;
import io.github.ratelimit.Store;
import io.github.ratelimit.StoreException;
import io.github.ratelimit.TimeSource;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToLongFunction;

/** Another store, whose decisions are late: they come when {@link #answer} is called. Or it does what it is asked, and the answer is lost. */
final class UnreliableStore implements Store {

    boolean losesAnswers;
    private final Store store;
    private final Queue<Runnable> late = new ArrayDeque<>();

    UnreliableStore(Store store) {
        this.store = store;
    }

    /** Gives the oldest answer. */
    void answer() {
        late.remove().run();
    }

    private <T> CompletableFuture<T> lost(CompletableFuture<T> done) {
        done.join();
        return CompletableFuture.failedFuture(new StoreException("the answer was lost", null));
    }

    @Override
    public CompletableFuture<Decision> tryAcquireAsync(List<Charge> charges) {
        if (losesAnswers) {
            return lost(store.tryAcquireAsync(charges));
        }
        CompletableFuture<Decision> answer = new CompletableFuture<>();
        late.add(() -> answer.complete(store.tryAcquire(charges)));
        return answer;
    }

    @Override
    public CompletableFuture<Void> settleAsync(Decision decision, ToLongFunction<Charge> actual) {
        return losesAnswers
                ? lost(store.settleAsync(StoreContract.asIfUnanswered(store, decision), actual))
                : store.settleAsync(decision, actual);
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
}
