package io.github.ratelimit.spring.boot;

import io.github.ratelimit.Decision;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.spring.AnnotatedLimiters;
import io.github.ratelimit.spring.AnnotatedMethods;
import io.github.ratelimit.spring.RateLimitExceededException;
import io.github.ratelimit.spring.RefusedException;
import io.github.ratelimit.spring.boot.RateLimitProperties.PathProperties;
import io.github.ratelimit.spring.method.MethodLimitPostProcessor;
import io.github.ratelimit.spring.method.MethodLimits;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** Limits calls of annotated methods of beans that are no controllers, in any application. */
@Configuration(proxyBeanMethods = false)
class MethodsConfiguration {

    private static final boolean WEB =
            ClassUtils.isPresent("org.springframework.web.ErrorResponse", MethodsConfiguration.class.getClassLoader());

    @Bean
    @ConditionalOnMissingBean
    AnnotatedMethods rateLimitAnnotatedMethods(ConfigurableListableBeanFactory beans, Environment environment) {
        return AnnotatedMethods.of(beans, environment::resolveRequiredPlaceholders);
    }

    @Bean
    @ConditionalOnMissingBean
    MethodLimits rateLimitMethodLimits(AnnotatedMethods annotated, HttpRateLimiter limiter) {
        annotated.requireKnown(limiter.limiters().names());
        Function<Decision, RefusedException> refusal = WEB ? new WebRefusal(limiter) : RefusedException::new;
        return new MethodLimits(annotated, limiter.limiters(), new MethodKeys(limiter.limiters()), refusal);
    }

    /** A class of its own: where there is no Spring Web, it is not loaded. */
    private record WebRefusal(HttpRateLimiter limiter) implements Function<Decision, RefusedException> {

        @Override
        public RefusedException apply(Decision decision) {
            return new RateLimitExceededException(limiter.verdict(decision));
        }
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static MethodLimitPostProcessor rateLimitMethodPostProcessor(
            ObjectProvider<MethodLimits> limits, Environment environment) {
        MethodLimitPostProcessor processor = new MethodLimitPostProcessor(limits::getObject);
        processor.setProxyTargetClass(environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true));
        return processor;
    }

    @Bean
    LimitedCalls rateLimitLimitedCalls() {
        return new LimitedCalls();
    }

    @Bean
    SmartInitializingSingleton rateLimitMethodCheck(
            MethodLimits limits,
            MethodLimitPostProcessor processor,
            ConfigurableListableBeanFactory beans,
            HttpRateLimiter http,
            RateLimitProperties properties,
            ObjectProvider<AnnotatedLimiters> controllers,
            LimitedCalls calls,
            ObjectProvider<LimitedPlaces> requests,
            AnnotatedMethods annotated,
            Environment environment,
            Diagnostics diagnostics) {
        return () -> {
            MethodKeys keys = new MethodKeys(http.limiters());
            controllers.ifAvailable(read -> read.names().forEach(keys::requireNoArguments));
            for (PathProperties path : properties.http().paths()) {
                String limiter = path.limiter();
                if (limiter != null) { // else told elsewhere
                    keys.requireNoArguments(limiter);
                }
            }
            requests.ifAvailable(places -> places.leaveToAdapter(limits));
            calls.find(MethodCheck.requireAllLimited(limits, processor, beans, diagnostics), beans);
            StartReport.log(http.limiters(), calls);
            if (requests.getIfAvailable() == null) { // else told with the requests that are limited
                Set<String> named = new HashSet<>(annotated.names());
                calls.all().forEach(place -> named.add(place.limiter()));
                StartReport.tellOfUnnamed(
                        http.limiters(), named, LimiterCallers.mayExist(beans, environment), diagnostics);
            }
        };
    }
}
