package io.github.ratelimit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** Stores that tests look through: one that writes down what it is asked, one that is away, one that answers when it is told to. */
final class TestStores {

    private TestStores() {}

    /** Writes down each call and passes it on to a real store. Used by one thread. */
    static class Recording implements Store {

        final List<List<Charge>> asked = new ArrayList<>();
        final List<Decision> refunded = new ArrayList<>();
        final List<List<Charge>> reset = new ArrayList<>();
        private final Store store;

        Recording(Store store) {
            this.store = store;
        }

        @Override
        public Decision tryAcquire(List<Charge> charges) {
            asked.add(charges);
            return store.tryAcquire(charges);
        }

        @Override
        public CompletableFuture<Decision> tryAcquireAsync(List<Charge> charges) {
            asked.add(charges);
            return store.tryAcquireAsync(charges);
        }

        @Override
        public CompletableFuture<Void> settleAsync(Decision decision, ToLongFunction<Charge> actual) {
            refunded.add(decision);
            return store.settleAsync(decision, actual);
        }

        @Override
        public CompletableFuture<Void> resetAsync(List<Charge> charges) {
            reset.add(charges);
            return store.resetAsync(charges);
        }

        @Override
        public boolean supports(Limit.Shape.Kind kind) {
            return store.supports(kind);
        }

        @Override
        public TimeSource time() {
            return store.time();
        }
    }

    /** One that counts, but does not answer while it is {@link #away}. */
    static class Failing implements Store {

        RuntimeException failure = new StoreException("the backend is away", null);
        boolean away = true;
        private final Store store;

        Failing(TimeSource time) {
            this.store = InProcessStore.create(time);
        }

        Failing with(RuntimeException failure) {
            this.failure = failure;
            return this;
        }

        @Override
        public CompletableFuture<Decision> tryAcquireAsync(List<Charge> charges) {
            return away ? CompletableFuture.failedFuture(failure) : store.tryAcquireAsync(charges);
        }

        @Override
        public CompletableFuture<Void> settleAsync(Decision decision, ToLongFunction<Charge> actual) {
            return away ? CompletableFuture.failedFuture(failure) : store.settleAsync(decision, actual);
        }

        @Override
        public CompletableFuture<Void> resetAsync(List<Charge> charges) {
            return away ? CompletableFuture.failedFuture(failure) : store.resetAsync(charges);
        }

        @Override
        public boolean supports(Limit.Shape.Kind kind) {
            return store.supports(kind);
        }

        @Override
        public TimeSource time() {
            return store.time();
        }
    }

    /** A store whose answers come when {@link #answer} is called: what a network does. */
    static final class Slow implements Store {

        final List<Runnable> open = new ArrayList<>();
        boolean decidesAtOnce; // and tells it later
        private final Store store;

        Slow(Store store) {
            this.store = store;
        }

        /** Answers the oldest question. */
        void answer() {
            Runnable next;
            synchronized (open) {
                next = open.remove(0);
            }
            next.run();
        }

        @Override
        public CompletableFuture<Decision> tryAcquireAsync(List<Charge> charges) {
            CompletableFuture<Decision> later = new CompletableFuture<>();
            Decision decided = decidesAtOnce ? store.tryAcquire(charges) : null;
            synchronized (open) {
                open.add(() -> later.complete(decided != null ? decided : store.tryAcquire(charges)));
            }
            return later;
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
        public boolean supports(Limit.Shape.Kind kind) {
            return store.supports(kind);
        }

        @Override
        public TimeSource time() {
            return store.time();
        }
    }

    /** A store of one concurrency counter that is not in process: its tickets end with their leases, and it can be away. Used by one thread. */
    static final class Leased implements Store {

        boolean away;
        int renewals;
        private final TimeSource time;
        private final Map<UUID, Long> ends = new HashMap<>();

        Leased(TimeSource time) {
            this.time = time;
        }

        private <T> CompletableFuture<T> answer(Supplier<T> answer) {
            if (away) {
                return CompletableFuture.failedFuture(new StoreException("the backend is away", null));
            }
            ends.values().removeIf(end -> end - time.nanoTime() <= 0);
            return CompletableFuture.completedFuture(answer.get());
        }

        private Long end(Charge charge) {
            return time.nanoTime() + charge.limit().window().toNanos();
        }

        @Override
        public CompletableFuture<Decision> tryAcquireAsync(List<Charge> charges) {
            return answer(() -> {
                Charge charge = charges.get(0);
                boolean fits = ends.size() + charge.cost() <= charge.limit().permits();
                UUID ticket = UUID.randomUUID();
                if (fits && charge.cost() > 0) {
                    ends.put(ticket, end(charge));
                }
                LimitStatus status = LimitStatus.of(
                        charge,
                        charge.limit().permits() - ends.size(),
                        Duration.ZERO,
                        time.instant(),
                        Optional.of(fits ? Duration.ZERO : Limit.Shape.CONCURRENT_RETRY));
                return Decision.of(this, List.of(status), ticket);
            });
        }

        @Override
        public CompletableFuture<Boolean> renewAsync(Decision decision) {
            renewals++;
            return answer(() -> ends.replace(
                            decision.ticket().orElseThrow(),
                            end(decision.charges().get(0)))
                    != null);
        }

        @Override
        public CompletableFuture<Void> settleAsync(Decision decision, ToLongFunction<Charge> actual) {
            return decision.settleOnce(
                    this,
                    () -> answer(() -> ends.remove(decision.ticket().orElseThrow()))
                            .thenAccept(end -> {}));
        }

        @Override
        public CompletableFuture<Void> resetAsync(List<Charge> charges) {
            ends.clear();
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public boolean supports(Limit.Shape.Kind kind) {
            return true;
        }

        @Override
        public TimeSource time() {
            return time;
        }
    }
}
