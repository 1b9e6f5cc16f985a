package io.github.ratelimit.content.server.fetch;

import java.net.InetAddress;
import java.util.List;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The one client by which this server fetches what others name. */
@Configuration(proxyBeanMethods = false)
class FetchConfiguration {

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    OutgoingClient outgoingClient() {
        return new OutgoingClient(
                FetchLimits.usual(), host -> List.of(InetAddress.getAllByName(host)), GlobalAddresses::contains);
    }
}
