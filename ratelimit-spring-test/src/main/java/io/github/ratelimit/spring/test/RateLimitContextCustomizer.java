package io.github.ratelimit.spring.test;

import io.github.ratelimit.test.TestClock;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;

/**
 * Puts the clock and the store into an application context before anything in it asks whether there are any.
 *
 * @param enabled part of what an application context is cached by: tests that differ in it get two
 */
record RateLimitContextCustomizer(boolean enabled) implements ContextCustomizer {

    @Override
    public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
        context.getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource(
                        AutoConfigureRateLimit.class.getName(),
                        Map.of("ratelimit.enabled", enabled, "ratelimit.store", "in-process")));
        BeanDefinitionRegistry beans = (BeanDefinitionRegistry) context.getBeanFactory();
        TestClock clock = new TestClock();
        TestStore store = new TestStore(clock);
        beans.registerBeanDefinition("io.github.ratelimit.rateLimitTestClock", primary(TestClock.class, () -> clock));
        beans.registerBeanDefinition("io.github.ratelimit.rateLimitTestStore", primary(TestStore.class, () -> store));
    }

    /** Also where the application has one of its own. */
    private static <T> RootBeanDefinition primary(Class<T> type, Supplier<T> bean) {
        RootBeanDefinition definition = new RootBeanDefinition(type, bean);
        definition.setPrimary(true);
        return definition;
    }
}
