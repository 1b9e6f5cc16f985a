package io.github.ratelimit.content;

import io.github.ratelimit.TimeSource;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The one clock of the server, its limiters included; a test puts a movable one in its place. */
@Configuration(proxyBeanMethods = false)
class ClockConfiguration {

    @Bean
    @ConditionalOnMissingBean
    TimeSource clock() {
        return TimeSource.system();
    }
}
