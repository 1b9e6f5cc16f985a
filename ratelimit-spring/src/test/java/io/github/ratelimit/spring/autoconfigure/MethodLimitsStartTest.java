package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Key;
import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.Phase;
import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.RateLimitException;
import io.github.ratelimit.spring.internal.InvalidRateLimitException;
import io.github.ratelimit.spring.internal.properties.HttpKeyResolvers;
import io.github.ratelimit.spring.internal.properties.MethodKeys;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.PriorityOrdered;
import org.springframework.stereotype.Controller;

/** What stops the start, and what is warned of, where calls of methods are to be limited. */
@ExtendWith(OutputCaptureExtension.class)
class MethodLimitsStartTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(Ours.autoConfigurations())
            .withPropertyValues("ratelimit.limiters.search.permits=2")
            .withPropertyValues("ratelimit.limiters.search.window=1h")
            .withPropertyValues("ratelimit.limiters.mails.permits=2")
            .withPropertyValues("ratelimit.limiters.mails.window=1h")
            .withPropertyValues("ratelimit.limiters.mails.key=#tenant | everybody");

    private void fails(Class<?> type, String message) {
        runner.withUserConfiguration(type)
                .run(context -> assertThat(NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure()))
                        .as(type.getSimpleName())
                        .isInstanceOf(InvalidRateLimitException.class)
                        .hasMessage(message));
    }

    static class Misspelt {
        @RateLimit("maisl")
        public void send(String tenant) {}
    }

    static class NoSuchParameter {
        @RateLimit("mails")
        public void send(String customer) {}
    }

    static class NoExpression {
        @RateLimit(permits = 1, window = "1h", key = "#tenant.")
        public void send(String tenant) {}
    }

    static class NoSuchAttribute {
        @RateLimit(permits = 1, window = "1h", key = "attribute:customer")
        public void send(String tenant) {}
    }

    static class OfRequests {
        @RateLimit("search")
        public void send(String tenant) {}
    }

    @Test
    void keysThatCannotBeMadeStopTheStart() {
        fails(Misspelt.class, "@RateLimit(\"maisl\") on Misspelt.send: no such limiter; known: mails, search");
        fails(
                NoSuchParameter.class,
                "NoSuchParameter.send: limiter 'mails' counts by #tenant, and the method has no parameter 'tenant'; known: customer");
        fails(
                NoSuchAttribute.class,
                "NoSuchAttribute.send: limiter 'NoSuchAttribute.send-String' counts by attribute:customer, and the method has no parameter 'customer'; known: tenant");
        fails(
                OfRequests.class,
                "OfRequests.send: limiter 'search' counts by client-address, which the call of a method does not have");
        runner.withUserConfiguration(NoExpression.class)
                .run(
                        context -> assertThat(context)
                                .getFailure()
                                .rootCause()
                                .isInstanceOf(InvalidRateLimitException.class)
                                .hasMessageStartingWith(
                                        "@RateLimit(permits = 1, window = \"1h\") on NoExpression.send: key '#tenant.' is no expression:"));
    }

    /** A handler of Spring Data REST's is no controller: requests reach it by mappings of its own. */
    @Test
    void remedyForAHandlerOutsideOfControllersIsItsPath() {
        runner.withUserConfiguration(OfRequests.class)
                .run(
                        context -> assertThat(NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure()))
                                .isInstanceOfSatisfying(
                                        InvalidRateLimitException.class,
                                        mistake -> assertThat(mistake.remedy())
                                                .startsWith(
                                                        "if it handles requests, as that of a @RepositoryRestController does, limit its path;")));
    }

    @Test
    void plansAndConditionsOfRequestsStopTheStart() {
        List.of("role:ADMIN", "10.0.0.0/8").forEach(condition -> {
            runner.withPropertyValues("ratelimit.limiters.mails.skip-if=" + condition)
                    .withUserConfiguration(Planned.class)
                    .run(context -> assertThat(context)
                            .getFailure()
                            .hasMessage(
                                    "Planned.send: limiter 'mails' skips %s, which the call of a method does not have",
                                    condition));
        });
        ApplicationContextRunner planned = new ApplicationContextRunner()
                .withConfiguration(Ours.autoConfigurations())
                .withPropertyValues("ratelimit.limiters.mails.plans.free=2")
                .withPropertyValues("ratelimit.limiters.mails.window=1h")
                .withPropertyValues("ratelimit.limiters.mails.key=everybody")
                .withUserConfiguration(Planned.class);
        planned.withPropertyValues("ratelimit.limiters.mails.plan-by=principal")
                .run(
                        context -> assertThat(context)
                                .getFailure()
                                .hasMessage(
                                        "Planned.send: limiter 'mails' has plans by principal, which the call of a method does not have"));
        planned.withPropertyValues("ratelimit.limiters.mails.plan-by=#plan")
                .run(
                        context -> assertThat(context)
                                .getFailure()
                                .hasMessage(
                                        "Planned.send: limiter 'mails' has plans by #plan, and the method has no parameter 'plan'; known: tenant"));
        planned.withPropertyValues("ratelimit.limiters.mails.plan-by=#tenant")
                .run(context -> assertThat(context).hasNotFailed());
    }

    static class Planned {
        @RateLimit("mails")
        public void send(String tenant) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class OfTexts {
        @Bean
        Predicate<String> blank() {
            return String::isBlank;
        }

        @Bean
        KeyResolver<String> text() {
            return Key::of;
        }

        @Bean
        Predicate<Object> any() {
            return each -> true;
        }
    }

    /** Each request would fail by a ClassCastException. */
    @Test
    void beanThatIsNotAskedAboutCallsStopsTheStart() {
        ApplicationContextRunner own = runner.withUserConfiguration(OfTexts.class);
        own.withPropertyValues("ratelimit.limiters.search.skip-if=blank")
                .run(
                        context -> assertThat(context)
                                .getFailure()
                                .rootCause()
                                .hasMessage(
                                        "ratelimit.limiters.search.skip-if[0]: the bean 'blank' is a Predicate<String>, and must be a Predicate<HttpCall>"));
        own.withPropertyValues("ratelimit.limiters.search.key=text")
                .run(
                        context -> assertThat(context)
                                .getFailure()
                                .rootCause()
                                .hasMessage(
                                        "ratelimit.limiters.search.key: the bean 'text' is a KeyResolver<String>, and must be a KeyResolver<HttpCall>"));
        own.withPropertyValues("ratelimit.limiters.search.skip-if=any")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void methodWhoseParametersHaveNoNamesStopsTheStart() throws Exception {
        LimiterSpec<HttpCall> spec = LimiterSpec.of(
                "mails",
                Limit.of(1, Duration.ofHours(1)),
                new HttpKeyResolvers(
                                ClientAddress.ofPeer(),
                                new StaticListableBeanFactory(),
                                Phase.AFTER_AUTHENTICATION,
                                (what, about, message) -> {})
                        .apply(List.of("#tenant")));
        MethodKeys keys = new MethodKeys(
                Limiters.<HttpCall>builder(InProcessStore.create()).add(spec).build());
        assertThatThrownBy(() ->
                        keys.requireCountable("mails", NoSuchParameter.class.getMethod("send", String.class), null))
                .isInstanceOf(InvalidRateLimitException.class)
                .hasMessage(
                        "NoSuchParameter.send: limiter 'mails' counts by #tenant, and the names of the method's parameters are not in its class file");
    }

    @Controller
    static class ByArgument {
        @RateLimit("mails")
        public void send(String tenant) {}
    }

    @Controller
    static class Waiting {
        @RateLimit(value = "search", maxWait = "1s")
        public void send() {}
    }

    @Test
    void whatOnlyMethodsHaveIsNotForRequests() {
        fails(
                ByArgument.class,
                "limiter 'mails' counts by #tenant, an argument of a method, and limits HTTP requests, which have none");
        runner.withPropertyValues("ratelimit.limiters.mails.paths=/x")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageStartingWith("limiter 'mails' counts by #tenant, an argument of a method"));
        fails(
                Waiting.class,
                "@RateLimit(\"search\") on Waiting.send: no request waits before a controller, and so maxWait has no meaning there");
    }

    @Configuration(proxyBeanMethods = false)
    static class Routes {
        @Bean
        @RateLimit("mails")
        Runnable route() {
            return () -> {};
        }
    }

    @Test
    void annotationOnAMethodThatMakesABeanStopsTheStart() {
        fails(
                Routes.class,
                "@RateLimit(\"mails\") on Routes.route: the method makes a bean and is called once, so that nothing the bean does is limited");
    }

    static class Private {
        @RateLimit("mails")
        @SuppressWarnings("unused")
        private void send(String tenant) {}
    }

    static class Final {
        @RateLimit("mails")
        public final void send(String tenant) {}
    }

    static class Static {
        @RateLimit("mails")
        public static void send(String tenant) {}
    }

    static final class FinalClass {
        @RateLimit("mails")
        public void send(String tenant) {}
    }

    @RateLimit(permits = 1, window = "1h", key = "everybody")
    static class FinalInAClass {
        public final void send(String tenant) {}
    }

    static class Undecided {
        @RateLimit(value = "mails", maxWait = "1s")
        @RateLimit(permits = 1, window = "1h", key = "everybody")
        public void send(String tenant) {}
    }

    @Test
    void methodsThatCannotBeLimitedStopTheStart() {
        fails(Private.class, "@RateLimit(\"mails\") on Private.send: private, and so calls of it cannot be limited");
        fails(Final.class, "@RateLimit(\"mails\") on Final.send: final, and so calls of it cannot be limited");
        fails(Static.class, "@RateLimit(\"mails\") on Static.send: static, and so calls of it cannot be limited");
        fails(
                FinalClass.class,
                "@RateLimit on FinalClass: the class is final, and so calls of its methods cannot be limited");
        fails(
                FinalInAClass.class,
                "@RateLimit(permits = 1, window = \"1h\") on FinalInAClass: send is final, and so calls of it cannot be limited");
        fails(
                Undecided.class,
                "@RateLimit(\"mails\") on Undecided.send: 2 limiters, and maxWait: a call waits for one limiter only");
    }

    static class Mailer {
        @RateLimit("mails")
        public void send(String tenant) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Early {
        @Bean
        Mailer mailer() {
            return new Mailer();
        }

        @Bean
        static First first(Mailer mailer) {
            return new First();
        }
    }

    static class First implements BeanPostProcessor, PriorityOrdered {
        @Override
        public int getOrder() {
            return HIGHEST_PRECEDENCE;
        }
    }

    @Test
    void beanThatIsMadeTooEarlyStopsTheStart() {
        fails(Early.class, "@RateLimit on Mailer has no effect: the bean 'mailer' was created too early");
    }

    interface Ledger {
        @RateLimit(permits = 1, window = "1h", key = "everybody")
        void book();
    }

    /** As repositories are made: the object behind the proxy has none of its methods. */
    static class LedgerFactory implements FactoryBean<Ledger> {
        @Override
        public Ledger getObject() {
            ProxyFactory factory = new ProxyFactory();
            factory.setTarget(new Object());
            factory.setInterfaces(Ledger.class);
            factory.addAdvice((MethodInterceptor) invocation -> null);
            return (Ledger) factory.getProxy();
        }

        @Override
        public Class<?> getObjectType() {
            return Ledger.class;
        }
    }

    record Booking(Ledger ledger) {}

    @Configuration(proxyBeanMethods = false)
    @Import({LedgerFactory.class, Booking.class})
    static class Books {}

    @Test
    void annotationOnAnInterfaceThatOnlyAProxyHasStopsTheStart() {
        runner.withUserConfiguration(Books.class)
                .run(context -> assertThat(NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure()))
                        .isInstanceOf(InvalidRateLimitException.class)
                        .hasMessageStartingWith("@RateLimit on Ledger.book has no effect: the bean '")
                        .hasMessageEndingWith("' is a proxy, and what stands behind it, Object, has no such method"));
    }

    static class Posted {
        private final AtomicInteger sent = new AtomicInteger();

        @RateLimit("mails")
        public int send(String tenant) {
            return sent.incrementAndGet();
        }
    }

    /** Puts a second proxy around the first one, as a frozen one gets. */
    static class Wrapping implements BeanPostProcessor {
        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            if (!(bean instanceof Posted)) {
                return bean;
            }
            ProxyFactory factory = new ProxyFactory(bean);
            factory.setProxyTargetClass(true);
            return factory.getProxy();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Wrapped {
        @Bean
        Posted posted() {
            return new Posted();
        }

        @Bean
        Posted again(Posted posted) {
            ProxyFactory factory = new ProxyFactory(posted);
            factory.setProxyTargetClass(true);
            return (Posted) factory.getProxy();
        }

        @Bean
        static Wrapping wrapping() {
            return new Wrapping();
        }
    }

    @Test
    void callThroughSeveralProxiesIsLimitedOnce() {
        runner.withUserConfiguration(Wrapped.class).run(context -> {
            assertThat(context).hasNotFailed();
            Posted outermost = context.getBean("again", Posted.class);
            assertThat(outermost.send("acme")).isEqualTo(1);
            assertThat(outermost.send("acme")).isEqualTo(2);
            assertThatThrownBy(() -> outermost.send("acme")).isInstanceOf(RateLimitException.class);
        });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    interface Archive<T> {
        String store(T document);
    }

    @RateLimit("archives")
    static class Letters implements Archive<String> {
        @Override
        public String store(String letter) {
            return stamped(letter);
        }

        private String stamped(String letter) {
            return "stamped " + letter;
        }
    }

    @Test
    void classAnnotationHoldsForNeitherPrivateHelpersNorBridges(CapturedOutput output) {
        new SpringApplicationBuilder(Application.class, Letters.class)
                .web(WebApplicationType.NONE)
                .properties("spring.main.banner-mode=off")
                .properties("ratelimit.limiters.archives.permits=2")
                .properties("ratelimit.limiters.archives.window=1h")
                .properties("ratelimit.limiters.archives.key=everybody")
                .registerShutdownHook(false)
                .run()
                .close();
        assertThat(output).contains("at Letters.store").doesNotContain("Letters.stamped", "RL-005");
    }
}
