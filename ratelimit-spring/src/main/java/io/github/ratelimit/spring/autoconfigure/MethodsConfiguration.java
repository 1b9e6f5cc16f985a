package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.spring.RateLimitException;
import io.github.ratelimit.spring.annotation.AnnotatedLimiters;
import io.github.ratelimit.spring.annotation.AnnotatedMethods;
import io.github.ratelimit.spring.autoconfigure.properties.MethodKeys;
import io.github.ratelimit.spring.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.spring.diagnostics.Diagnostics;
import io.github.ratelimit.spring.diagnostics.LimitedCalls;
import io.github.ratelimit.spring.diagnostics.LimitedPlaces;
import io.github.ratelimit.spring.diagnostics.MethodCheck;
import io.github.ratelimit.spring.diagnostics.StartReport;
import io.github.ratelimit.spring.method.MethodLimitPostProcessor;
import io.github.ratelimit.spring.method.MethodLimits;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/** Limits calls of annotated methods of beans that are no controllers, in any application. */
@Configuration(proxyBeanMethods = false)
class MethodsConfiguration {

    @Bean("io.github.ratelimit.rateLimitAnnotatedMethods")
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    AnnotatedMethods rateLimitAnnotatedMethods(ConfigurableListableBeanFactory beans, Environment environment) {
        return AnnotatedMethods.of(beans, environment::resolveRequiredPlaceholders);
    }

    @Bean("io.github.ratelimit.rateLimitMethodLimits")
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    MethodLimits rateLimitMethodLimits(AnnotatedMethods annotated, HttpRateLimiter limiter) {
        annotated.requireKnown(limiter.limiters().names());
        return new MethodLimits(
                annotated,
                limiter.limiters(),
                new MethodKeys(limiter.limiters()),
                decision -> RateLimitException.of(limiter.verdict(decision)));
    }

    @Bean("io.github.ratelimit.rateLimitMethodPostProcessor")
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static MethodLimitPostProcessor rateLimitMethodPostProcessor(
            ObjectProvider<MethodLimits> limits, Environment environment) {
        MethodLimitPostProcessor processor = new MethodLimitPostProcessor(limits::getObject);
        processor.setProxyTargetClass(environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true));
        return processor;
    }

    @Bean("io.github.ratelimit.rateLimitLimitedCalls")
    LimitedCalls rateLimitLimitedCalls() {
        return new LimitedCalls();
    }

    @Bean("io.github.ratelimit.rateLimitMethodCheck")
    SmartInitializingSingleton rateLimitMethodCheck(
            MethodLimits limits,
            MethodLimitPostProcessor processor,
            ConfigurableListableBeanFactory beans,
            HttpRateLimiter http,
            RateLimitProperties properties,
            ObjectProvider<AnnotatedLimiters> controllers,
            LimitedCalls calls,
            ObjectProvider<LimitedPlaces> requests,
            Diagnostics diagnostics) {
        return () -> {
            MethodKeys keys = new MethodKeys(http.limiters());
            controllers.ifAvailable(read -> read.names().forEach(keys::requireNoArguments));
            properties.limiters().forEach((name, limiter) -> {
                if (!limiter.paths().isEmpty()) {
                    keys.requireNoArguments(name);
                }
            });
            requests.ifAvailable(places -> places.leaveToAdapter(limits));
            calls.find(MethodCheck.requireAllLimited(limits, processor, beans, diagnostics), beans);
            StartReport.log(http.limiters(), calls);
        };
    }
}
