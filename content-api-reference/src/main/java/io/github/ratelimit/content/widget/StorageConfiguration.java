package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.shared.limit.Quota;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.servlet.ServletOrigin;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Bounds what visitors store, and for how long. */
@Configuration(proxyBeanMethods = false)
class StorageConfiguration {

    private static final String ENABLED = "${ratelimit.enabled:true}";

    @Bean
    Quota widgetStorage(HttpRateLimiter limiters, ServletOrigin origin, @Value(ENABLED) boolean enabled) {
        return new Quota(StorageQuota.LIMITER, limiters, origin, enabled);
    }

    @Bean
    Quota widgetConversations(HttpRateLimiter limiters, ServletOrigin origin, @Value(ENABLED) boolean enabled) {
        return new Quota("widget-conversations", limiters, origin, enabled);
    }

    /** Behind the interceptor of the documented limits: what they refuse costs nothing here. */
    @Bean
    WebMvcConfigurer storageInterceptors(@Qualifier("widgetStorage") Quota quota) {
        return new WebMvcConfigurer() {
            @Override
            public void addInterceptors(InterceptorRegistry registry) {
                registry.addInterceptor(new StorageQuota(quota))
                        .addPathPatterns(WidgetConfiguration.ROOT + "/**")
                        .order(Ordered.LOWEST_PRECEDENCE);
            }
        };
    }
}
