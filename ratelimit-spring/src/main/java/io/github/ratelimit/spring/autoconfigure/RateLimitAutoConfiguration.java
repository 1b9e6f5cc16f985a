package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.DecisionListener;
import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.Store;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.http.RejectionBody;
import io.github.ratelimit.http.adapter.ExcludedPaths;
import io.github.ratelimit.spring.internal.InvalidRateLimitException;
import io.github.ratelimit.spring.internal.annotation.AnnotatedBeans;
import io.github.ratelimit.spring.internal.diagnostics.Diagnostics;
import io.github.ratelimit.spring.internal.diagnostics.RejectionLog;
import io.github.ratelimit.spring.internal.properties.ConfiguredCosts;
import io.github.ratelimit.spring.internal.properties.ConfiguredLimiters;
import io.github.ratelimit.spring.internal.properties.ConfiguredPaths;
import io.github.ratelimit.spring.internal.properties.HttpKeyResolvers;
import io.github.ratelimit.spring.internal.properties.LimiterSource;
import io.github.ratelimit.spring.internal.properties.PropertyNames;
import io.github.ratelimit.spring.internal.properties.RateLimitProperties;
import io.github.ratelimit.spring.internal.properties.RateLimitProperties.StoreKind;
import io.github.ratelimit.spring.internal.properties.RefreshedLimits;
import io.github.ratelimit.spring.internal.properties.SkipConditions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.ClassUtils;

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
@Import(LimitsConfiguration.class)
@ImportRuntimeHints(NativeHints.class)
public final class RateLimitAutoConfiguration {

    private final RateLimitProperties properties;
    private final ConfigurableListableBeanFactory beans;

    /** Makes it. A look by type asks every bean of the application, so the common needs are looked up once. */
    RateLimitAutoConfiguration(RateLimitProperties properties, ConfigurableListableBeanFactory beans) {
        this.properties = properties;
        this.beans = beans;
    }

    @Bean("io.github.ratelimit.rateLimitRejectionBody")
    @ConditionalOnMissingBean(RejectionBody.class)
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
    @ConditionalOnMissingBean(Store.class)
    @Conditional(CountsHere.class)
    Store rateLimitStore(ObjectProvider<TimeSource> time) {
        if (!properties.enabled()) {
            return new UnlimitedStore();
        }
        if (properties.store() != StoreKind.IN_PROCESS) { // counting in each process would grant too much
            String module = properties.store().name().toLowerCase(Locale.ROOT);
            String database = properties.store() == StoreKind.REDIS ? "Redis" : "PostgreSQL";
            throw new InvalidRateLimitException(
                    "ratelimit.store: is " + module + ", but the store on " + database + " is not there",
                    "add the dependency io.github.ratelimit:ratelimit-" + module
                            + ", or set ratelimit.store to in-process");
        }
        return ConfiguredLimiters.inProcessStore(properties.inProcess(), time.getIfAvailable(TimeSource::system));
    }

    /** Whether no other auto-configuration is to make the store. */
    static final class CountsHere extends OnLimits {

        private static final Map<String, String> SHARED = Map.of(
                "redis", "io.github.ratelimit.redis.RedisStore",
                "postgresql", "io.github.ratelimit.postgresql.PostgresStore");

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            String store = context.getEnvironment().getProperty("ratelimit.store", "");
            String type = SHARED.get(store.toLowerCase(Locale.ROOT));
            return type == null
                    || !super.matches(context, metadata)
                    || !ClassUtils.isPresent(type, context.getClassLoader());
        }
    }

    @Bean("io.github.ratelimit.rateLimitClientAddress")
    @ConditionalOnMissingBean(ClientAddress.class)
    ClientAddress rateLimitClientAddress() {
        return ConfiguredLimiters.clientAddress(properties.http());
    }

    @Bean("io.github.ratelimit.rateLimitExcludedPaths")
    @ConditionalOnMissingBean(value = ExcludedPaths.class, search = SearchStrategy.CURRENT)
    ExcludedPaths rateLimitExcludedPaths(Environment environment) {
        return ConfiguredPaths.excluded(properties.http(), beans, environment);
    }

    @Bean("io.github.ratelimit.rateLimitDiagnostics")
    @Conditional(OnLimits.class)
    Diagnostics rateLimitDiagnostics() {
        return new Diagnostics(properties.diagnostics().ignore());
    }

    private LimiterSource described(AnnotatedBeans annotated, ClientAddress clientAddress, Environment environment) {
        HttpKeyResolvers.Findings findings = (what, about, message) ->
                beans.getBeanProvider(Diagnostics.class).ifAvailable(all -> all.warn(what, about, message));
        return new LimiterSource(
                phase -> new HttpKeyResolvers(clientAddress, beans, phase, findings),
                phase -> new SkipConditions(clientAddress, beans, phase),
                annotated,
                environment);
    }

    @Bean("io.github.ratelimit.rateLimitAnnotatedBeans")
    @ConditionalOnMissingBean(value = AnnotatedBeans.class, search = SearchStrategy.CURRENT)
    AnnotatedBeans rateLimitAnnotatedBeans(Environment environment) {
        return AnnotatedBeans.of(beans, environment::resolveRequiredPlaceholders);
    }

    @Bean("io.github.ratelimit.rateLimitLimiters")
    @ConditionalOnMissingBean(parameterizedContainer = Limiters.class, search = SearchStrategy.CURRENT)
    Limiters<HttpCall> rateLimitLimiters(
            AnnotatedBeans annotated,
            ClientAddress clientAddress,
            Environment environment,
            ObjectProvider<LimiterSpec<HttpCall>> ownSpecs,
            ObjectProvider<DecisionListener> listeners,
            Store store) {
        LimiterSource described = described(annotated, clientAddress, environment);
        Limiters.Builder<HttpCall> builder = Limiters.<HttpCall>builder(store)
                .fallback(
                        store instanceof InProcessStore
                                ? store
                                : ConfiguredLimiters.inProcessStore(properties.inProcess(), store.time()))
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
    @ConditionalOnMissingBean(value = HttpRateLimiter.class, search = SearchStrategy.CURRENT)
    HttpRateLimiter httpRateLimiter(AnnotatedBeans annotated, Limiters<HttpCall> limiters) {
        if (properties.enabled()) {
            annotated.requireKnown(limiters.names());
            return new HttpRateLimiter(limiters, properties.http().headers())
                    .withCosts(ConfiguredCosts.of(properties, limiters.names(), beans));
        }
        LogFactory.getLog(RateLimitAutoConfiguration.class).warn("ratelimit.enabled is false: nothing is limited");
        Limiters.Builder<HttpCall> none = Limiters.builder(new UnlimitedStore());
        limiters.names().forEach(name -> none.add(UnlimitedStore.spec(name)));
        return new HttpRateLimiter(none.build(), properties.http().headers());
    }

    @Bean("io.github.ratelimit.rateLimitRefreshedLimits")
    @ConditionalOnClass(name = RefreshedLimits.REFRESH)
    @Conditional(OnLimits.class)
    RefreshedLimits rateLimitRefreshedLimits(
            AnnotatedBeans annotated,
            ClientAddress clientAddress,
            ConfigurableEnvironment environment,
            Limiters<HttpCall> limiters) {
        return new RefreshedLimits(environment, properties, described(annotated, clientAddress, environment), limiters);
    }

    @Bean("io.github.ratelimit.rateLimitNames")
    static ConfigurationPropertiesBindHandlerAdvisor rateLimitNames() {
        return PropertyNames::new;
    }
}
