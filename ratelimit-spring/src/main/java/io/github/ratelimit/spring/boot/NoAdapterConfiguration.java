package io.github.ratelimit.spring.boot;

import io.github.ratelimit.servlet.RateLimitFilter;
import io.github.ratelimit.spring.Diagnostic;
import io.github.ratelimit.spring.InvalidRateLimitException;
import jakarta.servlet.Servlet;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Stops the start of an application whose servlets nothing limits, unless it brings a filter or asks the limiters itself. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(Servlet.class)
@ConditionalOnMissingClass("org.springframework.web.servlet.HandlerInterceptor")
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class NoAdapterConfiguration {

    @Bean
    SmartInitializingSingleton rateLimitAdapterCheck(ConfigurableListableBeanFactory beans, Environment environment) {
        return () -> {
            boolean filtered = beans.getBeanNamesForType(RateLimitFilter.class, true, false).length > 0;
            if (!filtered && !LimiterCallers.mayExist(beans, environment)) {
                throw new InvalidRateLimitException(
                        Diagnostic.NO_ADAPTER,
                        "nothing limits the requests of this application: it is a servlet application without Spring MVC",
                        "add spring-webmvc, or declare a RateLimitFilter bean with the paths to limit, or ask HttpRateLimiter in code, or set ratelimit.enabled=false");
            }
        };
    }
}
