package io.github.ratelimit.spring.autoconfigure.remote;

import io.github.ratelimit.remote.RemoteStore;
import io.github.ratelimit.remote.StoreHealth;
import io.github.ratelimit.remote.StoreStatistics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToDoubleFunction;

/** Shows how a store behind a network does: as a whole, and what each of today's servers is asked. Safe for concurrent use. */
public final class RemoteStoreMeters implements MeterBinder {

    private final RemoteStore store;

    /** One for each registry; a registry itself holds only weakly what it reads. */
    private final List<RemoteShardMeters> bound = new CopyOnWriteArrayList<>();

    public RemoteStoreMeters(RemoteStore store) {
        this.store = store;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        RemoteShardMeters shards = new RemoteShardMeters(registry, store);
        bound.add(shards);
        shards.refresh();
        Gauge.builder("ratelimit.store.up", store, of -> of.health().state() == StoreHealth.State.UP ? 1 : 0)
                .description("Whether all servers of the store answer: 1 or 0")
                .register(registry);
        gauge("ratelimit.store.pending", "requests", StoreStatistics::pending, shards)
                .description("Requests that wait for a decision")
                .register(registry);
        gauge("ratelimit.store.known.counters", "counters", StoreStatistics::knownCounters, shards)
                .description("Counters of used-up limits that are remembered, about")
                .register(registry);
        FunctionCounter.builder(
                        "ratelimit.store.local.rejections",
                        shards,
                        of -> of.refresh().localRejections())
                .description("Requests rejected without asking a server")
                .baseUnit("rejections")
                .register(registry);
        FunctionCounter.builder(
                        "ratelimit.store.losses", shards, of -> of.refresh().losses())
                .description("Times that a server was found to have lost counters")
                .baseUnit("losses")
                .register(registry);
    }

    private static Gauge.Builder<RemoteShardMeters> gauge(
            String name, String unit, ToDoubleFunction<StoreStatistics> value, RemoteShardMeters shards) {
        return Gauge.builder(name, shards, of -> value.applyAsDouble(of.refresh()))
                .baseUnit(unit);
    }
}
