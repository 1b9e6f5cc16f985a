package io.github.ratelimit.spring.internal.diagnostics;

import io.github.ratelimit.spring.internal.Diagnostic;
import io.github.ratelimit.spring.internal.InvalidRateLimitException;
import io.github.ratelimit.spring.internal.annotation.AnnotatedMethods;
import io.github.ratelimit.spring.internal.method.MethodLimitPostProcessor;
import io.github.ratelimit.spring.internal.method.MethodLimits;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/** Checks, once all beans are there, that calls of every annotated method are limited. */
public final class MethodCheck {

    /** Beans of a test context in which a test replaces beans by finished objects, such as mocks: {@code @MockitoBean}, {@code @MockBean}. */
    private static final List<String> REPLACEMENTS = List.of(
            "org.springframework.test.context.bean.override.internalBeanOverrideRegistry",
            "org.springframework.boot.test.mock.mockito.MockitoBeans");

    private MethodCheck() {}

    /** @return what is limited, in the order of beans and names of methods */
    public static List<LimitedCalls.Place> requireAllLimited(
            MethodLimits limits,
            MethodLimitPostProcessor processor,
            ConfigurableListableBeanFactory beans,
            Diagnostics diagnostics) {
        List<LimitedCalls.Place> places = new ArrayList<>();
        for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
            Class<?> type = type(beans, name);
            if (type == null) {
                continue;
            }
            Set<Method> methods = AnnotatedMethods.methods(type);
            methods.stream()
                    .sorted(Comparator.comparing(Method::getName))
                    .forEach(method -> limits.require(type, method)
                            .forEach(limiter -> places.add(
                                    new LimitedCalls.Place(type.getSimpleName() + "." + method.getName(), limiter))));
            if (!methods.isEmpty()) {
                requireProxy(beans, name, type, processor);
                SelfCalls.of(type, methods).forEach(call -> warnOf(type, call, diagnostics));
            }
        }
        return places;
    }

    private static void warnOf(Class<?> type, String call, Diagnostics diagnostics) {
        diagnostics.warn(
                Diagnostic.UNREAD_ANNOTATION,
                "%s.%s within the class itself: that call is not limited, because only calls from other beans are; move the limited method to another bean"
                        .formatted(type.getSimpleName(), call));
    }

    private static @Nullable Class<?> type(ConfigurableListableBeanFactory beans, String name) {
        try {
            Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
            return type == null ? null : ClassUtils.getUserClass(type);
        } catch (RuntimeException | LinkageError e) {
            return null; // a bean of a class that cannot be loaded is nothing that is called
        }
    }

    private static void requireProxy(
            ConfigurableListableBeanFactory beans, String name, Class<?> type, MethodLimitPostProcessor processor) {
        Object bean = beans.containsSingleton(name) ? beans.getSingleton(name) : null;
        boolean isReplaced = REPLACEMENTS.stream().anyMatch(beans::containsSingleton);
        if (bean != null && !isReplaced && !(bean instanceof FactoryBean<?>) && !processor.isInForce(bean)) {
            throw new InvalidRateLimitException(
                    "@RateLimit on %s has no effect: the bean '%s' was created too early"
                            .formatted(type.getSimpleName(), name),
                    "a BeanPostProcessor or a BeanFactoryPostProcessor depends on it: inject it there by ObjectProvider; or do not register a finished object");
        }
    }
}
