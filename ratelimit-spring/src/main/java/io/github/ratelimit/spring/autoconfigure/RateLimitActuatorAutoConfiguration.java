package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.spring.diagnostics.LimitedCalls;
import io.github.ratelimit.spring.diagnostics.LimitedPlaces;
import io.github.ratelimit.spring.endpoint.KeyDigests;
import io.github.ratelimit.spring.endpoint.MostUsedKeys;
import io.github.ratelimit.spring.endpoint.OperatorLog;
import io.github.ratelimit.spring.endpoint.RateLimitsEndpoint;
import io.github.ratelimit.spring.endpoint.RedisKeyNames;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Shows limiters where the application shows anything of itself. Counts for the endpoint, only if the endpoint exists. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
class RateLimitActuatorAutoConfiguration {

    // Each on the method: looked at only where the class above is there.

    @Bean("io.github.ratelimit.rateLimitMostUsedKeys")
    @ConditionalOnAvailableEndpoint(endpoint = RateLimitsEndpoint.class)
    MostUsedKeys rateLimitMostUsedKeys() {
        return new MostUsedKeys();
    }

    @Bean("io.github.ratelimit.rateLimitsEndpoint")
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    @ConditionalOnAvailableEndpoint
    RateLimitsEndpoint rateLimitsEndpoint(
            HttpRateLimiter limiter,
            ObjectProvider<RedisKeyNames> names,
            ObjectProvider<LimitedPlaces> places,
            LimitedCalls calls,
            MostUsedKeys mostUsed,
            ApplicationEventPublisher publisher) {
        return new RateLimitsEndpoint(
                limiter,
                names.getIfAvailable(() -> RedisKeyNames.NONE),
                places::getIfAvailable,
                new RateLimitsEndpoint.Traffic(calls, mostUsed, new KeyDigests()),
                new OperatorLog(publisher));
    }
}
