package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.Store;
import io.github.ratelimit.micrometer.MicrometerDecisionListener;
import io.github.ratelimit.spring.diagnostics.Diagnostics;
import io.github.ratelimit.spring.diagnostics.DiagnosticsMeters;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Meters decisions where there is something to meter into. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
class MeteringConfiguration {

    @Bean("io.github.ratelimit.micrometerDecisionListener")
    @ConditionalOnMissingBean
    MicrometerDecisionListener micrometerDecisionListener(MeterRegistry registry) {
        return new MicrometerDecisionListener(registry);
    }

    @Bean("io.github.ratelimit.rateLimitDiagnosticsMeters")
    DiagnosticsMeters rateLimitDiagnosticsMeters(Diagnostics diagnostics) {
        return new DiagnosticsMeters(diagnostics);
    }

    @Bean("io.github.ratelimit.rateLimitInProcessMeters")
    InProcessMeters rateLimitInProcessMeters(Store store, Fallback fallback) {
        return new InProcessMeters(fallback.store(), fallback.store() == store ? "store" : "fallback");
    }
}
