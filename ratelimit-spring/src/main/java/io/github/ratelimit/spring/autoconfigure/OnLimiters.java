package io.github.ratelimit.spring.autoconfigure;

import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Whether {@link RateLimitAutoConfiguration} makes limiters in this context. Asks for its name, because a look by type asks every bean of the
 * application.
 */
final class OnLimiters implements ConfigurationCondition {

    @Override
    public ConfigurationPhase getConfigurationPhase() {
        return ConfigurationPhase.REGISTER_BEAN;
    }

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        return context.getRegistry().containsBeanDefinition(RateLimitAutoConfiguration.class.getName());
    }
}
