package io.github.ratelimit.spring.method;

import io.github.ratelimit.spring.AnnotatedMethods;
import java.io.Serial;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.util.ClassUtils;
import org.springframework.util.ConcurrentReferenceHashMap;

/**
 * Puts a proxy around each bean with limited methods, or adds the limits to the proxy that it has: before transactions and whatever else that
 * proxy does.
 *
 * <p>Comes before Spring's own processors of {@code @Async}, {@code @Scheduled} and listeners, so that what these call is limited.
 */
public final class MethodLimitPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor {

    @Serial
    private static final long serialVersionUID = 1;

    /** Of methods that have limiters. */
    private static final class Limited extends StaticMethodMatcherPointcut {

        private final Map<Class<?>, Set<Method>> known = new ConcurrentReferenceHashMap<>();

        @Override
        public boolean matches(Method method, Class<?> targetClass) {
            return known.computeIfAbsent(targetClass, AnnotatedMethods::methods)
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
        if (AnnotatedMethods.methods(type).isEmpty()) {
            return bean;
        }
        AnnotatedMethods.requireReachable(
                ClassUtils.getUserClass(type)); // or Spring would tell of it in words of its own
        return super.postProcessAfterInitialization(bean, beanName);
    }

    /** Whether the limits of a bean's methods are in force. */
    public boolean isInForce(@Nullable Object bean) {
        return bean instanceof Advised advised
                && Arrays.asList(advised.getAdvisors()).contains(advisor);
    }
}
