package io.github.ratelimit.spring.boot;

import io.github.ratelimit.DecisionListener;
import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.Store;
import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.servlet.ServletOrigin;
import io.github.ratelimit.spring.AnnotatedLimiters;
import io.github.ratelimit.spring.InvalidRateLimitException;
import java.util.List;
import java.util.function.Function;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/** The limiters, and all that asks them. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "ratelimit.enabled", matchIfMissing = true)
@EnableConfigurationProperties(RateLimitProperties.class)
@Import({
    SpringDataRedisConfiguration.class,
    RedisStoreConfiguration.class,
    MissingRedisConfiguration.class,
    InProcessStoreConfiguration.class, // where none of the others has made a store
    MeteringConfiguration.class,
    RedisMeteringConfiguration.class,
    RedisCompanionsConfiguration.class,
    RedisHealthOnBoot3Configuration.class,
    RedisHealthOnBoot4Configuration.class,
    TomcatOriginConfiguration.class,
    FiltersConfiguration.class,
    AdaptersConfiguration.class,
    EndpointConfiguration.class
})
class LimitsOnConfiguration {

    @Bean
    @ConditionalOnMissingBean
    ClientAddress rateLimitClientAddress(RateLimitProperties properties) {
        return ConfiguredLimiters.clientAddress(properties.http());
    }

    @Bean
    @ConditionalOnMissingBean
    ServletOrigin rateLimitServletOrigin(RateLimitProperties properties, Environment environment) {
        RewrittenPeerWarning.check(environment);
        ServletOrigin ofContainer = ServletOrigin.ofContainer();
        return properties.http().trustedProxies().isEmpty() ? new ForwardingFieldsWarning(ofContainer) : ofContainer;
    }

    @Bean
    @ConditionalOnMissingBean
    AnnotatedLimiters annotatedLimiters(ConfigurableListableBeanFactory beans) {
        return AnnotatedLimiters.of(beans);
    }

    @Bean
    StandIn rateLimitStandIn(Store store, RateLimitProperties properties) {
        return new StandIn(
                store instanceof InProcessStore inProcess
                        ? inProcess
                        : ConfiguredLimiters.inProcessStore(properties.inProcess(), store.time()));
    }

    @Bean
    @Conditional(OnMissingHttpLimiters.class)
    Limiters<HttpCall> rateLimitLimiters(
            RateLimitProperties properties,
            AnnotatedLimiters annotated,
            ClientAddress clientAddress,
            ConfigurableListableBeanFactory beans,
            ObjectProvider<LimiterSpec<HttpCall>> ownSpecs,
            ObjectProvider<DecisionListener> listeners,
            Store store,
            StandIn standIn) {
        Share share = ConfiguredLimiters.valid(
                "ratelimit.redis.local-share",
                () -> Share.parse(properties.redis().localShare()));
        Function<List<String>, KeyResolver<HttpCall>> keys = new HttpKeyResolvers(clientAddress, beans);
        Limiters.Builder<HttpCall> builder = Limiters.<HttpCall>builder(store)
                .standIn(standIn.store())
                .localShare(share.part(), share.of())
                .listener(DecisionListener.all(listeners.orderedStream().toList()));
        ConfiguredLimiters.specs(properties, keys).forEach(builder::add);
        ownSpecs.orderedStream().forEach(builder::add);
        annotated.specs(keys, properties.onStoreFailure()).forEach(builder::add);
        try {
            return builder.build();
        } catch (IllegalArgumentException e) {
            throw new InvalidRateLimitException(
                    String.valueOf(e.getMessage()),
                    "rename one of them; they may stand under ratelimit.limiters, be LimiterSpec beans, or be described by @RateLimit");
        }
    }

    /**
     * Made with the first filter, and so before the application serves: what is wrong in a property or an annotation stops the start, also
     * where beans are made late.
     */
    @Bean
    @ConditionalOnMissingBean
    HttpRateLimiter httpRateLimiter(
            RateLimitProperties properties, AnnotatedLimiters annotated, Limiters<HttpCall> limiters) {
        annotated.requireKnown(limiters.names());
        return new HttpRateLimiter(limiters, properties.http().fields());
    }
}
