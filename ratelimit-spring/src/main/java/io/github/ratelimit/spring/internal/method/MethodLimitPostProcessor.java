package io.github.ratelimit.spring.internal.method;

import io.github.ratelimit.spring.internal.InvalidRateLimitException;
import io.github.ratelimit.spring.internal.annotation.Annotations;
import java.io.Serial;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.stereotype.Controller;
import org.springframework.util.ClassUtils;

/**
 * Puts a proxy around each bean with limited methods, or adds the limits to its proxy. They run before transactions and other advice, and behind
 * the checks of Spring Security.
 *
 * <p>Comes before Spring's own processors of {@code @Async}, {@code @Scheduled} and listeners, so that what these call is limited.
 */
public final class MethodLimitPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor {

    @Serial
    private static final long serialVersionUID = 1;

    /** Of methods that have limiters. */
    private static final class Limited extends StaticMethodMatcherPointcut {

        @Override
        public boolean matches(Method method, Class<?> targetClass) {
            return Annotations.methods(targetClass)
                    .contains(AopUtils.getMostSpecificMethod(method, ClassUtils.getUserClass(targetClass)));
        }
    }

    /**
     * Makes one.
     *
     * @param limits asked for when a limited method is called first, as a processor of beans is made before them
     */
    public MethodLimitPostProcessor(Supplier<MethodLimits> limits) {
        this.advisor = new DefaultPointcutAdvisor(
                new Limited(),
                new MethodLimitInterceptor((type, method) -> limits.get().limited(type, method)));
        setBeforeExistingAdvisors(true);
        setOrder(LOWEST_PRECEDENCE - 1);
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        Class<?> type = AopUtils.getTargetClass(bean);
        if (Annotations.methods(type).isEmpty()) {
            requireNoneOf(bean, type, beanName);
            return bean;
        }
        if (isInForce(bean) || isOfInterfaceAlone(bean)) {
            return bean; // a proxy around another bean's proxy: its calls are limited there, and would be counted twice
        }
        Annotations.requireProxyable(
                ClassUtils.getUserClass(type)); // or Spring would report it first, without our remedy
        Object proxy = super.postProcessAfterInitialization(bean, beanName);
        if (proxy == bean && bean instanceof Advised advised && advised.removeAdvisor(advisor)) {
            advised.addAdvisor(behindSecurity(advised), advisor);
        }
        return proxy;
    }

    /** A call that Spring Security denies takes no permit. */
    private static int behindSecurity(Advised proxy) {
        int behind = 0;
        for (Advisor each : proxy.getAdvisors()) {
            if (each.getClass().getName().startsWith("org.springframework.security.")) {
                behind = proxy.indexOf(each) + 1;
            }
        }
        return behind;
    }

    /** The class behind a proxy may lack the methods of its interfaces, such as that of a repository. Calls of these do not pass it. */
    private static void requireNoneOf(Object proxy, Class<?> behind, String name) {
        if (Proxy.isProxyClass(proxy.getClass())
                && behind != proxy.getClass()
                && !AnnotatedElementUtils.hasAnnotation(behind, Controller.class)) {
            Annotations.methods(proxy.getClass()).stream().findFirst().ifPresent(method -> {
                throw new InvalidRateLimitException(
                        "@RateLimit on %s.%s has no effect: the bean '%s' is a proxy, and what stands behind it, %s, has no such method"
                                .formatted(
                                        method.getDeclaringClass().getSimpleName(),
                                        method.getName(),
                                        name,
                                        behind.getSimpleName()),
                        "put the annotation on a method of the bean that calls it");
            });
        }
    }

    /** Whether a bean is made of its interfaces, such as a client by {@code @HttpExchange}: nothing stands behind it. */
    public static boolean isOfInterfaceAlone(@Nullable Object bean) {
        return bean != null && Proxy.isProxyClass(AopUtils.getTargetClass(bean));
    }

    /** Whether the limits of a bean's methods are in force: in its proxy, or in one that stands behind that. */
    public boolean isInForce(@Nullable Object bean) {
        Object at = bean;
        while (at instanceof Advised advised) {
            if (Arrays.asList(advised.getAdvisors()).contains(advisor)) {
                return true;
            }
            at = AopProxyUtils.getSingletonTarget(at);
        }
        return false;
    }
}
