package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.spring.diagnostics.Diagnostics;
import io.github.ratelimit.spring.diagnostics.ForwardingFieldsWarning;
import io.github.ratelimit.spring.diagnostics.RewrittenPeerWarning;
import io.github.ratelimit.spring.web.reactive.ExchangeCost;
import io.github.ratelimit.spring.web.reactive.ExchangeOrigin;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.reactive.DispatcherHandler;

/** Beans for limits of WebFlux requests, also if limits are switched off. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(DispatcherHandler.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
class ReactiveConfiguration {

    @Bean("io.github.ratelimit.rateLimitExchangeCost")
    @ConditionalOnMissingBean
    ExchangeCost rateLimitExchangeCost() {
        return ExchangeCost.ONE;
    }

    @Bean("io.github.ratelimit.rateLimitExchangeOrigin")
    @ConditionalOnMissingBean
    ExchangeOrigin rateLimitExchangeOrigin(
            ObjectProvider<Diagnostics> diagnostics, ClientAddress clientAddress, ApplicationContext context) {
        ExchangeOrigin ofServer = ExchangeOrigin.ofServer();
        Diagnostics known = diagnostics.getIfAvailable();
        if (known == null) {
            return ofServer; // switched off: there is nothing to warn of
        }
        RewrittenPeerWarning.check(context, known, RewrittenPeerWarning.NETTY, RewrittenPeerWarning.TOMCAT);
        ForwardingFieldsWarning warning = new ForwardingFieldsWarning(clientAddress, known);
        return exchange -> warning.checked(ofServer.of(exchange));
    }
}
