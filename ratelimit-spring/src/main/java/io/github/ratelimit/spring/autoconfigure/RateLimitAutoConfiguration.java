package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.DecisionListener;
import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.SharedChanges;
import io.github.ratelimit.Store;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.http.ExcludedPaths;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.http.RejectionBody;
import io.github.ratelimit.spring.Diagnostic;
import io.github.ratelimit.spring.InvalidRateLimitException;
import io.github.ratelimit.spring.RateLimitException;
import io.github.ratelimit.spring.annotation.AnnotatedLimiters;
import io.github.ratelimit.spring.annotation.AnnotatedMethods;
import io.github.ratelimit.spring.autoconfigure.properties.ConfiguredLimiters;
import io.github.ratelimit.spring.autoconfigure.properties.ConfiguredPaths;
import io.github.ratelimit.spring.autoconfigure.properties.HttpKeyResolvers;
import io.github.ratelimit.spring.autoconfigure.properties.KnownProperties;
import io.github.ratelimit.spring.autoconfigure.properties.LimiterSource;
import io.github.ratelimit.spring.autoconfigure.properties.MergedNames;
import io.github.ratelimit.spring.autoconfigure.properties.MethodKeys;
import io.github.ratelimit.spring.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.spring.autoconfigure.properties.RefreshedLimits;
import io.github.ratelimit.spring.autoconfigure.properties.SkipConditions;
import io.github.ratelimit.spring.diagnostics.Diagnostics;
import io.github.ratelimit.spring.diagnostics.LimitedCalls;
import io.github.ratelimit.spring.diagnostics.LimitedRequests;
import io.github.ratelimit.spring.diagnostics.MethodCheck;
import io.github.ratelimit.spring.diagnostics.StartReport;
import io.github.ratelimit.spring.method.MethodLimitPostProcessor;
import io.github.ratelimit.spring.method.MethodLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.web.method.HandlerMethod;

/**
 * Makes limiters of properties and annotations in any application, and limits calls of beans' methods. Each bean gives way to one of the
 * application's own.
 *
 * <p>The other auto-configurations of this package do nothing without this one. With {@code ratelimit.enabled=false} the same beans exist, and
 * every check is allowed. A property without meaning stops the startup in both cases.
 *
 * <p>Public so that it can be named, in {@code exclude} of {@code @SpringBootApplication} or in {@code @AutoConfigureAfter}. It is of no other
 * use.
 */
@AutoConfiguration
@EnableConfigurationProperties(RateLimitProperties.class)
@ImportRuntimeHints(NativeHints.class)
public final class RateLimitAutoConfiguration {

    /** Makes it. */
    public RateLimitAutoConfiguration() {}

    @Bean("io.github.ratelimit.rateLimitRejectionBody")
    @ConditionalOnMissingBean
    RejectionBody rateLimitRejectionBody(Environment environment) {
        boolean problems = environment.getProperty("spring.mvc.problemdetails.enabled", Boolean.class, false)
                || environment.getProperty("spring.webflux.problemdetails.enabled", Boolean.class, false);
        RejectionBody forClients = problems ? RejectionBody.problem() : RejectionBody.jsonOrProblem();
        return (verdict, call) -> (isBrowser(call) ? RejectionBody.application() : forClients).of(verdict, call);
    }

    /** Every browser asks for HTML first where it shows the answer to people. */
    private static boolean isBrowser(HttpCall call) {
        return call.headers("Accept").stream().anyMatch(accepted -> accepted.startsWith("text/html"));
    }

    @Bean("io.github.ratelimit.rateLimitStore")
    @ConditionalOnMissingBean
    @Conditional(CountsHere.class)
    Store rateLimitStore(RateLimitProperties properties, ObjectProvider<TimeSource> time) {
        return properties.enabled()
                ? ConfiguredLimiters.inProcessStore(properties.inProcess(), time.getIfAvailable(TimeSource::system))
                : new UnlimitedStore();
    }

    /** Whether no other auto-configuration is to make the store. */
    static final class CountsHere extends OnLimits {

        private static final Set<String> SHARED = Set.of("redis", "postgresql");

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            String store = context.getEnvironment().getProperty("ratelimit.store", "");
            return !super.matches(context, metadata) || !SHARED.contains(store.toLowerCase(Locale.ROOT));
        }
    }

    @Bean("io.github.ratelimit.rateLimitClientAddress")
    @ConditionalOnMissingBean
    ClientAddress rateLimitClientAddress(RateLimitProperties properties) {
        return ConfiguredLimiters.clientAddress(properties.http());
    }

    @Bean("io.github.ratelimit.rateLimitExcludedPaths")
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    ExcludedPaths rateLimitExcludedPaths(RateLimitProperties properties, ApplicationContext context) {
        return ConfiguredPaths.excluded(properties.http(), context);
    }

    @Bean("io.github.ratelimit.rateLimitDiagnostics")
    @Conditional(OnLimits.class)
    Diagnostics rateLimitDiagnostics(RateLimitProperties properties) {
        return new Diagnostics(properties.diagnostics().ignore());
    }

    @Bean("io.github.ratelimit.rateLimitFallback")
    Fallback rateLimitFallback(Store store, RateLimitProperties properties) {
        return new Fallback(
                store instanceof InProcessStore inProcess
                        ? inProcess
                        : ConfiguredLimiters.inProcessStore(properties.inProcess(), store.time()));
    }

    @Bean("io.github.ratelimit.rateLimitLimiterSource")
    LimiterSource rateLimitLimiterSource(
            ObjectProvider<AnnotatedLimiters> annotated,
            AnnotatedMethods methods,
            ClientAddress clientAddress,
            ObjectProvider<Diagnostics> diagnostics,
            ConfigurableListableBeanFactory beans) {
        BiConsumer<String, String> unknownPlans = (property, message) ->
                diagnostics.ifAvailable(all -> all.warn(Diagnostic.UNKNOWN_PLAN, property, message));
        return new LimiterSource(
                phase -> new HttpKeyResolvers(clientAddress, beans, phase, unknownPlans),
                phase -> new SkipConditions(clientAddress, beans, phase),
                annotated,
                methods);
    }

    @Bean("io.github.ratelimit.rateLimitAnnotatedMethods")
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    AnnotatedMethods rateLimitAnnotatedMethods(ConfigurableListableBeanFactory beans, Environment environment) {
        return AnnotatedMethods.of(beans, environment::resolveRequiredPlaceholders);
    }

    @Bean("io.github.ratelimit.rateLimitLimiters")
    @ConditionalOnMissingBean(parameterizedContainer = Limiters.class, search = SearchStrategy.CURRENT)
    Limiters<HttpCall> rateLimitLimiters(
            RateLimitProperties properties,
            LimiterSource described,
            ObjectProvider<LimiterSpec<HttpCall>> ownSpecs,
            ObjectProvider<DecisionListener> listeners,
            Store store,
            Fallback fallback) {
        Limiters.Builder<HttpCall> builder = Limiters.<HttpCall>builder(store)
                .fallback(fallback.store())
                .localShare(ConfiguredLimiters.localBillionths(properties), ConfiguredLimiters.BILLION)
                .listener(DecisionListener.all(Stream.concat(listeners.orderedStream(), Stream.of(new RejectionLog()))
                        .toList()));
        List<LimiterSpec<HttpCall>> specs = new ArrayList<>(described.byProperties(properties));
        ownSpecs.orderedStream().forEach(specs::add);
        specs.addAll(described.byAnnotations(properties));
        specs.forEach(spec -> builder.add(properties.enabled() ? spec : UnlimitedStore.spec(spec.name())));
        try {
            return builder.build();
        } catch (IllegalArgumentException e) {
            throw new InvalidRateLimitException(
                    String.valueOf(e.getMessage()),
                    "rename one of them; they may stand under ratelimit.limiters, be LimiterSpec beans, or be described by @RateLimit");
        }
    }

    /**
     * Made with the first filter, and so before the application serves: a mistake in a property or an annotation stops the startup, also if
     * beans are made late.
     */
    @Bean("io.github.ratelimit.httpRateLimiter")
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    HttpRateLimiter httpRateLimiter(
            RateLimitProperties properties, ObjectProvider<AnnotatedLimiters> annotated, Limiters<HttpCall> limiters) {
        if (properties.enabled()) {
            annotated.ifAvailable(read -> read.requireKnown(limiters.names()));
            return new HttpRateLimiter(limiters, properties.http().headers());
        }
        Limiters.Builder<HttpCall> none = Limiters.builder(new UnlimitedStore());
        limiters.names().forEach(name -> none.add(UnlimitedStore.spec(name)));
        return new HttpRateLimiter(none.build(), properties.http().headers());
    }

    @Bean("io.github.ratelimit.rateLimitNames")
    static ConfigurationPropertiesBindHandlerAdvisor rateLimitNames() {
        return MergedNames::new;
    }

    /** Reads the annotations of controllers where anything could call their methods. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(HandlerMethod.class)
    static class Annotations {

        @Bean("io.github.ratelimit.annotatedLimiters")
        @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
        AnnotatedLimiters annotatedLimiters(ConfigurableListableBeanFactory beans, Environment environment) {
            return AnnotatedLimiters.of(beans, environment::resolveRequiredPlaceholders);
        }
    }

    /** Limits calls of annotated methods of beans that are no controllers, and follows changed properties. */
    @Configuration(proxyBeanMethods = false)
    @Conditional(OnLimits.class)
    static class Limits {

        @Bean("io.github.ratelimit.rateLimitMethodLimits")
        @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
        MethodLimits rateLimitMethodLimits(AnnotatedMethods annotated, HttpRateLimiter limiter) {
            annotated.requireKnown(limiter.limiters().names());
            return new MethodLimits(
                    annotated,
                    limiter.limiters(),
                    new MethodKeys(limiter.limiters()),
                    decision -> RateLimitException.of(limiter.verdict(decision)));
        }

        @Bean("io.github.ratelimit.rateLimitMethodPostProcessor")
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static MethodLimitPostProcessor rateLimitMethodPostProcessor(
                ObjectProvider<MethodLimits> limits, Environment environment) {
            MethodLimitPostProcessor processor = new MethodLimitPostProcessor(limits::getObject);
            processor.setProxyTargetClass(
                    environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true));
            return processor;
        }

        @Bean("io.github.ratelimit.rateLimitLimitedCalls")
        LimitedCalls rateLimitLimitedCalls() {
            return new LimitedCalls();
        }

        @Bean("io.github.ratelimit.rateLimitMethodCheck")
        SmartInitializingSingleton rateLimitMethodCheck(
                MethodLimits limits,
                MethodLimitPostProcessor processor,
                ConfigurableListableBeanFactory beans,
                HttpRateLimiter http,
                RateLimitProperties properties,
                ObjectProvider<AnnotatedLimiters> controllers,
                LimitedCalls calls,
                ObjectProvider<LimitedRequests> requests,
                Diagnostics diagnostics) {
            return () -> {
                MethodKeys keys = new MethodKeys(http.limiters());
                controllers.ifAvailable(read -> read.names().forEach(keys::requireNoArguments));
                keys.requireNoArguments(properties);
                requests.ifAvailable(places -> places.leaveToAdapter(limits));
                calls.set(MethodCheck.requireAllLimited(limits, processor, beans, diagnostics));
                StartReport.log(http.limiters(), calls);
            };
        }

        @Bean("io.github.ratelimit.rateLimitRefreshedLimits")
        RefreshedLimits rateLimitRefreshedLimits(
                ConfigurableEnvironment environment,
                RateLimitProperties properties,
                LimiterSource described,
                Limiters<HttpCall> limiters) {
            return new RefreshedLimits(environment, properties, described, limiters);
        }

        @Bean("io.github.ratelimit.rateLimitSharedChanges")
        SharedChanges<HttpCall> rateLimitSharedChanges(HttpRateLimiter limiter) {
            return new SharedChanges<>(limiter.limiters());
        }

        @Bean("io.github.ratelimit.rateLimitSharedStart")
        SharedStart rateLimitSharedStart(SharedChanges<HttpCall> changes) {
            return new SharedStart(changes);
        }

        /** Whatever the application is: rules of paths are read where nothing asks them, too. */
        @Bean("io.github.ratelimit.rateLimitStartCheck")
        SmartInitializingSingleton rateLimitStartCheck(HttpRateLimiter limiter, RateLimitProperties properties) {
            return () -> ConfiguredPaths.rules(properties, limiter.limiters().names());
        }

        /** Before any bean is made: what is misspelt is told as such, and not as something that is missing. */
        @Bean("io.github.ratelimit.rateLimitKnownProperties")
        static BeanFactoryPostProcessor rateLimitKnownProperties(ConfigurableEnvironment environment) {
            return beans -> KnownProperties.requireAll(environment);
        }
    }
}
