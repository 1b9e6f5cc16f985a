package io.github.ratelimit.spring.boot;

import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.servlet.ExcludedPaths;
import io.github.ratelimit.servlet.RateLimitFilter;
import io.github.ratelimit.spring.AnnotatedLimiters;
import jakarta.servlet.DispatcherType;
import java.util.EnumSet;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.context.WebApplicationContext;

/** For servlets: registers the first filter, the application's own or ours. Without Spring MVC, for example with Jersey, it checks the start. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class FilterConfiguration {

    private static final String SPRING_MVC = "org.springframework.web.servlet.HandlerInterceptor";

    /** Spring Boot's default order of Spring Security's filter. */
    private static final int SECURITY_ORDER = -100;

    /** Not of several filters: which of them stands where is the application's to say. */
    @Bean
    @ConditionalOnMissingBean(name = "rateLimitFilterRegistration", search = SearchStrategy.CURRENT)
    @ConditionalOnSingleCandidate(value = RateLimitFilter.class, search = SearchStrategy.CURRENT)
    FilterRegistrationBean<RateLimitFilter> rateLimitFilterRegistration(
            RateLimitFilter filter, RateLimitProperties properties) {
        FilterRegistrationBean<RateLimitFilter> registration = new FilterRegistrationBean<>(filter);
        registration.setOrder(properties.http().filter().beforeOrder());
        registration.setDispatcherTypes(EnumSet.allOf(DispatcherType.class));
        return registration;
    }

    @Bean
    @ConditionalOnMissingClass(SPRING_MVC)
    KnownPlaces rateLimitPlaces(
            HttpRateLimiter limiter,
            AnnotatedLimiters annotated,
            RateLimitProperties properties,
            ExcludedPaths excluded,
            ObjectProvider<FiltersConfiguration> filters) {
        return KnownPlaces.of(limiter, annotated, properties, excluded, filters.getIfAvailable() != null, List::of);
    }

    @Bean
    @ConditionalOnMissingClass(SPRING_MVC)
    SmartInitializingSingleton rateLimitHandlerCheck(
            KnownPlaces places,
            RateLimitProperties properties,
            WebApplicationContext context,
            Diagnostics diagnostics) {
        ServedPaths served = new ServedPaths("", "");
        served.mayServeMore(); // servlets of their own
        return () -> new StartCheck(places, properties, diagnostics)
                .run(served, RateLimitFilter.class, authenticationOrder(context));
    }

    static int authenticationOrder(WebApplicationContext context) {
        return context.containsBean("springSecurityFilterChain")
                ? context.getEnvironment().getProperty("spring.security.filter.order", Integer.class, SECURITY_ORDER)
                : Integer.MIN_VALUE;
    }
}
