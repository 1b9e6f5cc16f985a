package io.github.ratelimit.content.web;

import jakarta.servlet.MultipartConfigElement;
import java.time.ZoneId;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Opens the door of the interface. */
@Configuration(proxyBeanMethods = false)
class WebConfiguration {

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
}
