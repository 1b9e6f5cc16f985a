package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.Limiters;
import io.github.ratelimit.control.OperatorChanges;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.http.Outcomes;
import io.github.ratelimit.http.client.OutgoingLimit;
import io.github.ratelimit.spring.RateLimitException;
import io.github.ratelimit.spring.internal.Diagnostic;
import io.github.ratelimit.spring.internal.annotation.AnnotatedBeans;
import io.github.ratelimit.spring.internal.diagnostics.Diagnostics;
import io.github.ratelimit.spring.internal.diagnostics.LimitedRequests;
import io.github.ratelimit.spring.internal.diagnostics.StartCheck;
import io.github.ratelimit.spring.internal.diagnostics.StartReport;
import io.github.ratelimit.spring.internal.method.MethodLimitPostProcessor;
import io.github.ratelimit.spring.internal.method.MethodLimits;
import io.github.ratelimit.spring.internal.properties.ConfiguredPaths;
import io.github.ratelimit.spring.internal.properties.LimiterSource;
import io.github.ratelimit.spring.internal.properties.MethodKeys;
import io.github.ratelimit.spring.internal.properties.RateLimitProperties;
import io.github.ratelimit.spring.internal.properties.RefreshedLimits;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;

/** Limits calls of annotated methods of beans that are no controllers, and follows changed properties. */
@Configuration(proxyBeanMethods = false)
@Conditional(OnLimits.class)
class LimitsConfiguration {

    @Bean("io.github.ratelimit.rateLimitMethodLimits")
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    MethodLimits rateLimitMethodLimits(AnnotatedBeans annotated, HttpRateLimiter limiter) {
        annotated.requireKnown(limiter.limiters().names());
        return new MethodLimits(
                annotated, limiter.limiters(), decision -> RateLimitException.of(limiter.verdict(decision)));
    }

    @Bean("io.github.ratelimit.rateLimitMethodPostProcessor")
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static MethodLimitPostProcessor rateLimitMethodPostProcessor(
            ObjectProvider<MethodLimits> limits, Environment environment) {
        MethodLimitPostProcessor processor = new MethodLimitPostProcessor(limits::getObject);
        processor.setProxyTargetClass(environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true));
        return processor;
    }

    @Bean("io.github.ratelimit.rateLimitMethodCheck")
    SmartInitializingSingleton rateLimitMethodCheck(
            MethodLimits limits,
            MethodLimitPostProcessor processor,
            ConfigurableListableBeanFactory beans,
            HttpRateLimiter http,
            RateLimitProperties properties,
            AnnotatedBeans annotated,
            ObjectProvider<LimitedRequests> requests,
            Diagnostics diagnostics) {
        return () -> {
            MethodKeys keys = new MethodKeys(http.limiters());
            annotated.namesOfRequests().forEach(keys::requireNoArguments);
            keys.requireNoArguments(properties);
            requests.ifAvailable(places -> places.leaveToAdapter(limits));
            StartCheck.requireLimited(beans, limits, keys, processor, diagnostics);
        };
    }

    /** What an outgoing call comes to is not asked. */
    @Bean("io.github.ratelimit.rateLimitOutgoingCheck")
    SmartInitializingSingleton rateLimitOutgoingCheck(
            ObjectProvider<OutgoingLimit> outgoing, Limiters<HttpCall> limiters, Diagnostics diagnostics) {
        return () -> outgoing.stream()
                .map(OutgoingLimit::limiter)
                .filter(name -> limiters.names().contains(name) && !Outcomes.countsAll(limiters.spec(name)))
                .forEach(name -> diagnostics.warn(
                        Diagnostic.UNREAD_ANNOTATION,
                        "count of limiter '%s' (%s) has no effect on outgoing calls: each of them counts; remove count, or refund the decision of a call that should not count"
                                .formatted(name, Outcomes.text(limiters.spec(name)))));
    }

    @Bean("io.github.ratelimit.rateLimitRefreshedLimits")
    RefreshedLimits rateLimitRefreshedLimits(
            ConfigurableEnvironment environment,
            RateLimitProperties properties,
            LimiterSource described,
            Limiters<HttpCall> limiters) {
        return new RefreshedLimits(environment, properties, described, limiters);
    }

    @Bean("io.github.ratelimit.rateLimitSharedChanges")
    OperatorChanges<HttpCall> rateLimitSharedChanges(HttpRateLimiter limiter) {
        return new OperatorChanges<>(limiter.limiters());
    }

    @Bean("io.github.ratelimit.rateLimitSharedStart")
    SharedStart rateLimitSharedStart(
            OperatorChanges<HttpCall> changes,
            HttpRateLimiter limiter,
            ObjectProvider<LimitedRequests> requests,
            MethodLimits calls) {
        StartReport report = new StartReport(limiter.limiters(), changes);
        return new SharedStart(changes, () -> {
            requests.ifAvailable(report::log);
            report.log(calls);
        });
    }

    /** Reads the rules of paths in every application: a mistake is reported even if no filter asks them. */
    @Bean("io.github.ratelimit.rateLimitStartCheck")
    SmartInitializingSingleton rateLimitStartCheck(HttpRateLimiter limiter, RateLimitProperties properties) {
        return () -> ConfiguredPaths.rules(properties, limiter.limiters().names());
    }
}
