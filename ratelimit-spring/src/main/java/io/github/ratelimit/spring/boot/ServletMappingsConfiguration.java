package io.github.ratelimit.spring.boot;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Knows which methods Spring MVC maps requests to. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(HandlerInterceptor.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class ServletMappingsConfiguration {

    @Bean
    MappedMethods rateLimitMappedMethods(ObjectProvider<RequestMappingHandlerMapping> mappings) {
        return limits -> mappings.stream()
                .flatMap(mapping -> mapping.getHandlerMethods().values().stream())
                .forEach(handler -> MappedMethods.leaveToAdapter(handler, limits));
    }
}
