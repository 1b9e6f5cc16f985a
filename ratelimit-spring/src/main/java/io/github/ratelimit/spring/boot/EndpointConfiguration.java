package io.github.ratelimit.spring.boot;

import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.http.HttpRateLimiter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Shows limiters where the application shows anything of itself. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
class EndpointConfiguration {

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnAvailableEndpoint // on the method: looked at only where the class above is there
    RateLimitsEndpoint rateLimitsEndpoint(
            HttpRateLimiter limiter, ClientAddress clientAddress, ObjectProvider<RedisKeyNames> names) {
        return new RateLimitsEndpoint(
                limiter, new PlainKeys(clientAddress), names.getIfAvailable(() -> RedisKeyNames.NONE));
    }
}
