package io.github.ratelimit.content.operation;

import io.github.ratelimit.content.cms.security.Accounts;
import io.github.ratelimit.content.cms.security.ApplicationPasswords;
import io.github.ratelimit.content.cms.security.GuessLimit;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;

/** Says what only an administrator sees. */
@Configuration(proxyBeanMethods = false)
class OperationConfiguration {

    @Bean
    FilterRegistrationBean<AdministratorFilter> administratorFilter(
            Accounts accounts, ApplicationPasswords passwords, GuessLimit guesses) {
        FilterRegistrationBean<AdministratorFilter> registration =
                new FilterRegistrationBean<>(new AdministratorFilter(accounts, passwords, guesses));
        registration.addUrlPatterns("/limits", "/limits/*", "/actuator/*", "/demo/store");
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 20);
        return registration;
    }
}
