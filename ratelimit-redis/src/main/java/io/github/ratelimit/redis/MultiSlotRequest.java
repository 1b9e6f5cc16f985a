package io.github.ratelimit.redis;

import io.github.ratelimit.Charge;
import io.github.ratelimit.remote.Counter;
import io.github.ratelimit.remote.CounterState;
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
    private final CounterState[] states;
    private final List<Part> taken = new ArrayList<>(2);

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
        this.states = new CounterState[whole.counters().length];
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
            CounterState[] rejecting = rejections.rejecting(charges(slot), counters(slot));
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
            if (!whole.answer(states, true)) {
                giveBack();
            }
        } else if (whole.isDone()) {
            giveBack();
        } else {
            Part part = new Part(slots.get(next), Operation.TAKE);
            part.ask().whenComplete((answer, failure) -> {
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
        for (Part part : taken) { // a shape's earlier state does not follow from its later one
            rest.add(part.giveBack().thenCompose(done -> new Part(part.slot, Operation.REJECT).ask()));
        }
        rest.addAll(all(notAsked, Operation.REJECT));
        answerAfter(rest, false);
    }

    private List<CompletableFuture<?>> giveBack() {
        List<CompletableFuture<?>> given = new ArrayList<>();
        taken.forEach(part -> given.add(part.giveBack()));
        return given;
    }

    /** Asks several slots at once. */
    private List<CompletableFuture<?>> all(List<int[]> places, Operation operation) {
        List<CompletableFuture<?>> answers = new ArrayList<>();
        places.forEach(slot -> answers.add(new Part(slot, operation).ask()));
        return answers;
    }

    private void answerAfter(List<CompletableFuture<?>> rest, boolean allowed) {
        all(rest).whenComplete((done, failure) -> {
            if (failure == null) {
                whole.answer(states, allowed);
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

    private void tell(int[] slot, CounterState[] of) {
        for (int i = 0; i < slot.length; i++) {
            states[slot[i]] = of[i];
        }
    }

    private List<Charge> charges(int[] slot) {
        return Arrays.stream(slot).mapToObj(whole.charges()::get).toList();
    }

    private Counter[] counters(int[] slot) {
        return Arrays.stream(slot).mapToObj(i -> whole.counters()[i]).toArray(Counter[]::new);
    }

    /** The part of one slot. */
    private final class Part {

        private final int[] slot;
        private final Request request;

        Part(int[] slot, Operation operation) {
            this.slot = slot;
            this.request = Request.of(operation, charges(slot), counters(slot), whole.ticket(), whole.deadline());
        }

        CompletableFuture<Request.Answer> ask() {
            request.whenOver(answer -> {
                if (answer != null
                        && !request.complete(answer)
                        && answer.allowed()
                        && request.operation() == Operation.TAKE) {
                    giveBack(answer.states()); // it is late
                }
            });
            submit.accept(request);
            return request.thenApply(answer -> {
                tell(slot, answer.states());
                return answer;
            });
        }

        CompletableFuture<Request.Answer> giveBack() {
            return giveBack(request.join().states());
        }

        private CompletableFuture<Request.Answer> giveBack(CounterState[] from) {
            rejections.drop(request.counters());
            long[] more = request.charges().stream()
                    .mapToLong(charge -> -charge.cost())
                    .toArray();
            Request refund = Request.settling(
                    request.charges(), request.counters(), more, from, whole.ticket(), deadline.getAsLong());
            submit.accept(refund);
            return refund.whenComplete((done, failure) -> rejections.drop(request.counters()));
        }
    }
}
