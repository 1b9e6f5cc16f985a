package io.github.ratelimit.content.server.fetch;

import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The one client by which this server fetches what others name. */
@Configuration(proxyBeanMethods = false)
class FetchConfiguration {

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    OutgoingClient outgoingClient() {
        return OutgoingClient.create(FetchLimits.usual());
    }
}
