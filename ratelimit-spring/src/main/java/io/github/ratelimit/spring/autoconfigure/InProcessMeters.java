package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.InProcessStore;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Shows how full the store in this process' memory is.
 *
 * @param store what is shown
 * @param role {@code store}, or {@code fallback} where it decides only while another store does not answer
 */
record InProcessMeters(InProcessStore store, String role) implements MeterBinder {

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("ratelimit.in.process.counters", store, InProcessStore::counters)
                .description("Counters with an open window")
                .baseUnit("counters")
                .tag("role", role)
                .register(registry);
        Gauge.builder("ratelimit.in.process.maximum.counters", store, InProcessStore::maximumCounters)
                .description("How many counters there may be")
                .baseUnit("counters")
                .tag("role", role)
                .register(registry);
        FunctionCounter.builder("ratelimit.in.process.evicted", store, InProcessStore::evicted)
                .description("Open windows that were evicted to make room for others")
                .baseUnit("counters")
                .tag("role", role)
                .register(registry);
    }
}
