package io.github.ratelimit.spring.internal.annotation;

import static java.util.Objects.requireNonNull;

import io.github.ratelimit.spring.NoRateLimit;
import io.github.ratelimit.spring.RateLimit;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/** Finds the annotations that hold for a class or a method: the nearest ones, also of its superclasses and interfaces. */
final class AnnotationSearch {

    private AnnotationSearch() {}

    static List<AnnotatedPlace> onClass(Class<?> controller) {
        return of(controller, null, inHierarchy(controller));
    }

    static List<AnnotatedPlace> onMethod(Class<?> controller, Method method) {
        return isFreed(method)
                ? List.of()
                : of(controller, method, Stream.concat(inHierarchy(method), beside(controller, method)));
    }

    /** Whether an exemption is the nearest: then nothing holds that an overridden method says. */
    private static boolean isFreed(Method method) {
        MergedAnnotations all = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
        int exemption = all.get(NoRateLimit.class).getAggregateIndex(); // -1: there is none
        return exemption >= 0 && all.stream(RateLimit.class).noneMatch(one -> one.getAggregateIndex() <= exemption);
    }

    private static Stream<MergedAnnotation<RateLimit>> inHierarchy(AnnotatedElement element) {
        return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).stream(RateLimit.class);
    }

    /** The annotations of interfaces on a method that a class inherits from a superclass without these interfaces. */
    private static Stream<MergedAnnotation<RateLimit>> beside(Class<?> controller, Method method) {
        return ClassUtils.getAllInterfacesForClassAsSet(controller).stream()
                .flatMap(type -> Arrays.stream(type.getMethods()))
                .distinct()
                .filter(other -> !other.getDeclaringClass().isAssignableFrom(method.getDeclaringClass()))
                .filter(other -> isImplementedBy(method, other, controller))
                .flatMap(other -> MergedAnnotations.from(other, SearchStrategy.DIRECT).stream(RateLimit.class));
    }

    private static boolean isImplementedBy(Method method, Method other, Class<?> controller) {
        return Modifier.isPublic(method.getModifiers())
                && !Modifier.isStatic(other.getModifiers())
                && !other.isBridge()
                && other.getName().equals(method.getName())
                && other.getParameterCount() == method.getParameterCount()
                && Arrays.equals(parameterTypes(other, controller), parameterTypes(method, controller));
    }

    /** As the class has them: in place of {@code T} what it says that {@code T} is. */
    private static Class<?>[] parameterTypes(Method method, Class<?> controller) {
        return IntStream.range(0, method.getParameterCount())
                .mapToObj(i ->
                        ResolvableType.forMethodParameter(method, i, controller).resolve(method.getParameterTypes()[i]))
                .toArray(Class<?>[]::new);
    }

    private static List<AnnotatedPlace> of(
            Class<?> controller, @Nullable Method method, Stream<MergedAnnotation<RateLimit>> places) {
        List<MergedAnnotation<RateLimit>> found = places.toList();
        if (found.isEmpty()) {
            return List.of();
        }
        // The nearest hold: a subclass replaces what its superclass says. Of several interfaces all hold: none is
        // dropped in silence.
        List<MergedAnnotation<RateLimit>> nearest = found.stream()
                .filter(one -> found.stream().noneMatch(other -> overrides(other, one) && !overrides(one, other)))
                .toList();
        List<AnnotatedPlace> held = new ArrayList<>(nearest.size());
        for (MergedAnnotation<RateLimit> annotation : nearest) {
            RateLimit said = annotation.synthesize();
            if (held.stream().noneMatch(place -> place.annotation().equals(said))) {
                held.add(new AnnotatedPlace(controller, method, held.size(), said).checked(describes(annotation)));
            }
        }
        return held;
    }

    private static boolean overrides(MergedAnnotation<RateLimit> one, MergedAnnotation<RateLimit> other) {
        return declaring(other).isAssignableFrom(declaring(one));
    }

    private static Class<?> declaring(MergedAnnotation<RateLimit> annotation) {
        return annotation.getSource() instanceof Method method
                ? method.getDeclaringClass()
                : (Class<?>) requireNonNull(annotation.getSource());
    }

    /** Whether anything but the name of a limiter is given. */
    private static boolean describes(MergedAnnotation<RateLimit> annotation) {
        return Stream.of("permits", "permitsString", "window", "key", "name", "count")
                .anyMatch(annotation::hasNonDefaultValue);
    }
}
