package io.github.ratelimit.content.server.http;

import io.github.ratelimit.TimeSource;
import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.servlet.ServletOrigin;
import java.util.stream.Collectors;
import org.apache.catalina.Context;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.valves.rewrite.RewriteValve;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Adds our valves to Tomcat. */
@Configuration(proxyBeanMethods = false)
class HttpConfiguration {
    /** The name of the argument, any letter of which may be percent-encoded. */
    private static final String ROUTE = "rest_route"
            .chars()
            .mapToObj(letter -> "(?:%c|(?i:%%%x))".formatted(letter, letter))
            .collect(Collectors.joining("", "(?:.*&)?", "=[^&].*"));

    /**
     * Tells requests to the interface from requests to the site's pages: a route decides, and not the path. So the interface is at {@code
     * /?rest_route=…} as it is at {@code /index.php?rest_route=…}, with one slash too many as well, and without a route all are the front
     * page. Before any filter: whoever is limited or signed in at one of the paths is so at the other. Only what changes a path has an
     * effect, and a path here has no two slashes; so the first rule adds one, and the second one takes it.
     */
    private static final String ROUTES = """
            RewriteCond %%{QUERY_STRING} %1$s
            RewriteCond %%{REQUEST_URI} !/index\\.php
            RewriteRule ^/(?:index\\.php)?$ /index.php/
            RewriteRule ^/index\\.php/$ /index.php
            RewriteCond %%{QUERY_STRING} !%1$s
            RewriteRule ^/index\\.php$ / [L]
            """.formatted(ROUTE);

    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> serverValves(
            RequestBounds bounds, ClientAddress addresses, ObjectProvider<ServletOrigin> origin, TimeSource clock) {
        return factory -> {
            // Around the valve that writes errors.
            factory.addEngineValves(
                    new RequestValve(bounds, addresses, origin.getIfAvailable(ServletOrigin::ofContainer), clock));
            factory.addContextCustomizers(context -> {
                rewriteRoot(context);
                if (context.getParent() instanceof StandardHost host) {
                    host.setErrorReportValveClass(JsonErrorValve.class.getName());
                }
            });
        };
    }

    private static void rewriteRoot(Context context) {
        RewriteValve valve = new RewriteValve();
        context.getPipeline().addValve(valve);
        try {
            valve.setConfiguration(ROUTES);
        } catch (Exception e) {
            throw new IllegalStateException("the rules of the root route cannot be read", e);
        }
    }
}
