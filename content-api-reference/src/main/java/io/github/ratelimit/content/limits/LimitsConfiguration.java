package io.github.ratelimit.content.limits;

import io.github.ratelimit.http.HttpRateLimiter;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The limits of accounts, by their limiters of {@code application.yml}. */
@Configuration(proxyBeanMethods = false)
class LimitsConfiguration {
    @Value("${ratelimit.enabled:true}")
    private boolean isEnabled;

    @Bean
    AccountLimit uploads(HttpRateLimiter limiters, HttpServletRequest current) {
        return new AccountLimit(isEnabled ? limiters.limiters().get("uploads") : null, current);
    }

    @Bean
    AccountLimit proxyCalls(HttpRateLimiter limiters, HttpServletRequest current) {
        return new AccountLimit(isEnabled ? limiters.limiters().get("oembed-proxy") : null, current);
    }
}
