package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.http.RejectionBody;
import io.github.ratelimit.servlet.ExcludedPaths;
import io.github.ratelimit.spring.RateLimitException;
import io.github.ratelimit.spring.annotation.AnnotatedLimiters;
import io.github.ratelimit.spring.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.spring.diagnostics.Diagnostics;
import io.github.ratelimit.spring.diagnostics.RequestPlaces;
import io.github.ratelimit.spring.diagnostics.StartCheck;
import io.github.ratelimit.spring.web.reactive.ExchangeCost;
import io.github.ratelimit.spring.web.reactive.ExchangeOrigin;
import io.github.ratelimit.spring.web.reactive.ExchangeRejections;
import io.github.ratelimit.spring.web.reactive.RateLimitHandlerAdapter;
import io.github.ratelimit.spring.web.reactive.RateLimitWebFilter;
import java.util.List;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.reactive.result.method.RequestMappingInfoHandlerMapping;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerRequest;

/** Registers the handler adapter that asks the limiters of annotations in WebFlux. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(DispatcherHandler.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
class RateLimitWebFluxAutoConfiguration {

    /** Spring Security's filter, which always stands at the same place. */
    private static final String SECURITY_FILTER =
            "org.springframework.security.config.annotation.web.reactive.WebFluxSecurityConfiguration.WebFilterChainFilter";

    private static final int SECURITY_ORDER = -100;

    private static final List<String> FAULTY = List.of("1.2.18", "1.3.6", "1.3.7");

    private static final Log LOG = LogFactory.getLog(RateLimitWebFluxAutoConfiguration.class);

    @Bean("io.github.ratelimit.rateLimitHandlerAdapter")
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    RateLimitHandlerAdapter rateLimitHandlerAdapter(
            HttpRateLimiter limiter,
            AnnotatedLimiters annotated,
            ExchangeRejections rejections,
            ExchangeCost cost,
            ExchangeOrigin origin,
            ExcludedPaths excluded,
            ApplicationContext context) {
        return new RateLimitHandlerAdapter(limiter, annotated, rejections, cost, origin, excluded, context);
    }

    @Bean("io.github.ratelimit.rateLimitExchangeRejections")
    ExchangeRejections rateLimitExchangeRejections(
            RejectionBody rejectionBody, ExchangeOrigin origin, ApplicationContext context, Diagnostics diagnostics) {
        return new ExchangeRejections(rejectionBody, origin, context, diagnostics::warn);
    }

    /** Before Spring Boot's own handler, at -1, that would make a failure of the application's of a rejection behind a function. */
    @Bean("io.github.ratelimit.rateLimitRejections")
    @Order(-2)
    WebExceptionHandler rateLimitRejections(ExchangeRejections rejections) {
        return (exchange, failure) -> failure instanceof RateLimitException rejected
                        && !exchange.getResponse().isCommitted()
                ? rejections.answer(rejected, exchange)
                : Mono.error(failure);
    }

    /** Handlers that are mapped by hand were not seen when annotations were read. */
    @Bean("io.github.ratelimit.rateLimitExchangeHandlerCheck")
    SmartInitializingSingleton rateLimitExchangeHandlerCheck(
            RequestPlaces places,
            RateLimitProperties properties,
            ConfigurableListableBeanFactory beans,
            ApplicationContext context,
            Diagnostics diagnostics) {
        return () -> {
            new StartCheck(places, properties, diagnostics)
                    .run(
                            context.getEnvironment(),
                            "spring.webflux.base-path",
                            RateLimitWebFilter.class,
                            authenticationOrder(beans));
            String netty = context.containsBean("nettyReactiveWebServerFactory")
                    ? HttpServerRequest.class.getPackage().getImplementationVersion()
                    : null;
            if (netty != null && FAULTY.contains(netty)) {
                LOG.warn(
                        "Reactor Netty %s stops reading a keep-alive connection if the application answers on other threads (reactor-netty issue 4361); use a version that is none of %s"
                                .formatted(netty, String.join(", ", FAULTY)));
            }
        };
    }

    private static int authenticationOrder(ConfigurableListableBeanFactory beans) {
        return beans.containsBean(SECURITY_FILTER) ? SECURITY_ORDER : Integer.MIN_VALUE;
    }

    @Bean("io.github.ratelimit.rateLimitPlaces")
    RequestPlaces rateLimitPlaces(
            HttpRateLimiter limiter,
            AnnotatedLimiters annotated,
            RateLimitProperties properties,
            ExcludedPaths excluded,
            ObjectProvider<WebFiltersConfiguration> filters,
            ObjectProvider<RequestMappingInfoHandlerMapping> mappings) {
        return RequestPlaces.of(
                limiter,
                annotated,
                properties,
                excluded,
                filters.getIfAvailable() != null,
                () -> ExchangePaths.mapped(mappings.orderedStream()));
    }
}
