package io.github.ratelimit.spring.diagnostics;

import io.github.ratelimit.spring.Diagnostic;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Shows how often something was found wrong with how limits are set up.
 *
 * @param diagnostics what was found
 */
public record DiagnosticsMeters(Diagnostics diagnostics) implements MeterBinder {

    @Override
    public void bindTo(MeterRegistry registry) {
        for (Diagnostic each : Diagnostic.values()) {
            FunctionCounter.builder("ratelimit.diagnostics", diagnostics, all -> all.found(each))
                    .description("Findings that something is wrong with how limits are set up")
                    .tag("code", each.code())
                    .register(registry);
        }
    }
}
