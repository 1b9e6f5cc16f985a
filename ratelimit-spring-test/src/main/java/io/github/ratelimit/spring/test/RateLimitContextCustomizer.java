package io.github.ratelimit.spring.test;

import io.github.ratelimit.test.TestClock;
import java.util.Map;
import org.springframework.beans.factory.config.RuntimeBeanReference;
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

    private static final String CLOCK = "io.github.ratelimit.rateLimitTestClock";

    @Override
    public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
        context.getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource(
                        AutoConfigureRateLimit.class.getName(),
                        Map.of("ratelimit.enabled", enabled, "ratelimit.store", "in-process")));
        BeanDefinitionRegistry beans = (BeanDefinitionRegistry) context.getBeanFactory();
        beans.registerBeanDefinition(CLOCK, primary(TestClock.class));
        RootBeanDefinition store = primary(TestStore.class);
        store.getConstructorArgumentValues().addIndexedArgumentValue(0, new RuntimeBeanReference(CLOCK));
        beans.registerBeanDefinition("io.github.ratelimit.rateLimitTestStore", store);
    }

    /** Also where the application has one of its own. Without a supplier, which code that is generated ahead of time could not repeat. */
    private static RootBeanDefinition primary(Class<?> type) {
        RootBeanDefinition definition = new RootBeanDefinition(type);
        definition.setPrimary(true);
        return definition;
    }
}
