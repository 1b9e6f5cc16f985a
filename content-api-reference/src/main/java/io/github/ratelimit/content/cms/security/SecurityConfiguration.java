package io.github.ratelimit.content.cms.security;

import io.github.ratelimit.content.cms.settings.CmsSettings;
import io.github.ratelimit.content.server.settings.ServerKey;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the key that signs credentials. */
@Configuration(proxyBeanMethods = false)
class SecurityConfiguration {
    private static final String KEY_FILE = "server.key";

    @Bean
    ServerKey serverKey(CmsSettings settings) {
        String configured = settings.serverKey();
        return configured == null || configured.isBlank()
                ? ServerKey.in(settings.dataDir().resolve(KEY_FILE))
                : ServerKey.of(configured);
    }
}
