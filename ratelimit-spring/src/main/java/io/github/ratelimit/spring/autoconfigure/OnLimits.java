package io.github.ratelimit.spring.autoconfigure;

import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Whether limits are switched on, as the bound property says: {@code off}, {@code no} and {@code 0} switch them off, too. */
class OnLimits implements Condition {

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        return context.getEnvironment().getProperty("ratelimit.enabled", Boolean.class, true);
    }
}
