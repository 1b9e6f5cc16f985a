package io.github.ratelimit.content.cms.rest;

import io.github.ratelimit.content.cms.security.Caller;
import io.github.ratelimit.content.cms.settings.CmsSettings;
import io.github.ratelimit.content.limits.GuessLimit;
import io.github.ratelimit.content.server.http.AnswerRoom;
import io.github.ratelimit.content.server.http.RequestBounds;
import io.github.ratelimit.http.HttpCall;
import jakarta.servlet.http.HttpServletRequest;
import java.util.function.Predicate;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;

/** Registers the servlet of the interface. */
@Configuration(proxyBeanMethods = false)
class WebConfiguration {
    /** The filter that tells who is calling, and may reject it, is the next one. */
    private static final int FIRST = Ordered.HIGHEST_PRECEDENCE + 10;

    @Bean
    SiteAddress siteAddress(CmsSettings settings) {
        return new SiteAddress(settings.baseUrl());
    }

    @Bean
    CmsSettings.Site site(CmsSettings settings) {
        return settings.site();
    }

    @Bean
    ServletRegistrationBean<RestServlet> restServlet(
            Dispatcher dispatcher,
            SiteAddress site,
            RequestBounds bounds,
            GuessLimit guesses,
            AnswerRoom room,
            PageCache cache,
            PartLimits parts) {
        RequestReader reader = new RequestReader(site, bounds, guesses, parts.body());
        ServletRegistrationBean<RestServlet> registration =
                new ServletRegistrationBean<>(new RestServlet(dispatcher, reader, room, cache), RestAddress.PATH);
        registration.setName("rest");
        registration.setLoadOnStartup(1);
        registration.setMultipartConfig(parts.forServlet());
        return registration;
    }

    /** Says which requests the limiter of searches lets pass. */
    @Bean
    Predicate<HttpCall> noSearchOfAStranger() {
        return call -> !call.request(HttpServletRequest.class)
                .filter(http -> Caller.of(http).isAnonymous() && RequestReader.maySearch(http))
                .isPresent();
    }

    @Bean
    FilterRegistrationBean<RestHeaders> restHeaders(SiteAddress site) {
        FilterRegistrationBean<RestHeaders> registration = new FilterRegistrationBean<>(new RestHeaders(site));
        registration.addUrlPatterns(RestAddress.PATH);
        registration.setOrder(FIRST);
        return registration;
    }
}
