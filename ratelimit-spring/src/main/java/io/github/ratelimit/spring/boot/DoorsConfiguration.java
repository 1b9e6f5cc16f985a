package io.github.ratelimit.spring.boot;

import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.http.RefusalBody;
import io.github.ratelimit.servlet.PeerAddress;
import io.github.ratelimit.servlet.RateLimitFilter;
import io.github.ratelimit.servlet.RequestCost;
import io.github.ratelimit.spring.AnnotatedLimiters;
import io.github.ratelimit.spring.RateLimitExceptionResolver;
import io.github.ratelimit.spring.RateLimitInterceptor;
import jakarta.servlet.DispatcherType;
import java.util.EnumSet;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** The filter, which limits paths and keeps fields on responses, and the interceptor, which knows controllers. */
@Configuration(proxyBeanMethods = false)
class DoorsConfiguration {

    @Bean
    @ConditionalOnMissingBean
    RateLimitFilter rateLimitFilter(
            HttpRateLimiter limiter,
            RateLimitProperties properties,
            RefusalBody refusalBody,
            RequestCost cost,
            PeerAddress peerAddress) {
        RateLimitFilter.Builder filter = RateLimitFilter.builder(limiter)
                .refuseAmbiguousPaths(properties.http().refuseAmbiguousPaths())
                .refusalBody(refusalBody)
                .cost(cost)
                .peerAddress(peerAddress);
        ConfiguredLimiters.pathRules(properties.http(), limiter.limiters().names())
                .forEach(filter::limit);
        return filter.build();
    }

    @Bean
    @ConditionalOnMissingBean(name = "rateLimitFilterRegistration")
    FilterRegistrationBean<RateLimitFilter> rateLimitFilterRegistration(
            RateLimitFilter filter, RateLimitProperties properties) {
        FilterRegistrationBean<RateLimitFilter> registration = new FilterRegistrationBean<>(filter);
        registration.setOrder(properties.http().filterOrder());
        registration.setDispatcherTypes(EnumSet.allOf(DispatcherType.class));
        return registration;
    }

    @Bean
    @ConditionalOnMissingBean
    RateLimitInterceptor rateLimitInterceptor(
            HttpRateLimiter limiter, AnnotatedLimiters annotated, RequestCost cost, PeerAddress peerAddress) {
        return new RateLimitInterceptor(limiter, annotated, cost, peerAddress);
    }

    @Bean
    @ConditionalOnMissingBean
    RateLimitExceptionResolver rateLimitExceptionResolver(RefusalBody refusalBody) {
        return new RateLimitExceptionResolver(refusalBody);
    }

    /** Handlers that are mapped by hand were not seen when annotations were read, and some annotations nobody ever sees. */
    @Bean
    SmartInitializingSingleton rateLimitHandlerCheck(
            HttpRateLimiter limiter,
            AnnotatedLimiters annotated,
            ObjectProvider<RequestMappingHandlerMapping> mappings,
            ConfigurableListableBeanFactory beans) {
        return () -> {
            mappings.stream()
                    .flatMap(mapping -> mapping.getHandlerMethods().values().stream())
                    .forEach(handler ->
                            annotated.requireKnown(handler, limiter.limiters().names()));
            MisplacedAnnotations.warn(beans);
        };
    }

    @Bean
    WebMvcConfigurer rateLimitWebMvcConfigurer(RateLimitInterceptor interceptor, RateLimitProperties properties) {
        return new WebMvcConfigurer() {
            @Override
            public void addInterceptors(InterceptorRegistry registry) {
                registry.addInterceptor(interceptor).order(properties.http().interceptorOrder());
            }
        };
    }
}
