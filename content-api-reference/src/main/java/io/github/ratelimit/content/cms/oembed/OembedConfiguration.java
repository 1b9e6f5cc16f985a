package io.github.ratelimit.content.cms.oembed;

import io.github.ratelimit.TimeSource;
import io.github.ratelimit.content.server.fetch.OutgoingClient;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts together what foreign descriptions need. */
@Configuration(proxyBeanMethods = false)
class OembedConfiguration {

    @Bean
    ForeignEmbeds foreignEmbeds(TimeSource clock, OutgoingClient client) {
        return new ForeignEmbeds(clock::nanoTime, client, Providers.load());
    }
}
