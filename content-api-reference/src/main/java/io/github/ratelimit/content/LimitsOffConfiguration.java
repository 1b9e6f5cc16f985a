package io.github.ratelimit.content;

import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.servlet.PeerAddress;
import java.util.List;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * What the server needs of the library also while limits are switched off: who a caller is must not depend on whether
 * callers are counted.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "ratelimit.enabled", havingValue = "false")
class LimitsOffConfiguration {

    @Bean
    ClientAddress clientAddress(Environment environment) {
        List<String> trusted = Binder.get(environment)
                .bind("ratelimit.http.trusted-proxies", Bindable.listOf(String.class))
                .orElse(List.of());
        return ClientAddress.of(trusted, ClientAddress.DEFAULT_IPV6_PREFIX);
    }

    @Bean
    PeerAddress peerAddress() {
        return PeerAddress.ofContainer();
    }
}
