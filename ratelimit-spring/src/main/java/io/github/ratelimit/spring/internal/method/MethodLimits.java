package io.github.ratelimit.spring.internal.method;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.spring.MethodCall;
import io.github.ratelimit.spring.RateLimitException;
import io.github.ratelimit.spring.internal.annotation.AnnotatedBeans;
import io.github.ratelimit.spring.internal.annotation.AnnotatedBeans.Limited;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
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
    private final Limiters<HttpCall> limiters;
    private final Function<Decision, RateLimitException> rejection;
    private final ParameterNameDiscoverer names = new DefaultParameterNameDiscoverer();
    private final Set<Handler> mapped = ConcurrentHashMap.newKeySet();
    private volatile List<Place> places = List.of();

    /**
     * Makes one.
     *
     * @param limiters every limiter that an annotation names or describes
     * @param rejection makes the exception of a rejection
     */
    public MethodLimits(
            AnnotatedBeans annotated, Limiters<HttpCall> limiters, Function<Decision, RateLimitException> rejection) {
        this.annotated = annotated;
        this.limiters = limiters;
        this.rejection = rejection;
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
        return limited(type, method).names();
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
        Limited found = mapped.contains(new Handler(type, method))
                ? new Limited(List.of(), null)
                : annotated.limitedBy(type, method);
        List<String> parameters = parameters(method);
        return new LimitedMethod(
                parameters == null ? List.of() : parameters,
                found.limiters(),
                found.maxWait(),
                AnnotatedElementUtils.hasAnnotation(method, Async.class)
                        || AnnotatedElementUtils.hasAnnotation(type, Async.class),
                isScheduled(method),
                limiters,
                rejection);
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
     * @param maxWait the longest wait for permits; null: nobody waits
     * @param async whether another thread calls it, which may wait for the decision
     * @param scheduled whether the scheduler calls it, which knows nothing to do about a rejection but to log it as an error: the run is left out
     */
    record LimitedMethod(
            List<String> parameters,
            List<String> names,
            @Nullable Duration maxWait,
            boolean async,
            boolean scheduled,
            Limiters<HttpCall> limiters,
            Function<Decision, RateLimitException> rejection) {

        /** Waits for the store, and for a permit where that is wanted. */
        Decision decide(MethodCall call) {
            try {
                return maxWait == null
                        ? limiters.of(names).tryAcquire(call)
                        : limiters.get(names.get(0)).acquire(call, 1, maxWait);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while %s waited for a permit".formatted(call.path()), e);
            }
        }

        /** The same without a thread that waits. */
        CompletionStage<Decision> ask(MethodCall call) {
            return maxWait == null
                    ? limiters.of(names).tryAcquireAsync(call)
                    : limiters.get(names.get(0)).acquireAsync(call, 1, maxWait);
        }

        /**
         * Whether the method is called.
         *
         * @throws RateLimitException if its caller is to know that it is not
         */
        boolean admits(Decision decision) {
            if (!decision.allowed() && !scheduled) {
                throw rejection.apply(decision);
            }
            return decision.allowed();
        }
    }
}
