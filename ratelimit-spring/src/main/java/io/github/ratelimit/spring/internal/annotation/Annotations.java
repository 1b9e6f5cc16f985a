package io.github.ratelimit.spring.internal.annotation;

import static java.util.Objects.requireNonNull;

import io.github.ratelimit.spring.NoRateLimit;
import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.RateLimits;
import io.github.ratelimit.spring.internal.InvalidRateLimitException;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.context.annotation.Bean;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.stereotype.Controller;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Finds the annotations that hold for a class or a method: the nearest ones, also of superclasses and interfaces.
 *
 * <p>Most applications have thousands of beans without any, so the first look at a class is cheap.
 */
public final class Annotations {

    private static final Log LOG = LogFactory.getLog(Annotations.class);

    private static final ClassValue<Boolean> IS_ANNOTATED = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return look(type);
        }
    };

    /** Whether an annotation's type is ours, or is made of ours. */
    private static final ClassValue<Boolean> MEANS_LIMIT = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return type == RateLimit.class
                    || type == RateLimits.class
                    || (!isForeign(type) && MergedAnnotations.from(type).isPresent(RateLimit.class));
        }
    };

    /** Kept with the class, as long as that lives: most classes have none, and prototypes come by the thousand. */
    private static final ClassValue<Set<Method>> METHODS = new ClassValue<>() {
        @Override
        protected Set<Method> computeValue(Class<?> type) {
            return limited(type);
        }
    };

    private Annotations() {}

    /** Whether the annotation is anywhere in a class, its superclasses or its interfaces. */
    static boolean isAnnotated(Class<?> type) {
        return IS_ANNOTATED.get(type);
    }

    private static boolean look(Class<?> type) {
        return !isForeign(type)
                && (carries(type)
                        || Arrays.stream(ReflectionUtils.getDeclaredMethods(type))
                                .anyMatch(Annotations::carries)
                        || parents(type).anyMatch(Annotations::isAnnotated));
    }

    private static boolean isForeign(Class<?> type) {
        String name = type.getName();
        return (name.startsWith("org.springframework.") && !name.startsWith("org.springframework.samples."))
                || !AnnotationUtils.isCandidateClass(type, RateLimit.class);
    }

    /** By the annotations as they are written, as most methods have none: Spring's search costs a start much more. */
    private static boolean carries(AnnotatedElement element) {
        for (Annotation annotation : element.getDeclaredAnnotations()) {
            if (MEANS_LIMIT.get(annotation.annotationType())) {
                return true;
            }
        }
        return false;
    }

    private static Stream<Class<?>> parents(Class<?> type) {
        return Stream.concat(Stream.ofNullable(type.getSuperclass()), Arrays.stream(type.getInterfaces()));
    }

    /** Whether a class is a controller by its annotations. */
    public static boolean isController(Class<?> type) {
        return AnnotatedElementUtils.hasAnnotation(type, Controller.class);
    }

    /**
     * The methods of a bean whose calls are limited; of a controller, whose requests its adapter limits, those whose arguments say the cost.
     * Looks at each class once.
     *
     * @param type the class of the bean, or a proxy's
     * @throws InvalidRateLimitException if an annotation says nothing or two things
     */
    public static Set<Method> methods(Class<?> type) {
        return METHODS.get(ClassUtils.getUserClass(type));
    }

    private static Set<Method> limited(Class<?> type) {
        boolean all = !isController(type);
        MetadataLookup<Boolean> limited =
                method -> (isLimited(type, method) && (all || hasCost(type, method))) ? true : null;
        try {
            return !isAnnotated(type)
                    ? Set.of()
                    : Set.copyOf(MethodIntrospector.selectMethods(type, limited).keySet());
        } catch (InvalidRateLimitException e) {
            throw e;
        } catch (IllegalStateException | LinkageError e) {
            LOG.debug("Cannot look for @RateLimit on " + type.getName(), e); // refers to a missing class
            return Set.of();
        }
    }

    /** Whether an annotation holds for a method. That of a class holds for no helper whose calls cannot be limited. */
    private static boolean isLimited(Class<?> type, Method method) {
        boolean isHelper = obstacle(method) != null && !Modifier.isPublic(method.getModifiers());
        return !ReflectionUtils.isObjectMethod(method)
                && !(isHelper ? onMethod(type, method) : of(type, method)).isEmpty();
    }

    private static boolean hasCost(Class<?> type, Method method) {
        return of(type, method).stream()
                .anyMatch(place -> !place.annotation().cost().isEmpty());
    }

    /** The places of a method: first those of its class, unless it is exempt, then its own. */
    static List<AnnotatedPlace> of(Class<?> type, Method method) {
        Method called = AopUtils.getMostSpecificMethod(method, type);
        List<AnnotatedPlace> found = new ArrayList<>(isExempt(called) ? List.of() : onClass(type));
        found.addAll(onMethod(type, called));
        return found;
    }

    static boolean isExempt(Method method) {
        return AnnotatedElementUtils.hasAnnotation(method, NoRateLimit.class);
    }

    static List<AnnotatedPlace> onClass(Class<?> type) {
        return nearest(type, null);
    }

    static List<AnnotatedPlace> onMethod(Class<?> type, Method method) {
        return nearest(type, method);
    }

    /** A subclass replaces what its superclass says. Two interfaces of equal standing have to say the same. */
    private static List<AnnotatedPlace> nearest(Class<?> type, @Nullable Method method) {
        Map<Class<?>, List<MergedAnnotation<RateLimit>>> found = new LinkedHashMap<>();
        collect(type, type, method, found);
        List<Class<?>> nearest = found.keySet().stream()
                .filter(one -> found.keySet().stream().noneMatch(other -> other != one && one.isAssignableFrom(other)))
                .toList();
        List<AnnotatedPlace> places = List.of();
        for (Class<?> declaring : nearest) {
            List<AnnotatedPlace> here = places(type, method, requireNonNull(found.get(declaring)));
            if (!places.isEmpty() && !places.equals(here)) {
                throw places.get(0)
                        .invalid(
                                "%s and %s say different things"
                                        .formatted(nearest.get(0).getSimpleName(), declaring.getSimpleName()),
                                "put the annotation on %s itself: it replaces both"
                                        .formatted(places.get(0).label()));
            }
            places = here;
        }
        return places;
    }

    /** Goes up each way as far as the first class that says anything, be it that the method is exempt. */
    private static void collect(
            Class<?> type,
            Class<?> at,
            @Nullable Method method,
            Map<Class<?>, List<MergedAnnotation<RateLimit>>> found) {
        Stream<? extends AnnotatedElement> here = method == null
                ? Stream.of(at)
                : Arrays.stream(ReflectionUtils.getDeclaredMethods(at)).filter(each -> isSame(each, method, type));
        MergedAnnotations said = here.map(element -> MergedAnnotations.from(element, SearchStrategy.DIRECT))
                .filter(all -> all.isPresent(RateLimit.class) || all.isPresent(NoRateLimit.class))
                .findFirst()
                .orElse(null);
        if (said == null) {
            parents(at).filter(parent -> parent != Object.class).forEach(up -> collect(type, up, method, found));
        } else if (said.isPresent(RateLimit.class)) {
            found.put(at, said.stream(RateLimit.class).toList());
        }
    }

    /** Whether a method is the other one, or is overridden or implemented by it. */
    private static boolean isSame(Method method, Method other, Class<?> type) {
        int modifiers = method.getModifiers();
        return method.equals(other)
                || (!Modifier.isPrivate(modifiers)
                        && !Modifier.isStatic(modifiers)
                        && !method.isBridge()
                        && method.getName().equals(other.getName())
                        && method.getParameterCount() == other.getParameterCount()
                        && Arrays.equals(parameterTypes(method, type), parameterTypes(other, type)));
    }

    /** As the class has them: in place of {@code T} what it says that {@code T} is. */
    private static Class<?>[] parameterTypes(Method method, Class<?> type) {
        return IntStream.range(0, method.getParameterCount())
                .mapToObj(
                        i -> ResolvableType.forMethodParameter(method, i, type).resolve(method.getParameterTypes()[i]))
                .toArray(Class<?>[]::new);
    }

    private static List<AnnotatedPlace> places(
            Class<?> type, @Nullable Method method, List<MergedAnnotation<RateLimit>> annotations) {
        List<AnnotatedPlace> held = new ArrayList<>(annotations.size());
        for (MergedAnnotation<RateLimit> annotation : annotations) {
            RateLimit said = annotation.synthesize();
            if (held.stream().noneMatch(place -> place.annotation().equals(said))) {
                held.add(new AnnotatedPlace(type, method, held.size(), said).checked(describes(annotation)));
            }
        }
        return held;
    }

    /** Whether anything but the name of a limiter is given. */
    private static boolean describes(MergedAnnotation<RateLimit> annotation) {
        return Stream.of("permits", "permitsString", "window", "key", "name", "count")
                .anyMatch(annotation::hasNonDefaultValue);
    }

    /**
     * Checks that calls of all annotated methods of a class can be limited: calls of private, final and static methods pass no proxy.
     *
     * @param type as it is written, no proxy's
     * @throws InvalidRateLimitException if one cannot be limited
     */
    public static void requireProxyable(Class<?> type) {
        List<AnnotatedPlace> whole = onClass(type);
        boolean any = !whole.isEmpty();
        for (Method method : ReflectionUtils.getUniqueDeclaredMethods(type, ReflectionUtils.USER_DECLARED_METHODS)) {
            List<AnnotatedPlace> own = onMethod(type, method);
            any |= !own.isEmpty();
            if (!own.isEmpty() && MergedAnnotations.from(method).isPresent(Bean.class)) {
                throw own.get(0)
                        .invalid(
                                "the method makes a bean and is called once, so that nothing the bean does is limited",
                                "limit its requests by ratelimit.limiters.<name>.paths, or annotate a method of the bean's class");
            }
            String obstacle = obstacle(method);
            if (obstacle != null && !own.isEmpty()) {
                throw unreachable(own.get(0), obstacle);
            }
            if (obstacle != null && !whole.isEmpty() && Modifier.isPublic(method.getModifiers()) && !isExempt(method)) {
                throw unreachable(whole.get(0), "%s is %s".formatted(method.getName(), obstacle));
            }
        }
        if (any && Modifier.isFinal(type.getModifiers()) && type.getInterfaces().length == 0) {
            throw new InvalidRateLimitException(
                    "@RateLimit on %s: the class is final, and so calls of its methods cannot be limited"
                            .formatted(type.getSimpleName()),
                    "make the class not final, or let it implement an interface that has the method");
        }
    }

    private static @Nullable String obstacle(Method method) {
        int modifiers = method.getModifiers();
        return Modifier.isPrivate(modifiers)
                ? "private"
                : Modifier.isStatic(modifiers) ? "static" : Modifier.isFinal(modifiers) ? "final" : null;
    }

    private static InvalidRateLimitException unreachable(AnnotatedPlace place, String obstacle) {
        return place.invalid(
                obstacle + ", and so calls of it cannot be limited",
                "make it a method of the bean that is neither private, static nor final, and call it from another bean");
    }
}
