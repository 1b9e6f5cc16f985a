package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.Limiters;
import io.github.ratelimit.http.HttpCall;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.ResolvableType;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Whether the application has no limiters of HTTP calls of its own; those of other things, such as jobs, do not matter. */
class OnMissingHttpLimiters implements ConfigurationCondition {

    @Override
    public ConfigurationPhase getConfigurationPhase() {
        return ConfigurationPhase.REGISTER_BEAN;
    }

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        ConfigurableListableBeanFactory beans = context.getBeanFactory();
        ResolvableType wanted = ResolvableType.forClassWithGenerics(Limiters.class, HttpCall.class);
        return beans != null && beans.getBeanNamesForType(wanted, true, false).length == 0;
    }
}
