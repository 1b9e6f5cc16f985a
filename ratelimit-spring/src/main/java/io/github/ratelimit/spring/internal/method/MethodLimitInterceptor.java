package io.github.ratelimit.spring.internal.method;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Hold;
import io.github.ratelimit.spring.MethodCall;
import io.github.ratelimit.spring.RateLimitedCall;
import io.github.ratelimit.spring.internal.method.CurrentCall.Pending;
import io.github.ratelimit.spring.internal.method.MethodLimits.LimitedMethod;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.ReactiveAdapter;
import org.springframework.util.ClassUtils;

/**
 * Asks a method's limiters before the method is called.
 *
 * <p>A rejection of what answers later (a {@code CompletionStage}, a {@code Mono}, a {@code Flux}, whatever Reactor can adapt, and a suspending
 * function) is how the answer fails, and each subscription is a call. Its caller is not blocked. Methods never run on a thread of the library's.
 * Safe for concurrent use.
 */
final class MethodLimitInterceptor implements MethodInterceptor {

    private record Place(Class<?> type, Method method) {}

    private static final boolean REACTOR =
            ClassUtils.isPresent("reactor.core.publisher.Flux", MethodLimitInterceptor.class.getClassLoader());

    private final BiFunction<Class<?>, Method, LimitedMethod> limited;
    private final Map<Place, LimitedMethod> known = new ConcurrentHashMap<>(); // as many as there are methods

    MethodLimitInterceptor(BiFunction<Class<?>, Method, LimitedMethod> limited) {
        this.limited = limited;
    }

    @Override
    @SuppressWarnings("try") // the hold is closed, and not used
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        Class<?> type = ClassUtils.getUserClass(
                target == null ? invocation.getMethod().getDeclaringClass() : AopUtils.getTargetClass(target));
        Method method = AopUtils.getMostSpecificMethod(invocation.getMethod(), type);
        LimitedMethod limits =
                known.computeIfAbsent(new Place(type, method), place -> limited.apply(place.type(), place.method()));
        if (limits.names().isEmpty()) {
            return invocation.proceed();
        }
        MethodCall call = new MethodCall(method, limits.parameters(), invocation.getArguments());
        if (limits.ofController()) {
            return behindArguments(limits, call, invocation);
        }
        Class<?> answer = method.getReturnType();
        if ((answer == CompletableFuture.class || answer == CompletionStage.class) && !limits.async()) {
            return later(limits, call, copy(invocation));
        }
        ReactiveAdapter adapter = REACTOR ? ReactiveAnswers.adapter(method) : null;
        if (adapter != null) {
            MethodInvocation first = copy(invocation);
            return ReactiveAnswers.of(adapter, limits, call, () -> copy(first));
        }
        Decision decision = limits.decide(call);
        try (Hold hold = limits.limiters().hold(decision)) {
            return limits.admits(decision)
                    ? CurrentCall.proceed(limits.admitted(decision, CurrentCall.find()), false, invocation)
                    : null;
        }
    }

    /** A request that its adapter has left to the arguments. Another call of a controller's method is not limited. */
    @SuppressWarnings("unchecked") // as the servlet adapter puts it there
    private static @Nullable Object behindArguments(LimitedMethod limits, MethodCall call, MethodInvocation invocation)
            throws Throwable {
        if (CurrentCall.attribute(Pending.ATTRIBUTE) instanceof Pending<?> pending
                && pending.method().equals(call.target())) {
            Pending<RateLimitedCall> request = (Pending<RateLimitedCall>) pending;
            return CurrentCall.proceed(
                    request.decision().apply(limiter -> limits.with(limiter, call)), true, invocation);
        }
        ReactiveAdapter adapter = REACTOR ? ReactiveAnswers.adapter(call.target()) : null;
        if (adapter == null) {
            return invocation.proceed();
        }
        MethodInvocation first = copy(invocation);
        return ReactiveAnswers.ofController(adapter, limits, call, () -> copy(first));
    }

    /** On the caller's thread if the decision is there, else on the common pool, with the caller's context class loader. */
    private static CompletableFuture<Object> later(LimitedMethod limits, MethodCall call, MethodInvocation invocation) {
        CompletableFuture<Decision> decision = limits.ask(call).toCompletableFuture();
        RateLimitedCall outer = CurrentCall.find();
        if (decision.isDone()) {
            return decision.thenCompose(decided -> proceed(limits, decided, outer, invocation));
        }
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        CompletableFuture<Object> answer = new CompletableFuture<>();
        decision.thenComposeAsync(decided -> {
                    if (answer.isDone()) { // cancelled, or it has timed out
                        return limits.limiters().refund(decided).thenApply(nothing -> answer);
                    }
                    ClassLoader before = ClassUtils.overrideThreadContextClassLoader(loader);
                    try {
                        return proceed(limits, decided, outer, invocation);
                    } finally {
                        ClassUtils.overrideThreadContextClassLoader(before);
                    }
                })
                .whenComplete((result, failure) -> {
                    if (failure != null) {
                        answer.completeExceptionally(failure);
                    } else {
                        answer.complete(result);
                    }
                });
        answer.whenComplete((result, failure) -> decision.cancel(false)); // ends a wait
        return answer;
    }

    @SuppressWarnings("unchecked") // as the method's return type says
    private static CompletionStage<Object> proceed(
            LimitedMethod limits, Decision decision, @Nullable RateLimitedCall outer, MethodInvocation invocation) {
        Hold hold = limits.limiters().hold(decision);
        try {
            Object answer = limits.admits(decision)
                    ? CurrentCall.proceed(limits.admitted(decision, outer), false, invocation)
                    : null;
            CompletionStage<Object> stage =
                    answer == null ? CompletableFuture.completedFuture(null) : (CompletionStage<Object>) answer;
            return hold == Hold.NOTHING ? stage : stage.whenComplete((result, failure) -> hold.close());
        } catch (Throwable thrown) { // any failure is how the answer fails
            hold.close();
            return CompletableFuture.failedFuture(thrown);
        }
    }

    /** An invocation goes on once, and on the thread that made it; a copy of it may do so later. */
    private static MethodInvocation copy(MethodInvocation invocation) {
        return ((ProxyMethodInvocation) invocation).invocableClone();
    }
}
