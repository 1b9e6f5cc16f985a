package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Key;
import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.servlet.RateLimitFilter;
import io.github.ratelimit.servlet.ServletCall;
import io.github.ratelimit.servlet.ServletOrigin;
import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.RateLimitException;
import io.github.ratelimit.spring.RateLimitInterceptor;
import io.github.ratelimit.spring.internal.Diagnostic;
import io.github.ratelimit.spring.internal.diagnostics.Diagnostics;
import io.github.ratelimit.spring.internal.diagnostics.InvalidRateLimitFailureAnalyzer;
import io.github.ratelimit.spring.internal.endpoint.DescribedCall;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.http.HttpServlet;
import java.io.IOException;
import java.security.Principal;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.BeanUtils;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.config.EnableWebFlux;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;
import reactor.netty.http.server.HttpServerRequest;

/** What is wrong with how limits are set up is told by its number, and the remedy of its page ends it. */
class DiagnosticsTest {

    private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
            .withConfiguration(Ours.autoConfigurations())
            .withUserConfiguration(Mvc.class, Shop.class);

    private final Heard heard = Heard.of(Diagnostics.class);

    @Configuration(proxyBeanMethods = false)
    @EnableWebMvc
    static class Mvc {}

    @RestController
    static class Shop {

        @GetMapping("/shop/open")
        String open() {
            return "open";
        }
    }

    @AfterEach
    void stopListening() {
        heard.close();
    }

    private static String[] limiter(String name, int permits) {
        return new String[] {
            "ratelimit.limiters." + name + ".permits=" + permits, "ratelimit.limiters." + name + ".window=1h"
        };
    }

    private static String[] path(String pattern, String limiter) {
        return new String[] {"ratelimit.limiters." + limiter + ".paths=" + pattern};
    }

    private static String[] all(String[]... properties) {
        return Stream.of(properties).flatMap(Stream::of).toArray(String[]::new);
    }

    private static long found(ApplicationContext context, Diagnostic what) {
        return context.getBean(Diagnostics.class).found(what);
    }

    /** Told at start with these properties, and no more with those of the remedy beside them. */
    private void endsByItsRemedy(WebApplicationContextRunner application, Diagnostic what, String... properties) {
        WebApplicationContextRunner wrong = application.withPropertyValues(properties);
        wrong.run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(found(context, what)).isEqualTo(1);
            assertThat(heard.lines())
                    .filteredOn(line -> line.startsWith(what.code() + ": "))
                    .singleElement()
                    .asString()
                    .endsWith("(" + what.page() + ")");
        });
        wrong.withPropertyValues(DiagnosticsPage.remedy(what)).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(found(context, what)).isZero();
        });
    }

    /** Stops the start with these properties, and no more with those of the remedy beside them. */
    private static void startsByItsRemedy(
            WebApplicationContextRunner application, Diagnostic what, String... properties) {
        WebApplicationContextRunner wrong = application.withPropertyValues(properties);
        wrong.run(context -> {
            assertThat(context).hasFailed();
            FailureAnalysis analysis = new InvalidRateLimitFailureAnalyzer().analyze(context.getStartupFailure());
            assertThat(analysis).isNotNull();
            assertThat(analysis.getDescription()).startsWith(what.code() + ": ");
            assertThat(analysis.getAction()).endsWith("(" + what.page() + ")");
        });
        wrong.withPropertyValues(DiagnosticsPage.remedy(what))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @ParameterizedTest
    @EnumSource
    void everyNumberHasASectionWithTheMistakeAndItsRemedy(Diagnostic each) {
        assertThat(DiagnosticsPage.section(each))
                .containsPattern(Pattern.compile("^\n\\*\\*"))
                .containsPattern("Remedy:\\s");
    }

    @Test
    @Provokes(Diagnostic.PATH_MATCHES_NOTHING)
    void pathRuleThatMatchesNothing() {
        endsByItsRemedy(
                runner,
                Diagnostic.PATH_MATCHES_NOTHING,
                all(limiter("shop", 1), path("/context/shop/**", "shop"), new String[] {
                    "server.servlet.context-path=/context"
                }));
    }

    @Test
    @Provokes(Diagnostic.UNKNOWN_METHOD)
    void unknownMethod() {
        startsByItsRemedy(runner, Diagnostic.UNKNOWN_METHOD, all(limiter("shop", 1), path("GETT /shop/**", "shop")));
    }

    @RestController
    static class Helping {

        @GetMapping("/helping")
        String mapped() {
            return helper();
        }

        @RateLimit(permits = 1, window = "1h")
        private String helper() {
            return "helped";
        }
    }

    @RestController
    static class Helped {

        @GetMapping("/helping")
        @RateLimit(permits = 1, window = "1h")
        String mapped() {
            return "helped";
        }
    }

    @Test
    @Provokes(Diagnostic.ANNOTATED_HELPER)
    void annotatedHelper() {
        assertThat(DiagnosticsPage.section(Diagnostic.ANNOTATED_HELPER)).contains("annotate the mapped method");
        runner.withUserConfiguration(Helping.class)
                .run(context ->
                        assertThat(found(context, Diagnostic.ANNOTATED_HELPER)).isEqualTo(1));
        runner.withUserConfiguration(Helped.class)
                .run(context ->
                        assertThat(found(context, Diagnostic.ANNOTATED_HELPER)).isZero());
    }

    /** As those of GraphQL and of messages are: no request of HTTP is mapped to one of its methods. */
    @Controller
    static class Queries {

        @RateLimit(permits = 1, window = "1h", key = "everybody")
        String query() {
            return "answer";
        }
    }

    @Controller
    @RateLimit(name = "all", permits = 1, window = "1h", key = "everybody")
    static class Messages {

        void receive() {}
    }

    @Test
    void controllerThatServesNoHttp() {
        runner.withUserConfiguration(Queries.class, Messages.class)
                .run(context ->
                        assertThat(found(context, Diagnostic.ANNOTATED_HELPER)).isEqualTo(2));
    }

    interface Prices {

        @RateLimit(permits = 1, window = "1h")
        String price();
    }

    @Configuration(proxyBeanMethods = false)
    static class Client {

        @Bean
        Prices prices() {
            return ProxyFactory.getProxy(Prices.class, (MethodInterceptor) invocation -> "9");
        }
    }

    @RestController
    static class PriceController implements Prices {

        @Override
        @GetMapping("/price")
        public String price() {
            return "10";
        }
    }

    @Test
    @Provokes(Diagnostic.UNREAD_ANNOTATION)
    void annotationOnABeanOfAnInterfaceAlone() {
        assertThat(DiagnosticsPage.section(Diagnostic.UNREAD_ANNOTATION)).contains("interface alone");
        runner.withUserConfiguration(Client.class, PriceController.class).run(context -> {
            assertThat(found(context, Diagnostic.UNREAD_ANNOTATION)).isEqualTo(1);
            assertThat(context.getBean(HttpRateLimiter.class).limiters().names())
                    .contains("PriceController.price");
        });
        runner.withUserConfiguration(PriceController.class)
                .run(context ->
                        assertThat(found(context, Diagnostic.UNREAD_ANNOTATION)).isZero());
    }

    static class Mailer {

        @RateLimit("mails")
        public void send() {}
    }

    /** Nothing in the child can put a proxy around it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Provokes(Diagnostic.UNREAD_ANNOTATION)
    void limitedBeanOfAParentContext(boolean isParentWithout) {
        assertThat(DiagnosticsPage.section(Diagnostic.UNREAD_ANNOTATION))
                .contains("parent context without\nthe library");
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        isParentWithout ? new Class<?>[0] : new Class<?>[] {RateLimitAutoConfiguration.class}))
                .withPropertyValues(all(limiter("mails", 9), new String[] {"ratelimit.limiters.mails.key=everybody"}))
                .withBean("mailer", Mailer.class)
                .withBean(Shop.class)
                .run(parent -> runner.withParent(parent)
                        .withPropertyValues(
                                all(limiter("mails", 9), new String[] {"ratelimit.limiters.mails.key=everybody"}))
                        .run(context -> {
                            assertThat(context).hasNotFailed();
                            assertThat(context.getBean(Mailer.class)).isNotNull();
                            assertThat(found(context, Diagnostic.UNREAD_ANNOTATION))
                                    .isEqualTo(isParentWithout ? 1 : 0);
                        }));
        assertThat(heard.lines())
                .filteredOn(line -> line.startsWith(
                        "RL-005: @RateLimit on Mailer.send has no effect: the bean 'mailer' is of a parent context"))
                .hasSize(isParentWithout ? 1 : 0);
    }

    @Test
    @Provokes(Diagnostic.UNTRUSTED_FORWARDING)
    void forwardingFieldsOfAStranger() {
        runner.withBean(MeterRegistry.class, SimpleMeterRegistry::new).run(context -> {
            for (int i = 0; i < 3; i++) {
                forwarded(context);
            }
            assertThat(found(context, Diagnostic.UNTRUSTED_FORWARDING)).isEqualTo(3);
            MeterBinder meters = context.getBean("io.github.ratelimit.rateLimitDiagnosticsMeters", MeterBinder.class);
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            meters.bindTo(registry);
            assertThat(registry.get("ratelimit.diagnostics")
                            .tag("code", "RL-007")
                            .functionCounter()
                            .count())
                    .isEqualTo(3);
            assertThat(heard.lines()).as("told once").hasSize(1);
        });
        runner.withPropertyValues(DiagnosticsPage.remedy(Diagnostic.UNTRUSTED_FORWARDING))
                .run(context -> {
                    forwarded(context);
                    assertThat(found(context, Diagnostic.UNTRUSTED_FORWARDING)).isZero();
                });
    }

    private static void forwarded(ApplicationContext context) {
        MockHttpServletRequest request = new MockHttpServletRequest();
        request.setRemoteAddr("10.0.0.1");
        request.addHeader("X-Forwarded-For", "198.51.100.1");
        context.getBean(ServletOrigin.class).of(request);
    }

    @Test
    void numberThatIsIgnoredIsNeitherCountedNorLogged() {
        assertThat(DiagnosticsPage.section(Diagnostic.UNTRUSTED_FORWARDING))
                .contains("ratelimit.diagnostics.ignore=RL-007");
        runner.withPropertyValues("ratelimit.diagnostics.ignore=rl-007, RL-018", "server.forward-headers-strategy=none")
                .run(context -> {
                    forwarded(context);
                    assertThat(found(context, Diagnostic.UNTRUSTED_FORWARDING)).isZero();
                    assertThat(heard.lines()).isEmpty();
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0/0", "::/0", "0.0.0.0/1,128.0.0.0/1", "10.0.0.0/8,8000::/1,::/1"})
    @Provokes(Diagnostic.EVERYBODY_TRUSTED)
    void everybodyIsATrustedProxy(String ranges) {
        startsByItsRemedy(runner, Diagnostic.EVERYBODY_TRUSTED, "ratelimit.http.trusted-proxies=" + ranges);
    }

    private static String[] users() {
        return all(
                limiter("users", 1), path("/shop/**", "users"), new String[] {"ratelimit.limiters.users.key=principal"
                });
    }

    @Test
    @Provokes(Diagnostic.PRINCIPAL_TOO_EARLY)
    void principalBeforeItIsKnown() {
        startsByItsRemedy(runner, Diagnostic.PRINCIPAL_TOO_EARLY, all(users(), new String[] {
            "ratelimit.limiters.users.phase=before-authentication"
        }));
    }

    @Test
    @Provokes(Diagnostic.PRINCIPAL_TOO_EARLY)
    void secondFilterBeforeSpringSecurity() {
        Filter security = (request, response, chain) -> chain.doFilter(request, response);
        endsByItsRemedy(
                runner.withBean("springSecurityFilterChain", Filter.class, () -> security),
                Diagnostic.PRINCIPAL_TOO_EARLY,
                all(users(), new String[] {"ratelimit.http.filter.after-order=-100"}));
    }

    @Test
    @Provokes(Diagnostic.PRINCIPAL_TOO_EARLY)
    void beanThatAsksForTheUserBeforeAuthentication() {
        KeyResolver<HttpCall> bean =
                call -> call.principal().map(user -> Key.of(user.getName())).orElse(Key.absent());
        WebApplicationContextRunner early = runner.withBean("who", KeyResolver.class, () -> bean)
                .withPropertyValues(all(limiter("users", 9), path("/shop/**", "users"), new String[] {
                    "ratelimit.limiters.users.key=who", "ratelimit.limiters.users.phase=before-authentication"
                }));
        early.run(context -> {
            pass(context.getBean(RateLimitFilter.class));
            assertThat(found(context, Diagnostic.PRINCIPAL_TOO_EARLY)).isEqualTo(1);
        });
        early.withPropertyValues(DiagnosticsPage.remedy(Diagnostic.PRINCIPAL_TOO_EARLY))
                .run(context -> {
                    pass(context.getBean(RateLimitFilter.class));
                    assertThat(found(context, Diagnostic.PRINCIPAL_TOO_EARLY)).isZero();
                });
    }

    /** As of a token without {@code sub}. */
    @Test
    @Provokes(Diagnostic.USER_WITHOUT_NAME)
    void userWithoutAName() {
        WebApplicationContextRunner byUser = runner.withPropertyValues(users());
        byUser.run(context -> {
            assertThat(found(context, Diagnostic.USER_WITHOUT_NAME)).isZero();
            for (Principal user : Arrays.<Principal>asList(null, () -> "ada", () -> null, () -> null)) {
                passAs(user, context);
            }
            assertThat(found(context, Diagnostic.USER_WITHOUT_NAME)).isEqualTo(2);
            assertThat(heard.lines()).singleElement().asString().startsWith("RL-022: key principal: ");
        });
        byUser.withPropertyValues(DiagnosticsPage.remedy(Diagnostic.USER_WITHOUT_NAME))
                .run(context -> {
                    passAs(() -> null, context);
                    assertThat(found(context, Diagnostic.USER_WITHOUT_NAME)).isZero();
                });
    }

    @Test
    @Provokes(Diagnostic.GUARD_OPENS)
    void guardThatOpensInAnOutage() {
        WebApplicationContextRunner shared = runner.withPropertyValues(
                        "ratelimit.store=redis",
                        "ratelimit.redis.uri=redis://127.0.0.1:1", // nobody serves there
                        "ratelimit.redis.start-timeout=0")
                .withPropertyValues(limiter("guesses", 9))
                .withPropertyValues(limiter("shop", 9));
        shared.run(context -> assertThat(found(context, Diagnostic.GUARD_OPENS)).isZero());

        WebApplicationContextRunner guarded = shared.withPropertyValues("ratelimit.limiters.guesses.count=failures");
        guarded.run(
                context -> assertThat(found(context, Diagnostic.GUARD_OPENS)).isEqualTo(1));
        guarded.withPropertyValues(DiagnosticsPage.remedy(Diagnostic.GUARD_OPENS))
                .run(context ->
                        assertThat(found(context, Diagnostic.GUARD_OPENS)).isZero());
    }

    private static void passAs(@Nullable Principal user, ApplicationContext context) {
        MockHttpServletRequest request = new MockHttpServletRequest();
        request.setUserPrincipal(user);
        context.getBean(HttpRateLimiter.class).check(List.of("users"), ServletCall.of(request));
    }

    @Test
    @Provokes(Diagnostic.FILTER_TWICE)
    void filterThatIsRegisteredTwice() {
        assertThat(DiagnosticsPage.section(Diagnostic.FILTER_TWICE)).contains("remove one of the two");
        runner.withPropertyValues(limiter("shop", 9))
                .withPropertyValues(path("/shop/**", "shop"))
                .run(context -> {
                    RateLimitFilter filter = context.getBean(RateLimitFilter.class);
                    pass(filter);
                    assertThat(found(context, Diagnostic.FILTER_TWICE)).isZero();
                    pass(filter, filter);
                    assertThat(found(context, Diagnostic.FILTER_TWICE)).isEqualTo(1);
                });
    }

    private static void pass(Filter... filters) throws Exception {
        MockFilterChain chain = new MockFilterChain(
                new HttpServlet() {
                    private static final long serialVersionUID = 1;

                    @Override
                    public void service(
                            jakarta.servlet.ServletRequest request, jakarta.servlet.ServletResponse response) {}
                },
                filters);
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "/shop/open");
        request.setServletPath("/shop/open");
        chain.doFilter(request, new MockHttpServletResponse());
    }

    /** Through filter and interceptor, as a server calls them. */
    @ParameterizedTest
    @CsvSource({"500, 1", "200, 1", "429, 0", "503, 0", "403, 0", "-1, 1"})
    @Provokes(Diagnostic.REJECTION_SWALLOWED)
    void rejectionThatTheApplicationSwallows(int status, int times) {
        assertThat(DiagnosticsPage.section(Diagnostic.REJECTION_SWALLOWED)).contains("rejection.verdict().status()");
        runner.withUserConfiguration(Helped.class).run(context -> {
            HandlerMethod handler =
                    new HandlerMethod(context.getBean(Helped.class), BeanUtils.findMethod(Helped.class, "mapped"));
            for (int i = 0; i < 2; i++) {
                FilterChain chain = (request, response) ->
                        answer(context, (MockHttpServletRequest) request, handler, status, response);
                try {
                    context.getBean(RateLimitFilter.class)
                            .doFilter(new MockHttpServletRequest("GET", "/"), new MockHttpServletResponse(), chain);
                } catch (RateLimitException e) {
                    assertThat(status).as("nobody handled it").isEqualTo(-1);
                }
            }
            assertThat(found(context, Diagnostic.REJECTION_SWALLOWED)).isEqualTo(times);
        });
    }

    private static void answer(
            ApplicationContext context,
            MockHttpServletRequest request,
            HandlerMethod handler,
            int status,
            jakarta.servlet.ServletResponse response)
            throws IOException {
        jakarta.servlet.http.HttpServletResponse answer = (jakarta.servlet.http.HttpServletResponse) response;
        try {
            context.getBean(RateLimitInterceptor.class).preHandle(request, answer, handler);
        } catch (RateLimitException e) {
            if (status < 0) {
                throw e;
            }
            answer.setStatus(status);
        }
    }

    @Test
    @Provokes(Diagnostic.UNKNOWN_PLAN)
    void unknownPlan() {
        WebApplicationContextRunner planned = runner.withPropertyValues(
                "ratelimit.limiters.api.plans.free=3",
                "ratelimit.limiters.api.plans.pro=10",
                "ratelimit.limiters.api.plan-by=header:X-Plan",
                "ratelimit.limiters.api.window=1h");
        planned.run(context -> {
            for (String plan : List.of("PRO", " pro ", "free")) {
                assertThat(permits(context, plan)).as(plan).isEqualTo(plan.equals("free") ? 3 : 10);
            }
            assertThat(found(context, Diagnostic.UNKNOWN_PLAN)).isZero();
            assertThat(permits(context, "gold\nEND" + "!".repeat(100))).isEqualTo(3);
            assertThat(permits(context, "silver")).isEqualTo(3);
            assertThat(found(context, Diagnostic.UNKNOWN_PLAN)).isEqualTo(2);
            assertThat(heard.lines())
                    .singleElement()
                    .asString()
                    .startsWith("RL-020: ratelimit.limiters.api.plan-by: no such plan: 'gold?END" + "!".repeat(56)
                            + "'; known: free, pro.");
        });
        planned.withPropertyValues(DiagnosticsPage.remedy(Diagnostic.UNKNOWN_PLAN))
                .run(context -> {
                    assertThat(permits(context, "gold")).isEqualTo(20_000);
                    assertThat(found(context, Diagnostic.UNKNOWN_PLAN)).isZero();
                });
    }

    private static long permits(ApplicationContext context, String plan) {
        HttpCall call = DescribedCall.of(List.of("address:192.0.2.1", "header:X-Plan:" + plan));
        return context.getBean(HttpRateLimiter.class)
                .check(List.of("api"), call)
                .decision()
                .statuses()
                .get(0)
                .limit()
                .permits();
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnFilter {

        @Bean
        RateLimitFilter ownFilter(HttpRateLimiter limiter) {
            return RateLimitFilter.builder(limiter).limit("/shop/**", "shop").build();
        }
    }

    @Test
    @Provokes(Diagnostic.UNKNOWN_LIMITER)
    void limiterThatDoesNotExist() {
        startsByItsRemedy(runner, Diagnostic.UNKNOWN_LIMITER, all(limiter("search", 1), path("/shop/**", "serach")));
    }

    @Test
    @Provokes(Diagnostic.PATHS_REPLACED)
    void pathRulesThatAFilterOfOnesOwnReplaces() {
        assertThat(DiagnosticsPage.section(Diagnostic.PATHS_REPLACED)).contains("or remove the bean");
        WebApplicationContextRunner rules =
                runner.withPropertyValues(limiter("shop", 1)).withPropertyValues(path("/shop/**", "shop"));
        rules.withUserConfiguration(OwnFilter.class)
                .run(context ->
                        assertThat(found(context, Diagnostic.PATHS_REPLACED)).isEqualTo(1));
        rules.run(
                context -> assertThat(found(context, Diagnostic.PATHS_REPLACED)).isZero());
    }

    @Test
    @Provokes(Diagnostic.PEER_REWRITTEN)
    void serverThatBelievesForwardingFields() {
        String believes = "server.forward-headers-strategy=native";
        runner.withPropertyValues(believes)
                .run(context -> assertThat(found(context, Diagnostic.PEER_REWRITTEN))
                        .as("Tomcat")
                        .isZero());
        endsByItsRemedy(
                runner.withClassLoader(new FilteredClassLoader("org.apache.catalina")),
                Diagnostic.PEER_REWRITTEN,
                believes);
    }

    @Test
    void serverOfWebFluxThatBelievesForwardingFields() {
        ReactiveWebApplicationContextRunner reactive = new ReactiveWebApplicationContextRunner()
                .withConfiguration(Ours.autoConfigurations())
                .withUserConfiguration(Flux.class, Shop.class)
                .withPropertyValues("server.forward-headers-strategy=native");
        for (String server : List.of("org.apache.catalina", "reactor.netty.http.server")) {
            reactive.withClassLoader(new FilteredClassLoader(server))
                    .run(context -> assertThat(found(context, Diagnostic.PEER_REWRITTEN))
                            .as("without %s", server)
                            .isZero());
        }
        reactive.withClassLoader(new FilteredClassLoader("org.apache.catalina", "reactor.netty.http.server"))
                .run(context ->
                        assertThat(found(context, Diagnostic.PEER_REWRITTEN)).isEqualTo(1));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableWebFlux
    static class Flux {}

    @Test
    @Provokes(Diagnostic.SERVER_STOPS_READING)
    void reactorNettyThatStopsReadingIsWarnedOfWithASharedStore() {
        String version = HttpServerRequest.class.getPackage().getImplementationVersion();
        ReactiveWebApplicationContextRunner reactive = new ReactiveWebApplicationContextRunner()
                .withConfiguration(Ours.autoConfigurations())
                .withUserConfiguration(Flux.class, Shop.class);
        ReactiveWebApplicationContextRunner onNetty = reactive.withBean("nettyReactiveWebServerFactory", Object.class);
        onNetty.run(context -> assertThat(found(context, Diagnostic.SERVER_STOPS_READING))
                .as("in process nothing is answered later")
                .isZero());
        reactive.withBean(CountingStore.class)
                .run(context -> assertThat(found(context, Diagnostic.SERVER_STOPS_READING))
                        .as("another server")
                        .isZero());
        try (Heard warnings = Heard.of(Diagnostics.class)) {
            onNetty.withBean(CountingStore.class)
                    .run(context -> assertThat(found(context, Diagnostic.SERVER_STOPS_READING))
                            .isEqualTo(1));
            assertThat(warnings.lines())
                    .singleElement()
                    .asString()
                    .startsWith("RL-021: Reactor Netty " + version + " stops reading")
                    .contains("set reactor-bom.version to another than 2024.0.18, 2025.0.6, 2025.0.7");
        }
        assertThat(DiagnosticsPage.section(Diagnostic.SERVER_STOPS_READING)).contains("<reactor-bom.version>");
    }

    @Test
    void everyNumberOfThePageIsProvokedByATest() {
        List<String> numbers =
                Stream.of(Diagnostic.values()).map(Diagnostic::code).toList();
        assertThat(DiagnosticsPage.sections()).isEqualTo(numbers);
        assertThat(Stream.of(DiagnosticsTest.class, RedisDiagnosticsTest.class)
                        .flatMap(type -> Stream.of(type.getDeclaredMethods()))
                        .filter(method -> method.isAnnotationPresent(Provokes.class))
                        .map(method ->
                                method.getAnnotation(Provokes.class).value().code()))
                .as("numbers that a test provokes")
                .containsAll(numbers);
    }
}
