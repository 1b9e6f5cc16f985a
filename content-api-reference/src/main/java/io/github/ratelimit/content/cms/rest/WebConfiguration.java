package io.github.ratelimit.content.cms.rest;

import io.github.ratelimit.content.cms.settings.CmsSettings;
import io.github.ratelimit.content.shared.container.MeantMethod;
import io.github.ratelimit.content.shared.container.RequestBounds;
import java.io.UncheckedIOException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import tools.jackson.databind.node.JsonNodeFactory;

/** Registers the servlet of the interface. */
@Configuration(proxyBeanMethods = false)
class WebConfiguration {
    /** The filter that tells who is calling, and may refuse it, is the next one. */
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
            SiteAddress site, RequestBounds bounds, JsonNodeFactory nodes, ObjectProvider<PartLimits> parts) {
        PartLimits limits = parts.getIfAvailable();
        return new RequestReader(site, bounds, nodes, limits == null ? UncheckedIOException::new : limits.failure());
    }

    @Bean
    MeantMethod meantMethod() {
        return RequestReader::meant;
    }

    @Bean
    ServletRegistrationBean<RestServlet> restServlet(
            Dispatcher dispatcher,
            ObjectProvider<RestStep> steps,
            RequestReader reader,
            ObjectProvider<PartLimits> parts) {
        RestServlet servlet =
                new RestServlet(dispatcher, reader, steps.orderedStream().toList());
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
