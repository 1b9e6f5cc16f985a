package io.github.ratelimit.spring.internal.method;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Hold;
import io.github.ratelimit.spring.MethodCall;
import io.github.ratelimit.spring.RateLimitedCall;
import io.github.ratelimit.spring.internal.method.CurrentCall.Pending;
import io.github.ratelimit.spring.internal.method.MethodLimits.LimitedMethod;
import java.lang.reflect.Method;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

/**
 * Limits answers that start with a subscription. If a decision comes later, a call never continues on a thread of the store, whose other answers it
 * would delay.
 *
 * <p>A separate class, so that it is loaded only with Reactor.
 */
public final class ReactiveAnswers {

    private static final Object SCHEDULER = ReactiveAnswers.class;
    private static final Object PENDING = Pending.class;

    /** As Spring asks before it calls a suspending function for interceptors. */
    private static final boolean COROUTINES =
            ClassUtils.isPresent("kotlinx.coroutines.reactor.MonoKt", ReactiveAnswers.class.getClassLoader());

    private ReactiveAnswers() {}

    /** Keeps the scheduler of a request for the limited methods that it calls. Asked on the thread that wants a decision. */
    public static Context keep(Supplier<Scheduler> scheduler, Context context) {
        return context.put(SCHEDULER, scheduler);
    }

    /** The decision, on this thread if it is there, else on the scheduler. It completes even if a cancel is suppressed. */
    public static <T> Mono<T> decided(
            CompletableFuture<T> decision, boolean suppressCancel, Supplier<Scheduler> scheduler) {
        boolean now = decision.isDone();
        Mono<T> answer = Mono.fromFuture(decision, suppressCancel);
        return now ? answer : answer.publishOn(scheduler.get());
    }

    /** Null if a method answers otherwise. Spring gives the answer of a suspending function to interceptors as a publisher. */
    public static @Nullable ReactiveAdapter adapter(Method method) {
        Class<?> type = method.getReturnType();
        if (COROUTINES && KotlinDetector.isSuspendingFunction(method)) {
            String answer = new MethodParameter(method, -1).getParameterType().getName();
            type = answer.equals("kotlinx.coroutines.flow.Flow") ? Flux.class : Mono.class;
        }
        return CompletionStage.class.isAssignableFrom(type) // an instance of the application's class cannot be made
                ? null
                : ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
    }

    /**
     * The method's answer, behind a decision for each subscription.
     *
     * @param invocations makes one for each subscription
     */
    static Object of(
            ReactiveAdapter adapter,
            LimitedMethod limits,
            MethodCall call,
            Supplier<? extends MethodInvocation> invocations) {
        // A caller that goes away ends the wait; a question under way is not cancelled, and its decision is given back.
        // It continues on the scheduler of the request that calls the method, or else on Reactor's parallel one.
        RateLimitedCall outer = CurrentCall.find();
        Mono<Decision> allowed = Mono.deferContextual(context -> decided(
                        limits.ask(call).toCompletableFuture(),
                        limits.maxWait() == null,
                        context.<Supplier<Scheduler>>getOrDefault(SCHEDULER, Schedulers::parallel)))
                .filter(limits::admits)
                .doOnDiscard(Decision.class, decision -> limits.limiters().refund(decision));
        Function<Decision, Flux<Object>> answer = decision -> Flux.deferContextual(context -> answer(
                adapter,
                limits.admitted(decision, context.<RateLimitedCall>getOrDefault(RateLimitedCall.class, outer)),
                false,
                invocations.get()));
        return adapter.fromPublisher(
                adapter.isMultiValue()
                        ? allowed.flatMapMany(decision -> Flux.using(
                                () -> limits.limiters().hold(decision), hold -> answer.apply(decision), Hold::close))
                        : allowed.flatMap(decision -> Mono.using(
                                () -> limits.limiters().hold(decision),
                                hold -> answer.apply(decision).singleOrEmpty(), // which does not cancel it
                                Hold::close)));
    }

    /** Keeps a request for the controller's method and what it calls: what it waits for, and what settles it. */
    public static Context keep(Supplier<@Nullable Object> pending, RateLimitedCall call, Context context) {
        return context.put(PENDING, pending).put(RateLimitedCall.class, call);
    }

    /** The answer of a controller's method, behind the decision that its request has left to the arguments. */
    @SuppressWarnings("unchecked") // as the adapter of WebFlux puts it there
    static Object ofController(
            ReactiveAdapter adapter,
            LimitedMethod limits,
            MethodCall call,
            Supplier<? extends MethodInvocation> invocations) {
        Flux<Object> answer = Flux.deferContextual(context -> {
            Object pending = context.<Supplier<@Nullable Object>>getOrDefault(PENDING, () -> null)
                    .get();
            Mono<RateLimitedCall> decided = pending instanceof Pending<?> request
                            && request.method().equals(call.target())
                    ? ((Pending<Mono<RateLimitedCall>>) request).decision().apply(limiter -> limits.with(limiter, call))
                    : Mono.just(RateLimitedCall.of(context)); // no request's: it is not limited
            return decided.flatMapMany(decision -> answer(adapter, decision, true, invocations.get()));
        });
        return adapter.fromPublisher(adapter.isMultiValue() ? answer : answer.singleOrEmpty());
    }

    private static Flux<Object> answer(
            ReactiveAdapter adapter, RateLimitedCall call, boolean ofController, MethodInvocation invocation) {
        try {
            return Flux.from(adapter.toPublisher(CurrentCall.proceed(call, ofController, invocation)))
                    .contextWrite(context -> context.put(RateLimitedCall.class, call));
        } catch (Throwable thrown) { // any failure is how the answer fails
            return Flux.error(thrown);
        }
    }
}
