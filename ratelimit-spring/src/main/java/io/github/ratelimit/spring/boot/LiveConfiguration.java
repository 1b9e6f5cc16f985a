package io.github.ratelimit.spring.boot;

import io.github.ratelimit.Limiters;
import io.github.ratelimit.Store;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.spring.live.LiveFeed;
import io.github.ratelimit.spring.live.LivePage;
import io.github.ratelimit.spring.live.LiveRecorder;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;

/** What the live page shows; only where it is switched on, as it tells who watches what nobody else should know. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("ratelimit.live.enabled")
@ImportRuntimeHints(LiveHints.class)
class LiveConfiguration {

    @Bean
    LiveRecorder rateLimitLiveRecorder(Store store) {
        return new LiveRecorder(store.time());
    }

    @Bean
    LiveFeed rateLimitLiveFeed(LiveRecorder recorder, HttpRateLimiter limiter, Store store) {
        Limiters<?> limiters = limiter.limiters();
        return new LiveFeed(
                recorder,
                limiters.names().stream().map(name -> limiters.get(name).spec()).toList(),
                store);
    }

    /** Whoever may not ask the endpoint sees no form for it. */
    @Bean
    LivePage rateLimitLivePage(
            RateLimitProperties properties, Environment environment, ConfigurableListableBeanFactory beans) {
        boolean explains = beans.containsBean("rateLimitsEndpoint")
                && "unrestricted".equalsIgnoreCase(environment.getProperty("management.endpoint.ratelimits.access"));
        String explain =
                explains ? HealthProbes.endpoint("ratelimits", environment).orElse("") : "";
        return ConfiguredLimiters.valid(
                "ratelimit.live.path", () -> new LivePage(properties.live().path(), explain));
    }
}
