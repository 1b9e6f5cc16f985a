package io.github.ratelimit.spring.internal.method;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.spring.MethodCall;
import io.github.ratelimit.spring.RateLimitException;
import io.github.ratelimit.spring.RateLimitedCall;
import io.github.ratelimit.spring.internal.annotation.AnnotatedBeans;
import io.github.ratelimit.spring.internal.annotation.AnnotatedBeans.Limited;
import io.github.ratelimit.spring.internal.annotation.Annotations;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * Which limiters the methods of beans have, and what becomes of a rejection.
 *
 * <p>Safe for concurrent use.
 */
public final class MethodLimits {

    /**
     * Calls that a limiter limits.
     *
     * @param what for example {@code Mailer.send}
     */
    public record Place(String what, String limiter) {}

    private record Handler(Class<?> type, Method method) {}

    private final AnnotatedBeans annotated;
    private final HttpRateLimiter limiter;
    private final ParameterNameDiscoverer names = new DefaultParameterNameDiscoverer();
    private final Set<Handler> mapped = ConcurrentHashMap.newKeySet();
    private volatile List<Place> places = List.of();

    /**
     * Makes one.
     *
     * @param limiter knows every limiter that an annotation names or describes
     */
    public MethodLimits(AnnotatedBeans annotated, HttpRateLimiter limiter) {
        this.annotated = annotated;
        this.limiter = limiter;
    }

    /** Leaves a method to the adapter that limits the requests which are mapped to it, as such a request is not counted twice. */
    public void leaveToAdapter(Class<?> type, Method method) {
        mapped.add(new Handler(type, method));
    }

    /**
     * Checks that calls of a method can be limited as its annotations say.
     *
     * @param type the class of the bean as it is written
     * @return the names of its limiters; none where calls of it are left to an adapter
     * @throws io.github.ratelimit.spring.internal.InvalidRateLimitException if they cannot
     */
    public List<String> require(Class<?> type, Method method) {
        LimitedMethod limited = limited(type, method);
        return limited.ofController() ? List.of() : limited.names();
    }

    /** The expressions of what calls of a method cost, by the limiter's name. */
    public Map<String, String> costs(Class<?> type, Method method) {
        return annotated.costs(type, method);
    }

    /** Sets what is limited, at the start, before anybody asks; each place once, also where a class has several beans. */
    public void limit(List<Place> found) {
        places = found.stream().distinct().toList();
    }

    /** All limited calls. */
    public List<Place> places() {
        return places;
    }

    /** The calls of one limiter. */
    public List<String> places(String limiter) {
        return places.stream()
                .filter(place -> place.limiter().equals(limiter))
                .map(Place::what)
                .toList();
    }

    /** The names of a method's parameters; null if they are not known. */
    public @Nullable List<String> parameters(Method method) {
        String[] known = names.getParameterNames(method);
        return known == null ? null : List.of(known);
    }

    LimitedMethod limited(Class<?> type, Method method) {
        boolean ofController = mapped.contains(new Handler(type, method)) || Annotations.isController(type);
        Map<String, ArgumentKey> costs = new HashMap<>();
        annotated.costs(type, method).forEach((name, cost) -> costs.put(name, ArgumentKey.of("cost", cost)));
        Limited found =
                ofController && costs.isEmpty() ? new Limited(List.of(), null) : annotated.limitedBy(type, method);
        List<String> parameters = parameters(method);
        return new LimitedMethod(
                parameters == null ? List.of() : parameters,
                found.limiters(),
                costs,
                ofController,
                found.maxWait(),
                AnnotatedElementUtils.hasAnnotation(method, Async.class)
                        || AnnotatedElementUtils.hasAnnotation(type, Async.class),
                isScheduled(method),
                limiter);
    }

    /** A caller of a method that returns a number expects a number. */
    private static boolean isScheduled(Method method) {
        Class<?> answer = method.getReturnType();
        return (answer == void.class || !answer.isPrimitive())
                && MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).isPresent(Scheduled.class);
    }

    /**
     * One method, and whom to ask about its calls.
     *
     * @param parameters the names of its parameters; empty if they are not known
     * @param names its limiters; none: its calls are not limited here
     * @param costs what its calls cost, by the limiter's name; none for the limiter's own cost
     * @param ofController whether an adapter limits its requests, and leaves to it what needs the arguments
     * @param maxWait the longest wait for permits; null: nobody waits
     * @param async whether another thread calls it, which may wait for the decision
     * @param scheduled whether the scheduler calls it, which knows nothing to do about a rejection but to log it as an error: the run is left out
     */
    record LimitedMethod(
            List<String> parameters,
            List<String> names,
            Map<String, ArgumentKey> costs,
            boolean ofController,
            @Nullable Duration maxWait,
            boolean async,
            boolean scheduled,
            HttpRateLimiter limiter) {

        Limiters<HttpCall> limiters() {
            return limiter.limiters();
        }

        /** The limiter with the costs of a call. */
        HttpRateLimiter with(HttpRateLimiter limiter, MethodCall call) {
            Map<String, ToLongFunction<HttpCall>> known = new HashMap<>();
            costs.forEach((name, cost) -> known.put(name, any -> cost.cost(name, call)));
            return known.isEmpty() ? limiter : limiter.withCosts(known);
        }

        /** An admitted call, for the code that settles it. */
        RateLimitedCall admitted(Decision decision, @Nullable RateLimitedCall outer) {
            return new RateLimitedCall(
                    () -> decision, (limiter, actual) -> limiters().settle(decision, limiter, actual), outer);
        }

        /** Waits for the store, and for a permit where that is wanted. */
        Decision decide(MethodCall call) {
            HttpRateLimiter known = with(limiter, call);
            try {
                return maxWait == null
                        ? limiters().of(names).tryAcquire(call, name -> known.cost(name, call))
                        : limiters().get(names.get(0)).acquire(call, known.cost(names.get(0), call), maxWait);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while %s waited for a permit".formatted(call.path()), e);
            }
        }

        /** The same without a thread that waits. */
        CompletionStage<Decision> ask(MethodCall call) {
            HttpRateLimiter known = with(limiter, call);
            return maxWait == null
                    ? limiters().of(names).tryAcquireAsync(call, name -> known.cost(name, call))
                    : limiters().get(names.get(0)).acquireAsync(call, known.cost(names.get(0), call), maxWait);
        }

        /**
         * Whether the method is called.
         *
         * @throws RateLimitException if its caller is to know that it is not
         */
        boolean admits(Decision decision) {
            if (!decision.allowed() && !scheduled) {
                throw RateLimitException.of(limiter.verdict(decision));
            }
            return decision.allowed();
        }
    }
}
