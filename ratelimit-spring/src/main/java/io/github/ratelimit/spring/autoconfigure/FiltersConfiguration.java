package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.Limiters;
import io.github.ratelimit.Phase;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.http.RejectionBody;
import io.github.ratelimit.servlet.ExcludedPaths;
import io.github.ratelimit.servlet.PathRule;
import io.github.ratelimit.servlet.RateLimitFilter;
import io.github.ratelimit.servlet.Rejections;
import io.github.ratelimit.servlet.RequestCost;
import io.github.ratelimit.servlet.ServletOrigin;
import io.github.ratelimit.spring.annotation.AnnotatedLimiters;
import io.github.ratelimit.spring.autoconfigure.properties.ConfiguredPaths;
import io.github.ratelimit.spring.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.spring.diagnostics.Diagnostics;
import io.github.ratelimit.spring.web.servlet.HandlerLookUp;
import jakarta.servlet.DispatcherType;
import java.util.EnumSet;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * One filter for each phase, unless the application has a filter bean, which then holds its own rules.
 *
 * <p>The first one stands before the application's authentication. It judges all paths, and keeps the fields on responses. The second one
 * stands behind the authentication.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnMissingBean(value = RateLimitFilter.class, search = SearchStrategy.CURRENT)
class FiltersConfiguration {

    @Bean("io.github.ratelimit.rateLimitFilter")
    RateLimitFilter rateLimitFilter(
            HttpRateLimiter limiter,
            RateLimitProperties properties,
            ObjectProvider<Rejections> rejections,
            RejectionBody body,
            RequestCost cost,
            ServletOrigin origin,
            ExcludedPaths excluded,
            Diagnostics diagnostics) {
        RateLimitFilter.Builder filter = RateLimitFilter.builder(limiter)
                .phase(Phase.BEFORE_AUTHENTICATION)
                .exclude(excluded)
                .rejectAmbiguousPaths(properties.http().rejectAmbiguousPaths())
                .rejections(answering(rejections, body))
                .cost(cost)
                .origin(origin)
                .onMistake(diagnostics::warn);
        // Of both phases: what it judges is the paths of all rules.
        rules(limiter, properties).forEach(filter::limit);
        return filter.build();
    }

    /** No bean of its own: who asks for the filter means the first one. */
    @Bean("io.github.ratelimit.rateLimitAfterAuthenticationFilterRegistration")
    FilterRegistrationBean<RateLimitFilter> rateLimitAfterAuthenticationFilterRegistration(
            HttpRateLimiter limiter,
            RateLimitProperties properties,
            ObjectProvider<Rejections> rejections,
            RejectionBody body,
            RequestCost cost,
            ServletOrigin origin,
            AnnotatedLimiters annotated,
            ObjectProvider<HandlerLookUp> handlers,
            ExcludedPaths excluded,
            Diagnostics diagnostics) {
        List<PathRule> rules = rules(limiter, properties).stream()
                .filter(rule -> isAfterAuthentication(limiter.limiters(), rule))
                .toList();
        // Without a phase: the limiters of annotations decide here, whatever their own phase.
        RateLimitFilter.Builder filter = RateLimitFilter.builder(limiter)
                .rejectAmbiguousPaths(false)
                .exclude(excluded)
                .rejections(answering(rejections, body))
                .cost(cost)
                .origin(origin)
                .onMistake(diagnostics::warn);
        handlers.ifAvailable(found -> filter.handlerLimiters(
                request -> found.method(request).map(annotated::namesFor).orElse(List.of())));
        rules.forEach(filter::limit); // none: it does nothing, but a disabled one would be told of at INFO
        FilterRegistrationBean<RateLimitFilter> registration = new FilterRegistrationBean<>(filter.build());
        registration.setName("io.github.ratelimit.rateLimitAfterAuthenticationFilter");
        registration.setOrder(properties.http().filter().afterOrder());
        registration.setDispatcherTypes(EnumSet.allOf(DispatcherType.class));
        return registration;
    }

    /** As Spring MVC does, if it is there. */
    private static Rejections answering(ObjectProvider<Rejections> rejections, RejectionBody body) {
        return rejections.orderedStream().findFirst().orElseGet(() -> Rejections.by(body));
    }

    private static List<PathRule> rules(HttpRateLimiter limiter, RateLimitProperties properties) {
        return ConfiguredPaths.rules(properties, limiter.limiters().names());
    }

    private static boolean isAfterAuthentication(Limiters<HttpCall> limiters, PathRule rule) {
        return limiters.spec(rule.limiter()).phase() == Phase.AFTER_AUTHENTICATION;
    }
}
