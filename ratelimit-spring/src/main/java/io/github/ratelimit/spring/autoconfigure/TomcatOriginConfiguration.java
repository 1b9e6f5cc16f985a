package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.http.Origin;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.Collections;
import org.apache.catalina.Valve;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.server.ConfigurableWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.util.ReflectionUtils;

/** Remembers where requests come from before Tomcat's own valve believes what they say, which it does on a detected cloud platform. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication
@ConditionalOnClass({ValveBase.class, ConfigurableWebServerFactory.class})
class TomcatOriginConfiguration {

    @Bean("io.github.ratelimit.rateLimitTomcatOrigin")
    WebServerFactoryCustomizer<ConfigurableWebServerFactory> rateLimitTomcatOrigin() {
        return new FirstValve();
    }

    private static final class FirstValve implements WebServerFactoryCustomizer<ConfigurableWebServerFactory>, Ordered {

        @Override
        public int getOrder() {
            return HIGHEST_PRECEDENCE; // valves run in the order they are added
        }

        @Override
        public void customize(ConfigurableWebServerFactory factory) {
            // Looked up by name: the factory's own type has another package in Spring Boot 4.
            Method add = ReflectionUtils.findMethod(factory.getClass(), "addEngineValves", Valve[].class);
            if (add != null) {
                ReflectionUtils.invokeMethod(add, factory, (Object) new Valve[] {new OriginValve()});
            }
        }
    }

    private static final class OriginValve extends ValveBase {

        OriginValve() {
            super(true); // lets requests be asynchronous
        }

        @Override
        public void invoke(Request request, Response response) throws IOException, ServletException {
            Origin origin = Origin.of(
                    request.getRemoteAddr(),
                    request.getRequestURI(),
                    name -> Collections.list(request.getHeaders(name)));
            request.setAttribute(Origin.class.getName(), origin.kept());
            getNext().invoke(request, response);
        }
    }
}
