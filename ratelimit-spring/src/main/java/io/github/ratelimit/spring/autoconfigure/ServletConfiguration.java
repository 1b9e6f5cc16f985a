package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.servlet.RequestCost;
import io.github.ratelimit.servlet.ServletOrigin;
import io.github.ratelimit.spring.diagnostics.Diagnostics;
import io.github.ratelimit.spring.diagnostics.ForwardingFieldsWarning;
import io.github.ratelimit.spring.diagnostics.RewrittenPeerWarning;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Beans for limits of servlet requests, also if limits are switched off. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class ServletConfiguration {

    @Bean("io.github.ratelimit.rateLimitRequestCost")
    @ConditionalOnMissingBean
    RequestCost rateLimitRequestCost() {
        return RequestCost.ONE;
    }

    @Bean("io.github.ratelimit.rateLimitServletOrigin")
    @ConditionalOnMissingBean
    ServletOrigin rateLimitServletOrigin(
            ObjectProvider<Diagnostics> diagnostics, ClientAddress clientAddress, ApplicationContext context) {
        ServletOrigin ofContainer = ServletOrigin.ofContainer();
        Diagnostics known = diagnostics.getIfAvailable();
        if (known == null) {
            return ofContainer; // switched off: there is nothing to warn of
        }
        RewrittenPeerWarning.check(context, known, RewrittenPeerWarning.TOMCAT);
        ForwardingFieldsWarning warning = new ForwardingFieldsWarning(clientAddress, known);
        return request -> warning.checked(ofContainer.of(request));
    }
}
