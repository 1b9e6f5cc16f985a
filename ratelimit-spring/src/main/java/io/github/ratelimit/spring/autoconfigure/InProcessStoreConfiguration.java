package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Store;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.spring.autoconfigure.properties.ConfiguredLimiters;
import io.github.ratelimit.spring.autoconfigure.properties.RateLimitProperties;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Counts in this process where nothing else counts. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnMissingBean(Store.class)
class InProcessStoreConfiguration {

    @Bean("io.github.ratelimit.rateLimitStore")
    InProcessStore rateLimitStore(RateLimitProperties properties, ObjectProvider<TimeSource> time) {
        return ConfiguredLimiters.inProcessStore(properties.inProcess(), time.getIfAvailable(TimeSource::system));
    }
}
