package io.github.ratelimit.spring.annotation;

import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.http.HttpCall;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.stereotype.Controller;
import org.springframework.util.ClassUtils;
import org.springframework.web.method.HandlerMethod;

/**
 * The limiters that the annotations of an application's controllers name, and those that they describe.
 *
 * <p>Safe for concurrent use.
 */
public final class AnnotatedLimiters {

    private record Handler(Class<?> controller, Method method) {}

    private static final AnnotatedLimiters NONE = new AnnotatedLimiters(List.of(), false, UnaryOperator.identity());

    private final AnnotatedPlaces places;
    private final boolean reads;
    private final Map<Handler, List<String>> byHandler = new ConcurrentHashMap<>(); // as many as there are methods

    private AnnotatedLimiters(
            Collection<? extends Class<?>> controllers, boolean reads, UnaryOperator<String> placeholders) {
        this.places = new AnnotatedPlaces(controllers, placeholders);
        this.reads = reads;
        places.all().forEach(AnnotatedLimiters::requireNoWait);
    }

    private static void requireNoWait(AnnotatedPlace place) {
        if (place.waits()) {
            throw place.invalid(
                    "no request waits before a controller, and so maxWait has no meaning there",
                    "remove maxWait, or put the annotation on a bean that the controller calls");
        }
    }

    /** Reads no annotation: no method has a limiter. For while limits are switched off. */
    public static AnnotatedLimiters none() {
        return NONE;
    }

    /**
     * Reads the annotations of all controllers. Makes no bean.
     *
     * @param beans where the controllers are defined
     * @throws InvalidRateLimitException if an annotation says nothing or two things
     */
    public static AnnotatedLimiters of(ConfigurableListableBeanFactory beans) {
        return of(beans, UnaryOperator.identity());
    }

    /**
     * Reads the annotations of all controllers, and puts values in place of placeholders. Makes no bean.
     *
     * @param beans where the controllers are defined
     * @param placeholders puts values in place of <code>${…}</code>; throws {@link IllegalArgumentException} where there is none, as {@code
     *     Environment.resolveRequiredPlaceholders} does
     * @throws InvalidRateLimitException if an annotation says nothing or two things
     */
    public static AnnotatedLimiters of(ConfigurableListableBeanFactory beans, UnaryOperator<String> placeholders) {
        return new AnnotatedLimiters(
                AnnotatedPlaces.types(beans, type -> AnnotatedElementUtils.hasAnnotation(type, Controller.class)),
                true,
                placeholders);
    }

    /**
     * Reads the annotations of these controllers.
     *
     * @throws InvalidRateLimitException if an annotation says nothing or two things, or two descriptions come to one name by themselves
     */
    public static AnnotatedLimiters of(Collection<? extends Class<?>> controllers) {
        return new AnnotatedLimiters(controllers, true, UnaryOperator.identity());
    }

    /**
     * The limiters that annotations describe in place. They decide after authentication, as annotations do.
     *
     * @param keys makes a resolver of the names of its parts; throws {@link IllegalArgumentException} for an unknown one
     * @param onStoreFailure their policy in an outage of the store
     * @throws InvalidRateLimitException if a description is out of range, or two that share a name differ
     */
    public List<LimiterSpec<HttpCall>> specs(
            Function<List<String>, KeyResolver<HttpCall>> keys, OnStoreFailure onStoreFailure) {
        return places.specs(keys, onStoreFailure);
    }

    /** The controllers that have annotations, or methods with annotations. */
    public Set<Class<?>> controllers() {
        Set<Class<?>> controllers = new LinkedHashSet<>();
        places.all().forEach(place -> controllers.add(place.controller()));
        return controllers;
    }

    /** The names of all limiters that annotations name or describe. */
    public Set<String> names() {
        return places.names();
    }

    /**
     * Checks that every limiter of every annotation is there.
     *
     * @param known the names of the limiters there are
     * @throws InvalidRateLimitException if one is not; says where it is wanted, and the known names
     */
    public void requireKnown(Collection<String> known) {
        places.all().forEach(place -> AnnotatedPlaces.requireKnown(place, name(place), known));
    }

    /**
     * Checks that every limiter of one method is there.
     *
     * @param known the names of the limiters there are
     * @throws InvalidRateLimitException if one is not; says where it is wanted, and the known names
     */
    public void requireKnown(HandlerMethod handler, Collection<String> known) {
        placesOf(handler).forEach(place -> AnnotatedPlaces.requireKnown(place, name(place), known));
    }

    /**
     * The names of a method's limiters: first those of its controller, then its own; each once.
     *
     * @throws InvalidRateLimitException if a limiter is described in place on what was no controller when annotations were read
     */
    public List<String> namesFor(HandlerMethod handler) {
        return byHandler.computeIfAbsent(
                new Handler(controllerOf(handler), handler.getMethod()),
                key -> placesOf(handler).stream().map(this::name).distinct().toList());
    }

    private List<AnnotatedPlace> placesOf(HandlerMethod handler) {
        return reads ? AnnotatedPlaces.of(controllerOf(handler), handler.getMethod()) : List.of();
    }

    /** What stands behind a proxy, once there is a bean: a proxy of interfaces has no annotations of its own. */
    private static Class<?> controllerOf(HandlerMethod handler) {
        Object bean = handler.getBean();
        return bean instanceof String ? handler.getBeanType() : ClassUtils.getUserClass(AopUtils.getTargetClass(bean));
    }

    private String name(AnnotatedPlace place) {
        String name = places.name(place);
        if (name == null) {
            throw place.invalid(
                    "describes a limiter, but %s is no controller bean of the application's own context"
                            .formatted(place.controller().getName()),
                    "annotate it with @Controller or @RestController, or name a limiter that is described elsewhere");
        }
        return name;
    }
}
