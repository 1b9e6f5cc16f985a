package io.github.ratelimit.spring.boot;

import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.http.RefusalBody;
import io.github.ratelimit.servlet.RateLimitFilter;
import io.github.ratelimit.servlet.RequestCost;
import io.github.ratelimit.servlet.ServletOrigin;
import io.github.ratelimit.spring.AnnotatedLimiters;
import io.github.ratelimit.spring.Diagnostic;
import io.github.ratelimit.spring.RateLimitExceptionResolver;
import io.github.ratelimit.spring.RateLimitInterceptor;
import jakarta.servlet.DispatcherType;
import java.util.EnumSet;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

/** For servlets: registers the first filter, the application's own or ours, and the interceptor, which knows controllers. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(HandlerInterceptor.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class AdaptersConfiguration {

    /** Spring Boot's default order of Spring Security's filter. */
    private static final int SECURITY_ORDER = -100;

    /** Not of several filters: which of them stands where is the application's to say. */
    @Bean("io.github.ratelimit.rateLimitFilterRegistration")
    @ConditionalOnSingleCandidate(value = RateLimitFilter.class, search = SearchStrategy.CURRENT)
    FilterRegistrationBean<RateLimitFilter> rateLimitFilterRegistration(
            RateLimitFilter filter, RateLimitProperties properties) {
        FilterRegistrationBean<RateLimitFilter> registration = new FilterRegistrationBean<>(filter);
        registration.setName("io.github.ratelimit.rateLimitFilter");
        registration.setOrder(properties.http().filter().beforeOrder());
        registration.setDispatcherTypes(EnumSet.allOf(DispatcherType.class));
        return registration;
    }

    @Bean("io.github.ratelimit.rateLimitInterceptor")
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    RateLimitInterceptor rateLimitInterceptor(
            HttpRateLimiter limiter,
            AnnotatedLimiters annotated,
            RequestCost cost,
            ServletOrigin origin,
            RateLimitProperties properties,
            Environment environment) {
        return new RateLimitInterceptor(
                limiter, annotated, cost, origin, ConfiguredPaths.excluded(properties.http(), environment));
    }

    @Bean("io.github.ratelimit.rateLimitExceptionResolver")
    @ConditionalOnMissingBean
    RateLimitExceptionResolver rateLimitExceptionResolver(RefusalBody refusalBody, ServletOrigin origin) {
        return new RateLimitExceptionResolver(refusalBody, origin);
    }

    /** Handlers that are mapped by hand were not seen when annotations were read, and some interceptors nobody ever asks. */
    @Bean("io.github.ratelimit.rateLimitHandlerCheck")
    SmartInitializingSingleton rateLimitHandlerCheck(
            AnnotatedLimiters annotated,
            RegisteringConfigurer configurer,
            KnownPlaces places,
            RateLimitProperties properties,
            WebApplicationContext context,
            Diagnostics diagnostics) {
        return () -> {
            if (!configurer.isAsked()) {
                places.mapped().get().stream()
                        .filter(method -> !annotated.namesFor(method.handler()).isEmpty())
                        .findFirst()
                        .ifPresent(method -> warnOfMissingInterceptor(method, diagnostics));
            }
            new StartCheck(places, properties, diagnostics)
                    .run(ServletPaths.of(context), RateLimitFilter.class, authenticationOrder(context));
        };
    }

    private static int authenticationOrder(WebApplicationContext context) {
        return context.containsBean("springSecurityFilterChain")
                ? context.getEnvironment().getProperty("spring.security.filter.order", Integer.class, SECURITY_ORDER)
                : Integer.MIN_VALUE;
    }

    @Bean("io.github.ratelimit.rateLimitPlaces")
    KnownPlaces rateLimitPlaces(
            HttpRateLimiter limiter,
            AnnotatedLimiters annotated,
            RateLimitProperties properties,
            Environment environment,
            ObjectProvider<FiltersConfiguration> filters,
            ObjectProvider<RequestMappingInfoHandlerMapping> mappings) {
        return KnownPlaces.of(
                limiter,
                annotated,
                properties,
                environment,
                filters.getIfAvailable() != null,
                () -> ServletPaths.mapped(mappings.orderedStream(), environment));
    }

    private static void warnOfMissingInterceptor(MappedMethod method, Diagnostics diagnostics) {
        diagnostics.warn(
                Diagnostic.UNREAD_ANNOTATION,
                "@RateLimit on %s has no effect, nor has any other: Spring MVC asks for no interceptors, most often because a configuration extends WebMvcConfigurationSupport; let it implement WebMvcConfigurer instead, or add the RateLimitInterceptor bean in its addInterceptors"
                        .formatted(method.name()));
    }

    @Bean("io.github.ratelimit.rateLimitWebMvcConfigurer")
    RegisteringConfigurer rateLimitWebMvcConfigurer(RateLimitInterceptor interceptor) {
        return new RegisteringConfigurer(interceptor);
    }

    @Bean("io.github.ratelimit.rateLimitContextsBelow")
    ContextsBelow rateLimitContextsBelow(AnnotatedLimiters annotated, HttpRateLimiter limiter) {
        return new ContextsBelow(annotated, limiter);
    }

    /** Checks the controllers of contexts below this one, such as that of a second dispatcher servlet, once they are there. */
    record ContextsBelow(AnnotatedLimiters annotated, HttpRateLimiter limiter)
            implements ApplicationListener<ContextRefreshedEvent> {

        @Override
        public void onApplicationEvent(ContextRefreshedEvent event) {
            ApplicationContext context = event.getApplicationContext();
            if (context.getBeanProvider(AnnotatedLimiters.class).getIfUnique() == annotated) { // it has none of its own
                context.getBeansOfType(RequestMappingInfoHandlerMapping.class, true, false)
                        .values()
                        .forEach(mapping -> mapping.getHandlerMethods()
                                .values()
                                .forEach(handler -> annotated.requireKnown(
                                        handler, limiter.limiters().names())));
            }
        }
    }

    /** Registers the interceptor, and knows whether it was asked to: who sets up Spring MVC by hand asks nobody. */
    static final class RegisteringConfigurer implements WebMvcConfigurer {

        private final RateLimitInterceptor interceptor;
        private volatile boolean asked;

        RegisteringConfigurer(RateLimitInterceptor interceptor) {
            this.interceptor = interceptor;
        }

        @Override
        public void addInterceptors(InterceptorRegistry registry) {
            asked = true;
            registry.addInterceptor(interceptor).order(Ordered.LOWEST_PRECEDENCE); // keys see what others have set
        }

        boolean isAsked() {
            return asked;
        }
    }
}
