package io.github.ratelimit.spring;

import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.LimiterSpec.Rule;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.Phase;
import io.github.ratelimit.http.HttpCall;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
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

    private static final AnnotatedLimiters NONE = new AnnotatedLimiters(List.of(), false);

    private final List<AnnotatedPlace> places;
    private final boolean reads;
    private final Map<String, String> inlineNames;
    private final Map<Handler, List<String>> byHandler = new ConcurrentHashMap<>(); // as many as there are methods

    private AnnotatedLimiters(List<AnnotatedPlace> places, boolean reads) {
        this.places = List.copyOf(places);
        this.reads = reads;
        this.inlineNames = InlineNames.of(places);
    }

    /** Those that read no annotation: no method has a limiter. For while limits are switched off. */
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
        Set<Class<?>> controllers = new LinkedHashSet<>();
        for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
            Class<?> type = ScopedProxyUtils.isScopedTarget(name) ? null : controllerType(beans, name);
            if (type != null && AnnotatedElementUtils.hasAnnotation(type, Controller.class)) {
                controllers.add(ClassUtils.getUserClass(type));
            }
        }
        return of(controllers);
    }

    private static @Nullable Class<?> controllerType(ConfigurableListableBeanFactory beans, String name) {
        try {
            return AutoProxyUtils.determineTargetClass(beans, name);
        } catch (RuntimeException | LinkageError e) {
            return null; // a bean of a class that cannot be loaded is nothing that serves requests
        }
    }

    /**
     * Reads the annotations of these controllers.
     *
     * @throws InvalidRateLimitException if an annotation says nothing or two things, or two descriptions come to one name by themselves
     */
    public static AnnotatedLimiters of(Collection<? extends Class<?>> controllers) {
        List<AnnotatedPlace> places = new ArrayList<>();
        for (Class<?> controller : controllers) {
            places.addAll(AnnotatedPlace.onClass(controller));
            MetadataLookup<List<AnnotatedPlace>> annotated = method -> {
                List<AnnotatedPlace> found = AnnotatedPlace.onMethod(controller, method);
                return found.isEmpty() ? null : found;
            };
            MethodIntrospector.selectMethods(controller, annotated).values().forEach(places::addAll);
        }
        return new AnnotatedLimiters(places, true);
    }

    /**
     * The limiters that annotations describe in place. They decide once it is known who is calling, as annotations do.
     *
     * @param keys makes a resolver of the names of its parts; throws {@link IllegalArgumentException} for an unknown one
     * @param onStoreFailure what each of them does when its store does not answer
     * @throws InvalidRateLimitException if a description is out of range, or two that share a name differ
     */
    public List<LimiterSpec<HttpCall>> specs(
            Function<List<String>, KeyResolver<HttpCall>> keys, OnStoreFailure onStoreFailure) {
        Map<String, AnnotatedPlace> firstByName = new LinkedHashMap<>();
        List<LimiterSpec<HttpCall>> specs = new ArrayList<>();
        for (AnnotatedPlace place : places) {
            if (place.isInline()) {
                String name = inlineName(place);
                AnnotatedPlace first = firstByName.putIfAbsent(name, place);
                if (first == null) {
                    specs.add(spec(place, name, keys, onStoreFailure));
                } else {
                    requireAgreement(place, first);
                }
            }
        }
        return specs;
    }

    private static LimiterSpec<HttpCall> spec(
            AnnotatedPlace place,
            String name,
            Function<List<String>, KeyResolver<HttpCall>> keys,
            OnStoreFailure onStoreFailure) {
        Rule<HttpCall> rule;
        try {
            rule = new Rule<>(
                    place.limit(name),
                    keys.apply(Arrays.asList(place.annotation().key())));
        } catch (IllegalArgumentException e) {
            throw place.invalid(String.valueOf(e.getMessage()), "correct the key");
        }
        return new LimiterSpec<>(name, List.of(rule), onStoreFailure, false, Phase.AFTER_AUTHENTICATION);
    }

    private static void requireAgreement(AnnotatedPlace place, AnnotatedPlace first) {
        if (!place.annotation().equals(first.annotation())) {
            throw place.invalid(
                    "describes limiter '%s' otherwise than %s"
                            .formatted(place.annotation().name(), first),
                    "give each its own name, or describe the limiter once under ratelimit.limiters and name it");
        }
    }

    /**
     * Checks that every limiter of every annotation is there.
     *
     * @param known the names of the limiters there are
     * @throws InvalidRateLimitException if one is not; says where it is wanted, and the known names
     */
    public void requireKnown(Collection<String> known) {
        places.forEach(place -> requireKnown(place, known));
    }

    /**
     * Checks that every limiter of one method is there.
     *
     * @param known the names of the limiters there are
     * @throws InvalidRateLimitException if one is not; says where it is wanted, and the known names
     */
    public void requireKnown(HandlerMethod handler, Collection<String> known) {
        placesOf(handler).forEach(place -> requireKnown(place, known));
    }

    private void requireKnown(AnnotatedPlace place, Collection<String> known) {
        if (!known.contains(name(place))) {
            throw place.invalid(
                    "no such limiter; known: %s"
                            .formatted(known.isEmpty() ? "none" : String.join(", ", new TreeSet<>(known))),
                    "correct the name, or describe the limiter under ratelimit.limiters.%s".formatted(name(place)));
        }
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
        if (!reads) {
            return List.of();
        }
        Class<?> controller = controllerOf(handler);
        List<AnnotatedPlace> found = new ArrayList<>(AnnotatedPlace.onClass(controller));
        found.addAll(
                AnnotatedPlace.onMethod(controller, AopUtils.getMostSpecificMethod(handler.getMethod(), controller)));
        return found;
    }

    /** What stands behind a proxy, once there is a bean: a proxy of interfaces has no annotations of its own. */
    private static Class<?> controllerOf(HandlerMethod handler) {
        Object bean = handler.getBean();
        return bean instanceof String ? handler.getBeanType() : ClassUtils.getUserClass(AopUtils.getTargetClass(bean));
    }

    private String name(AnnotatedPlace place) {
        return place.isInline() ? inlineName(place) : place.annotation().value();
    }

    private String inlineName(AnnotatedPlace place) {
        String name = inlineNames.get(place.id());
        if (name == null) {
            throw place.invalid(
                    "describes a limiter, but %s is no controller bean"
                            .formatted(place.controller().getName()),
                    "annotate it with @Controller or @RestController, or name a limiter that is described elsewhere");
        }
        return name;
    }
}
