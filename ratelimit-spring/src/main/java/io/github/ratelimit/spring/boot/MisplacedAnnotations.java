package io.github.ratelimit.spring.boot;

import static java.util.stream.Collectors.toSet;

import io.github.ratelimit.spring.Diagnostic;
import io.github.ratelimit.spring.RateLimit;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.Set;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.method.HandlerMethod;

/** Warns of annotated methods of controllers that no request is mapped to, such as helpers: nothing limits calls of them. */
final class MisplacedAnnotations {

    private MisplacedAnnotations() {}

    static void warn(Collection<HandlerMethod> handlers, Diagnostics diagnostics) {
        Set<Method> mapped = handlers.stream()
                .map(handler -> ClassUtils.getMostSpecificMethod(handler.getMethod(), type(handler)))
                .collect(toSet());
        handlers.stream()
                .map(MisplacedAnnotations::type)
                .distinct()
                .flatMap(type -> annotated(type).stream())
                .filter(method -> !mapped.contains(method))
                .distinct()
                .forEach(method -> diagnostics.warn(
                        Diagnostic.ANNOTATED_HELPER,
                        "@RateLimit on %s.%s has no effect: no request is mapped to the method, and other calls of a controller's methods are not limited"
                                .formatted(method.getDeclaringClass().getSimpleName(), method.getName())));
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
