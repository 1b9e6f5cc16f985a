package io.github.ratelimit.spring.autoconfigure.redis;

import io.github.ratelimit.redis.RedisStore;
import io.github.ratelimit.remote.StoreHealth;
import io.github.ratelimit.remote.StoreStatistics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToDoubleFunction;

/** Shows how the store on Redis does: as a whole, and what each master of today's topology is asked. Safe for concurrent use. */
public final class RedisMeters implements MeterBinder {

    private final RedisStore store;

    /** One for each registry; a registry itself holds only weakly what it reads. */
    private final List<RedisShardMeters> bound = new CopyOnWriteArrayList<>();

    public RedisMeters(RedisStore store) {
        this.store = store;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        RedisShardMeters shards = new RedisShardMeters(registry, store);
        bound.add(shards);
        shards.refresh();
        Gauge.builder("ratelimit.redis.up", store, of -> of.health().state() == StoreHealth.State.UP ? 1 : 0)
                .description("Whether all of Redis answers: 1 or 0")
                .register(registry);
        gauge("ratelimit.redis.pending", "requests", StoreStatistics::pending, shards)
                .description("Requests that wait for a decision")
                .register(registry);
        gauge("ratelimit.redis.known.counters", "counters", StoreStatistics::knownCounters, shards)
                .description("Counters of used-up limits that are remembered, about")
                .register(registry);
        FunctionCounter.builder(
                        "ratelimit.redis.local.rejections",
                        shards,
                        of -> of.refresh().localRejections())
                .description("Requests rejected without asking Redis")
                .baseUnit("rejections")
                .register(registry);
        FunctionCounter.builder(
                        "ratelimit.redis.losses", shards, of -> of.refresh().losses())
                .description("Times that a server was found to have lost counters")
                .baseUnit("losses")
                .register(registry);
    }

    private static Gauge.Builder<RedisShardMeters> gauge(
            String name, String unit, ToDoubleFunction<StoreStatistics> value, RedisShardMeters shards) {
        return Gauge.builder(name, shards, of -> value.applyAsDouble(of.refresh()))
                .baseUnit(unit);
    }
}
