package io.github.ratelimit.spring.boot;

import io.github.ratelimit.Limiters;
import io.github.ratelimit.http.HttpRateLimiter;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;

/** Looks for code of the application that may ask for a limiter by its name. */
final class LimiterCallers {

    private static final String OURS = "io.github.ratelimit.spring.boot.";

    private LimiterCallers() {}

    /** Whether a bean that is not the library's was given the limiters; true also where beans are made late. */
    static boolean mayExist(ConfigurableListableBeanFactory beans, Environment environment) {
        if (environment.getProperty("spring.main.lazy-initialization", Boolean.class, false)) {
            return true;
        }
        for (Class<?> type : new Class<?>[] {HttpRateLimiter.class, Limiters.class}) {
            for (String asked : beans.getBeanNamesForType(type, true, false)) {
                for (String caller : beans.getDependentBeans(asked)) {
                    if (!isOurs(beans, caller)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** Made by one of the library's configurations, which stand in no other class. */
    private static boolean isOurs(ConfigurableListableBeanFactory beans, String bean) {
        if (!beans.containsBeanDefinition(bean)) {
            return false;
        }
        String configuration = beans.getBeanDefinition(bean).getFactoryBeanName();
        Class<?> type = configuration == null ? null : beans.getType(configuration, false);
        return type != null && type.getName().startsWith(OURS) && type.getEnclosingClass() == null;
    }
}
