package io.github.ratelimit.content.cms.oembed;

import io.github.ratelimit.Limiter;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.content.shared.fetch.OutgoingClient;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpRateLimiter;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts together what foreign descriptions need. */
@Configuration(proxyBeanMethods = false)
class OembedConfiguration {

    private static final String LIMITER = "oembed-proxy";

    @Bean
    ForeignEmbeds foreignEmbeds(TimeSource clock, OutgoingClient client) {
        return new ForeignEmbeds(clock::nanoTime, client, Providers.load());
    }

    /** Without this limiter a server would fetch for its authors as often as they like, so it does not start. */
    @Bean
    @ConditionalOnProperty(name = "ratelimit.enabled", matchIfMissing = true)
    Limiter<HttpCall> oembedProxyLimiter(HttpRateLimiter limiters) {
        return limiters.limiters().get(LIMITER);
    }
}
