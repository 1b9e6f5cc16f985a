package io.github.ratelimit.spring.boot;

import io.github.ratelimit.spring.Diagnostic;
import io.github.ratelimit.spring.RateLimit;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.stereotype.Controller;
import org.springframework.util.ClassUtils;
import org.springframework.web.method.HandlerMethod;

/** Warns of annotations that no request and no call ever meets: who wrote them believes that something is limited. */
final class MisplacedAnnotations {

    private static final Log LOG = LogFactory.getLog(MisplacedAnnotations.class);

    private MisplacedAnnotations() {}

    /** Of methods of controllers that no request is mapped to: a helper, private or not, is called and never asked for. */
    static void warnOfHelpers(
            ConfigurableListableBeanFactory beans, Collection<HandlerMethod> handlers, Diagnostics diagnostics) {
        if (handlers.isEmpty()) {
            return; // nobody can tell what is mapped
        }
        Set<Method> told = new HashSet<>();
        for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
            Class<?> type = beans.getType(name, false);
            if (type == null || isOfAFramework(type) || !AnnotatedElementUtils.hasAnnotation(type, Controller.class)) {
                continue;
            }
            for (Class<?> at = ClassUtils.getUserClass(type);
                    at != null && at != Object.class;
                    at = at.getSuperclass()) {
                for (Method method : annotatedMethods(at)) {
                    if (handlers.stream().noneMatch(handler -> isMapped(method, handler)) && told.add(method)) {
                        diagnostics.warn(
                                Diagnostic.ANNOTATED_HELPER,
                                "@RateLimit on %s.%s has no effect: no request is mapped to the method, and a call from another method is not limited; put it on the method that is mapped"
                                        .formatted(at.getSimpleName(), method.getName()));
                    }
                }
            }
        }
    }

    private static List<Method> annotatedMethods(Class<?> type) {
        try {
            return Arrays.stream(type.getDeclaredMethods())
                    .filter(method -> !method.isSynthetic()
                            && MergedAnnotations.from(method).isPresent(RateLimit.class))
                    .toList();
        } catch (LinkageError e) {
            LOG.debug("Cannot look for @RateLimit on " + type.getName(), e);
            return List.of();
        }
    }

    /** The types of parameters are not compared: an overriding method may narrow those that a superclass leaves open. */
    private static boolean isMapped(Method method, HandlerMethod handler) {
        Method mapped = handler.getMethod();
        return mapped.equals(method)
                || (!Modifier.isPrivate(method.getModifiers())
                        && method.getDeclaringClass() != mapped.getDeclaringClass()
                        && method.getDeclaringClass().isAssignableFrom(ClassUtils.getUserClass(handler.getBeanType()))
                        && mapped.getName().equals(method.getName())
                        && mapped.getParameterCount() == method.getParameterCount());
    }

    private static boolean isOfAFramework(Class<?> type) {
        String name = type.getName();
        return name.startsWith("org.springframework.") || name.startsWith("java") || name.startsWith("jdk.");
    }
}
