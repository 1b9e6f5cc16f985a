package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Phase;
import io.github.ratelimit.Store;
import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.http.RejectionBody;
import io.github.ratelimit.http.UnreadableCostException;
import io.github.ratelimit.http.adapter.ExcludedPaths;
import io.github.ratelimit.spring.ExchangeCost;
import io.github.ratelimit.spring.ExchangeOrigin;
import io.github.ratelimit.spring.RateLimitException;
import io.github.ratelimit.spring.RateLimitWebFilter;
import io.github.ratelimit.spring.internal.Diagnostic;
import io.github.ratelimit.spring.internal.annotation.AnnotatedBeans;
import io.github.ratelimit.spring.internal.diagnostics.Diagnostics;
import io.github.ratelimit.spring.internal.diagnostics.ForwardingFieldsWarning;
import io.github.ratelimit.spring.internal.diagnostics.LimitedRequests;
import io.github.ratelimit.spring.internal.diagnostics.MappedMethod;
import io.github.ratelimit.spring.internal.diagnostics.StartCheck;
import io.github.ratelimit.spring.internal.properties.ConfiguredPaths;
import io.github.ratelimit.spring.internal.properties.RateLimitProperties;
import io.github.ratelimit.spring.internal.web.RejectionAdvice;
import io.github.ratelimit.spring.internal.web.reactive.DecisionArgument;
import io.github.ratelimit.spring.internal.web.reactive.ExchangeRejections;
import io.github.ratelimit.spring.internal.web.reactive.RateLimitHandlerAdapter;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.reactive.result.method.RequestMappingInfo;
import org.springframework.web.reactive.result.method.RequestMappingInfoHandlerMapping;
import org.springframework.web.server.WebExceptionHandler;
import org.springframework.web.util.pattern.PathPattern;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerRequest;

/**
 * Limits the requests of an application on WebFlux: by filters, and by a handler adapter that asks the limiters of annotations.
 *
 * <p>Public so that it can be named, in {@code exclude} of {@code @SpringBootApplication} or in {@code @AutoConfigureAfter}. It is of no other
 * use.
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class)
@ConditionalOnClass(DispatcherHandler.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@Conditional(OnLimiters.class)
@Import(TomcatOriginConfiguration.class)
public final class RateLimitWebFluxAutoConfiguration {

    /** Spring Security's filter, which always stands at the same place. */
    private static final String SECURITY_FILTER =
            "org.springframework.security.config.annotation.web.reactive.WebFluxSecurityConfiguration.WebFilterChainFilter";

    private static final int SECURITY_ORDER = -100;

    /** Rule: reactor-netty issue 4361. */
    private static final List<String> FAULTY = List.of("1.2.18", "1.3.6", "1.3.7");

    private static final List<String> FAULTY_BOMS = List.of("2024.0.18", "2025.0.6", "2025.0.7");

    /** Makes it. */
    public RateLimitWebFluxAutoConfiguration() {}

    @Bean("io.github.ratelimit.rateLimitExchangeCost")
    @ConditionalOnMissingBean
    ExchangeCost rateLimitExchangeCost() {
        return ExchangeCost.ONE;
    }

    /** Also where limits are switched off: a controller's method may ask for the decision. */
    @Bean("io.github.ratelimit.rateLimitExchangeDecisionArgument")
    DecisionArgument rateLimitExchangeDecisionArgument() {
        return new DecisionArgument();
    }

    @Bean("io.github.ratelimit.rateLimitExchangeOrigin")
    @ConditionalOnMissingBean
    ExchangeOrigin rateLimitExchangeOrigin(
            ObjectProvider<Diagnostics> diagnostics, ClientAddress clientAddress, Environment environment) {
        ExchangeOrigin ofServer = ExchangeOrigin.ofServer();
        Diagnostics known = diagnostics.getIfAvailable();
        if (known == null) {
            return ofServer; // switched off: there is nothing to warn of
        }
        ForwardingFieldsWarning warning = ForwardingFieldsWarning.of(
                clientAddress, known, environment, ForwardingFieldsWarning.NETTY, ForwardingFieldsWarning.TOMCAT);
        return exchange -> warning.checked(ofServer.of(exchange));
    }

    /** Registers the handler adapter, answers rejections and checks the start. */
    @Configuration(proxyBeanMethods = false)
    @Conditional(OnLimits.class)
    static class Limits {

        /**
         * One filter for each phase, unless the application has a filter bean, which then holds its own rules.
         *
         * <p>The first one stands before the application's authentication, and judges all paths. The second one stands behind it.
         */
        @Configuration(proxyBeanMethods = false)
        @ConditionalOnMissingBean(value = RateLimitWebFilter.class, search = SearchStrategy.CURRENT)
        record OwnFilters(
                HttpRateLimiter limiter,
                RateLimitProperties properties,
                ExchangeRejections rejections,
                ExchangeCost cost,
                ExchangeOrigin origin,
                ExcludedPaths excluded,
                Diagnostics diagnostics) {

            @Bean("io.github.ratelimit.rateLimitWebFilter")
            @Primary // a bean that asks for the filter gets the first one
            RateLimitWebFilter rateLimitWebFilter() {
                return filter(
                                Phase.BEFORE_AUTHENTICATION,
                                properties.http().filter().beforeOrder())
                        .rejectAmbiguousPaths(properties.http().rejectAmbiguousPaths())
                        .build();
            }

            @Bean("io.github.ratelimit.rateLimitAfterAuthenticationWebFilter")
            RateLimitWebFilter rateLimitAfterAuthenticationWebFilter() {
                return filter(
                                Phase.AFTER_AUTHENTICATION,
                                properties.http().filter().afterOrder())
                        .rejectAmbiguousPaths(false)
                        .build();
            }

            private RateLimitWebFilter.Builder filter(Phase phase, int order) {
                RateLimitWebFilter.Builder filter = RateLimitWebFilter.builder(limiter)
                        .phase(phase)
                        .order(order)
                        .exclude(excluded)
                        .rejections(rejections::reject)
                        .cost(cost)
                        .origin(origin)
                        .onMistake(diagnostics::warn);
                ConfiguredPaths.rules(properties, limiter.limiters().names()).forEach(filter::limit);
                return filter;
            }
        }

        @Bean("io.github.ratelimit.rateLimitHandlerAdapter")
        @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
        RateLimitHandlerAdapter rateLimitHandlerAdapter(
                HttpRateLimiter limiter,
                AnnotatedBeans annotated,
                ExchangeRejections rejections,
                ExchangeCost cost,
                ExchangeOrigin origin,
                ExcludedPaths excluded,
                ApplicationContext context) {
            return new RateLimitHandlerAdapter(limiter, annotated, rejections, cost, origin, excluded, context);
        }

        @Bean("io.github.ratelimit.rateLimitExchangeRejections")
        ExchangeRejections rateLimitExchangeRejections(
                RejectionBody rejectionBody,
                ExchangeOrigin origin,
                ApplicationContext context,
                Diagnostics diagnostics) {
            return new ExchangeRejections(rejectionBody, origin, context, diagnostics::warn);
        }

        /** Before Spring Boot's own handler, at -1, that would make a failure of the application's of a rejection behind a function. */
        @Bean("io.github.ratelimit.rateLimitRejections")
        @Order(-2)
        WebExceptionHandler rateLimitRejections(ExchangeRejections rejections) {
            return (exchange, failure) -> {
                Throwable cause = RejectionAdvice.unwrapped(failure);
                if (cause instanceof RateLimitException rejected) {
                    return rejections.answer(rejected, exchange);
                }
                return cause instanceof UnreadableCostException unreadable
                                && !exchange.getResponse().isCommitted()
                        ? rejections.answer(unreadable, exchange)
                        : Mono.error(failure);
            };
        }

        /** Handlers that are mapped by hand were not seen when annotations were read. */
        @Bean("io.github.ratelimit.rateLimitExchangeHandlerCheck")
        SmartInitializingSingleton rateLimitExchangeHandlerCheck(
                LimitedRequests places,
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
                places.mapped().get().forEach(method -> method.requireReactiveIfCosts(places.annotated()));
                String netty = context.containsBean("nettyReactiveWebServerFactory")
                        ? HttpServerRequest.class.getPackage().getImplementationVersion()
                        : null;
                boolean answersLater = context.getBeanProvider(Store.class).stream()
                        .anyMatch(store -> !(store instanceof InProcessStore));
                if (netty != null && FAULTY.contains(netty) && answersLater) {
                    diagnostics.warn(
                            Diagnostic.SERVER_STOPS_READING,
                            "Reactor Netty %s stops reading a keep-alive connection if the application answers on other threads, as a shared store makes likelier; set reactor-bom.version to another than %s"
                                    .formatted(netty, String.join(", ", FAULTY_BOMS)));
                }
            };
        }

        private static int authenticationOrder(ConfigurableListableBeanFactory beans) {
            return beans.containsBean(SECURITY_FILTER) ? SECURITY_ORDER : Integer.MIN_VALUE;
        }

        @Bean("io.github.ratelimit.rateLimitPlaces")
        LimitedRequests rateLimitPlaces(
                HttpRateLimiter limiter,
                AnnotatedBeans annotated,
                RateLimitProperties properties,
                ExcludedPaths excluded,
                ObjectProvider<OwnFilters> filters,
                ObjectProvider<RequestMappingInfoHandlerMapping> mappings,
                ObjectProvider<LimitedRequests.Routes> routes) {
            return LimitedRequests.of(
                    limiter,
                    annotated,
                    properties,
                    excluded,
                    filters.getIfAvailable() != null,
                    () -> mapped(mappings.orderedStream()),
                    () -> routes.stream()
                            .flatMap(gateway -> gateway.get().stream())
                            .toList());
        }
    }

    /** The methods that requests are mapped to. */
    private static List<MappedMethod> mapped(Stream<RequestMappingInfoHandlerMapping> mappings) {
        return mappings.flatMap(mapping -> mapping.getHandlerMethods().entrySet().stream())
                .map(RateLimitWebFluxAutoConfiguration::mapped)
                .toList();
    }

    private static MappedMethod mapped(Map.Entry<RequestMappingInfo, HandlerMethod> mapped) {
        RequestMappingInfo info = mapped.getKey();
        return MappedMethod.of(
                info.getMethodsCondition().getMethods(),
                info.getPatternsCondition().getPatterns().stream().map(PathPattern::getPatternString),
                mapped.getValue());
    }
}
