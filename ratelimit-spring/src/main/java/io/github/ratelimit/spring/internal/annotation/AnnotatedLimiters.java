package io.github.ratelimit.spring.internal.annotation;

import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.internal.InvalidRateLimitException;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.web.method.HandlerMethod;

/**
 * The limiters that annotations on controllers name or describe.
 *
 * <p>Safe for concurrent use.
 */
public final class AnnotatedLimiters extends AnnotationReader {

    private record Handler(Class<?> controller, Method method) {}

    private final Map<Handler, List<String>> byHandler = new ConcurrentHashMap<>(); // as many as there are methods

    private AnnotatedLimiters(Collection<? extends Class<?>> controllers, UnaryOperator<String> placeholders) {
        super(controllers, placeholders);
        places().forEach(AnnotatedLimiters::requireNoWait);
    }

    private static void requireNoWait(AnnotatedPlace place) {
        if (place.waits()) {
            throw place.invalid(
                    "no request waits before a controller, and so maxWait has no meaning there",
                    "remove maxWait, or put the annotation on a bean that the controller calls");
        }
    }

    /**
     * Reads the annotations of all controllers that were found with other annotated beans, and puts values in place of placeholders.
     *
     * @throws InvalidRateLimitException if an annotation says nothing or two things
     */
    public static AnnotatedLimiters of(AnnotatedMethods beans) {
        return new AnnotatedLimiters(beans.controllers(), beans.placeholders());
    }

    /**
     * Reads the annotations of these controllers.
     *
     * @throws InvalidRateLimitException if an annotation says nothing or two things, or two descriptions come to one name by themselves
     */
    public static AnnotatedLimiters of(Collection<? extends Class<?>> controllers) {
        return new AnnotatedLimiters(controllers, UnaryOperator.identity());
    }

    /** The controllers that have annotations, or methods with annotations. */
    public Set<Class<?>> controllers() {
        Set<Class<?>> controllers = new LinkedHashSet<>();
        places().forEach(place -> controllers.add(place.controller()));
        return controllers;
    }

    /**
     * Checks that every limiter of one method is there.
     *
     * @param known the names of the limiters there are
     * @throws InvalidRateLimitException if one is not; says where it is wanted, and the known names
     */
    public void requireKnown(HandlerMethod handler, Collection<String> known) {
        requireKnown(placesOf(handler), known);
    }

    /**
     * The names of a method's limiters: first those of its controller, then its own; each once.
     *
     * @throws InvalidRateLimitException if an annotation describes a limiter on a class that was no controller when annotations were read
     */
    public List<String> namesFor(HandlerMethod handler) {
        return byHandler.computeIfAbsent(
                new Handler(controllerOf(handler), handler.getMethod()),
                key -> placesOf(handler).stream().map(this::name).distinct().toList());
    }

    /** Whether a method is exempt from annotations, and there are none that it could be exempt from. */
    public boolean isExemptFromNothing(HandlerMethod handler) {
        return isExempt(handler.getMethod())
                && AnnotationSearch.onClass(controllerOf(handler)).isEmpty()
                && MergedAnnotations.from(handler.getMethod(), SearchStrategy.TYPE_HIERARCHY).stream(RateLimit.class)
                        .findAny()
                        .isEmpty();
    }

    private List<AnnotatedPlace> placesOf(HandlerMethod handler) {
        return of(controllerOf(handler), handler.getMethod());
    }

    /** The class behind a proxy, once there is a bean: a proxy of interfaces has no annotations. */
    private static Class<?> controllerOf(HandlerMethod handler) {
        Object bean = handler.getBean();
        return bean instanceof String ? handler.getBeanType() : ClassUtils.getUserClass(AopUtils.getTargetClass(bean));
    }

    @Override
    InvalidRateLimitException unread(AnnotatedPlace place) {
        return place.invalid(
                "describes a limiter, but %s is no controller bean of the application's own context"
                        .formatted(place.controller().getName()),
                "annotate it with @Controller or @RestController, or name a limiter that is described elsewhere");
    }
}
