package io.github.ratelimit.spring.internal.diagnostics;

import static java.util.stream.Collectors.toSet;

import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.internal.Diagnostic;
import io.github.ratelimit.spring.internal.annotation.AnnotatedLimiters;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.method.HandlerMethod;

/**
 * Warns of annotated methods of controllers that no HTTP request is mapped to, such as helpers and those of GraphQL: nothing limits calls of
 * them.
 */
final class MisplacedAnnotations {

    private MisplacedAnnotations() {}

    static void warn(Collection<HandlerMethod> handlers, AnnotatedLimiters annotated, Diagnostics diagnostics) {
        Set<Class<?>> mappedTypes =
                handlers.stream().map(MisplacedAnnotations::type).collect(toSet());
        Set<Method> mapped = handlers.stream()
                .map(handler -> ClassUtils.getMostSpecificMethod(handler.getMethod(), type(handler)))
                .collect(toSet());
        Set<Class<?>> types = new LinkedHashSet<>(mappedTypes);
        types.addAll(annotated.controllers());
        for (Class<?> type : types) {
            if (!mappedTypes.contains(type) && MergedAnnotations.from(type).isPresent(RateLimit.class)) {
                warn(type.getSimpleName(), diagnostics);
            }
            annotated(type).stream()
                    .filter(method -> !mapped.contains(method))
                    .distinct()
                    .forEach(method ->
                            warn(method.getDeclaringClass().getSimpleName() + "." + method.getName(), diagnostics));
        }
    }

    private static void warn(String where, Diagnostics diagnostics) {
        diagnostics.warn(
                Diagnostic.ANNOTATED_HELPER,
                "@RateLimit on %s has no effect: no HTTP request is mapped there, and other calls of a controller's methods are never limited"
                        .formatted(where));
    }

    private static Class<?> type(HandlerMethod handler) {
        return ClassUtils.getUserClass(handler.getBeanType());
    }

    private static Set<Method> annotated(Class<?> type) {
        ReflectionUtils.MethodFilter annotated =
                method -> MergedAnnotations.from(method).isPresent(RateLimit.class);
        return MethodIntrospector.selectMethods(type, annotated);
    }
}
