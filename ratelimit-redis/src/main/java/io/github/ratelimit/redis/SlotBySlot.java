package io.github.ratelimit.redis;

import io.github.ratelimit.Charge;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One decision on counters of several slots of a Cluster. Takes from one slot after the other, and answers when all have given. Where one
 * refuses or fails, it gives back what it took from those before, and answers then.
 *
 * <p>Never grants too much, as every slot decides exactly; until something is given back, others may be refused for it. All decisions ask
 * in ascending order of the slots: of those that compete for the last permits of the same limits, one gets them, where in different
 * orders each could refuse the other. Slots that a refused decision did not ask are looked at, to tell where their limits stand. Safe for
 * concurrent use.
 */
final class SlotBySlot extends Waiter {

    /** Gives back what was taken from counters of one slot. */
    @FunctionalInterface
    interface Undo {
        /**
         * Sends it.
         *
         * @param windows one for each counter, as {@link Standing#windowToUndo} names it
         */
        CompletableFuture<Void> giveBack(Counter[] counters, long[] windows, long cost);
    }

    private final List<Charge> charges;
    private final Counter[] counters;
    private final long cost;
    private final List<int[]> slots;
    private final Standings remembered;
    private final Consumer<Request> lanes;
    private final Undo undo;

    /** What is told of each charge. Written by whoever holds the turn: one slot's answer leads to the next. */
    private final @Nullable Standing[] figures;

    private final List<Part> taken = new ArrayList<>(2);
    private volatile @Nullable Part asked;

    /**
     * Makes it. {@link #start} asks.
     *
     * @param slots the places of each slot's counters, in the order in which the slots are asked
     * @param lanes sends a request for counters of one slot
     */
    SlotBySlot(
            List<Charge> charges,
            Counter[] counters,
            long cost,
            List<int[]> slots,
            long deadline,
            @Nullable Executor executor,
            Standings remembered,
            Consumer<Request> lanes,
            Undo undo) {
        super(deadline, executor);
        this.charges = charges;
        this.counters = counters;
        this.cost = cost;
        this.slots = slots;
        this.remembered = remembered;
        this.lanes = lanes;
        this.undo = undo;
        this.figures = new Standing[counters.length];
    }

    void start() {
        if (cost == 0) {
            answerAfter(looks(slots, 0), true);
            return;
        }
        for (int[] slot : slots) {
            Standing[] refusing = remembered.refusing(of(slot), countersOf(slot), cost);
            if (refusing != null) { // takes nothing that would have to be given back
                tell(slot, refusing);
                answerAfter(looks(without(slots, slot), longestWait(refusing)), false);
                return;
            }
        }
        take(0);
    }

    private void take(int next) {
        if (next == slots.size()) {
            tell(Standing.decision(charges, figures, cost, true), this::giveBack);
            return;
        }
        int[] slot = slots.get(next);
        Part part = new Part(slot, cost, 0);
        asked = part;
        if (isDone()) { // looked at after `asked` was set: whoever ends this one expires that
            giveBack();
            return;
        }
        Ends.of(part, (decision, failure) -> {
            if (decision == null) {
                failed(failure);
            } else if (decision.allowed()) {
                taken.add(part);
                tell(slot, part.after());
                take(next + 1);
            } else {
                tell(slot, part.after());
                refuse(slots.subList(next + 1, slots.size()), longestWait(part.after()));
            }
        });
        lanes.accept(part);
    }

    private void refuse(List<int[]> notAsked, long wait) {
        List<CompletableFuture<?>> rest = giveBack();
        for (Part part : taken) {
            Standing[] before =
                    Arrays.stream(part.after()).map(after -> after.before(cost)).toArray(Standing[]::new);
            tell(part.slot, before);
        }
        rest.addAll(looks(notAsked, wait));
        answerAfter(rest, false);
    }

    private void failed(@Nullable Throwable failure) {
        Throwable cause = failure == null ? new Unanswered("Redis failed") : Ends.cause(failure);
        Ends.of(all(giveBack()), (done, another) -> fail(cause));
    }

    private List<CompletableFuture<?>> giveBack() {
        List<CompletableFuture<?>> given = new ArrayList<>();
        for (Part part : taken) {
            given.add(part.giveBack());
        }
        return given;
    }

    /** Asks without taking, all at once. */
    private List<CompletableFuture<?>> looks(List<int[]> at, long rememberNanos) {
        List<CompletableFuture<?>> looks = new ArrayList<>();
        for (int[] slot : at) {
            Part look = new Part(slot, 0, rememberNanos);
            looks.add(look.thenAccept(decision -> tell(slot, look.after())));
            lanes.accept(look);
        }
        return looks;
    }

    private void answerAfter(List<CompletableFuture<?>> rest, boolean allowed) {
        Ends.of(all(rest), (done, failure) -> {
            if (failure == null) {
                tell(Standing.decision(charges, figures, cost, allowed));
            } else {
                fail(Ends.cause(failure));
            }
        });
    }

    private static CompletableFuture<Void> all(List<CompletableFuture<?>> of) {
        return CompletableFuture.allOf(of.toArray(CompletableFuture[]::new));
    }

    private void tell(int[] slot, Standing[] standings) {
        for (int i = 0; i < slot.length; i++) {
            figures[slot[i]] = standings[i];
        }
    }

    private List<Charge> of(int[] slot) {
        return Arrays.stream(slot).mapToObj(charges::get).toList();
    }

    private Counter[] countersOf(int[] slot) {
        return Arrays.stream(slot).mapToObj(i -> counters[i]).toArray(Counter[]::new);
    }

    private static List<int[]> without(List<int[]> slots, int[] slot) {
        return slots.stream().filter(each -> each != slot).toList();
    }

    private static long longestWait(Standing[] standings) {
        return Arrays.stream(standings)
                .mapToLong(Standing::resetAfterNanos)
                .max()
                .orElse(0);
    }

    @Override
    void expire() {
        super.expire();
        Part part = asked;
        if (part != null) {
            part.expire(); // if it has not been sent yet it never is
        }
    }

    /** What one slot is asked. */
    private final class Part extends Request {

        private final int[] slot;
        private final long rememberNanos;
        private volatile Standing @Nullable [] after;

        Part(int[] slot, long cost, long rememberNanos) {
            super(of(slot), countersOf(slot), cost, SlotBySlot.this.deadline(), null);
            this.slot = slot;
            this.rememberNanos = rememberNanos;
        }

        @Override
        long rememberNanos() {
            return rememberNanos;
        }

        @Override
        void answer(Standing[] after, boolean allowed) {
            this.after = after;
            if (!complete(Standing.decision(charges(), after, cost(), allowed)) && allowed && cost() > 0) {
                CompletableFuture<Void> unused =
                        giveBack(); // the deadline was faster, and nobody is told that it was taken
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

        CompletableFuture<Void> giveBack() {
            long[] windows =
                    Arrays.stream(after()).mapToLong(Standing::windowToUndo).toArray();
            return undo.giveBack(counters(), windows, cost());
        }
    }
}
