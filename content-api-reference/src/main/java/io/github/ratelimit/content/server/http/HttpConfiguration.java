package io.github.ratelimit.content.server.http;

import io.github.ratelimit.TimeSource;
import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.servlet.ServletOrigin;
import org.apache.catalina.core.StandardHost;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Adds our valves to Tomcat. */
@Configuration(proxyBeanMethods = false)
class HttpConfiguration {
    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> serverValves(
            RequestBounds bounds, ClientAddress addresses, ObjectProvider<ServletOrigin> origin, TimeSource clock) {
        return factory -> {
            // Around the valve that writes errors.
            factory.addEngineValves(
                    new RequestValve(bounds, addresses, origin.getIfAvailable(ServletOrigin::ofContainer), clock));
            factory.addContextValves(new RootRouteValve());
            factory.addContextCustomizers(context -> {
                if (context.getParent() instanceof StandardHost host) {
                    host.setErrorReportValveClass(JsonErrorValve.class.getName());
                }
            });
        };
    }
}
