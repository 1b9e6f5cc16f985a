package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.micrometer.ObservationDecisionListener;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Writes rejections onto the spans of requests where requests are observed. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean(ObservationRegistry.class)
class TracingConfiguration {

    @Bean("io.github.ratelimit.observationDecisionListener")
    @ConditionalOnMissingBean
    ObservationDecisionListener observationDecisionListener(ObservationRegistry registry) {
        return new ObservationDecisionListener(registry);
    }
}
