package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.DecisionListener;
import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.Store;
import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.servlet.ExcludedPaths;
import io.github.ratelimit.spring.Diagnostic;
import io.github.ratelimit.spring.InvalidRateLimitException;
import io.github.ratelimit.spring.annotation.AnnotatedLimiters;
import io.github.ratelimit.spring.annotation.AnnotatedMethods;
import io.github.ratelimit.spring.autoconfigure.properties.ConfiguredLimiters;
import io.github.ratelimit.spring.autoconfigure.properties.ConfiguredPaths;
import io.github.ratelimit.spring.autoconfigure.properties.HttpKeyResolvers;
import io.github.ratelimit.spring.autoconfigure.properties.KnownProperties;
import io.github.ratelimit.spring.autoconfigure.properties.LimiterSource;
import io.github.ratelimit.spring.autoconfigure.properties.MergedNames;
import io.github.ratelimit.spring.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.spring.autoconfigure.properties.RefreshedLimits;
import io.github.ratelimit.spring.autoconfigure.properties.SkipConditions;
import io.github.ratelimit.spring.diagnostics.Diagnostics;
import io.github.ratelimit.spring.diagnostics.RejectionLog;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.ConfigurableEnvironment;

/** The limiters, and all that asks them. */
@Configuration(proxyBeanMethods = false)
@Conditional(OnLimits.class)
@EnableConfigurationProperties(RateLimitProperties.class)
@ImportRuntimeHints(NativeHints.class)
@Import({
    AnnotationsConfiguration.class,
    MethodsConfiguration.class,
    SpringDataRedisConfiguration.class,
    RateLimitRedisAutoConfiguration.class,
    MissingRedisConfiguration.class,
    InProcessStoreConfiguration.class, // where none of the others has made a store
    MeteringConfiguration.class,
    TracingConfiguration.class,
    RedisMeteringConfiguration.class,
    RedisCompanionsConfiguration.class,
    RedisHealthOnBoot3Configuration.class,
    RedisHealthOnBoot4Configuration.class,
    TomcatOriginConfiguration.class,
    FiltersConfiguration.class,
    RateLimitWebMvcAutoConfiguration.class,
    AdaptersConfiguration.class,
    WebFiltersConfiguration.class,
    RateLimitWebFluxAutoConfiguration.class,
    RateLimitActuatorAutoConfiguration.class
})
class LimitsOnConfiguration {

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

    @Bean("io.github.ratelimit.rateLimitDescribedLimiters")
    LimiterSource rateLimitDescribedLimiters(
            ObjectProvider<AnnotatedLimiters> annotated,
            AnnotatedMethods methods,
            ClientAddress clientAddress,
            Diagnostics diagnostics,
            ConfigurableListableBeanFactory beans) {
        return new LimiterSource(
                phase -> new HttpKeyResolvers(
                        clientAddress,
                        beans,
                        phase,
                        (property, message) -> diagnostics.warn(Diagnostic.UNKNOWN_PLAN, property, message)),
                phase -> new SkipConditions(clientAddress, beans, phase),
                annotated,
                methods);
    }

    @Bean("io.github.ratelimit.rateLimitLimiters")
    @Conditional(OnMissingHttpLimiters.class)
    Limiters<HttpCall> rateLimitLimiters(
            RateLimitProperties properties,
            LimiterSource described,
            ObjectProvider<LimiterSpec<HttpCall>> ownSpecs,
            ObjectProvider<DecisionListener> listeners,
            Store store,
            Fallback fallback) {
        Limiters.Builder<HttpCall> builder = Limiters.<HttpCall>builder(store)
                .fallback(fallback.store())
                .localShare(ConfiguredLimiters.billionths(properties.redis()), ConfiguredLimiters.BILLION)
                .listener(DecisionListener.all(Stream.concat(listeners.orderedStream(), Stream.of(new RejectionLog()))
                        .toList()));
        described.byProperties(properties).forEach(builder::add);
        ownSpecs.orderedStream().forEach(builder::add);
        described.byAnnotations(properties).forEach(builder::add);
        try {
            return builder.build();
        } catch (IllegalArgumentException e) {
            throw new InvalidRateLimitException(
                    String.valueOf(e.getMessage()),
                    "rename one of them; they may stand under ratelimit.limiters, be LimiterSpec beans, or be described by @RateLimit");
        }
    }

    /**
     * Made for the check below and with the first filter, and so before the application serves: what is wrong in a property or an annotation
     * stops the start, also where beans are made late.
     */
    @Bean("io.github.ratelimit.httpRateLimiter")
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    HttpRateLimiter httpRateLimiter(
            RateLimitProperties properties, ObjectProvider<AnnotatedLimiters> annotated, Limiters<HttpCall> limiters) {
        annotated.ifAvailable(read -> read.requireKnown(limiters.names()));
        return new HttpRateLimiter(limiters, properties.http().headers());
    }

    @Bean("io.github.ratelimit.rateLimitRefreshedLimits")
    RefreshedLimits rateLimitRefreshedLimits(
            ConfigurableEnvironment environment,
            RateLimitProperties properties,
            LimiterSource described,
            Limiters<HttpCall> limiters) {
        return new RefreshedLimits(environment, properties, described, limiters);
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

    @Bean("io.github.ratelimit.rateLimitNames")
    static ConfigurationPropertiesBindHandlerAdvisor rateLimitNames() {
        return MergedNames::new;
    }
}
