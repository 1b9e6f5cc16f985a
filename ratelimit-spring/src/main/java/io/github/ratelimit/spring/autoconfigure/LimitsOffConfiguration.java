package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.Store;
import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.http.FieldStyle;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.spring.InvalidRateLimitException;
import io.github.ratelimit.spring.annotation.AnnotatedLimiters;
import io.github.ratelimit.spring.annotation.AnnotatedMethods;
import io.github.ratelimit.spring.autoconfigure.properties.ConfiguredLimiters;
import io.github.ratelimit.spring.autoconfigure.properties.MergedNames;
import io.github.ratelimit.spring.autoconfigure.properties.RateLimitProperties;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.IgnoreErrorsBindHandler;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/**
 * Beans for an application whose limits are switched off: every check is allowed, nothing is counted, and no mistake stops the startup. Who
 * a caller is does not depend on it.
 */
@Configuration(proxyBeanMethods = false)
@Conditional(OnLimits.Not.class)
@Import({AnnotationsOffConfiguration.class, TomcatOriginConfiguration.class})
class LimitsOffConfiguration {

    private static final Log LOG = LogFactory.getLog(LimitsOffConfiguration.class);

    @Bean("io.github.ratelimit.rateLimitClientAddress")
    @ConditionalOnMissingBean
    ClientAddress rateLimitClientAddress(Environment environment) {
        try {
            return ConfiguredLimiters.clientAddress(http(environment));
        } catch (InvalidRateLimitException e) {
            LOG.warn(e.getMessage() + "; no proxy is trusted while limits are switched off");
            return ClientAddress.ofPeer();
        }
    }

    @Bean("io.github.ratelimit.rateLimitStore")
    @ConditionalOnMissingBean
    Store rateLimitStore() {
        return new UnlimitedStore();
    }

    @Bean("io.github.ratelimit.rateLimitLimiters")
    @Conditional(OnMissingHttpLimiters.class)
    Limiters<HttpCall> rateLimitLimiters(
            Environment environment,
            ConfigurableListableBeanFactory beans,
            ObjectProvider<LimiterSpec<HttpCall>> ownSpecs) {
        // Their names alone: what is said of them may have no meaning.
        Set<String> names = new LinkedHashSet<>(Binder.get(environment)
                .bind(
                        "ratelimit.limiters",
                        Bindable.mapOf(String.class, Object.class),
                        new MergedNames(BindHandler.DEFAULT))
                .orElseGet(Map::of)
                .keySet());
        ownSpecs.orderedStream().map(LimiterSpec::name).forEach(names::add);
        names.addAll(describedInPlace(beans, environment));
        return unlimited(names);
    }

    /** Whoever asks for one of them by its name must find it, too. */
    private static Set<String> describedInPlace(ConfigurableListableBeanFactory beans, Environment environment) {
        Set<String> names = new LinkedHashSet<>();
        try {
            names.addAll(AnnotatedLimiters.of(beans, environment::resolveRequiredPlaceholders)
                    .names());
            names.addAll(AnnotatedMethods.of(beans, environment::resolveRequiredPlaceholders)
                    .names());
        } catch (InvalidRateLimitException e) {
            LOG.warn(e.getMessage() + "; some annotations are not read while limits are switched off");
        }
        return names;
    }

    @Bean("io.github.ratelimit.httpRateLimiter")
    @ConditionalOnMissingBean
    HttpRateLimiter httpRateLimiter(Limiters<HttpCall> limiters) {
        return new HttpRateLimiter(unlimited(limiters.names()), FieldStyle.X_RATELIMIT);
    }

    /** Limiters of these names whose rules apply to no request. */
    private static Limiters<HttpCall> unlimited(Collection<String> names) {
        Limiters.Builder<HttpCall> limiters = Limiters.builder(new UnlimitedStore());
        for (String name : names) {
            try {
                limiters.add(UnlimitedStore.spec(name));
            } catch (IllegalArgumentException e) {
                LOG.warn(e.getMessage() + "; ignored while limits are switched off");
            }
        }
        return limiters.build();
    }

    /** As far as they can be read: what has no meaning is as if it were not given. */
    private static RateLimitProperties.Http http(Environment environment) {
        return Binder.get(environment)
                .bindOrCreate(
                        "ratelimit.http", Bindable.of(RateLimitProperties.Http.class), new IgnoreErrorsBindHandler());
    }
}
