package io.github.ratelimit.spring.autoconfigure;

import static io.github.ratelimit.contract.StoreContract.costing;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.Store;
import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.contract.RawHttp.Answer;
import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpKeys;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.http.HttpVerdict;
import io.github.ratelimit.http.RejectionBody;
import io.github.ratelimit.servlet.RateLimitFilter;
import io.github.ratelimit.servlet.RequestCost;
import io.github.ratelimit.servlet.ServletCall;
import io.github.ratelimit.servlet.ServletOrigin;
import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.RateLimitInterceptor;
import io.github.ratelimit.spring.internal.annotation.AnnotatedBeans;
import io.github.ratelimit.spring.internal.endpoint.DescribedCall;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

/** {@code ratelimit.enabled=false}: everything that an application may ask for is there, and nothing is limited. */
class SwitchedOffTest {

    private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
            .withConfiguration(Ours.autoConfigurations())
            .withUserConfiguration(Mvc.class)
            .withPropertyValues(
                    "ratelimit.enabled=false", "ratelimit.limiters.api.permits=1", "ratelimit.limiters.api.window=1h");

    @Configuration(proxyBeanMethods = false)
    @EnableWebMvc
    static class Mvc {}

    /** All that a bean of the application may be given. */
    record Dependent(
            HttpRateLimiter limiter,
            Limiters<HttpCall> limiters,
            ClientAddress clientAddress,
            ServletOrigin origin,
            RejectionBody body,
            RequestCost cost,
            Store store,
            AnnotatedBeans annotated) {}

    @RestController
    static class Annotated {
        @GetMapping("/misspelt")
        @RateLimit("coments")
        void misspelt() {}
    }

    private static DescribedCall call(String address) {
        return DescribedCall.of("address:" + address);
    }

    @Test
    void startSaysThatNothingIsLimited() {
        try (Heard heard = Heard.of(RateLimitAutoConfiguration.class)) {
            runner.run(context ->
                    assertThat(heard.lines()).containsExactly("ratelimit.enabled is false: nothing is limited"));
        }
    }

    @ParameterizedTest
    @CsvSource({"off, true", "no, true", "0, true", "FALSE, true", "on, false", "yes, false", "1, false", "TRUE, false"
    })
    void switchIsReadAsEveryBooleanProperty(String value, boolean unlimited) {
        runner.withPropertyValues("ratelimit.enabled=" + value).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBeanNamesForType(RateLimitInterceptor.class)).hasSize(unlimited ? 0 : 1);
        });
    }

    @Test
    void whatTheApplicationAsksForIsThereAndDoesNothing() {
        runner.withBean(Dependent.class).withUserConfiguration(Annotated.class).run(context -> {
            assertThat(context)
                    .hasNotFailed()
                    .doesNotHaveBean(RateLimitFilter.class)
                    .doesNotHaveBean(RateLimitInterceptor.class);
            Dependent given = context.getBean(Dependent.class);
            for (int i = 0; i < 3; i++) {
                HttpVerdict verdict = given.limiter().check(List.of("api"), call("192.0.2.1"));
                assertThat(verdict.allowed()).isTrue();
                assertThat(verdict.fields()).isEmpty();
                Decision decision = given.limiters().get("api").tryAcquire(call("192.0.2.1"));
                assertThat(decision.allowed()).isTrue();
                assertThat(decision.statuses()).isEmpty();
            }
        });
    }

    @Test
    void storeCountsNothing() {
        runner.run(context -> {
            Store store = context.getBean(Store.class);
            List<Charge> charges =
                    List.of(new Charge("jobs", Limit.of(2, Duration.ofMinutes(1)), Key.of("somebody's key")));
            for (int i = 0; i < 3; i++) {
                Decision decision = store.tryAcquire(costing(charges, 2));
                assertThat(decision.allowed()).isTrue();
                assertThat(decision.statuses())
                        .singleElement()
                        .satisfies(status -> assertThat(status.remaining()).isEqualTo(2));
                store.refundAsync(decision).toCompletableFuture().join();
            }
            store.resetAsync(charges).toCompletableFuture().join();
            store.close();
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class Own {

        private static LimiterSpec<HttpCall> limiter(String name) {
            return LimiterSpec.of(name, Limit.of(1, Duration.ofHours(1)), HttpKeys.clientAddress());
        }

        @Bean
        LimiterSpec<HttpCall> spec() {
            return limiter("own");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnLimiters {
        @Bean
        Limiters<HttpCall> limiters() {
            return Limiters.<HttpCall>builder(InProcessStore.create())
                    .add(Own.limiter("mine"))
                    .build();
        }
    }

    @Test
    void limitersOfTheApplicationsOwnAreKnownAndDoNothing() {
        runner.withUserConfiguration(Own.class).run(context -> allowed(context.getBean(HttpRateLimiter.class), "own"));
        runner.withUserConfiguration(OwnLimiters.class)
                .run(context -> allowed(context.getBean(HttpRateLimiter.class), "mine"));
    }

    @RestController
    static class InPlace {
        @GetMapping("/typed")
        @RateLimit(permits = 1, window = "1h", name = "typing")
        void typed() {}
    }

    @Test
    void limiterDescribedInPlaceIsKnownByItsName() {
        runner.withUserConfiguration(InPlace.class)
                .run(context -> allowed(context.getBean(HttpRateLimiter.class), "typing"));
    }

    private static void allowed(HttpRateLimiter limiter, String name) {
        for (int i = 0; i < 3; i++) {
            assertThat(limiter.check(List.of(name), call("192.0.2.1")).allowed())
                    .as(name)
                    .isTrue();
        }
    }

    @Test
    void whoACallerIsDoesNotDependOnIt() {
        runner.withPropertyValues("ratelimit.http.trusted-proxies=10.0.0.0/8")
                .run(context -> assertThat(context.getBean(ClientAddress.class)
                                .address(DescribedCall.of(
                                        List.of("address:10.0.0.1", "header:X-Forwarded-For:198.51.100.1"))))
                        .hasValue("198.51.100.1"));
    }

    @Test
    void mistakesThatOnlyLimitsMeetDoNotStopTheStart() {
        for (String wrong : List.of(
                "ratelimit.limters.api.shadow=true", "ratelimit.store=redis", "ratelimit.limiters.nobody.paths=/x")) {
            runner.withPropertyValues(wrong)
                    .withBean(Dependent.class)
                    .run(context -> assertThat(context).as(wrong).hasNotFailed());
        }
    }

    @Test
    void propertiesAreReadAsWhenLimitsAreOn() {
        runner.withPropertyValues("ratelimit.limiters.api.permits=many")
                .run(context -> assertThat(context).hasFailed());
    }

    @Test
    void applicationServesAndCountsNothing() throws Exception {
        try (RunningApplication off = RunningApplication.of(Application.class, Asking.class)
                .property("ratelimit.enabled", "false")
                .limiter("api", 1)
                .property("ratelimit.limiters.api.paths", "/**")
                .start()) {
            for (int i = 0; i < 3; i++) {
                Answer answer = RawHttp.get(off.base(), "/asked");
                assertThat(answer.status()).isEqualTo(200);
                assertThat(answer.body()).isEqualTo("allowed for 127.0.0.1");
                assertThat(answer.lines()).noneMatch(line -> line.startsWith("X-RateLimit"));
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @RestController
    static class Asking {

        private final HttpRateLimiter limiter;
        private final ClientAddress addresses;
        private final ServletOrigin origin;

        Asking(HttpRateLimiter limiter, ClientAddress addresses, ServletOrigin origin) {
            this.limiter = limiter;
            this.addresses = addresses;
            this.origin = origin;
        }

        @GetMapping("/asked")
        @RateLimit("nobody")
        String asked(HttpServletRequest request) {
            HttpCall call = ServletCall.of(request, origin);
            String answer = limiter.check(List.of("api"), call).allowed() ? "allowed" : "rejected";
            return answer + " for " + addresses.address(call).orElse("nobody");
        }
    }
}
