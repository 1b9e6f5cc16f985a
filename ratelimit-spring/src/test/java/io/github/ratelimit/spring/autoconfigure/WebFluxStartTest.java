package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.http.HttpVerdict;
import io.github.ratelimit.servlet.RateLimitFilter;
import io.github.ratelimit.servlet.RequestCost;
import io.github.ratelimit.spring.ExchangeCost;
import io.github.ratelimit.spring.ExchangeOrigin;
import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.RateLimitWebFilter;
import io.github.ratelimit.spring.internal.Diagnostic;
import io.github.ratelimit.spring.internal.InvalidRateLimitException;
import io.github.ratelimit.spring.internal.diagnostics.Diagnostics;
import io.github.ratelimit.spring.internal.diagnostics.StartReport;
import io.github.ratelimit.spring.internal.endpoint.DescribedCall;
import io.github.ratelimit.spring.internal.web.reactive.RateLimitHandlerAdapter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.config.EnableWebFlux;
import org.springframework.web.reactive.result.method.RequestMappingInfo;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.server.WebFilter;

/** What is set up in a WebFlux application, and what stops its start. */
class WebFluxStartTest {

    private final ReactiveWebApplicationContextRunner runner = new ReactiveWebApplicationContextRunner()
            .withConfiguration(Ours.autoConfigurations())
            .withUserConfiguration(WebFlux.class)
            .withPropertyValues("ratelimit.limiters.search.permits=1")
            .withPropertyValues("ratelimit.limiters.search.window=1h");

    @Configuration(proxyBeanMethods = false)
    @EnableWebFlux
    static class WebFlux {}

    @Test
    void filterForEachPhaseAndTheAnnotationsAdapterAreThere() {
        runner.withPropertyValues("ratelimit.http.filter.before-order=-7", "ratelimit.http.filter.after-order=7")
                .run(context -> {
                    assertThat(context)
                            .hasNotFailed()
                            .hasSingleBean(RateLimitHandlerAdapter.class)
                            .hasSingleBean(ExchangeCost.class)
                            .hasSingleBean(ExchangeOrigin.class)
                            .doesNotHaveBean(RateLimitFilter.class)
                            .doesNotHaveBean(RequestCost.class);
                    assertThat(context.getBean(RateLimitWebFilter.class).getOrder())
                            .as("the first one is the one")
                            .isEqualTo(-7);
                    assertThat(context.getBeansOfType(RateLimitWebFilter.class).values())
                            .extracting(RateLimitWebFilter::getOrder)
                            .containsExactlyInAnyOrder(-7, 7);
                });
        runner.run(context -> assertThat(
                        context.getBeansOfType(RateLimitWebFilter.class).values())
                .extracting(RateLimitWebFilter::getOrder)
                .as("before and behind Spring Security, at -100")
                .containsExactlyInAnyOrder(-110, -90));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '>', textBlock = """
                    ratelimit.limiters.search.permits=0 > ratelimit.limiters.search.permits: limit 'search': permits must be 1..9007199254740991, was 0
                    ratelimit.limiters.serach.paths=/x  > ratelimit.limiters.serach: no such limiter: 'serach' has paths and no permits, and nothing else describes it; known: search
                    """)
    void wrongPropertyStopsTheStartByItsFullName(String property, String message) {
        runner.withPropertyValues("ratelimit.limiters.search.paths=/x")
                .withPropertyValues(property)
                .run(context -> assertThat(context).getFailure().rootCause().hasMessage(message));
    }

    @Test
    void pathRuleThatMatchesNothingIsToldOf() {
        try (Heard warnings = Heard.of(Diagnostics.class);
                Heard table = Heard.of(StartReport.class)) {
            runner.withUserConfiguration(Pages.class)
                    .withPropertyValues("spring.webflux.base-path=/base")
                    .withPropertyValues("ratelimit.limiters.search.paths=/base/pages/**")
                    .run(context -> assertThat(
                                    context.getBean(Diagnostics.class).found(Diagnostic.PATH_MATCHES_NOTHING))
                            .isEqualTo(1));
            assertThat(warnings.lines())
                    .anyMatch(
                            line -> line.startsWith(
                                    "RL-001: ratelimit.limiters.search.paths: '/base/pages/**' matches nothing: it begins with spring.webflux.base-path"));
            assertThat(table.lines()).anyMatch(line -> line.contains("any /base/pages/** (no controller)"));
        }
    }

    @Test
    void tableAtStartSaysWhatIsLimited() {
        try (Heard table = Heard.of(StartReport.class)) {
            runner.withUserConfiguration(Pages.class)
                    .withPropertyValues("ratelimit.limiters.search.paths=/pages/*")
                    .run(context -> {
                        Diagnostics told = context.getBean(Diagnostics.class);
                        assertThat(told.found(Diagnostic.PATH_MATCHES_NOTHING)).isZero();
                        assertThat(told.found(Diagnostic.ANNOTATED_HELPER)).isEqualTo(1);
                    });
            assertThat(String.join("\n", table.lines()))
                    .startsWith("What is limited:")
                    .contains(
                            "  search before-authentication\n    search: 1 in 1h by client-address\n    at any /pages/*\n",
                            "  Pages.page-String after-authentication\n    Pages.page-String: 9 in 1m by client-address\n"
                                    + "    at GET /pages/{id} Pages.page");
        }
    }

    @Test
    void secondFilterBeforeSpringSecurityIsToldOf() {
        String security =
                "org.springframework.security.config.annotation.web.reactive.WebFluxSecurityConfiguration.WebFilterChainFilter";
        WebFilter filter = (exchange, chain) -> chain.filter(exchange);
        for (String order : List.of("-100", "-99")) {
            runner.withBean(security, WebFilter.class, () -> filter)
                    .withPropertyValues(
                            "ratelimit.limiters.search.key=principal",
                            "ratelimit.limiters.search.paths=/pages/**",
                            "ratelimit.http.filter.after-order=" + order)
                    .run(context -> assertThat(
                                    context.getBean(Diagnostics.class).found(Diagnostic.PRINCIPAL_TOO_EARLY))
                            .as(order)
                            .isEqualTo(order.equals("-100") ? 1 : 0));
        }
    }

    @RestController
    static class Pages {

        @GetMapping("/pages/{id}")
        @RateLimit(permits = 9, window = "1m")
        String page(@PathVariable String id) {
            return helper(id);
        }

        @RateLimit(permits = 1, window = "1m")
        private String helper(String id) {
            return id;
        }
    }

    @Test
    void unknownNameInAnAnnotationStopsTheStart() {
        runner.withUserConfiguration(Misspelt.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(InvalidRateLimitException.class)
                        .hasMessage("@RateLimit(\"serach\") on Misspelt.get: no such limiter; known: search"));
    }

    @Test
    void mistakeStopsTheStartOfAWholeApplicationAlsoWhereBeansAreMadeLate() {
        assertThatThrownBy(() -> RunningApplication.of(Application.class, Misspelt.class)
                        .reactive()
                        .property("spring.main.lazy-initialization", "true")
                        .start()
                        .close())
                .rootCause()
                .hasMessageStartingWith("@RateLimit(\"serach\") on Misspelt.get: no such limiter");
    }

    /** Mapped by hand: it is no controller, and was not seen when annotations were read. */
    @Test
    void unknownNameOnAHandlerThatIsMappedByHandStopsTheStart() {
        runner.withUserConfiguration(ByHand.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessage("@RateLimit(\"by-hand\") on Plain.get: no such limiter; known: search"));
    }

    @Test
    void adaptersGiveWayToTheApplicationsOwn() {
        runner.withUserConfiguration(Own.class).run(context -> {
            assertThat(context).hasNotFailed().hasSingleBean(RateLimitWebFilter.class);
            assertThat(context.getBean(RateLimitWebFilter.class)).isSameAs(context.getBean("own"));
            assertThat(context.getBean(ExchangeCost.class)).isSameAs(Own.COST);
        });
    }

    @Test
    void everythingCanBeSwitchedOff() {
        runner.withPropertyValues("ratelimit.enabled=false")
                .withUserConfiguration(Misspelt.class)
                .run(context -> {
                    assertThat(context)
                            .hasNotFailed()
                            .hasSingleBean(ExchangeCost.class)
                            .hasSingleBean(ExchangeOrigin.class)
                            .doesNotHaveBean(RateLimitWebFilter.class)
                            .doesNotHaveBean(RateLimitHandlerAdapter.class);
                    for (int i = 0; i < 3; i++) {
                        HttpVerdict verdict = context.getBean(HttpRateLimiter.class)
                                .check(List.of("search"), DescribedCall.of("address:192.0.2.1"));
                        assertThat(verdict.allowed()).isTrue();
                    }
                });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @RestController
    static class Misspelt {
        @GetMapping("/")
        @RateLimit("serach")
        void get() {}
    }

    static class Plain {
        @RateLimit("by-hand")
        void get() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class ByHand {
        @Bean
        SmartInitializingSingleton mapped(RequestMappingHandlerMapping mapping) {
            mapping.registerMapping(
                    RequestMappingInfo.paths("/plain")
                            .methods(RequestMethod.GET)
                            .build(),
                    new Plain(),
                    ReflectionUtils.findMethod(Plain.class, "get"));
            return () -> {};
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Own {

        static final ExchangeCost COST = (limiter, exchange) -> 2;

        @Bean
        RateLimitWebFilter own(HttpRateLimiter limiter) {
            return RateLimitWebFilter.builder(limiter).limit("/**", "search").build();
        }

        @Bean
        ExchangeCost cost() {
            return COST;
        }
    }
}
