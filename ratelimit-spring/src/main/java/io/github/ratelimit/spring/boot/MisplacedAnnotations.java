package io.github.ratelimit.spring.boot;

import io.github.ratelimit.spring.RateLimit;
import java.lang.reflect.Method;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.stereotype.Controller;
import org.springframework.util.ClassUtils;

/** Warns of annotations on beans that no request is dispatched to: who wrote them believes that something is limited. */
final class MisplacedAnnotations {

    private static final Log LOG = LogFactory.getLog(MisplacedAnnotations.class);

    private MisplacedAnnotations() {}

    static void warn(ConfigurableListableBeanFactory beans) {
        for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
            Class<?> type = beans.getType(name, false);
            if (type == null || isOfAFramework(type) || AnnotatedElementUtils.hasAnnotation(type, Controller.class)) {
                continue;
            }
            Class<?> written = ClassUtils.getUserClass(type);
            String place = annotated(written);
            if (place != null) {
                LOG.warn(
                        "@RateLimit on %s has no effect: %s is no controller, and a method is not limited but where a request reaches it"
                                .formatted(place, written.getSimpleName()));
            }
        }
    }

    private static boolean isOfAFramework(Class<?> type) {
        String name = type.getName();
        return name.startsWith("org.springframework.") || name.startsWith("java") || name.startsWith("jdk.");
    }

    private static @Nullable String annotated(Class<?> type) {
        try {
            if (MergedAnnotations.from(type).isPresent(RateLimit.class)) {
                return type.getSimpleName();
            }
            for (Method method : type.getDeclaredMethods()) {
                if (MergedAnnotations.from(method).isPresent(RateLimit.class)) {
                    return type.getSimpleName() + "." + method.getName();
                }
            }
        } catch (LinkageError e) {
            LOG.debug(
                    "Cannot look for @RateLimit on " + type.getName(),
                    e); // refers to what is not there: no business of ours
        }
        return null;
    }
}
