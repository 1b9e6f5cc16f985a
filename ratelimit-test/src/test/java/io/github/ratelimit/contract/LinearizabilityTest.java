package io.github.ratelimit.contract;

import static io.github.ratelimit.contract.StoreContract.costing;
import static java.time.Duration.ofHours;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.InProcessStore.WhenFull;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.TimeSource;
import java.time.Instant;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Whatever calls of the in-process store overlap, their answers are those of some order of the calls one after the other: Lincheck makes the
 * calls up, switches between threads, and looks for the order. A few scenarios in each build, many with {@code -Dfull=true}.
 */
class LinearizabilityTest {

    private static final boolean FULL = Boolean.getBoolean("full");

    /** No time passes. Plain, as Lincheck looks at everything that it holds. */
    private static final class StandingClock implements TimeSource {

        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public Instant instant() {
            return Instant.EPOCH;
        }
    }

    private static InProcessStore store(WhenFull whenFull) {
        return InProcessStore.builder()
                .time(new StandingClock())
                .maximumCounters(1024)
                .whenFull(whenFull)
                .build();
    }

    private static Charge charge(String limit, long permits, String key) {
        return new Charge("contract", Limit.of(limit, permits, ofHours(1)), Key.of(key));
    }

    /** What a caller sees of a decision. */
    private static String said(Decision decision) {
        return decision.allowed()
                + " "
                + decision.statuses().stream().map(LimitStatus::remaining).toList();
    }

    /** One charge and two, in both orders, on counters that are there and on fresh ones. */
    public static class Charges {

        private final InProcessStore store = store(WhenFull.EVICT);
        private final Charge one = charge("one", 5, "somebody");
        private final Charge two = charge("two", 4, "everybody");

        @Operation
        public String take(@Param(gen = IntGen.class, conf = "0:3") int cost) {
            return said(store.tryAcquire(costing(List.of(one), cost)));
        }

        @Operation
        public String takeBoth(@Param(gen = IntGen.class, conf = "0:2") int cost) {
            return said(store.tryAcquire(costing(List.of(one, two), cost)));
        }

        @Operation
        public String takeBothTheOtherWayRound(@Param(gen = IntGen.class, conf = "1:2") int cost) {
            return said(store.tryAcquire(costing(List.of(two, one), cost)));
        }
    }

    /** Two decisions that were made before may be given back, more than once; counts may be forgotten. */
    public static class RefundsAndResets {

        private final InProcessStore store = store(WhenFull.EVICT);
        private final List<Charge> charges = List.of(charge("one", 9, "somebody"), charge("two", 9, "everybody"));
        private final List<Decision> made =
                List.of(store.tryAcquire(costing(charges, 2)), store.tryAcquire(costing(charges, 3)));

        @Operation
        public String take(@Param(gen = IntGen.class, conf = "0:3") int cost) {
            return said(store.tryAcquire(costing(charges, cost)));
        }

        @Operation
        public void refund(@Param(gen = IntGen.class, conf = "0:1") int which) {
            store.refundAsync(made.get(which)).toCompletableFuture().join();
        }

        @Operation
        public void reset() {
            store.resetAsync(charges).toCompletableFuture().join();
        }
    }

    /** Fresh keys find room, and push out nothing of a counter that is nearly used up, wherever it is moved to. */
    public static class Evicting {

        private final InProcessStore store = store(WhenFull.EVICT);
        private final List<Charge> nearlyUsedUp = List.of(charge("hot", 1000, "somebody"));
        private final Decision made;

        /** Fills the table. */
        public Evicting() {
            store.tryAcquire(costing(nearlyUsedUp, 980));
            made = store.tryAcquire(costing(nearlyUsedUp, 10));
            for (int i = 0; i < 1500; i++) {
                store.tryAcquire(List.of(charge("cold", 1000, "filler " + i)));
            }
        }

        @Operation
        public String take(@Param(gen = IntGen.class, conf = "0:3") int cost) {
            return said(store.tryAcquire(costing(nearlyUsedUp, cost)));
        }

        @Operation
        public void refund() {
            store.refundAsync(made).toCompletableFuture().join();
        }

        @Operation
        public String takeOfAFreshKey(@Param(gen = IntGen.class, conf = "1:100") int key) {
            return ""
                    + store.tryAcquire(List.of(charge("cold", 1000, "fresh " + key)))
                            .allowed();
        }
    }

    /** Where fresh keys are rejected, those that are there are counted as ever. */
    public static class Rejecting {

        private final InProcessStore store = store(WhenFull.REJECT);
        private final List<Charge> there = List.of(charge("hot", 1000, "somebody"));
        private final Decision made = store.tryAcquire(costing(there, 10));

        /** Fills the table. */
        public Rejecting() {
            for (int i = 0; i < 1500; i++) {
                store.tryAcquire(List.of(charge("cold", 1000, "filler " + i)));
            }
        }

        @Operation
        public String take(@Param(gen = IntGen.class, conf = "0:3") int cost) {
            return said(store.tryAcquire(costing(there, cost)));
        }

        @Operation
        public void refund() {
            store.refundAsync(made).toCompletableFuture().join();
        }

        @Operation
        public void takeOfAFreshKey(@Param(gen = IntGen.class, conf = "1:100") int key) {
            store.tryAcquire(List.of(charge("cold", 1000, "fresh " + key))); // whether there is room is chance
        }
    }

    @Test
    void chargesAreDecidedInSomeOrder() {
        stress(Charges.class, 300);
    }

    @Test
    void refundsAndResetsHappenInSomeOrder() {
        stress(RefundsAndResets.class, 300);
    }

    /** Switches at every read and write: minutes, on a busy machine. */
    @Test
    @EnabledIfSystemProperty(named = "full", matches = "true")
    void decidesInSomeOrderHoweverThreadsAreSwitched() {
        modelCheck(Charges.class);
        modelCheck(RefundsAndResets.class);
    }

    @Test
    @EnabledIfSystemProperty(named = "full", matches = "true")
    void fullTableThatEvictsDecidesInSomeOrder() {
        stress(Evicting.class, 20);
    }

    @Test
    @EnabledIfSystemProperty(named = "full", matches = "true")
    void fullTableThatRejectsDecidesInSomeOrder() {
        stress(Rejecting.class, 20);
    }

    private static void modelCheck(Class<?> operations) {
        new ModelCheckingOptions()
                .iterations(3)
                .invocationsPerIteration(100)
                .threads(2)
                .actorsPerThread(3)
                .check(operations);
    }

    private static void stress(Class<?> operations, int invocations) {
        new StressOptions()
                .iterations(FULL ? 30 : 3)
                .invocationsPerIteration(FULL ? 5 * invocations : invocations)
                .threads(3)
                .actorsPerThread(3)
                .check(operations);
    }
}
