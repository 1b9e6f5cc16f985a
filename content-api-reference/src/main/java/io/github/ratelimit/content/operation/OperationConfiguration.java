package io.github.ratelimit.content.operation;

import io.github.ratelimit.content.cms.security.Accounts;
import io.github.ratelimit.content.cms.security.ApplicationPasswords;
import io.github.ratelimit.content.limits.GuessLimit;
import io.github.ratelimit.content.server.settings.InvalidSettingException;
import io.github.ratelimit.spring.live.LivePage;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.http.converter.autoconfigure.ServerHttpMessageConvertersCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.http.MediaType;
import org.springframework.http.converter.json.JacksonJsonHttpMessageConverter;
import org.springframework.web.servlet.config.annotation.ViewControllerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Says what only an administrator sees. */
@Configuration(proxyBeanMethods = false)
class OperationConfiguration implements WebMvcConfigurer {
    private final ObjectProvider<LivePage> live;

    OperationConfiguration(ObjectProvider<LivePage> live) {
        this.live = live;
    }

    @Bean
    FilterRegistrationBean<AdministratorFilter> administratorFilter(
            Accounts accounts, ApplicationPasswords passwords, GuessLimit guesses) {
        FilterRegistrationBean<AdministratorFilter> registration =
                new FilterRegistrationBean<>(new AdministratorFilter(accounts, passwords, guesses));
        registration.addUrlPatterns("/actuator/*", "/demo/store");
        // Wherever it was put.
        live.ifAvailable(page -> registration.addUrlPatterns(page.path(), page.path() + "/*"));
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 20);
        return registration;
    }

    /** Bodies of the actuator are maps of text; numbers and booleans are welcome there, though the interfaces reject them for text. */
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

    /**
     * Leads from the folder of the live page to the page. Browsers send a sign-in to whatever is in the folder of the page that asked for it, so it
     * must not be the top, where all pages are.
     */
    @Override
    public void addViewControllers(ViewControllerRegistry registry) {
        live.ifAvailable(page -> {
            String path = page.path();
            String folder = path.substring(0, path.lastIndexOf('/'));
            InvalidSettingException.require(
                    !folder.isEmpty(),
                    "ratelimit.live.path",
                    "must be in a folder",
                    "'" + path + "'",
                    "Use '" + path + "/live': a browser sends a sign-in to all that is in the folder of the page.");
            registry.addRedirectViewController(folder, path);
            registry.addRedirectViewController(folder + "/", path);
        });
    }
}
