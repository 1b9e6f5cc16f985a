package io.github.ratelimit.remote.micrometer;

import io.github.ratelimit.remote.RemoteStore;
import io.github.ratelimit.remote.StoreHealth;
import io.github.ratelimit.remote.StoreStatistics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * Shows the traffic of a store behind a network, in total: a tag for each server needs meters that come and go with the topology. Health names
 * the servers. Spring Boot binds it; without it, {@code new RemoteStoreMeters(store).bindTo(registry)} does. Safe for concurrent use.
 *
 * @param store is read whenever a meter is
 */
@SuppressWarnings("exports") // Micrometer is optional
public record RemoteStoreMeters(RemoteStore store) implements MeterBinder {

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("ratelimit.store.up", store, of -> of.health().state() == StoreHealth.State.UP ? 1 : 0)
                .description("Whether all servers of the store answer: 1 or 0")
                .register(registry);
        gauge("pending", "requests", "Requests that wait for a decision", StoreStatistics::pending, registry);
        gauge(
                "known.counters",
                "counters",
                "Counters of used-up limits that are remembered, about",
                StoreStatistics::knownCounters,
                registry);
        counter(
                "local.rejections",
                "rejections",
                "Requests rejected without asking a server",
                StoreStatistics::localRejections,
                registry);
        counter(
                "losses",
                "losses",
                "Times that a server was found to have lost counters",
                StoreStatistics::losses,
                registry);
        counter(
                "ahead.granted",
                "requests",
                "Requests granted before they came",
                of -> of.ahead().granted(),
                registry);
        counter(
                "ahead.served",
                "requests",
                "Requests decided by that",
                of -> of.ahead().served(),
                registry);
        counter(
                "ahead.given.back",
                "requests",
                "Requests granted before they came, and given back",
                of -> of.ahead().givenBack(),
                registry);
        counter("calls", "calls", "Calls of a server", StoreStatistics::calls, registry);
        counter(
                "failed.calls",
                "calls",
                "Calls without a decision, and those not sent during an outage",
                StoreStatistics::failedCalls,
                registry);
        counter(
                "decisions",
                "decisions",
                "Requests in calls: divided by the calls, how many one call has",
                of -> of.total().decisions(),
                registry);
        counter("connections", "connections", "Connections made", StoreStatistics::connections, registry);
        FunctionTimer.builder(
                        "ratelimit.store.call.duration",
                        store,
                        of -> of.statistics().calls(),
                        of -> of.statistics().total().callNanos(),
                        TimeUnit.NANOSECONDS)
                .description("How long calls take")
                .register(registry);
    }

    private void gauge(
            String name,
            String unit,
            String description,
            ToDoubleFunction<StoreStatistics> value,
            MeterRegistry registry) {
        Gauge.builder("ratelimit.store." + name, store, of -> value.applyAsDouble(of.statistics()))
                .description(description)
                .baseUnit(unit)
                .register(registry);
    }

    private void counter(
            String name,
            String unit,
            String description,
            ToDoubleFunction<StoreStatistics> value,
            MeterRegistry registry) {
        FunctionCounter.builder("ratelimit.store." + name, store, of -> value.applyAsDouble(of.statistics()))
                .description(description)
                .baseUnit(unit)
                .register(registry);
    }
}
