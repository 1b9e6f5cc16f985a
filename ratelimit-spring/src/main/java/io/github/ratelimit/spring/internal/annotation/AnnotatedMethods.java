package io.github.ratelimit.spring.internal.annotation;

import io.github.ratelimit.spring.internal.InvalidRateLimitException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.stereotype.Controller;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The limiters that annotations on beans name or describe. Controllers are left to {@link AnnotatedLimiters}.
 *
 * <p>Needs nothing of Spring Web. Immutable and safe for concurrent use.
 */
public final class AnnotatedMethods extends AnnotationReader {

    /**
     * How calls of a method are limited.
     *
     * @param limiters their distinct names, those of its class first; empty: calls are not limited
     * @param maxWait the longest wait for permits; null: nobody waits
     */
    public record Limited(List<String> limiters, @Nullable Duration maxWait) {

        /** Copies the names. */
        public Limited {
            limiters = List.copyOf(limiters);
        }
    }

    private static final Log LOG = LogFactory.getLog(AnnotatedMethods.class);

    /** Kept with the class, as long as that lives: most classes have none, and prototypes come by the thousand. */
    private static final ClassValue<Set<Method>> METHODS = new ClassValue<>() {
        @Override
        protected Set<Method> computeValue(Class<?> type) {
            return find(type);
        }
    };

    private final Set<Class<?>> controllers;

    private AnnotatedMethods(Set<Class<?>> types, Set<Class<?>> controllers, UnaryOperator<String> placeholders) {
        super(types, placeholders);
        types.forEach(AnnotatedMethods::requireReachable);
        this.controllers = controllers;
    }

    /**
     * Reads the annotations of all beans that are no controllers. Makes no bean.
     *
     * @param beans where they are defined
     * @param placeholders puts values in place of <code>${…}</code>; throws {@link IllegalArgumentException} where there is none
     * @throws InvalidRateLimitException if an annotation says nothing or two things, or stands where no call can be limited
     */
    public static AnnotatedMethods of(ConfigurableListableBeanFactory beans, UnaryOperator<String> placeholders) {
        Set<Class<?>> types = AnnotatedTypes.of(beans);
        Set<Class<?>> controllers = new LinkedHashSet<>(types);
        controllers.removeIf(type -> !isController(type));
        types.removeIf(type -> methods(type).isEmpty());
        return new AnnotatedMethods(types, controllers, placeholders);
    }

    private static boolean isController(Class<?> type) {
        return AnnotatedElementUtils.hasAnnotation(type, Controller.class);
    }

    /**
     * The methods of a bean whose calls are limited; none of a controller, whose requests its adapter limits. Looks at each class once.
     *
     * @param type the class of the bean, or a proxy's
     * @throws InvalidRateLimitException if an annotation says nothing or two things
     */
    public static Set<Method> methods(Class<?> type) {
        return METHODS.get(ClassUtils.getUserClass(type));
    }

    /** The controllers that may have annotations, from the same look at the beans. */
    Set<Class<?>> controllers() {
        return controllers;
    }

    private static Set<Method> find(Class<?> written) {
        MetadataLookup<Boolean> limited = method -> isLimited(written, method) ? true : null;
        try {
            return !AnnotatedTypes.isAnnotated(written) || isController(written)
                    ? Set.of()
                    : Set.copyOf(
                            MethodIntrospector.selectMethods(written, limited).keySet());
        } catch (InvalidRateLimitException e) {
            throw e;
        } catch (IllegalStateException | LinkageError e) {
            LOG.debug("Cannot look for @RateLimit on " + written.getName(), e); // refers to a missing class
            return Set.of();
        }
    }

    /**
     * Whether an annotation holds for a method. That of a class holds for no helper whose calls cannot be limited.
     *
     * @param type the class as it is written
     */
    private static boolean isLimited(Class<?> type, Method method) {
        boolean isHelper = obstacle(method) != null && !Modifier.isPublic(method.getModifiers());
        return !ReflectionUtils.isObjectMethod(method)
                && !of(type, method).isEmpty()
                && !(isHelper && AnnotationSearch.onMethod(type, method).isEmpty());
    }

    /**
     * Checks that calls of all annotated methods of a class can be limited: calls of private, final and static methods pass no proxy.
     *
     * @param type as it is written, no proxy's
     * @throws InvalidRateLimitException if one cannot be limited
     */
    public static void requireReachable(Class<?> type) {
        if (Proxy.isProxyClass(type)) {
            requireNone(type);
            return;
        }
        boolean whole = !AnnotationSearch.onClass(type).isEmpty();
        boolean any = whole;
        for (Method method : ReflectionUtils.getAllDeclaredMethods(type)) {
            boolean isOverridden =
                    !ClassUtils.getMostSpecificMethod(method, type).equals(method);
            if (method.getDeclaringClass() == Object.class || method.isSynthetic() || isOverridden) {
                continue;
            }
            List<AnnotatedPlace> own = AnnotationSearch.onMethod(type, method);
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
            if (whole && obstacle != null && Modifier.isPublic(method.getModifiers()) && !isExempt(method)) {
                throw unreachable(
                        AnnotationSearch.onClass(type).get(0), "%s is %s".formatted(method.getName(), obstacle));
            }
        }
        if (any && Modifier.isFinal(type.getModifiers()) && type.getInterfaces().length == 0) {
            throw new InvalidRateLimitException(
                    "@RateLimit on %s: the class is final, and so calls of its methods cannot be limited"
                            .formatted(type.getSimpleName()),
                    "make the class not final, or let it implement an interface that has the method");
        }
    }

    /** Checks a bean that is made of an interface alone, such as a client by {@code @HttpExchange}. */
    private static void requireNone(Class<?> proxy) {
        methods(proxy).stream().findFirst().ifPresent(method -> {
            throw new InvalidRateLimitException(
                    "@RateLimit on %s.%s: the bean is made of the interface alone, and calls of it cannot be limited"
                            .formatted(method.getDeclaringClass().getSimpleName(), method.getName()),
                    "put the annotation on a method of the bean that calls it, or limit the calls by an OutgoingLimit");
        });
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

    /**
     * How calls of a method are limited.
     *
     * @param type the class of the bean as it is written
     * @throws InvalidRateLimitException if an annotation describes a limiter on a class that no bean was known to have, or lets calls wait for
     * several limiters
     */
    public Limited limitedBy(Class<?> type, Method method) {
        List<AnnotatedPlace> found = of(type, method);
        Set<String> names = new LinkedHashSet<>();
        Duration maxWait = null;
        for (AnnotatedPlace place : found) {
            names.add(name(place));
            if (place.waits()) {
                maxWait = place.maxWait(placeholders());
            }
        }
        if (maxWait != null && found.size() > 1) {
            throw found.get(0)
                    .invalid(
                            "%d limiters, and maxWait: a call waits for one limiter only".formatted(found.size()),
                            "remove maxWait, or describe all limits as rules of one limiter");
        }
        return new Limited(List.copyOf(names), maxWait);
    }

    @Override
    InvalidRateLimitException unread(AnnotatedPlace place) {
        return place.invalid(
                "describes a limiter, but no bean was known to be of %s"
                        .formatted(place.controller().getName()),
                "let the @Bean method return that class, or name a limiter that is described elsewhere");
    }
}
