package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Decision;
import io.github.ratelimit.DecisionListener;
import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Key;
import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.Phase;
import io.github.ratelimit.Store;
import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.http.FieldStyle;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpKeys;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.http.Origin;
import io.github.ratelimit.http.RejectionBody;
import io.github.ratelimit.micrometer.MicrometerDecisionListener;
import io.github.ratelimit.redis.RedisStore;
import io.github.ratelimit.remote.micrometer.RemoteStoreMeters;
import io.github.ratelimit.servlet.RateLimitFilter;
import io.github.ratelimit.servlet.RequestCost;
import io.github.ratelimit.servlet.ServletOrigin;
import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.RateLimitExceptionResolver;
import io.github.ratelimit.spring.RateLimitInterceptor;
import io.github.ratelimit.spring.internal.InvalidRateLimitException;
import io.github.ratelimit.spring.internal.annotation.AnnotatedBeans;
import io.github.ratelimit.spring.internal.diagnostics.InvalidRateLimitFailureAnalyzer;
import io.github.ratelimit.spring.internal.endpoint.DescribedCall;
import io.github.ratelimit.spring.internal.endpoint.DescribedLimiter;
import io.github.ratelimit.spring.internal.endpoint.RateLimitsEndpoint;
import io.github.ratelimit.spring.internal.properties.PropertyNames;
import io.github.ratelimit.spring.internal.properties.RateLimitProperties;
import io.github.ratelimit.spring.internal.redis.RedisClientSource;
import io.github.ratelimit.test.TestClock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

/** What is set up when, and what stops the start. */
class AutoConfigurationTest {

    private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
            .withConfiguration(Ours.autoConfigurations())
            .withUserConfiguration(Mvc.class);

    @Configuration(proxyBeanMethods = false)
    @EnableWebMvc
    static class Mvc {}

    @Test
    void everythingIsThereWithNothingConfigured() {
        runner.run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context).getBean(Store.class).isInstanceOf(InProcessStore.class);
            assertThat(context)
                    .hasSingleBean(HttpRateLimiter.class)
                    .hasSingleBean(ClientAddress.class)
                    .hasSingleBean(RejectionBody.class)
                    .hasSingleBean(RateLimitFilter.class)
                    .hasSingleBean(RateLimitInterceptor.class)
                    .hasSingleBean(RateLimitExceptionResolver.class)
                    .doesNotHaveBean(MicrometerDecisionListener.class);
            FilterRegistrationBean<?> first =
                    context.getBean("io.github.ratelimit.rateLimitFilterRegistration", FilterRegistrationBean.class);
            assertThat(first.getOrder()).isEqualTo(-110);
            assertThat(first.determineDispatcherTypes()).hasSize(5);
            FilterRegistrationBean<?> second = context.getBean(
                    "io.github.ratelimit.rateLimitAfterAuthenticationFilterRegistration", FilterRegistrationBean.class);
            assertThat(second.isEnabled())
                    .as(
                            "there is nothing for it to do; Spring Boot tells at INFO of what is disabled: issue 40, row 27")
                    .isTrue();
        });
    }

    @Test
    void optionalLibrariesAreOptional() {
        for (String missing : List.of(
                "io.micrometer",
                "org.springframework.boot.actuate",
                "io.github.ratelimit.redis",
                "io.lettuce",
                "org.springframework.data",
                "org.springframework.web.reactive",
                "reactor",
                "org.apache.catalina")) {
            runner.withClassLoader(new FilteredClassLoader(missing))
                    .run(context -> assertThat(context)
                            .as(missing)
                            .hasNotFailed()
                            .hasSingleBean(RateLimitFilter.class)
                            .hasSingleBean(InProcessStore.class));
        }
        runner.withClassLoader(new FilteredClassLoader(
                        "io.micrometer",
                        "org.springframework.boot.actuate",
                        "io.github.ratelimit.redis",
                        "io.lettuce",
                        "org.springframework.data",
                        "org.apache.catalina"))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(RateLimitInterceptor.class));
    }

    @Test
    void decisionsAreMeteredWhereThereIsARegistry() {
        runner.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withPropertyValues(limiter("api", 1))
                .run(context -> {
                    assertThat(context).hasSingleBean(MicrometerDecisionListener.class);
                    context.getBean(HttpRateLimiter.class).check(List.of("api"), DescribedCall.of("address:192.0.2.1"));
                    assertThat(context.getBean(MeterRegistry.class)
                                    .get("ratelimit.decisions")
                                    .tag("limiter", "api")
                                    .tag("outcome", "allowed")
                                    .counter()
                                    .count())
                            .isEqualTo(1);
                });
    }

    @Test
    void redisIsUsedWhereItIsSaid() {
        runner.withPropertyValues(
                        "ratelimit.store=redis",
                        "ratelimit.redis.uri=redis://127.0.0.1:1",
                        "ratelimit.redis.start-timeout=0")
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(Store.class)
                        .hasSingleBean(RedisStore.class)
                        .hasSingleBean(RemoteStoreMeters.class));
        runner.withPropertyValues(
                        "ratelimit.store=redis",
                        "ratelimit.redis.uri=redis://127.0.0.1:1",
                        "ratelimit.redis.start-timeout=0")
                .withClassLoader(new FilteredClassLoader("org.springframework.data"))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(RedisStore.class));
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnConnection {
        @Bean
        LettuceConnectionFactory connections() {
            return new LettuceConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", 1));
        }
    }

    @Test
    void applicationsOwnConnectionToRedisIsTaken() {
        runner.withPropertyValues("ratelimit.store=redis", "ratelimit.redis.start-timeout=0")
                .withUserConfiguration(OwnConnection.class)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(RedisClientSource.class)
                        .hasSingleBean(RedisStore.class));
    }

    @Test
    void redisThatIsNotThereStopsTheStart() {
        runner.withPropertyValues("ratelimit.store=redis")
                .withClassLoader(new FilteredClassLoader("io.github.ratelimit.redis"))
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessage("ratelimit.store: is redis, but the store on Redis is not there"));
    }

    @Configuration(proxyBeanMethods = false)
    static class Own {

        static final InProcessStore STORE = InProcessStore.create();
        static final RejectionBody BODY = RejectionBody.problem();
        static final ClientAddress ADDRESS = ClientAddress.of(List.of("10.0.0.0/8"), 56);
        static final ServletOrigin ORIGIN = request -> Origin.of("192.0.2.1", "/", name -> List.of());
        static final RequestCost COST = (limiter, request) -> 2;

        @Bean
        Store store() {
            return STORE;
        }

        @Bean
        RejectionBody body() {
            return BODY;
        }

        @Bean
        ClientAddress address() {
            return ADDRESS;
        }

        @Bean
        ServletOrigin origin() {
            return ORIGIN;
        }

        @Bean
        RequestCost cost() {
            return COST;
        }

        @Bean
        TestClock clock() {
            return new TestClock();
        }

        @Bean
        DecisionListener listener() {
            return DecisionListener.NONE;
        }

        @Bean
        KeyResolver<HttpCall> tenant() {
            return call -> Key.of("tenant");
        }

        @Bean
        LimiterSpec<HttpCall> spec() {
            return LimiterSpec.of("own", Limit.of("m", 1, Duration.ofMinutes(1)), HttpKeys.clientAddress());
        }
    }

    @Test
    void partsGiveWayToTheApplicationsOwn() {
        runner.withUserConfiguration(Own.class)
                .withPropertyValues(limiter("api", 1))
                .withPropertyValues("ratelimit.limiters.api.key[0]=tenant")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context).getBean(Store.class).isSameAs(Own.STORE);
                    assertThat(context).getBean(RejectionBody.class).isSameAs(Own.BODY);
                    assertThat(context).getBean(ClientAddress.class).isSameAs(Own.ADDRESS);
                    assertThat(context).getBean(ServletOrigin.class).isSameAs(Own.ORIGIN);
                    assertThat(context).getBean(RequestCost.class).isSameAs(Own.COST);
                    assertThat(context.getBean(HttpRateLimiter.class).limiters().names())
                            .containsExactlyInAnyOrder("api", "own");
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnAdapters {

        @Bean
        Limiters<HttpCall> limiters() {
            return Limiters.<HttpCall>builder(InProcessStore.create())
                    .add(LimiterSpec.of("mine", Limit.of("m", 1, Duration.ofMinutes(1)), HttpKeys.clientAddress()))
                    .build();
        }

        @Bean
        AnnotatedBeans annotated() {
            return AnnotatedBeans.of(List.<Class<?>>of());
        }

        @Bean
        RateLimitFilter filter(HttpRateLimiter limiter) {
            return RateLimitFilter.builder(limiter).limit("/**", "mine").build();
        }

        @Bean
        RateLimitInterceptor interceptor(HttpRateLimiter limiter, AnnotatedBeans annotated) {
            return new RateLimitInterceptor(limiter, annotated);
        }
    }

    @Test
    void adaptersAndLimitersGiveWayToTheApplicationsOwn() {
        runner.withUserConfiguration(OwnAdapters.class).run(context -> {
            assertThat(context)
                    .hasNotFailed()
                    .hasSingleBean(RateLimitFilter.class)
                    .hasSingleBean(RateLimitInterceptor.class)
                    .hasBean("filter")
                    .hasBean("interceptor");
            assertThat(context.getBean(HttpRateLimiter.class).limiters().names())
                    .containsExactly("mine");
            assertThat(context.getBean(FilterRegistrationBean.class).getFilter())
                    .isSameAs(context.getBean("filter"));
        });
    }

    /** As docs/servlet.md makes them. Where they stand is theirs to say. */
    @Configuration(proxyBeanMethods = false)
    static class OneFilterForEachPhase {
        @Bean
        RateLimitFilter before(HttpRateLimiter limiter) {
            return RateLimitFilter.builder(limiter)
                    .limit("/**", "a")
                    .phase(Phase.BEFORE_AUTHENTICATION)
                    .build();
        }

        @Bean
        RateLimitFilter after(HttpRateLimiter limiter) {
            return RateLimitFilter.builder(limiter)
                    .limit("/**", "a")
                    .phase(Phase.AFTER_AUTHENTICATION)
                    .build();
        }

        @Bean
        FilterRegistrationBean<RateLimitFilter> afterRegistration(@Qualifier("after") RateLimitFilter after) {
            return new FilterRegistrationBean<>(after);
        }
    }

    @Test
    void severalFiltersAreTheApplicationsToRegister() {
        runner.withUserConfiguration(OneFilterForEachPhase.class)
                .withPropertyValues(limiter("a", 1))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .getBeans(FilterRegistrationBean.class)
                        .containsOnlyKeys("afterRegistration"));
    }

    @Test
    void limitersOfOtherThingsThanCallsAreNoneOfItsBusiness() {
        runner.withUserConfiguration(Jobs.class)
                .withPropertyValues(limiter("api", 1))
                .run(context -> assertThat(context.getBean(HttpRateLimiter.class)
                                .limiters()
                                .names())
                        .containsExactly("api"));
    }

    @Configuration(proxyBeanMethods = false)
    static class Jobs {
        @Bean
        Limiters<String> jobs() {
            return Limiters.<String>builder(InProcessStore.create()).build();
        }
    }

    @Test
    void propertiesMakeLimiters() {
        runner.withPropertyValues(
                        "ratelimit.on-store-failure=allow",
                        "ratelimit.http.headers=both",
                        "ratelimit.limiters.api.shadow=true",
                        "ratelimit.limiters.api.rules.burst.permits=1000",
                        "ratelimit.limiters.api.rules.burst.window=1m",
                        "ratelimit.limiters.api.rules.burst.key=client-address, user-agent",
                        "ratelimit.limiters.api.rules.hourly.permits=30000",
                        "ratelimit.limiters.api.rules.hourly.window=PT1H",
                        "ratelimit.limiters.strict.on-store-failure=reject",
                        "ratelimit.limiters.strict.permits=1",
                        "ratelimit.limiters.strict.window=90",
                        "ratelimit.limiters.strict.key=attribute:token | client-address")
                .run(context -> {
                    Limiters<HttpCall> limiters =
                            context.getBean(HttpRateLimiter.class).limiters();
                    LimiterSpec<HttpCall> api = limiters.spec("api");
                    assertThat(known(api))
                            .containsExactly(
                                    Limit.of("burst", 1000, Duration.ofMinutes(1)),
                                    Limit.of("hourly", 30000, Duration.ofHours(1)));
                    assertThat(api.shadow()).isTrue();
                    assertThat(api.onStoreFailure()).isEqualTo(OnStoreFailure.ALLOW);
                    LimiterSpec<HttpCall> strict = limiters.spec("strict");
                    assertThat(strict.onStoreFailure()).isEqualTo(OnStoreFailure.REJECT);
                    assertThat(known(strict)).containsExactly(Limit.of("strict", 1, Duration.ofSeconds(90)));
                    assertThat(context.getBean(RateLimitProperties.class).http().headers())
                            .isEqualTo(FieldStyle.BOTH);
                });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '>', quoteCharacter = '`', textBlock = """
                    ratelimit.limiters.a.permits=0       > ratelimit.limiters.a.permits: limit 'a': permits must be 1..9007199254740991, was 0
                    ratelimit.limiters.a.window=0s       > ratelimit.limiters.a.window: limit 'a': window must be
                    ratelimit.limiters.a.window=400d     > ratelimit.limiters.a.window: limit 'a': window must be 1ms to 366d, was 400d
                    ratelimit.limiters.c.rules[a b].permits=1     > ratelimit.limiters.c.rules.a b: limit 'a b': name must be 1 to 64 of
                    ratelimit.limiters.a.key=adress      > ratelimit.limiters.a.key: no such key resolver: 'adress'; known: client-address, user-agent, principal, header:<Name>, attribute:<name>, everybody, the name of a KeyResolver bean, or on methods #<argument>
                    ratelimit.limiters.a.rules.b.permits=1        > ratelimit.limiters.a: settings such as permits or window stand beside rules: b
                    ratelimit.limiters.b.window=1m       > ratelimit.limiters.b.permits: must be given
                    ratelimit.limiters.b.permits=1       > ratelimit.limiters.b.window: must be given
                    ratelimit.limiters.b.shadow=true              > ratelimit.limiters.b.permits: must be given
                    ratelimit.limiters.b.exclude=/x               > ratelimit.limiters.b.permits: must be given
                    ratelimit.limiters.a.plan-by=user-agent > ratelimit.limiters.a.permits: must not be given beside plan-by
                    ratelimit.limiters.a.plans.free=1    > ratelimit.limiters.a.permits: must not be given beside plans
                    ratelimit.in-process.maximum-counters=10      > ratelimit.in-process.maximum-counters: maximumCounters must be 1024..67108864, was 10
                    ratelimit.http.trusted-proxies=0.0.0.0/0      > ratelimit.http.trusted-proxies[0]: '0.0.0.0/0' holds half of all addresses
                    ratelimit.http.trusted-proxies=10.0.0.1/8     > ratelimit.http.trusted-proxies[0]: '10.0.0.1/8' has address bits behind its prefix; write 10.0.0.0/8
                    ratelimit.http.ipv6-prefix=16                 > ratelimit.http.ipv6-prefix: ipv6-prefix must be 32..128, was 16
                    """)
    void wrongValueStopsTheStartByThePropertysFullName(String property, String message) {
        runner.withPropertyValues(limiter("a", 1)).withPropertyValues(property).run(context -> {
            assertThat(context).hasFailed();
            assertThat(context).getFailure().rootCause().hasMessageStartingWith(message);
            assertThat(context).getFailure().rootCause().isInstanceOf(InvalidRateLimitException.class);
        });
    }

    @Test
    void wrongPathOrLimiterOfAPathStopsTheStart() {
        runner.withPropertyValues(limiter("a", 1))
                .withPropertyValues("ratelimit.limiters.a.paths=x")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessage("ratelimit.limiters.a.paths[0]: path pattern 'x': it must begin with a slash"));
        runner.withPropertyValues(limiter("a", 1))
                .withPropertyValues("ratelimit.limiters.b.paths=/x")
                .run(
                        context -> assertThat(context)
                                .getFailure()
                                .rootCause()
                                .hasMessage(
                                        "ratelimit.limiters.b: no such limiter: 'b' has paths and no permits, and nothing else describes it; known: a"));
    }

    /** Each was accepted once, and limited nothing. */
    @ParameterizedTest
    @CsvSource(delimiter = '>', quoteCharacter = '`', textBlock = """
                    /users/{id}   > ratelimit.limiters.a.paths[0]: path pattern '/users/{id}':
                    /api?x=1      > ratelimit.limiters.a.paths[0]: path pattern '/api?x=1':
                    /caf%C3%A9    > ratelimit.limiters.a.paths[0]: path pattern '/caf%C3%A9':
                    GTE /x        > ratelimit.limiters.a.paths[0]: path rule '/x' of limiter 'a': no such method: 'GTE'
                    """)
    void pathRuleThatLimitsNothingStopsTheStart(String path, String message) {
        runner.withPropertyValues(limiter("a", 1))
                .withPropertyValues("ratelimit.limiters.a.paths=" + path)
                .run(context -> {
                    assertThat(context).getFailure().rootCause().isInstanceOf(InvalidRateLimitException.class);
                    assertThat(context).getFailure().rootCause().hasMessageStartingWith(message);
                });
    }

    @Test
    void methodsMayBeWrittenInSmallLetters() {
        runner.withPropertyValues(limiter("a", 1))
                .withPropertyValues("ratelimit.limiters.a.paths=post /x, propfind /x")
                .run(context -> assertThat(context).hasNotFailed());
    }

    private static final String[] PLANS = {
        "ratelimit.limiters.api.plans.free=2",
        "ratelimit.limiters.api.plans.pro=5",
        "ratelimit.limiters.api.window=1m",
        "ratelimit.limiters.api.plan-by=header:X-Plan"
    };

    @ParameterizedTest
    @CsvSource(delimiter = '>', quoteCharacter = '`', textBlock = """
                    plans.free=0                > ratelimit.limiters.api.plans.free: limit 'api': permits must be 1..9007199254740991, was 0
                    window=0s                   > ratelimit.limiters.api.window: limit 'api': window must be
                    plan-by=paln                > ratelimit.limiters.api.plan-by: no such key resolver: 'paln'; known: client-address,
                    permits=1                   > ratelimit.limiters.api.permits: must not be given beside plans
                    """)
    void wrongPlanStopsTheStartByThePropertysFullName(String property, String message) {
        runner.withPropertyValues(PLANS)
                .withPropertyValues("ratelimit.limiters.api." + property)
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageStartingWith(message));
    }

    @Test
    void halfAPlanStopsTheStart() {
        runner.withPropertyValues("ratelimit.limiters.api.plans.free=2", "ratelimit.limiters.api.window=1m")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessage("ratelimit.limiters.api.plan-by: must be given"));
        runner.withPropertyValues("ratelimit.limiters.api.plan-by=principal", "ratelimit.limiters.api.window=1m")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessage("ratelimit.limiters.api.plans: must be given"));
    }

    private static DescribedCall call(String... headers) {
        return DescribedCall.of(Stream.concat(Stream.of("address:192.0.2.1"), Stream.of(headers))
                .toList());
    }

    @Test
    void permitsDependOnThePlanAndCountsDoNot() {
        runner.withPropertyValues(PLANS).run(context -> {
            HttpRateLimiter limiter = context.getBean(HttpRateLimiter.class);
            String pro = "header:X-Plan:pro";
            assertThat(known(limiter.limiters().spec("api")))
                    .containsExactlyInAnyOrder(
                            Limit.of("api", 2, Duration.ofMinutes(1)), Limit.of("api", 5, Duration.ofMinutes(1)));
            assertThat(limiter.check(List.of("api"), call(pro)).fields())
                    .containsEntry("X-RateLimit-Limit", "5")
                    .containsEntry("X-RateLimit-Remaining", "4");
            assertThat(limiter.check(List.of("api"), call()).fields())
                    .as("no plan: the smallest, of the same count")
                    .containsEntry("X-RateLimit-Limit", "2")
                    .containsEntry("X-RateLimit-Remaining", "0");
            assertThat(limiter.check(List.of("api"), call("header:X-Plan:gold")).status())
                    .isEqualTo(429);
            assertThat(limiter.check(List.of("api"), call(pro)).fields()).containsEntry("X-RateLimit-Remaining", "2");
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class PlanBean {
        @Bean
        KeyResolver<HttpCall> subscription() {
            return call -> Key.of("pro");
        }
    }

    @Test
    void planMayBeNamedByABean() {
        runner.withUserConfiguration(PlanBean.class)
                .withPropertyValues(PLANS)
                .withPropertyValues("ratelimit.limiters.api.plan-by=subscription")
                .run(context -> assertThat(context.getBean(HttpRateLimiter.class)
                                .check(List.of("api"), call())
                                .fields())
                        .containsEntry("X-RateLimit-Limit", "5"));
    }

    @Test
    void phaseFollowsFromKeysUnlessItIsSaid() {
        runner.withPropertyValues(limiter("address", 1))
                .withPropertyValues(limiter("user", 1))
                .withPropertyValues("ratelimit.limiters.user.key=principal | client-address")
                .withPropertyValues(limiter("late", 1))
                .withPropertyValues("ratelimit.limiters.late.phase=after-authentication")
                .withPropertyValues(PLANS)
                .withPropertyValues("ratelimit.limiters.api.plan-by=attribute:plan")
                .withPropertyValues("ratelimit.http.filter.after-order=7")
                .withPropertyValues("ratelimit.limiters.late.paths=/x")
                .run(context -> {
                    Limiters<HttpCall> limiters =
                            context.getBean(HttpRateLimiter.class).limiters();
                    assertThat(List.of("address", "user", "late", "api"))
                            .extracting(name -> limiters.spec(name).phase())
                            .containsExactly(
                                    Phase.BEFORE_AUTHENTICATION,
                                    Phase.AFTER_AUTHENTICATION,
                                    Phase.AFTER_AUTHENTICATION,
                                    Phase.AFTER_AUTHENTICATION);
                    FilterRegistrationBean<?> second = context.getBean(
                            "io.github.ratelimit.rateLimitAfterAuthenticationFilterRegistration",
                            FilterRegistrationBean.class);
                    assertThat(second.getOrder()).isEqualTo(7);
                    assertThat(second.isEnabled()).isTrue();
                });
    }

    @Test
    void phaseThatAKeyCannotBeResolvedInStopsTheStart() {
        for (String key : List.of("principal", "attribute:token", "client-address | principal")) {
            runner.withPropertyValues(limiter("a", 1))
                    .withPropertyValues("ratelimit.limiters.a.key=" + key)
                    .withPropertyValues("ratelimit.limiters.a.phase=before-authentication")
                    .run(
                            context -> assertThat(context)
                                    .getFailure()
                                    .rootCause()
                                    .hasMessageStartingWith(
                                            "ratelimit.limiters.a.phase: limiter 'a': a rule needs the user, a role or an attribute"));
        }
    }

    @Test
    void storeInThisProcessIsBoundedAsSaid() {
        runner.run(context -> {
            InProcessStore store = context.getBean(InProcessStore.class);
            assertThat(context.getBean(RateLimitProperties.class).inProcess())
                    .isEqualTo(new RateLimitProperties.InProcess(
                            InProcessStore.DEFAULT_MAXIMUM_COUNTERS, InProcessStore.WhenFull.EVICT));
            assertThat(store.maximumCounters()).isEqualTo(InProcessStore.DEFAULT_MAXIMUM_COUNTERS);
        });
        runner.withPropertyValues("ratelimit.in-process.maximum-counters=1024", "ratelimit.in-process.when-full=reject")
                .withPropertyValues(limiter("api", 10))
                .run(context -> {
                    HttpRateLimiter limiter = context.getBean(HttpRateLimiter.class);
                    InProcessStore store = context.getBean(InProcessStore.class);
                    assertThat(store.maximumCounters()).isEqualTo(1024);
                    int rejected = 0;
                    for (int i = 0; i < 5000; i++) {
                        String address = "10.0." + i / 250 + "." + i % 250;
                        DescribedCall call = DescribedCall.of("address:" + address);
                        rejected += limiter.check(List.of("api"), call).allowed() ? 0 : 1;
                    }
                    assertThat(rejected).as("fresh keys are rejected").isGreaterThanOrEqualTo(5000 - 1024);
                    assertThat(store.evicted()).isZero();
                });
    }

    @Test
    void storeInThisProcessIsMetered() {
        runner.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withPropertyValues("ratelimit.in-process.maximum-counters=1024")
                .withPropertyValues(limiter("api", 10))
                .run(context -> {
                    MeterRegistry registry = context.getBean(MeterRegistry.class);
                    context.getBean("io.github.ratelimit.rateLimitInProcessMeters", MeterBinder.class)
                            .bindTo(registry);
                    HttpRateLimiter limiter = context.getBean(HttpRateLimiter.class);
                    limiter.check(List.of("api"), call());
                    assertThat(gauge(registry, "ratelimit.in.process.counters", "store"))
                            .isEqualTo(1);
                    assertThat(gauge(registry, "ratelimit.in.process.maximum.counters", "store"))
                            .isEqualTo(1024);
                    assertThat(registry.get("ratelimit.in.process.evicted")
                                    .tag("role", "store")
                                    .functionCounter()
                                    .count())
                            .isZero();
                    for (int i = 0; i < 5000; i++) {
                        String address = "10.0." + i / 250 + "." + i % 250;
                        limiter.check(List.of("api"), DescribedCall.of("address:" + address));
                    }
                    assertThat(registry.get("ratelimit.in.process.evicted")
                                    .functionCounter()
                                    .count())
                            .isEqualTo((double)
                                    context.getBean(InProcessStore.class).evicted())
                            .isGreaterThanOrEqualTo(5001 - 1024);
                });
    }

    private static double gauge(MeterRegistry registry, String name, String role) {
        return registry.get(name).tag("role", role).gauge().value();
    }

    @Test
    void fallbackIsBoundedAndMeteredAsWell() {
        runner.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withPropertyValues(
                        "ratelimit.store=redis",
                        "ratelimit.redis.uri=redis://127.0.0.1:1",
                        "ratelimit.redis.start-timeout=0")
                .withPropertyValues("ratelimit.in-process.maximum-counters=2048")
                .withPropertyValues(limiter("api", 10))
                .run(context -> {
                    MeterRegistry registry = context.getBean(MeterRegistry.class);
                    context.getBean("io.github.ratelimit.rateLimitInProcessMeters", MeterBinder.class)
                            .bindTo(registry);
                    assertThat(context.getBean(HttpRateLimiter.class)
                                    .check(List.of("api"), call())
                                    .decision()
                                    .source())
                            .isEqualTo(Decision.Source.LOCAL);
                    assertThat(gauge(registry, "ratelimit.in.process.counters", "fallback"))
                            .isEqualTo(1);
                    assertThat(gauge(registry, "ratelimit.in.process.maximum.counters", "fallback"))
                            .isEqualTo(2048);
                });
    }

    /** Spring Boot's own failure analysis tells the name, the value and the line; an address or a secret is not shown. */
    @ParameterizedTest
    @CsvSource({
        "ratelimit.limiters.a.permit, 1, 1",
        "ratelimit.limiters.a-b.rules.c.widow, 1m, 1m",
        "ratelimit.limiters.c.rules[0].name, burst, burst",
        "ratelimit.redis.secrt, abc, not shown",
        "ratelimit.http.filter.before, 1, 1",
        "ratelimit.http.fields, both, both",
        "ratelimit.http.ipv6-prefix.length, 64, 64",
        "ratelimit.in-process.maximum-counter, 2048, 2048",
    })
    void unknownPropertyOfTheLibraryStopsTheStart(String property, String value, String shown) {
        runner.withPropertyValues(limiter("a", 1))
                .withPropertyValues(property + "=" + value)
                .run(context -> assertThat(NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure()))
                        .isInstanceOfSatisfying(
                                UnboundConfigurationPropertiesException.class,
                                unbound -> assertThat(unbound.getUnboundProperties())
                                        .singleElement()
                                        .satisfies(told -> {
                                            assertThat(told.getName()).hasToString(property);
                                            assertThat(told.getValue()).isEqualTo(shown);
                                            assertThat(told.getOrigin()).isNotNull();
                                        })));
    }

    @Test
    void propertiesOfTheApplicationLiveOn() {
        runner.withPropertyValues("ratelimit.something=1", "ratelimit.limters.a.shadow=true", "ratelimit.mine.a[0]=b")
                .run(context -> assertThat(context).hasNotFailed());
        runner.withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new SystemEnvironmentPropertySource(
                                "systemEnvironment", Map.of("RATELIMIT_REDIS_PORT", "tcp://10.0.0.1:6379"))))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '>', textBlock = """
                    limiters.api-1.permits=1                  > limiters.api1.permits=2                > limiters: 'api-1', 'api1'
                    limiters.apiOne.permits=1                 > limiters.apione.window=1h              > limiters: 'apiOne', 'apione'
                    limiters.a.rules.per-hour.permits=1       > limiters.a.rules.perhour.permits=2     > limiters.a.rules: 'per-hour', 'perhour'
                    limiters.a.plans.free-trial=1             > limiters.a.plans.freetrial=2           > limiters.a.plans: 'free-trial', 'freetrial'
                    """)
    void namesThatSpringBootReadsAsOneStopTheStart(String one, String other, String both) {
        runner.withPropertyValues("ratelimit." + one, "ratelimit." + other).run(context -> {
            assertThat(context)
                    .getFailure()
                    .rootCause()
                    .hasMessage("ratelimit." + both
                            + ": names that differ only in dashes and letter case are one name to Spring Boot")
                    .isInstanceOfSatisfying(
                            InvalidRateLimitException.class,
                            invalid -> assertThat(invalid.remedy()).startsWith("rename one of them"));
        });
    }

    private WebApplicationContextRunner variables(Map<String, Object> variables) {
        return runner.withPropertyValues(limiter("widget-init", 1))
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new SystemEnvironmentPropertySource("systemEnvironment", variables)));
    }

    private void withVariables(Map<String, Object> variables) {
        variables(variables).run(context -> assertThat(context).hasNotFailed());
    }

    @RestController
    static class Login {
        @GetMapping("/login")
        @RateLimit(name = "login", permits = 5, window = "1m")
        void get() {}
    }

    @ParameterizedTest
    @CsvSource({
        "PERMITS, 7, window",
        "WINDOW, 7s, permits",
        "SHADOW, true, permits",
        "RULES_X_PERMITS, 7, rules.x.window"
    })
    void misspeltLimiterInAVariableStopsTheStartWithTheVariableAndTheKnownNames(
            String variable, String value, String missing) {
        variables(Map.of("RATELIMIT_LIMITERS_LOGN_" + variable, value))
                .withUserConfiguration(Login.class)
                .run(context -> {
                    Throwable failure = NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure());
                    assertThat(failure)
                            .hasMessageStartingWith("ratelimit.limiters.logn.%s: must be given", missing)
                            .hasMessageContaining("RATELIMIT_LIMITERS_LOGN_" + variable)
                            .hasMessageEndingWith("(its value: %s)", value)
                            .isInstanceOfSatisfying(
                                    InvalidRateLimitException.class,
                                    invalid -> assertThat(invalid.remedy())
                                            .startsWith("correct the name of the limiter in the variable")
                                            .contains("login, widget-init"));
                });
    }

    @Test
    void mistakeInAPropertyIsNotThatOfAVariableOfTheSameLimiter() {
        variables(Map.of("RATELIMIT_LIMITERS_LOGN_PERMITS", "7"))
                .withPropertyValues("ratelimit.limiters.logn.key=everybody")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessage("ratelimit.limiters.logn.window: must be given"));
    }

    @Test
    void misspeltVariableIsWarnedAboutWithTheKnownNames() {
        try (Heard heard = Heard.of(PropertyNames.class)) {
            withVariables(Map.of("RATELIMIT_LIMITERS_WIDGETINIT_PLANSS_FREE", "1"));
            assertThat(heard.lines())
                    .singleElement()
                    .asString()
                    .contains(
                            "RATELIMIT_LIMITERS_WIDGETINIT_PLANSS_FREE",
                            "ratelimit.limiters.widgetinit.planss.free: no such property",
                            "its value: 1",
                            "known: anchor, anchor-by, at-most, block, burst, ");
        }
    }

    @Test
    void variablesThatAreReadAreNotWarnedAbout() {
        try (Heard heard = Heard.of(PropertyNames.class)) {
            withVariables(Map.ofEntries(
                    Map.entry("RATELIMIT_LIMITERS_WIDGETINIT_PERMITS", "1"),
                    Map.entry("RATELIMIT_LIMITERS_WIDGET_INIT_PERMITS", "1"),
                    Map.entry("RATELIMIT_LIMITERS_WIDGET_INIT_SKIP_IF", "10.0.0.1"),
                    Map.entry("RATELIMIT_LIMITERS_WIDGETINIT_SKIPIF_0", "10.0.0.1"),
                    Map.entry("RATELIMIT_IN_PROCESS_MAXIMUM_COUNTERS", "2048"),
                    Map.entry("RATELIMIT_HTTP_FILTER_BEFOREORDER", "-110"),
                    Map.entry("RATELIMIT_REDIS_SERVICE_HOST", "10.0.0.1"),
                    Map.entry("RATELIMIT_REDIS_SERVICE_PORT_REDIS", "6379"),
                    Map.entry("RATELIMIT_REDIS_PORT", "tcp://10.0.0.1:6379"),
                    Map.entry("RATELIMIT_REDIS_PORT_6379_TCP_ADDR", "10.0.0.1")));
            assertThat(heard.lines()).isEmpty();
        }
    }

    @RestController
    static class Misspelt {
        @GetMapping("/")
        @RateLimit("coments")
        void get() {}
    }

    @Test
    void unknownNameInAnAnnotationStopsTheStartWithARemedy() {
        runner.withUserConfiguration(Misspelt.class)
                .withPropertyValues(limiter("comments", 1))
                .run(context -> {
                    assertThat(context)
                            .getFailure()
                            .rootCause()
                            .hasMessage("@RateLimit(\"coments\") on Misspelt.get: no such limiter; known: comments");
                    FailureAnalysis analysis =
                            new InvalidRateLimitFailureAnalyzer().analyze(context.getStartupFailure());
                    assertThat(analysis).isNotNull();
                    assertThat(analysis.getDescription()).contains("no such limiter");
                    assertThat(analysis.getAction())
                            .isEqualTo(
                                    "correct the name, or describe the limiter under ratelimit.limiters.coments (https://github.com/ratelimit/ratelimit/blob/main/docs/troubleshooting.md#rl-016)");
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"key", "plan-by", "skip-if"})
    void missingBeanStopsTheStartWithTheRemedyOfATestSlice(String property) {
        runner.withPropertyValues(property.equals("plan-by") ? PLANS : limiter("api", 1))
                .withPropertyValues("ratelimit.limiters.api." + property + "=ofAnotherConfiguration")
                .run(context -> {
                    FailureAnalysis analysis =
                            new InvalidRateLimitFailureAnalyzer().analyze(context.getStartupFailure());
                    assertThat(analysis).isNotNull();
                    assertThat(analysis.getDescription()).contains("'ofAnotherConfiguration'");
                    assertThat(analysis.getAction())
                            .startsWith("correct the value of ratelimit.limiters.api." + property)
                            .endsWith("or declare the bean; a test slice needs @Import of its configuration");
                });
    }

    @Test
    void twoLimitersOfOneNameStopTheStart() {
        runner.withUserConfiguration(Own.class)
                .withPropertyValues(limiter("own", 1))
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessage("two limiters are called 'own'; give each its own name"));
    }

    @Test
    void endpointIsThereWhereActuatorIs() {
        runner.withClassLoader(new FilteredClassLoader(ConditionalOnAvailableEndpoint.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(RateLimitsEndpoint.class));
        runner.withPropertyValues(
                        "management.endpoints.web.exposure.include=*", "management.endpoints.jmx.exposure.include=*")
                .withPropertyValues(limiter("api", 5))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(RateLimitsEndpoint.class).limiter("api", null))
                            .isEqualTo(new DescribedLimiter(
                                    List.of(new DescribedLimiter.DescribedRule(
                                            "api", 5, "PT1M", "fixed-window", false, List.of("client-address"), null)),
                                    "local",
                                    false,
                                    "before-authentication",
                                    List.of(),
                                    List.of(),
                                    Map.of()));
                    assertThat(context.getBean(RateLimitsEndpoint.class).limiter("b", null))
                            .isInstanceOfSatisfying(
                                    WebEndpointResponse.class,
                                    answer -> assertThat(answer.getStatus()).isEqualTo(404));
                });
    }

    private static List<Limit> known(LimiterSpec<HttpCall> spec) {
        return spec.rules().stream().flatMap(rule -> rule.limits().stream()).toList();
    }

    private static String[] limiter(String name, int permits) {
        return new String[] {
            "ratelimit.limiters." + name + ".permits=" + permits, "ratelimit.limiters." + name + ".window=1m"
        };
    }
}
