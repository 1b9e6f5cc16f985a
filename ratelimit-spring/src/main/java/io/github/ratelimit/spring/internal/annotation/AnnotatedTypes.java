package io.github.ratelimit.spring.internal.annotation;

import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.RateLimits;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Finds the classes of beans that the annotation stands on. Most applications have thousands without it, so the look at each is cheap.
 */
final class AnnotatedTypes {

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

    private AnnotatedTypes() {}

    /** The classes as they are written, no proxies. A class that cannot be read counts as annotated. Makes no bean. */
    static Set<Class<?>> of(ConfigurableListableBeanFactory beans) {
        Set<Class<?>> types = new LinkedHashSet<>();
        for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
            Class<?> type = ScopedProxyUtils.isScopedTarget(name) ? null : type(beans, name);
            if (type != null && mayBeAnnotated(type)) {
                types.add(type);
            }
        }
        return types;
    }

    private static @Nullable Class<?> type(ConfigurableListableBeanFactory beans, String name) {
        try {
            Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
            return type == null ? null : ClassUtils.getUserClass(type);
        } catch (RuntimeException | LinkageError e) {
            return null; // a bean of a class that cannot be loaded is nothing that is called
        }
    }

    private static boolean mayBeAnnotated(Class<?> type) {
        try {
            return isAnnotated(type);
        } catch (IllegalStateException | LinkageError e) {
            return true; // refers to a missing class
        }
    }

    /** Whether the annotation stands anywhere in a class, its superclasses or its interfaces. */
    static boolean isAnnotated(Class<?> type) {
        return IS_ANNOTATED.get(type);
    }

    private static boolean look(Class<?> type) {
        if (isForeign(type)) {
            return false;
        }
        if (carries(type)) {
            return true;
        }
        for (Method method : ReflectionUtils.getDeclaredMethods(type)) {
            if (carries(method)) {
                return true;
            }
        }
        for (Class<?> parent : type.getInterfaces()) {
            if (isAnnotated(parent)) {
                return true;
            }
        }
        return type.getSuperclass() != null && isAnnotated(type.getSuperclass());
    }

    private static boolean isForeign(Class<?> type) {
        return type.getName().startsWith("org.springframework.")
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
}
