package io.github.ratelimit.spring.boot;

import io.github.ratelimit.DecisionListener;
import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.Store;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.http.RefusalBody;
import io.github.ratelimit.servlet.PeerAddress;
import io.github.ratelimit.servlet.RequestCost;
import io.github.ratelimit.spring.AnnotatedLimiters;
import io.github.ratelimit.spring.InvalidRateLimitException;
import java.util.List;
import java.util.function.Function;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.web.servlet.HandlerInterceptor;

/** Limits the requests of a servlet application. Each bean gives way to one of the application's own. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration", // 3.5
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration", // 4
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration"
        })
@ConditionalOnClass(HandlerInterceptor.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnProperty(name = "ratelimit.enabled", matchIfMissing = true)
@EnableConfigurationProperties(RateLimitProperties.class)
@Import({
    SpringDataRedisConfiguration.class,
    RedisStoreConfiguration.class,
    MissingRedisConfiguration.class,
    InProcessStoreConfiguration.class, // where none of the others has made a store
    MeteringConfiguration.class,
    RedisMeteringConfiguration.class,
    TomcatOriginConfiguration.class,
    DoorsConfiguration.class,
    EndpointConfiguration.class
})
class RateLimitAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    ClientAddress rateLimitClientAddress(RateLimitProperties properties) {
        return ConfiguredLimiters.clientAddress(properties.http());
    }

    @Bean
    @ConditionalOnMissingBean
    RefusalBody rateLimitRefusalBody() {
        return RefusalBody.json();
    }

    @Bean
    @ConditionalOnMissingBean
    RequestCost rateLimitRequestCost() {
        return RequestCost.ONE;
    }

    @Bean
    @ConditionalOnMissingBean
    PeerAddress rateLimitPeerAddress(RateLimitProperties properties, Environment environment) {
        RewrittenPeerWarning.check(environment);
        PeerAddress ofContainer = PeerAddress.ofContainer();
        return properties.http().trustedProxies().isEmpty() ? new ForwardingFieldsWarning(ofContainer) : ofContainer;
    }

    @Bean
    @ConditionalOnMissingBean
    AnnotatedLimiters annotatedLimiters(ConfigurableListableBeanFactory beans) {
        return AnnotatedLimiters.of(beans);
    }

    /**
     * Made with the first filter, and so before the application serves: what is wrong in a property or an annotation stops the start, also
     * where beans are made late.
     */
    @Bean
    @ConditionalOnMissingBean
    HttpRateLimiter httpRateLimiter(
            RateLimitProperties properties,
            AnnotatedLimiters annotated,
            ClientAddress clientAddress,
            ConfigurableListableBeanFactory beans,
            ObjectProvider<Limiters<HttpCall>> ownLimiters,
            ObjectProvider<LimiterSpec<HttpCall>> ownSpecs,
            ObjectProvider<DecisionListener> listeners,
            ObjectProvider<TimeSource> time,
            Store store) {
        Limiters<HttpCall> limiters = ownLimiters.getIfAvailable(() -> {
            Function<List<String>, KeyResolver<HttpCall>> keys = new HttpKeyResolvers(clientAddress, beans);
            Limiters.Builder<HttpCall> builder = Limiters.<HttpCall>builder(store)
                    .listener(DecisionListener.all(listeners.orderedStream().toList()))
                    .time(time.getIfAvailable(TimeSource::system));
            ConfiguredLimiters.specs(properties, keys).forEach(builder::add);
            ownSpecs.orderedStream().forEach(builder::add);
            annotated.specs(keys, properties.onStoreFailure()).forEach(builder::add);
            return built(builder);
        });
        annotated.requireKnown(limiters.names());
        return new HttpRateLimiter(limiters, properties.http().fields());
    }

    private static Limiters<HttpCall> built(Limiters.Builder<HttpCall> builder) {
        try {
            return builder.build();
        } catch (IllegalArgumentException e) {
            throw new InvalidRateLimitException(
                    String.valueOf(e.getMessage()),
                    "rename one of them; they may stand under ratelimit.limiters, be LimiterSpec beans, or be described by @RateLimit");
        }
    }
}
