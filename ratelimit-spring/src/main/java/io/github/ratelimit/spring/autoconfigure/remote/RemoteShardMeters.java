package io.github.ratelimit.spring.autoconfigure.remote;

import io.github.ratelimit.remote.RemoteStore;
import io.github.ratelimit.remote.StoreStatistics;
import io.github.ratelimit.remote.StoreStatistics.Traffic;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The meters of each server that decides, in one registry, by the tag {@code shard}. Each reading of a meter looks for new and former servers. Safe for concurrent use.
 */
final class RemoteShardMeters {

    private final MeterRegistry registry;
    private final RemoteStore store;
    private final Map<String, Seen> byAddress = new HashMap<>(); // guarded by this

    RemoteShardMeters(MeterRegistry registry, RemoteStore store) {
        this.registry = registry;
        this.store = store;
    }

    /** A server in its last known state, and its meters. */
    private final class Seen {

        private volatile StoreStatistics.Shard last;
        private final List<Meter> meters;

        Seen(StoreStatistics.Shard shard) {
            this.last = shard;
            this.meters = List.of(
                    counter("ratelimit.store.calls", "calls", "Calls sent to the server", Traffic::calls),
                    counter(
                            "ratelimit.store.failed.calls",
                            "calls",
                            "Calls that brought no decision, and those that were not sent as the server was known not to answer",
                            Traffic::failedCalls),
                    counter(
                            "ratelimit.store.decisions",
                            "decisions",
                            "Requests that travelled in calls: by the number of calls, how many one call has",
                            Traffic::decisions),
                    counter("ratelimit.store.connections", "connections", "Connections made", Traffic::connections),
                    FunctionTimer.builder(
                                    "ratelimit.store.call.duration",
                                    this,
                                    seen -> seen.traffic().calls(),
                                    seen -> seen.traffic().callNanos(),
                                    TimeUnit.NANOSECONDS)
                            .description("How long calls take")
                            .tag("shard", shard.address())
                            .register(registry),
                    Gauge.builder(
                                    "ratelimit.store.asked",
                                    this,
                                    seen -> seen.now().asked() ? 1 : 0)
                            .description("Whether the server is asked: 1, or 0 while it is known not to answer")
                            .tag("shard", shard.address())
                            .register(registry));
        }

        private FunctionCounter counter(String name, String unit, String description, ToDoubleFunction<Traffic> value) {
            return FunctionCounter.builder(name, this, seen -> value.applyAsDouble(seen.traffic()))
                    .description(description)
                    .baseUnit(unit)
                    .tag("shard", last.address())
                    .register(registry);
        }

        private Traffic traffic() {
            return now().traffic();
        }

        private StoreStatistics.Shard now() {
            refresh();
            return last;
        }
    }

    /** Meters those servers that there are now. */
    synchronized StoreStatistics refresh() {
        StoreStatistics now = store.statistics();
        for (StoreStatistics.Shard shard : now.shards()) {
            Seen seen = byAddress.get(shard.address());
            if (seen == null) {
                byAddress.put(shard.address(), new Seen(shard));
            } else {
                seen.last = shard;
            }
        }
        if (byAddress.size() > now.shards().size()) {
            List<String> addresses =
                    now.shards().stream().map(StoreStatistics.Shard::address).collect(Collectors.toList());
            byAddress.entrySet().removeIf(each -> {
                boolean gone = !addresses.contains(each.getKey());
                if (gone) {
                    each.getValue().meters.forEach(registry::remove);
                }
                return gone;
            });
        }
        return now;
    }
}
