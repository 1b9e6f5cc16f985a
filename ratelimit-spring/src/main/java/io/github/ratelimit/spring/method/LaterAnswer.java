package io.github.ratelimit.spring.method;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Says where a reactive call continues if its decision comes later: never on a thread of the store, whose other answers it would delay.
 *
 * <p>A separate class, so that it is loaded only with Reactor.
 */
public final class LaterAnswer {

    private static final Object KEY = LaterAnswer.class;

    private LaterAnswer() {}

    /** Keeps the scheduler of a request for the limited methods that it calls. Asked on the thread that wants a decision. */
    public static Context keep(Supplier<Scheduler> scheduler, Context context) {
        return context.put(KEY, scheduler);
    }

    /** The decision of a call within the context's request, if there is one; else the call continues on Reactor's parallel scheduler. */
    static <T> Mono<T> of(CompletableFuture<T> decision, boolean suppressCancel, ContextView context) {
        return of(decision, suppressCancel, context.<Supplier<Scheduler>>getOrDefault(KEY, Schedulers::parallel));
    }

    /** The decision, on this thread if it is there, else on the scheduler. If a cancel is suppressed, it is made all the same. */
    public static <T> Mono<T> of(CompletableFuture<T> decision, boolean suppressCancel, Supplier<Scheduler> scheduler) {
        boolean now = decision.isDone();
        Mono<T> answer = Mono.fromFuture(decision, suppressCancel);
        return now ? answer : answer.publishOn(scheduler.get());
    }
}
