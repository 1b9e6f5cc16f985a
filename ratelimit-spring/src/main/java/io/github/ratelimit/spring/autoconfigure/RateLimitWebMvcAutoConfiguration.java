package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.servlet.ExcludedPaths;
import io.github.ratelimit.servlet.RateLimitFilter;
import io.github.ratelimit.spring.annotation.AnnotatedLimiters;
import io.github.ratelimit.spring.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.spring.diagnostics.Diagnostics;
import io.github.ratelimit.spring.diagnostics.RequestPlaces;
import io.github.ratelimit.spring.diagnostics.StartCheck;
import jakarta.servlet.DispatcherType;
import java.util.EnumSet;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.ClassUtils;
import org.springframework.web.context.WebApplicationContext;

/** For servlets: registers the first filter, the application's own or ours, and checks the start. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class RateLimitWebMvcAutoConfiguration {

    /** Jersey, for example, does without. */
    private static final boolean SPRING_MVC = ClassUtils.isPresent(
            "org.springframework.web.servlet.DispatcherServlet",
            RateLimitWebMvcAutoConfiguration.class.getClassLoader());

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

    @Bean("io.github.ratelimit.rateLimitPlaces")
    RequestPlaces rateLimitPlaces(
            HttpRateLimiter limiter,
            AnnotatedLimiters annotated,
            RateLimitProperties properties,
            ExcludedPaths excluded,
            ObjectProvider<FiltersConfiguration> filters,
            WebApplicationContext context) {
        return RequestPlaces.of(
                limiter,
                annotated,
                properties,
                excluded,
                filters.getIfAvailable() != null,
                () -> SPRING_MVC ? ServletPaths.mapped(context) : List.of());
    }

    /** Handlers that are mapped by hand were not seen when annotations were read. */
    @Bean("io.github.ratelimit.rateLimitHandlerCheck")
    SmartInitializingSingleton rateLimitHandlerCheck(
            RequestPlaces places,
            RateLimitProperties properties,
            WebApplicationContext context,
            Diagnostics diagnostics) {
        return () -> new StartCheck(places, properties, diagnostics)
                .run(
                        context.getEnvironment(),
                        "server.servlet.context-path",
                        RateLimitFilter.class,
                        authenticationOrder(context));
    }

    private static int authenticationOrder(WebApplicationContext context) {
        return context.containsBean("springSecurityFilterChain")
                ? context.getEnvironment().getProperty("spring.security.filter.order", Integer.class, SECURITY_ORDER)
                : Integer.MIN_VALUE;
    }
}
