package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.Phase;
import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.http.RejectionBody;
import io.github.ratelimit.http.adapter.ExcludedPaths;
import io.github.ratelimit.servlet.RateLimitFilter;
import io.github.ratelimit.servlet.Rejections;
import io.github.ratelimit.servlet.RequestCost;
import io.github.ratelimit.servlet.ServletOrigin;
import io.github.ratelimit.spring.RateLimitExceptionResolver;
import io.github.ratelimit.spring.RateLimitInterceptor;
import io.github.ratelimit.spring.internal.annotation.AnnotatedBeans;
import io.github.ratelimit.spring.internal.diagnostics.Diagnostics;
import io.github.ratelimit.spring.internal.diagnostics.ForwardingFieldsWarning;
import io.github.ratelimit.spring.internal.diagnostics.LimitedRequests;
import io.github.ratelimit.spring.internal.diagnostics.StartCheck;
import io.github.ratelimit.spring.internal.properties.ConfiguredPaths;
import io.github.ratelimit.spring.internal.properties.RateLimitProperties;
import io.github.ratelimit.spring.internal.web.servlet.DecisionArgument;
import io.github.ratelimit.spring.internal.web.servlet.RegisteringConfigurer;
import jakarta.servlet.DispatcherType;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Limits the requests of an application on servlets: by filters, and by an interceptor of Spring MVC where that is there.
 *
 * <p>Public so that it can be named, in {@code exclude} of {@code @SpringBootApplication} or in {@code @AutoConfigureAfter}. It is of no other
 * use.
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@Conditional(OnLimiters.class)
@Import(TomcatOriginConfiguration.class)
public final class RateLimitWebMvcAutoConfiguration {

    /** Jersey, for example, does without. */
    private static final boolean SPRING_MVC = ClassUtils.isPresent(
            "org.springframework.web.servlet.DispatcherServlet",
            RateLimitWebMvcAutoConfiguration.class.getClassLoader());

    /** Spring Boot's default order of Spring Security's filter. */
    private static final int SECURITY_ORDER = -100;

    /** There where both filters are ours, and enabled where they are in use. */
    private static final String AFTER_AUTHENTICATION =
            "io.github.ratelimit.rateLimitAfterAuthenticationFilterRegistration";

    /** Makes it. */
    public RateLimitWebMvcAutoConfiguration() {}

    @Bean("io.github.ratelimit.rateLimitRequestCost")
    @ConditionalOnMissingBean(RequestCost.class)
    RequestCost rateLimitRequestCost() {
        return RequestCost.ONE;
    }

    @Bean("io.github.ratelimit.rateLimitServletOrigin")
    @ConditionalOnMissingBean(ServletOrigin.class)
    ServletOrigin rateLimitServletOrigin(
            ObjectProvider<Diagnostics> diagnostics, ClientAddress clientAddress, Environment environment) {
        ServletOrigin ofContainer = ServletOrigin.ofContainer();
        Diagnostics known = diagnostics.getIfAvailable();
        if (known == null) {
            return ofContainer; // switched off: there is nothing to warn of
        }
        ForwardingFieldsWarning warning =
                ForwardingFieldsWarning.of(clientAddress, known, environment, ForwardingFieldsWarning.TOMCAT);
        return request -> warning.checked(ofContainer.of(request));
    }

    /**
     * One filter for each phase, unless the application has a filter bean, which then holds its own rules.
     *
     * <p>The first one stands before the application's authentication. It judges all paths, and keeps the fields on responses. The second
     * one stands behind the authentication.
     */
    @Configuration(proxyBeanMethods = false)
    @Conditional(OnLimits.class)
    @ConditionalOnMissingBean(value = RateLimitFilter.class, search = SearchStrategy.CURRENT)
    record OwnFilters(
            HttpRateLimiter limiter,
            RateLimitProperties properties,
            ObjectProvider<Rejections> rejections,
            RejectionBody body,
            RequestCost cost,
            ServletOrigin origin,
            ExcludedPaths excluded,
            Diagnostics diagnostics) {

        @Bean("io.github.ratelimit.rateLimitFilter")
        RateLimitFilter rateLimitFilter() {
            return filter(Phase.BEFORE_AUTHENTICATION, properties.http().rejectAmbiguousPaths());
        }

        /** No bean: an application that asks for the filter gets the first one. */
        @Bean(AFTER_AUTHENTICATION)
        FilterRegistrationBean<RateLimitFilter> rateLimitAfterAuthenticationFilterRegistration(
                RateLimitFilter first, ListableBeanFactory beans) {
            // Without a rule it does nothing. Spring Boot logs a disabled one at INFO.
            FilterRegistrationBean<RateLimitFilter> registration = registration(
                    filter(Phase.AFTER_AUTHENTICATION, false),
                    "io.github.ratelimit.rateLimitAfterAuthenticationFilter",
                    properties.http().filter().afterOrder());
            // A registration of the first filter moves that one alone.
            registration.setEnabled(ownRegistrations(beans).stream()
                    .map(name -> beans.getBean(name, FilterRegistrationBean.class))
                    .allMatch(own -> own.getFilter() == first));
            return registration;
        }

        private RateLimitFilter filter(Phase phase, boolean rejectAmbiguousPaths) {
            RateLimitFilter.Builder filter = RateLimitFilter.builder(limiter)
                    .phase(phase)
                    .exclude(excluded)
                    .rejectAmbiguousPaths(rejectAmbiguousPaths)
                    // As Spring MVC does, if it is there.
                    .rejections(rejections.orderedStream().findFirst().orElseGet(() -> Rejections.by(body)))
                    .cost(cost)
                    .origin(origin)
                    .onMistake(diagnostics::warn);
            ConfiguredPaths.rules(properties, limiter.limiters().names()).forEach(filter::limit);
            return filter.build();
        }
    }

    private static FilterRegistrationBean<RateLimitFilter> registration(
            RateLimitFilter filter, String name, int order) {
        FilterRegistrationBean<RateLimitFilter> registration = new FilterRegistrationBean<>(filter);
        registration.setName(name);
        registration.setOrder(order);
        registration.setDispatcherTypes(EnumSet.allOf(DispatcherType.class));
        return registration;
    }

    /** The names of the application's own. A bean of ours would be registered all the same, so that it is disabled and not left out. */
    private static List<String> ownRegistrations(ListableBeanFactory beans) {
        ResolvableType type = ResolvableType.forClassWithGenerics(FilterRegistrationBean.class, RateLimitFilter.class);
        // By the plain type first: a look for a generic one reads the methods of all beans.
        return Stream.of(beans.getBeanNamesForType(FilterRegistrationBean.class, true, false))
                .filter(name -> !name.startsWith("io.github.ratelimit.") && beans.isTypeMatch(name, type))
                .toList();
    }

    /** Not of several filters: which of them stands where is the application's to say. */
    @Bean("io.github.ratelimit.rateLimitFilterRegistration")
    @Conditional(OnLimits.class)
    @ConditionalOnSingleCandidate(value = RateLimitFilter.class, search = SearchStrategy.CURRENT)
    FilterRegistrationBean<RateLimitFilter> rateLimitFilterRegistration(
            RateLimitFilter filter, RateLimitProperties properties, ListableBeanFactory beans) {
        FilterRegistrationBean<RateLimitFilter> registration = registration(
                filter,
                "io.github.ratelimit.rateLimitFilter",
                properties.http().filter().beforeOrder());
        registration.setEnabled(ownRegistrations(beans).isEmpty());
        return registration;
    }

    @Bean("io.github.ratelimit.rateLimitPlaces")
    @Conditional(OnLimits.class)
    LimitedRequests rateLimitPlaces(
            HttpRateLimiter limiter,
            AnnotatedBeans annotated,
            RateLimitProperties properties,
            ExcludedPaths excluded,
            WebApplicationContext context) {
        return LimitedRequests.of(
                limiter,
                annotated,
                properties,
                excluded,
                context.containsLocalBean(AFTER_AUTHENTICATION)
                        && context.getBean(AFTER_AUTHENTICATION, FilterRegistrationBean.class)
                                .isEnabled(),
                () -> SPRING_MVC ? MvcPaths.mapped(context) : List.of(),
                () -> SPRING_MVC ? MvcPaths.routes(context.getEnvironment()) : List.of());
    }

    /** Handlers that are mapped by hand were not seen when annotations were read. */
    @Bean("io.github.ratelimit.rateLimitHandlerCheck")
    @Conditional(OnLimits.class)
    SmartInitializingSingleton rateLimitHandlerCheck(
            LimitedRequests places,
            RateLimitProperties properties,
            WebApplicationContext context,
            Diagnostics diagnostics) {
        Environment environment = context.getEnvironment();
        int security = environment.getProperty("spring.security.filter.order", Integer.class, SECURITY_ORDER);
        return () -> new StartCheck(places, properties, diagnostics)
                .run(
                        environment,
                        "server.servlet.context-path",
                        RateLimitFilter.class,
                        context.containsBean("springSecurityFilterChain") ? security : Integer.MIN_VALUE);
    }

    /** Registers the interceptor, which knows controllers, and answers rejections as Spring MVC does. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(HandlerInterceptor.class)
    static class Mvc {

        /** Also where limits are switched off: a controller's method may ask for the decision. */
        @Bean("io.github.ratelimit.rateLimitDecisionArgument")
        DecisionArgument rateLimitDecisionArgument() {
            return new DecisionArgument();
        }

        @Bean("io.github.ratelimit.rateLimitInterceptor")
        @Conditional(OnLimits.class)
        @ConditionalOnMissingBean(value = RateLimitInterceptor.class, search = SearchStrategy.CURRENT)
        RateLimitInterceptor rateLimitInterceptor(
                HttpRateLimiter limiter,
                AnnotatedBeans annotated,
                RequestCost cost,
                ServletOrigin origin,
                ExcludedPaths excluded) {
            return new RateLimitInterceptor(limiter, annotated, cost, origin, excluded);
        }

        @Bean("io.github.ratelimit.rateLimitExceptionResolver")
        @Conditional(OnLimits.class)
        @ConditionalOnMissingBean(RateLimitExceptionResolver.class)
        RateLimitExceptionResolver rateLimitExceptionResolver(RejectionBody rejectionBody, ServletOrigin origin) {
            return new RateLimitExceptionResolver(rejectionBody, origin);
        }

        @Bean("io.github.ratelimit.rateLimitWebMvcConfigurer")
        @Conditional(OnLimits.class)
        RegisteringConfigurer rateLimitWebMvcConfigurer(
                RateLimitInterceptor interceptor,
                AnnotatedBeans annotated,
                HttpRateLimiter limiter,
                ObjectProvider<LimitedRequests> places,
                Diagnostics diagnostics) {
            return new RegisteringConfigurer(interceptor, annotated, limiter, places, diagnostics);
        }
    }
}
