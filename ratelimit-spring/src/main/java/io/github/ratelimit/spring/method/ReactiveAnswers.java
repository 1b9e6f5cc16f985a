package io.github.ratelimit.spring.method;

import io.github.ratelimit.Decision;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.reactivestreams.Publisher;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Answers that are asked for by subscribing. A separate class, so that it is loaded only with Reactor. */
final class ReactiveAnswers {

    private ReactiveAnswers() {}

    static boolean areGivenBy(Class<?> type) {
        return ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
    }

    /**
     * The method's answer, behind a decision for each subscription.
     *
     * @param invocations makes one for each subscription
     */
    static Object of(
            Class<?> type, LimitedMethod limits, MethodCall call, Supplier<? extends MethodInvocation> invocations) {
        ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
        if (adapter == null) {
            throw new IllegalStateException("no adapter for " + type.getName());
        }
        // Who goes away while it waits ends the wait; a question that is under way is not cancelled.
        Mono<Decision> allowed = Mono.deferContextual(context ->
                        LaterAnswer.of(limits.ask(call).toCompletableFuture(), limits.maxWait() == null, context))
                .filter(limits::admits);
        Publisher<?> answer = adapter.isMultiValue()
                ? allowed.flatMapMany(decision -> Flux.from(answer(adapter, invocations.get())))
                : allowed.flatMap(decision -> Mono.from(answer(adapter, invocations.get())));
        return adapter.fromPublisher(answer);
    }

    private static Publisher<Object> answer(ReactiveAdapter adapter, MethodInvocation invocation) {
        try {
            return adapter.toPublisher(invocation.proceed());
        } catch (Throwable thrown) { // any failure is how the answer fails
            return Mono.error(thrown);
        }
    }
}
