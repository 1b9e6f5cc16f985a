package io.github.ratelimit.spring.boot;

import io.github.ratelimit.spring.live.LiveFeed;
import io.github.ratelimit.spring.live.LivePage;
import io.github.ratelimit.spring.live.LiveServlet;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.HandlerInterceptor;

/** Serves the live page on servlets. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("ratelimit.live.enabled")
@ConditionalOnClass(HandlerInterceptor.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class LiveServletConfiguration {

    @Bean
    ServletRegistrationBean<LiveServlet> rateLimitLiveServlet(LivePage page, LiveFeed feed) {
        ServletRegistrationBean<LiveServlet> registration =
                new ServletRegistrationBean<>(new LiveServlet(page, feed), page.path(), page.path() + "/*");
        registration.setName("rateLimitLive");
        return registration;
    }
}
