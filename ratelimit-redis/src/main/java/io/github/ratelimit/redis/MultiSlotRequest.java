package io.github.ratelimit.redis;

import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.remote.Counter;
import io.github.ratelimit.remote.RememberedRejections;
import io.github.ratelimit.remote.Request;
import io.github.ratelimit.remote.Request.Operation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * One request on counters of several slots of a Cluster. It takes from one slot after the other, and answers when all have given. If one
 * rejects or fails, it gives back what it took from those before, and answers then.
 *
 * <p>It never grants too much, as every slot decides exactly; until something is given back, others may be rejected for it. All requests
 * ask in ascending order of the slots, so that one of two competing requests gets the last permits. In different orders each could reject
 * the other. A rejected request looks at the slots that it did not ask, to report the state of their limits. Belongs to the event loop.
 */
final class MultiSlotRequest {

    private final Request whole;
    private final List<int[]> slots;
    private final Consumer<Request> submit;
    private final RememberedRejections rejections;
    private final LongSupplier deadline;
    private final LimitStatus[] states;
    private final List<Request> taken = new ArrayList<>(2);

    /**
     * Makes it; {@link #start} asks.
     *
     * @param slots the places of the counters of each slot, in ascending order of the slots
     * @param submit hands a request on one slot to the slot's master
     * @param deadline of what is given back
     */
    MultiSlotRequest(
            Request whole,
            List<int[]> slots,
            Consumer<Request> submit,
            RememberedRejections rejections,
            LongSupplier deadline) {
        this.whole = whole;
        this.slots = slots;
        this.submit = submit;
        this.rejections = rejections;
        this.deadline = deadline;
        this.states = new LimitStatus[whole.counters().length];
    }

    /** Whether all counters are in one slot for certain: their keys have the same first part. */
    static boolean isOneSlot(Counter[] counters) {
        return Arrays.stream(counters).allMatch(counter -> counter.group() == counters[0].group());
    }

    /** The places of each slot's counters, in ascending order of the slots. */
    static List<int[]> slots(Counter[] counters, RedisKeys keys) {
        SortedMap<Integer, List<Integer>> bySlot = new TreeMap<>();
        for (int i = 0; i < counters.length; i++) {
            bySlot.computeIfAbsent(keys.slot(counters[i]), slot -> new ArrayList<>(2))
                    .add(i);
        }
        return bySlot.values().stream()
                .map(places -> places.stream().mapToInt(Integer::intValue).toArray())
                .toList();
    }

    void start() {
        if (whole.charges().stream().allMatch(charge -> charge.cost() == 0)) {
            answerAfter(all(slots, Operation.TAKE), true);
            return;
        }
        for (int[] slot : slots) {
            Request part = whole.part(slot, Operation.REJECT);
            List<LimitStatus> rejecting = rejections.rejecting(part.charges(), part.counters());
            if (rejecting != null) { // takes nothing that would have to be given back
                tell(slot, rejecting);
                List<int[]> others = new ArrayList<>(slots);
                others.remove(slot);
                answerAfter(all(others, Operation.REJECT), false);
                return;
            }
        }
        take(0);
    }

    private void take(int next) {
        if (next == slots.size()) {
            if (!answer(true)) {
                giveBack();
            }
        } else if (whole.isDone()) {
            giveBack();
        } else {
            Request part = whole.part(slots.get(next), Operation.TAKE);
            ask(part, slots.get(next)).whenComplete((answer, failure) -> {
                if (failure != null) {
                    all(giveBack()).whenComplete((done, another) -> fail(failure));
                } else if (answer.allowed()) {
                    taken.add(part);
                    take(next + 1);
                } else {
                    reject(slots.subList(next + 1, slots.size()));
                }
            });
        }
    }

    private void reject(List<int[]> notAsked) {
        List<CompletableFuture<?>> rest = new ArrayList<>();
        for (int i = 0; i < taken.size(); i++) { // a shape's earlier state does not follow from its later one
            int[] slot = slots.get(i);
            Request again = whole.part(slot, Operation.REJECT);
            rest.add(giveBack(taken.get(i), taken.get(i).join()).thenCompose(done -> ask(again, slot)));
        }
        rest.addAll(all(notAsked, Operation.REJECT));
        answerAfter(rest, false);
    }

    private List<CompletableFuture<?>> giveBack() {
        List<CompletableFuture<?>> given = new ArrayList<>();
        taken.forEach(part -> given.add(giveBack(part, part.join())));
        return given;
    }

    /** Asks several slots at once. */
    private List<CompletableFuture<?>> all(List<int[]> places, Operation operation) {
        List<CompletableFuture<?>> answers = new ArrayList<>();
        places.forEach(slot -> answers.add(ask(whole.part(slot, operation), slot)));
        return answers;
    }

    private void answerAfter(List<CompletableFuture<?>> rest, boolean allowed) {
        all(rest).whenComplete((done, failure) -> {
            if (failure == null) {
                answer(allowed);
            } else {
                fail(failure);
            }
        });
    }

    private void fail(Throwable failure) {
        whole.completeExceptionally(failure instanceof CompletionException ? failure.getCause() : failure);
    }

    private static CompletableFuture<Void> all(List<CompletableFuture<?>> of) {
        return CompletableFuture.allOf(of.toArray(CompletableFuture[]::new));
    }

    private boolean answer(boolean allowed) {
        return whole.complete(new Request.Answer(allowed, List.of(states)));
    }

    private void tell(int[] slot, List<LimitStatus> of) {
        for (int i = 0; i < slot.length; i++) {
            states[slot[i]] = of.get(i);
        }
    }

    private CompletableFuture<Request.Answer> ask(Request part, int[] slot) {
        part.last().thenAccept(answer -> {
            if (!part.complete(answer) && answer.allowed() && part.operation() == Operation.TAKE) {
                giveBack(part, answer); // it is late
            }
        });
        submit.accept(part);
        return part.thenApply(answer -> {
            tell(slot, answer.states());
            return answer;
        });
    }

    private CompletableFuture<Request.Answer> giveBack(Request part, Request.Answer answer) {
        rejections.drop(part.counters());
        Request refund = part.settling(charge -> -charge.cost(), answer.states(), deadline.getAsLong());
        submit.accept(refund);
        return refund.whenComplete((done, failure) -> rejections.drop(part.counters()));
    }
}
