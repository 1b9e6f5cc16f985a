package io.github.ratelimit.spring.boot;

import io.github.ratelimit.Store;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.spring.live.LiveFeed;
import io.github.ratelimit.spring.live.LivePage;
import io.github.ratelimit.spring.live.LiveRecorder;
import io.github.ratelimit.spring.live.LiveRoutes;
import io.github.ratelimit.spring.live.LiveServlet;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.servlet.HandlerInterceptor;

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
        return new LiveFeed(recorder, limiter.limiters(), store);
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

    /** Serves the page on servlets. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(HandlerInterceptor.class)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static class OnServlets {

        @Bean
        ServletRegistrationBean<LiveServlet> rateLimitLiveServlet(LivePage page, LiveFeed feed) {
            ServletRegistrationBean<LiveServlet> registration =
                    new ServletRegistrationBean<>(new LiveServlet(page, feed), page.path(), page.path() + "/*");
            registration.setName("rateLimitLive");
            return registration;
        }
    }

    /** Serves the page on WebFlux. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(DispatcherHandler.class)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    static class OnWebFlux {

        @Bean
        RouterFunction<ServerResponse> rateLimitLiveRoutes(LivePage page, LiveFeed feed) {
            return LiveRoutes.of(page, feed);
        }
    }
}
