package io.github.ratelimit.content.cms.security;

import io.github.ratelimit.content.cms.settings.CmsSettings;
import io.github.ratelimit.content.limits.GuessLimit;
import io.github.ratelimit.content.server.settings.ServerKey;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;

/** Puts together who finds out who is calling. */
@Configuration(proxyBeanMethods = false)
class SecurityConfiguration {
    private static final String KEY_FILE = "server.key";

    @Bean
    ServerKey serverKey(CmsSettings settings) {
        String configured = settings.serverKey();
        return configured == null || configured.isBlank()
                ? ServerKey.in(settings.dataDir().resolve(KEY_FILE))
                : ServerKey.of(configured);
    }

    /** Before the limiter, which may count by who is calling. */
    @Bean
    FilterRegistrationBean<CallerFilter> callerFilter(ApplicationPasswords passwords, GuessLimit guesses) {
        FilterRegistrationBean<CallerFilter> registration =
                new FilterRegistrationBean<>(new CallerFilter(passwords, guesses));
        // The one address of the interface; elsewhere such credentials mean nothing.
        registration.addUrlPatterns("/index.php");
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 20);
        return registration;
    }
}
