package io.github.ratelimit.redis;

import io.github.ratelimit.Charge;
import io.github.ratelimit.TimeSource;
import io.lettuce.core.cluster.SlotHash;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * One decision on counters of several slots of a Cluster. It takes from one slot after the other, and answers when all have given. If one
 * rejects or fails, it gives back what it took from those before, and answers then.
 *
 * <p>It never grants too much, as every slot decides exactly; until something is given back, others may be rejected for it. All decisions
 * ask in ascending order of the slots, so that one of two competing decisions gets the last permits. In different orders each could reject
 * the other. A rejected decision looks at the slots that it did not ask, to report the state of their limits. Belongs to the event loop.
 */
final class SlotBySlot {

    private final Ask whole;
    private final Topology topology;
    private final Server.Settings settings;
    private final List<int[]> slots;
    private final Standing[] figures;
    private final List<Part> taken = new ArrayList<>(2);

    /** {@link #start} asks. */
    SlotBySlot(Ask whole, Topology topology, Server.Settings settings) {
        this.whole = whole;
        this.topology = topology;
        this.settings = settings;
        this.slots = slots(whole.counters());
        this.figures = new Standing[whole.counters().length];
    }

    /** Whether all counters are in one slot for certain: their keys have the same first part. */
    static boolean isOneSlot(Counter[] counters) {
        for (int i = 1; i < counters.length; i++) {
            if (counters[i].tag() != counters[0].tag()) {
                return false;
            }
        }
        return true;
    }

    /** The places of each slot's counters, in ascending order of the slots. */
    static List<int[]> slots(Counter[] counters) {
        SortedMap<Integer, List<Integer>> bySlot = new TreeMap<>();
        for (int i = 0; i < counters.length; i++) {
            bySlot.computeIfAbsent(SlotHash.getSlot(counters[i].redisKey()), slot -> new ArrayList<>(2))
                    .add(i);
        }
        return bySlot.values().stream().map(SlotBySlot::array).toList();
    }

    private static int[] array(Collection<Integer> places) {
        return places.stream().mapToInt(Integer::intValue).toArray();
    }

    void start() {
        if (whole.charges().stream().allMatch(charge -> charge.cost() == 0)) {
            answerAfter(looks(slots, 0), true);
            return;
        }
        for (int[] slot : slots) {
            Standing[] rejecting = settings.remembered().rejecting(charges(slot), counters(slot));
            if (rejecting != null) { // takes nothing that would have to be given back
                tell(slot, rejecting);
                List<int[]> others = new ArrayList<>(slots);
                others.remove(slot);
                answerAfter(looks(others, longestWait(rejecting)), false);
                return;
            }
        }
        take(0);
    }

    private void take(int next) {
        if (next == slots.size()) {
            if (!whole.answer(figures, true)) {
                giveBack();
            }
        } else if (whole.hasEnded()) {
            giveBack();
        } else {
            Part part = new Part(slots.get(next), charges(slots.get(next)), 0, false);
            part.ask().whenComplete((allowed, failure) -> {
                if (failure != null) {
                    all(giveBack()).whenComplete((done, another) -> fail(failure));
                } else if (allowed) {
                    taken.add(part);
                    tell(part.slot, part.after());
                    take(next + 1);
                } else {
                    tell(part.slot, part.after());
                    reject(slots.subList(next + 1, slots.size()), longestWait(part.after()));
                }
            });
        }
    }

    private void reject(List<int[]> notAsked, long wait) {
        List<CompletableFuture<?>> rest = giveBack();
        for (int i = 0; i < taken.size(); i++) {
            Part part = taken.get(i);
            tell(part.slot, part.before());
            if (part.isShaped()) { // what was before it cannot be told from what is after it
                rest.set(i, rest.get(i).thenCompose(done -> all(looks(List.of(part.slot), 0))));
            }
        }
        rest.addAll(looks(notAsked, wait));
        answerAfter(rest, false);
    }

    private List<CompletableFuture<?>> giveBack() {
        List<CompletableFuture<?>> given = new ArrayList<>();
        taken.forEach(part -> given.add(part.giveBack()));
        return given;
    }

    /** Asks without taking, all at once. */
    private List<CompletableFuture<?>> looks(List<int[]> at, long rememberNanos) {
        List<CompletableFuture<?>> looks = new ArrayList<>();
        for (int[] slot : at) {
            List<Charge> looking = charges(slot);
            if (!Shapes.any(looking)) {
                looking = looking.stream().map(charge -> charge.withCost(0)).toList();
            }
            Part look = new Part(slot, looking, rememberNanos, true);
            looks.add(look.ask().thenAccept(allowed -> tell(slot, look.after())));
        }
        return looks;
    }

    private void answerAfter(List<CompletableFuture<?>> rest, boolean allowed) {
        all(rest).whenComplete((done, failure) -> {
            if (failure == null) {
                whole.answer(figures, allowed);
            } else {
                fail(failure);
            }
        });
    }

    private void fail(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        whole.fail(cause instanceof RuntimeException why ? why : new Unanswered("Redis failed", cause));
    }

    private static CompletableFuture<Void> all(List<CompletableFuture<?>> of) {
        return CompletableFuture.allOf(of.toArray(CompletableFuture[]::new));
    }

    private void tell(int[] slot, Standing[] standings) {
        for (int i = 0; i < slot.length; i++) {
            figures[slot[i]] = standings[i];
        }
    }

    private List<Charge> charges(int[] slot) {
        return Arrays.stream(slot).mapToObj(whole.charges()::get).toList();
    }

    private Counter[] counters(int[] slot) {
        return Arrays.stream(slot).mapToObj(i -> whole.counters()[i]).toArray(Counter[]::new);
    }

    private static long longestWait(Standing[] standings) {
        return Arrays.stream(standings)
                .mapToLong(Standing::resetAfterNanos)
                .max()
                .orElse(0);
    }

    /** The part of one slot. */
    private final class Part extends Ask {

        private final int[] slot;
        private final long rememberNanos;
        private final boolean isRejected;
        private final CompletableFuture<Boolean> answer = new CompletableFuture<>();
        private Standing @Nullable [] after;

        Part(int[] slot, List<Charge> charges, long rememberNanos, boolean isRejected) {
            super(charges, SlotBySlot.this.counters(slot), whole.deadline());
            this.slot = slot;
            this.rememberNanos = rememberNanos;
            this.isRejected = isRejected;
        }

        @Override
        boolean isRejected() {
            return isRejected;
        }

        CompletableFuture<Boolean> ask() {
            topology.of(counters()[0].redisKey()).submit(this);
            return answer;
        }

        @Override
        long rememberNanos() {
            return rememberNanos;
        }

        @Override
        void answered(Standing[] after, boolean allowed) {
            this.after = after;
            answer.complete(allowed);
        }

        @Override
        void failed(RuntimeException why) {
            answer.completeExceptionally(why);
        }

        @Override
        void answeredLate(Standing[] after, boolean allowed) {
            this.after = after;
            if (allowed && !isRejected && charges().stream().anyMatch(charge -> charge.cost() > 0)) {
                giveBack();
            }
        }

        /** Where its counters stand. Only after it was answered. */
        Standing[] after() {
            Standing[] answered = after;
            if (answered == null) {
                throw new IllegalStateException("not answered yet");
            }
            return answered;
        }

        /** Where its counters stood before it took from them. */
        Standing[] before() {
            Standing[] before = after().clone();
            for (int i = 0; i < before.length; i++) {
                before[i] = before[i].before(charges().get(i).cost());
            }
            return before;
        }

        CompletableFuture<Reply> giveBack() {
            settings.remembered().forget(counters());
            Call.Arguments arguments = new Call.Arguments();
            for (int i = 0; i < counters().length; i++) {
                Charge charge = charges().get(i);
                Standing at = after()[i];
                arguments.key(counters()[i].redisKey());
                if (isShaped()) {
                    Shapes.writeTo(arguments, charge, -charge.cost(), at.windowToUndo(), at.nowMillis());
                } else {
                    arguments.number(charge.cost()).number(at.windowToUndo());
                }
            }
            long deadline = TimeSource.system().nanoTime() + settings.timeoutNanos();
            Call.Plain refund = isShaped()
                    ? Call.Plain.settle(counters().length, arguments, deadline)
                    : Call.Plain.refund(arguments, deadline);
            topology.of(refund.firstKey()).send(refund);
            return refund.answer()
                    .whenComplete((done, failure) -> settings.remembered().forget(counters()));
        }
    }
}
