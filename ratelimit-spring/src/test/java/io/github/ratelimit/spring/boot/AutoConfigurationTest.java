package io.github.ratelimit.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.DecisionListener;
import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Key;
import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.Store;
import io.github.ratelimit.contract.TestClock;
import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.http.FieldStyle;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpKeys;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.http.RefusalBody;
import io.github.ratelimit.micrometer.MicrometerDecisionListener;
import io.github.ratelimit.redis.RedisStore;
import io.github.ratelimit.servlet.PeerAddress;
import io.github.ratelimit.servlet.RateLimitFilter;
import io.github.ratelimit.servlet.RequestCost;
import io.github.ratelimit.spring.AnnotatedLimiters;
import io.github.ratelimit.spring.InvalidRateLimitException;
import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.RateLimitExceptionResolver;
import io.github.ratelimit.spring.RateLimitInterceptor;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

/** What is set up when, and what stops the start. */
class AutoConfigurationTest {

    private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class))
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
                    .hasSingleBean(RefusalBody.class)
                    .hasSingleBean(RateLimitFilter.class)
                    .hasSingleBean(RateLimitInterceptor.class)
                    .hasSingleBean(RateLimitExceptionResolver.class)
                    .doesNotHaveBean(MicrometerDecisionListener.class);
            FilterRegistrationBean<?> registration = context.getBean(FilterRegistrationBean.class);
            assertThat(registration.getOrder()).isEqualTo(-110);
            assertThat(registration.determineDispatcherTypes()).hasSize(5);
        });
    }

    @Test
    void nothingIsThereWhenItIsSwitchedOff() {
        runner.withPropertyValues("ratelimit.enabled=false", "ratelimit.http.ipv6-prefix=1000")
                .withUserConfiguration(Misspelt.class)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(Store.class)
                        .doesNotHaveBean(RateLimitFilter.class)
                        .doesNotHaveBean(RateLimitInterceptor.class));
    }

    @Test
    void nothingIsThereWithoutAServletApplication() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Store.class));
    }

    @Test
    void optionalLibrariesAreOptional() {
        for (String missing : List.of(
                "io.micrometer",
                "org.springframework.boot.actuate",
                "io.github.ratelimit.redis",
                "io.lettuce",
                "org.springframework.data",
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
                    context.getBean(HttpRateLimiter.class)
                            .check("api", new DescribedCall("192.0.2.1", null, Map.of(), Map.of()));
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
        runner.withPropertyValues("ratelimit.store=redis", "ratelimit.redis.uri=redis://127.0.0.1:1")
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(Store.class)
                        .hasSingleBean(RedisStore.class)
                        .hasSingleBean(RedisMeters.class));
        runner.withPropertyValues("ratelimit.store=redis", "ratelimit.redis.uri=redis://127.0.0.1:1")
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
        runner.withPropertyValues("ratelimit.store=redis")
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

    @Test
    void rulesThatAClusterCannotCountAsOneStopTheStart() {
        runner.withPropertyValues(
                        "ratelimit.store=redis",
                        "ratelimit.redis.uri=redis://127.0.0.1:1,127.0.0.1:2",
                        "ratelimit.limiters.api.rules[0].name=a",
                        "ratelimit.limiters.api.rules[0].permits=1",
                        "ratelimit.limiters.api.rules[0].window=1m",
                        "ratelimit.limiters.api.rules[1].name=b",
                        "ratelimit.limiters.api.rules[1].permits=1",
                        "ratelimit.limiters.api.rules[1].window=1m",
                        "ratelimit.limiters.api.rules[1].key=user-agent")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageStartingWith("ratelimit.limiters.api.rules: their keys begin with different parts"));
    }

    @Configuration(proxyBeanMethods = false)
    static class Own {

        static final InProcessStore STORE = InProcessStore.create();
        static final RefusalBody BODY = RefusalBody.problem();
        static final ClientAddress ADDRESS = ClientAddress.of(List.of("10.0.0.0/8"), 56);
        static final PeerAddress PEER = request -> "192.0.2.1";
        static final RequestCost COST = (limiter, request) -> 2;

        @Bean
        Store store() {
            return STORE;
        }

        @Bean
        RefusalBody body() {
            return BODY;
        }

        @Bean
        ClientAddress address() {
            return ADDRESS;
        }

        @Bean
        PeerAddress peer() {
            return PEER;
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
                .withPropertyValues("ratelimit.limiters.api.rules[0].key[0]=tenant")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context).getBean(Store.class).isSameAs(Own.STORE);
                    assertThat(context).getBean(RefusalBody.class).isSameAs(Own.BODY);
                    assertThat(context).getBean(ClientAddress.class).isSameAs(Own.ADDRESS);
                    assertThat(context).getBean(PeerAddress.class).isSameAs(Own.PEER);
                    assertThat(context).getBean(RequestCost.class).isSameAs(Own.COST);
                    assertThat(context.getBean(HttpRateLimiter.class).limiters().names())
                            .containsExactlyInAnyOrder("api", "own");
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnDoors {

        @Bean
        Limiters<HttpCall> limiters() {
            return Limiters.<HttpCall>builder(InProcessStore.create())
                    .add(LimiterSpec.of("mine", Limit.of("m", 1, Duration.ofMinutes(1)), HttpKeys.clientAddress()))
                    .build();
        }

        @Bean
        AnnotatedLimiters annotated() {
            return AnnotatedLimiters.of(List.<Class<?>>of());
        }

        @Bean
        RateLimitFilter filter(HttpRateLimiter limiter) {
            return RateLimitFilter.builder(limiter).limit("/**", "mine").build();
        }

        @Bean
        RateLimitInterceptor interceptor(HttpRateLimiter limiter, AnnotatedLimiters annotated) {
            return new RateLimitInterceptor(limiter, annotated);
        }
    }

    @Test
    void doorsAndLimitersGiveWayToTheApplicationsOwn() {
        runner.withUserConfiguration(OwnDoors.class).run(context -> {
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
                        "ratelimit.http.fields=both",
                        "ratelimit.limiters.api.shadow=true",
                        "ratelimit.limiters.api.rules[0].name=burst",
                        "ratelimit.limiters.api.rules[0].permits=1000",
                        "ratelimit.limiters.api.rules[0].window=1m",
                        "ratelimit.limiters.api.rules[0].key=client-address, user-agent",
                        "ratelimit.limiters.api.rules[1].name=hourly",
                        "ratelimit.limiters.api.rules[1].permits=30000",
                        "ratelimit.limiters.api.rules[1].window=PT1H",
                        "ratelimit.limiters.strict.on-store-failure=refuse",
                        "ratelimit.limiters.strict.rules[0].permits=1",
                        "ratelimit.limiters.strict.rules[0].window=90",
                        "ratelimit.limiters.strict.rules[0].key=attribute:token | client-address")
                .run(context -> {
                    Limiters<HttpCall> limiters =
                            context.getBean(HttpRateLimiter.class).limiters();
                    LimiterSpec<HttpCall> api = limiters.get("api").spec();
                    assertThat(api.rules())
                            .extracting(LimiterSpec.Rule::limit)
                            .containsExactly(
                                    Limit.of("burst", 1000, Duration.ofMinutes(1)),
                                    Limit.of("hourly", 30000, Duration.ofHours(1)));
                    assertThat(api.shadow()).isTrue();
                    assertThat(api.onStoreFailure()).isEqualTo(OnStoreFailure.ALLOW);
                    LimiterSpec<HttpCall> strict = limiters.get("strict").spec();
                    assertThat(strict.onStoreFailure()).isEqualTo(OnStoreFailure.REFUSE);
                    assertThat(strict.rules())
                            .extracting(LimiterSpec.Rule::limit)
                            .containsExactly(Limit.of("strict", 1, Duration.ofSeconds(90)));
                    assertThat(context.getBean(RateLimitProperties.class).http().fields())
                            .isEqualTo(FieldStyle.BOTH);
                });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '>', quoteCharacter = '`', textBlock = """
                    ratelimit.limiters.a.rules[0].permits=0       > ratelimit.limiters.a.rules[0].permits: limit 'a': permits must be 1..9007199254740991, was 0
                    ratelimit.limiters.a.rules[0].window=0s       > ratelimit.limiters.a.rules[0].window: limit 'a': window must be
                    ratelimit.limiters.a.rules[0].window=400d     > ratelimit.limiters.a.rules[0].window: limit 'a': window must be
                    ratelimit.limiters.a.rules[0].name=a b        > ratelimit.limiters.a.rules[0].name: limit 'a b': name must be 1 to 64 of
                    ratelimit.limiters.a.rules[0].key=adress      > ratelimit.limiters.a.rules[0].key: no such key resolver: 'adress'; known: client-address,
                    ratelimit.limiters.a.rules[1].permits=1       > ratelimit.limiters.a.rules[0].name: must be given
                    ratelimit.limiters.b.rules[0].window=1m       > ratelimit.limiters.b.rules[0].permits: must be given
                    ratelimit.limiters.b.rules[0].permits=1       > ratelimit.limiters.b.rules[0].window: must be given
                    ratelimit.limiters.b.shadow=true              > ratelimit.limiters.b: limiter 'b': rules must not be empty
                    ratelimit.http.paths[0].limiter=a             > ratelimit.http.paths[0].pattern: must be given
                    ratelimit.http.paths[0].pattern=/x            > ratelimit.http.paths[0].limiter: must be given
                    ratelimit.http.trusted-proxies=0.0.0.0/0      > ratelimit.http.trusted-proxies[0]: '0.0.0.0/0': the prefix must be
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
                .withPropertyValues("ratelimit.http.paths[0].pattern=x", "ratelimit.http.paths[0].limiter=a")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessage("ratelimit.http.paths[0].pattern: path pattern 'x' must begin with a slash"));
        runner.withPropertyValues(limiter("a", 1))
                .withPropertyValues("ratelimit.http.paths[0].pattern=/x", "ratelimit.http.paths[0].limiter=b")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessage("ratelimit.http.paths[0].limiter: no such limiter: 'b'; known: a"));
    }

    @Test
    void unknownPropertyStopsTheStart() {
        runner.withPropertyValues("ratelimit.limters.a.shadow=true")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("ratelimit.limters.a.shadow"));
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
                            .isEqualTo("correct the name, or describe the limiter under ratelimit.limiters.coments");
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
                    assertThat(context.getBean(RateLimitsEndpoint.class).limiter("api"))
                            .isEqualTo(new RateLimitsEndpoint.DescribedLimiter(
                                    List.of(new RateLimitsEndpoint.DescribedRule("api", 5, "PT1M", "fixed-window")),
                                    "local",
                                    false));
                    assertThat(context.getBean(RateLimitsEndpoint.class).limiter("b"))
                            .isNull();
                });
    }

    private static String[] limiter(String name, int permits) {
        return new String[] {
            "ratelimit.limiters." + name + ".rules[0].permits=" + permits,
            "ratelimit.limiters." + name + ".rules[0].window=1m"
        };
    }
}
