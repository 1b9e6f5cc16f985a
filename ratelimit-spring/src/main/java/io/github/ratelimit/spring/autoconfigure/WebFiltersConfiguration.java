package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.Phase;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.servlet.ExcludedPaths;
import io.github.ratelimit.servlet.PathRule;
import io.github.ratelimit.spring.annotation.AnnotatedLimiters;
import io.github.ratelimit.spring.autoconfigure.properties.ConfiguredPaths;
import io.github.ratelimit.spring.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.spring.diagnostics.Diagnostics;
import io.github.ratelimit.spring.web.reactive.ExchangeCost;
import io.github.ratelimit.spring.web.reactive.ExchangeLookUp;
import io.github.ratelimit.spring.web.reactive.ExchangeOrigin;
import io.github.ratelimit.spring.web.reactive.ExchangeRejections;
import io.github.ratelimit.spring.web.reactive.RateLimitWebFilter;
import java.util.List;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.web.reactive.DispatcherHandler;

/**
 * One filter for each phase, unless the application has a filter bean, which then holds its own rules.
 *
 * <p>The first one stands before the application's authentication, and judges all paths. The second one stands behind the authentication.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(DispatcherHandler.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnMissingBean(value = RateLimitWebFilter.class, search = SearchStrategy.CURRENT)
class WebFiltersConfiguration {

    @Bean("io.github.ratelimit.rateLimitWebFilter")
    @Primary // who asks for the filter means the first one
    RateLimitWebFilter rateLimitWebFilter(
            HttpRateLimiter limiter,
            RateLimitProperties properties,
            ExchangeRejections rejections,
            ExchangeCost cost,
            ExchangeOrigin origin,
            ExcludedPaths excluded,
            Diagnostics diagnostics) {
        RateLimitWebFilter.Builder filter = RateLimitWebFilter.builder(limiter)
                .exclude(excluded)
                .phase(Phase.BEFORE_AUTHENTICATION)
                .rejectAmbiguousPaths(properties.http().rejectAmbiguousPaths())
                .rejections(rejections::reject)
                .cost(cost)
                .origin(origin)
                .onMistake(diagnostics::warn)
                .order(properties.http().filter().beforeOrder());
        // Of both phases: what it judges is the paths of all rules.
        rules(limiter, properties).forEach(filter::limit);
        return filter.build();
    }

    @Bean("io.github.ratelimit.rateLimitAfterAuthenticationWebFilter")
    RateLimitWebFilter rateLimitAfterAuthenticationWebFilter(
            HttpRateLimiter limiter,
            RateLimitProperties properties,
            ExchangeRejections rejections,
            ExchangeCost cost,
            ExchangeOrigin origin,
            AnnotatedLimiters annotated,
            ApplicationContext context,
            ExcludedPaths excluded,
            Diagnostics diagnostics) {
        ExchangeLookUp handlers = new ExchangeLookUp(context);
        // Without a phase: the limiters of annotations decide here, whatever their own phase.
        RateLimitWebFilter.Builder filter = RateLimitWebFilter.builder(limiter)
                .exclude(excluded)
                .rejectAmbiguousPaths(false)
                .rejections(rejections::reject)
                .cost(cost)
                .origin(origin)
                .onMistake(diagnostics::warn)
                .handlerLimiters(exchange ->
                        handlers.method(exchange).map(annotated::namesFor).defaultIfEmpty(List.of()))
                .order(properties.http().filter().afterOrder());
        rules(limiter, properties).stream()
                .filter(rule -> limiter.limiters().spec(rule.limiter()).phase() == Phase.AFTER_AUTHENTICATION)
                .forEach(filter::limit);
        return filter.build();
    }

    private static List<PathRule> rules(HttpRateLimiter limiter, RateLimitProperties properties) {
        return ConfiguredPaths.rules(properties, limiter.limiters().names());
    }
}
