package io.github.ratelimit.content.operation;

import io.github.ratelimit.content.cms.security.Accounts;
import io.github.ratelimit.content.cms.security.ApplicationPasswords;
import io.github.ratelimit.content.limits.GuessLimit;
import io.github.ratelimit.spring.live.LivePage;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.http.converter.autoconfigure.ServerHttpMessageConvertersCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletContextInitializer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.http.MediaType;
import org.springframework.http.converter.json.JacksonJsonHttpMessageConverter;

/** Says what only an administrator sees. */
@Configuration(proxyBeanMethods = false)
class OperationConfiguration {

    @Bean
    FilterRegistrationBean<AdministratorFilter> administratorFilter(
            Accounts accounts, ApplicationPasswords passwords, GuessLimit guesses, ObjectProvider<LivePage> live) {
        FilterRegistrationBean<AdministratorFilter> registration =
                new FilterRegistrationBean<>(new AdministratorFilter(accounts, passwords, guesses));
        registration.addUrlPatterns("/actuator/*", "/demo/store");
        // Wherever it was put.
        live.ifAvailable(page -> registration.addUrlPatterns(page.path(), page.path() + "/*"));
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 20);
        return registration;
    }

    /** Bodies of the actuator are maps of text; numbers and booleans are welcome there, though the interfaces refuse them for text. */
    @Bean
    ServerHttpMessageConvertersCustomizer operatorBodies() {
        return converters -> converters.addCustomConverter(new JacksonJsonHttpMessageConverter() {
            @Override
            public boolean canRead(ResolvableType type, @Nullable MediaType mediaType) {
                return type.toClass() == Map.class && type.getGeneric(1).toClass() == String.class;
            }

            @Override
            public boolean canWrite(ResolvableType type, Class<?> value, @Nullable MediaType mediaType) {
                return false;
            }
        });
    }

    @Bean
    ServletContextInitializer folderOfLivePage(ObjectProvider<LivePage> live) {
        return context -> live.ifAvailable(page -> FolderOfLivePage.register(page, context));
    }
}
