package io.github.ratelimit.content.cms.rest;

import io.github.ratelimit.content.cms.settings.CmsSettings;
import io.github.ratelimit.content.limits.GuessLimit;
import io.github.ratelimit.content.server.http.AnswerRoom;
import io.github.ratelimit.content.server.http.RequestBounds;
import org.springframework.beans.factory.ObjectProvider;
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
    Site site(CmsSettings settings) {
        return new Site(
                settings.site().title(),
                settings.site().tagline(),
                settings.site().timezone());
    }

    @Bean
    RequestReader requestReader(
            SiteAddress site, RequestBounds bounds, GuessLimit guesses, ObjectProvider<PartLimits> parts) {
        PartLimits limits = parts.getIfAvailable();
        return new RequestReader(site, bounds, guesses, limits == null ? RestJson.MOST_BYTES : limits.body());
    }

    @Bean
    ServletRegistrationBean<RestServlet> restServlet(
            Dispatcher dispatcher,
            ObjectProvider<RestStep> steps,
            RequestReader reader,
            AnswerRoom room,
            ObjectProvider<PartLimits> parts) {
        RestServlet servlet =
                new RestServlet(dispatcher, reader, room, steps.orderedStream().toList());
        ServletRegistrationBean<RestServlet> registration = new ServletRegistrationBean<>(servlet, RestAddress.PATH);
        registration.setName("rest");
        registration.setLoadOnStartup(1);
        parts.ifAvailable(limits -> registration.setMultipartConfig(limits.forServlet()));
        return registration;
    }

    @Bean
    FilterRegistrationBean<RestHeaders> restHeaders(SiteAddress site) {
        FilterRegistrationBean<RestHeaders> registration = new FilterRegistrationBean<>(new RestHeaders(site));
        registration.addUrlPatterns(RestAddress.PATH);
        registration.setOrder(FIRST);
        return registration;
    }
}
