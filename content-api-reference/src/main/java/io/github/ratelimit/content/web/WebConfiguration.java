package io.github.ratelimit.content.web;

import jakarta.servlet.MultipartConfigElement;
import java.time.ZoneId;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Registers the servlet of the interface. */
@Configuration(proxyBeanMethods = false)
class WebConfiguration {
    /** The limiter's filter has -110. */
    private static final int BEFORE_LIMITS = -120;

    @Bean
    SiteAddress siteAddress(@Value("${content-api.base-url:}") String baseUrl) {
        return new SiteAddress(baseUrl);
    }

    @Bean
    Site site(
            @Value("${content-api.site.title:Example Site}") String title,
            @Value("${content-api.site.tagline:A site of examples}") String tagline,
            @Value("${content-api.site.timezone:UTC}") ZoneId zone) {
        return new Site(title, tagline, zone);
    }

    @Bean
    ServletRegistrationBean<RestServlet> restServlet(
            Dispatcher dispatcher,
            SiteAddress site,
            ObjectProvider<RestGate> gates,
            ObjectProvider<MultipartConfigElement> multipart) {
        RestServlet servlet = new RestServlet(
                dispatcher, new RequestReader(site), gates.orderedStream().toList());
        ServletRegistrationBean<RestServlet> registration = new ServletRegistrationBean<>(servlet, RestAddress.PATH);
        registration.setName("rest");
        registration.setLoadOnStartup(1);
        multipart.ifAvailable(registration::setMultipartConfig);
        return registration;
    }

    /** Before the limiter, which asks what a batch costs. */
    @Bean
    FilterRegistrationBean<PartsFilter> partsFilter(RouteTable routes, SiteAddress site) {
        FilterRegistrationBean<PartsFilter> registration =
                new FilterRegistrationBean<>(new PartsFilter(routes, new RequestReader(site)));
        registration.addUrlPatterns(RestAddress.PATH);
        registration.setOrder(BEFORE_LIMITS);
        return registration;
    }
}
