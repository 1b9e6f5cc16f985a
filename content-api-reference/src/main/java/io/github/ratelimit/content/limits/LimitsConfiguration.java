package io.github.ratelimit.content.limits;

import io.github.ratelimit.http.HttpRateLimiter;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The limits of accounts, by their limiters of {@code application.yml}. */
@Configuration(proxyBeanMethods = false)
class LimitsConfiguration {

    @Bean
    AccountLimit uploads(HttpRateLimiter limiters, @Value("${ratelimit.enabled:true}") boolean isEnabled) {
        return new AccountLimit("uploads", limiters, isEnabled);
    }

    @Bean
    AccountLimit proxyCalls(HttpRateLimiter limiters, @Value("${ratelimit.enabled:true}") boolean isEnabled) {
        return new AccountLimit("oembed-proxy", limiters, isEnabled);
    }
}
