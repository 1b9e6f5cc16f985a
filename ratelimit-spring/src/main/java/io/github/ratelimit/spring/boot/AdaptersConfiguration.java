package io.github.ratelimit.spring.boot;

import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.http.RefusalBody;
import io.github.ratelimit.servlet.RateLimitFilter;
import io.github.ratelimit.servlet.RequestCost;
import io.github.ratelimit.servlet.ServletOrigin;
import io.github.ratelimit.spring.AnnotatedLimiters;
import io.github.ratelimit.spring.RateLimitExceptionResolver;
import io.github.ratelimit.spring.RateLimitInterceptor;
import jakarta.servlet.DispatcherType;
import java.util.EnumSet;
import java.util.List;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Registers the first filter, the application's own or ours, and the interceptor, which knows controllers. */
@Configuration(proxyBeanMethods = false)
class AdaptersConfiguration {

    private static final Log LOG = LogFactory.getLog(AdaptersConfiguration.class);

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
            HttpRateLimiter limiter, AnnotatedLimiters annotated, RequestCost cost, ServletOrigin origin) {
        return new RateLimitInterceptor(limiter, annotated, cost, origin);
    }

    @Bean
    @ConditionalOnMissingBean
    RateLimitExceptionResolver rateLimitExceptionResolver(RefusalBody refusalBody, ServletOrigin origin) {
        return new RateLimitExceptionResolver(refusalBody, origin);
    }

    /** Handlers that are mapped by hand were not seen when annotations were read, and some annotations nobody ever sees. */
    @Bean
    SmartInitializingSingleton rateLimitHandlerCheck(
            HttpRateLimiter limiter,
            AnnotatedLimiters annotated,
            ObjectProvider<RequestMappingHandlerMapping> mappings,
            ConfigurableListableBeanFactory beans,
            RegisteringConfigurer configurer) {
        return () -> {
            List<HandlerMethod> handlers = mappings.stream()
                    .flatMap(mapping -> mapping.getHandlerMethods().values().stream())
                    .toList();
            handlers.forEach(handler ->
                    annotated.requireKnown(handler, limiter.limiters().names()));
            if (!configurer.isAsked()) {
                handlers.stream()
                        .filter(handler -> !annotated.namesFor(handler).isEmpty())
                        .findFirst()
                        .ifPresent(AdaptersConfiguration::warnOfMissingInterceptor);
            }
            MisplacedAnnotations.warn(beans);
        };
    }

    private static void warnOfMissingInterceptor(HandlerMethod handler) {
        LOG.warn(
                "@RateLimit on %s.%s has no effect, nor has any other: Spring MVC asks for no interceptors, most often because a configuration extends WebMvcConfigurationSupport; let it implement WebMvcConfigurer instead, or add the RateLimitInterceptor bean in its addInterceptors"
                        .formatted(
                                handler.getBeanType().getSimpleName(),
                                handler.getMethod().getName()));
    }

    @Bean
    RegisteringConfigurer rateLimitWebMvcConfigurer(RateLimitInterceptor interceptor, RateLimitProperties properties) {
        return new RegisteringConfigurer(interceptor, properties.http().interceptorOrder());
    }

    /** Registers the interceptor, and knows whether it was asked to: who sets up Spring MVC by hand asks nobody. */
    static final class RegisteringConfigurer implements WebMvcConfigurer {

        private final RateLimitInterceptor interceptor;
        private final int order;
        private volatile boolean asked;

        RegisteringConfigurer(RateLimitInterceptor interceptor, int order) {
            this.interceptor = interceptor;
            this.order = order;
        }

        @Override
        public void addInterceptors(InterceptorRegistry registry) {
            asked = true;
            registry.addInterceptor(interceptor).order(order);
        }

        boolean isAsked() {
            return asked;
        }
    }
}
