package io.github.ratelimit.spring.boot;

import io.github.ratelimit.redis.RedisHealth;
import io.github.ratelimit.redis.RedisStore;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/** Shows how the store on Redis does. */
record RedisMeters(RedisStore store) implements MeterBinder {

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("ratelimit.redis.up", store, of -> of.health().state() == RedisHealth.State.UP ? 1 : 0)
                .description("Whether Redis answers")
                .register(registry);
        Gauge.builder("ratelimit.redis.pending", store, of -> of.statistics().pending())
                .description("Requests that wait for a decision")
                .register(registry);
        FunctionCounter.builder(
                        "ratelimit.redis.calls", store, of -> of.statistics().calls())
                .description("Commands sent to Redis")
                .register(registry);
        FunctionCounter.builder(
                        "ratelimit.redis.failed.calls",
                        store,
                        of -> of.statistics().failedCalls())
                .description("Commands that brought no decision")
                .register(registry);
        FunctionCounter.builder(
                        "ratelimit.redis.local.refusals",
                        store,
                        of -> of.statistics().localRefusals())
                .description("Requests refused without asking Redis")
                .register(registry);
    }
}
