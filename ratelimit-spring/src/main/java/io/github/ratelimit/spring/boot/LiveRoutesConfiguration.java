package io.github.ratelimit.spring.boot;

import io.github.ratelimit.spring.live.LiveFeed;
import io.github.ratelimit.spring.live.LivePage;
import io.github.ratelimit.spring.live.LiveRoutes;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Serves the live page on WebFlux. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("ratelimit.live.enabled")
@ConditionalOnClass(DispatcherHandler.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
class LiveRoutesConfiguration {

    @Bean
    RouterFunction<ServerResponse> rateLimitLiveRoutes(LivePage page, LiveFeed feed) {
        return LiveRoutes.of(page, feed);
    }
}
