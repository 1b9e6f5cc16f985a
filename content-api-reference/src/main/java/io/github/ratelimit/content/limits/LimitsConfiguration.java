package io.github.ratelimit.content.limits;

import io.github.ratelimit.http.HttpRateLimiter;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The limits of accounts, by their limiters of {@code application.yml}. */
@Configuration(proxyBeanMethods = false)
class LimitsConfiguration {
    private final HttpRateLimiter limiters;
    private final HttpServletRequest current;
    private final boolean isEnabled;

    LimitsConfiguration(
            HttpRateLimiter limiters,
            HttpServletRequest current,
            @Value("${ratelimit.enabled:true}") boolean isEnabled) {
        this.limiters = limiters;
        this.current = current;
        this.isEnabled = isEnabled;
    }

    @Bean
    AccountLimit uploads() {
        return limit("uploads");
    }

    @Bean
    AccountLimit proxyCalls() {
        return limit("oembed-proxy");
    }

    private AccountLimit limit(String name) {
        return new AccountLimit(isEnabled ? limiters.limiters().get(name) : null, current);
    }
}
