package io.github.ratelimit.remote;

import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.remote.Request.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * One request on counters of several parts, such as the slots of a Cluster. It takes from one part after the other, and answers when all have
 * given. If one rejects or fails, it gives back what it took from those before, and answers then.
 *
 * <p>It never grants too much, as every part decides exactly; until something is given back, others may be rejected for it. All requests
 * ask in ascending order of the parts, so that one of two competing requests gets the last permits. In different orders each could reject
 * the other. A block gives nothing back: if its limit was raised meanwhile, what a rejected request took of it stays taken until the block
 * ends. A rejected request looks at the parts that it did not ask, to report the state of their limits. Belongs to the engine's thread.
 */
final class RequestInParts {

    private final Request whole;
    private final List<int[]> parts;
    private final Consumer<Request> submit;
    private final RememberedRejections rejections;
    private final LongSupplier deadline;
    private final LimitStatus[] states;
    private final List<Request> taken = new ArrayList<>(2);

    /**
     * Makes it; {@link #start} asks.
     *
     * @param parts the places of the counters of each part, in ascending order of the parts
     * @param submit hands a request on one part to its server
     * @param deadline of what is given back
     */
    RequestInParts(
            Request whole,
            List<int[]> parts,
            Consumer<Request> submit,
            RememberedRejections rejections,
            LongSupplier deadline) {
        this.whole = whole;
        this.parts = parts;
        this.submit = submit;
        this.rejections = rejections;
        this.deadline = deadline;
        this.states = new LimitStatus[whole.counters().length];
    }

    void start() {
        if (whole.charges().stream().allMatch(charge -> charge.cost() == 0)) {
            answerAfter(all(parts, Operation.TAKE), true);
            return;
        }
        for (int[] places : parts) {
            Request part = whole.part(places, Operation.REJECT);
            List<LimitStatus> rejecting = rejections.rejecting(part.charges(), part.counters());
            if (rejecting != null) { // takes nothing that would have to be given back
                report(places, rejecting);
                List<int[]> others =
                        parts.stream().filter(other -> other != places).toList();
                answerAfter(all(others, Operation.REJECT), false);
                return;
            }
        }
        take(0);
    }

    private void take(int next) {
        if (next == parts.size() ? !answer(true) : whole.isDone()) {
            giveBack();
        } else if (next < parts.size()) {
            ask(parts.get(next), Operation.TAKE).whenComplete((part, failure) -> {
                if (failure != null) {
                    all(giveBack()).whenComplete((done, another) -> fail(failure));
                } else if (part.join().allowed()) {
                    taken.add(part);
                    take(next + 1);
                } else {
                    reject(parts.subList(next + 1, parts.size()));
                }
            });
        }
    }

    private void reject(List<int[]> notAsked) {
        List<CompletableFuture<?>> rest = all(notAsked, Operation.REJECT);
        List<CompletableFuture<?>> given = giveBack();
        for (int i = 0; i < given.size(); i++) { // a shape's earlier state does not follow from its later one
            int[] places = parts.get(i);
            rest.add(given.get(i).thenCompose(done -> ask(places, Operation.REJECT)));
        }
        answerAfter(rest, false);
    }

    private List<CompletableFuture<?>> giveBack() {
        List<CompletableFuture<?>> given = new ArrayList<>();
        taken.forEach(part -> given.add(giveBack(part, part.join())));
        return given;
    }

    /** Asks several parts at once. */
    private List<CompletableFuture<?>> all(List<int[]> of, Operation operation) {
        List<CompletableFuture<?>> answers = new ArrayList<>();
        of.forEach(places -> answers.add(ask(places, operation)));
        return answers;
    }

    private static CompletableFuture<Void> all(List<CompletableFuture<?>> of) {
        return CompletableFuture.allOf(of.toArray(CompletableFuture[]::new));
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

    private boolean answer(boolean allowed) {
        return whole.complete(new Request.Answer(allowed, List.of(states)));
    }

    private void report(int[] places, List<LimitStatus> of) {
        for (int i = 0; i < places.length; i++) {
            states[places[i]] = of.get(i);
        }
    }

    private CompletableFuture<Request> ask(int[] places, Operation operation) {
        Request part = whole.part(places, operation);
        part.last().thenAccept(answer -> {
            if (!part.complete(answer) && answer.allowed() && operation == Operation.TAKE) {
                giveBack(part, answer); // it is late
            }
        });
        submit.accept(part);
        return part.thenApply(answer -> {
            report(places, answer.states());
            return part;
        });
    }

    private CompletableFuture<Request.Answer> giveBack(Request part, Request.Answer answer) {
        rejections.drop(part.counters());
        Request refund = part.settling(charge -> -charge.cost(), answer.states(), deadline.getAsLong());
        submit.accept(refund);
        return refund.whenComplete((done, failure) -> rejections.drop(part.counters()));
    }
}
