package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.control.OperatorChanges;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.spring.internal.annotation.AnnotatedBeans;
import io.github.ratelimit.spring.internal.diagnostics.Diagnostics;
import io.github.ratelimit.spring.internal.method.MethodLimitPostProcessor;
import io.github.ratelimit.spring.internal.method.MethodLimits;
import io.github.ratelimit.spring.internal.properties.RateLimitProperties;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/** Limits calls of annotated methods of beans that are no controllers. */
@Configuration(proxyBeanMethods = false)
@Conditional(OnLimits.class)
class LimitsConfiguration {

    @Bean("io.github.ratelimit.rateLimitMethodLimits")
    MethodLimits rateLimitMethodLimits(AnnotatedBeans annotated, HttpRateLimiter limiter) {
        annotated.requireKnown(limiter.limiters().names());
        return new MethodLimits(annotated, limiter);
    }

    @Bean("io.github.ratelimit.rateLimitMethodPostProcessor")
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static MethodLimitPostProcessor rateLimitMethodPostProcessor(
            ObjectProvider<MethodLimits> limits, Environment environment) {
        MethodLimitPostProcessor processor = new MethodLimitPostProcessor(limits::getObject);
        processor.setProxyTargetClass(environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true));
        return processor;
    }

    @Bean("io.github.ratelimit.rateLimitSharedChanges")
    OperatorChanges<HttpCall> rateLimitSharedChanges(HttpRateLimiter limiter) {
        return new OperatorChanges<>(limiter.limiters());
    }

    @Bean("io.github.ratelimit.rateLimitLimitsStart")
    LimitsStart rateLimitLimitsStart(
            MethodLimits limits,
            MethodLimitPostProcessor processor,
            ConfigurableListableBeanFactory beans,
            HttpRateLimiter http,
            RateLimitProperties properties,
            OperatorChanges<HttpCall> changes,
            Diagnostics diagnostics) {
        return new LimitsStart(limits, processor, beans, http, properties, changes, diagnostics);
    }
}
