package io.github.ratelimit.spring.autoconfigure.redis;

import io.github.ratelimit.Limiters;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.redis.RedisStore;
import io.github.ratelimit.remote.StoreHealth;
import io.github.ratelimit.remote.StoreHealth.State;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The health of the store on Redis, for Actuator.
 *
 * <p>Limiters decide by their {@code on-store-failure} where Redis does not answer, so that the application is up also then, and also where
 * only some masters of a Cluster answer: the details say so. It is down only where no master answers and a limiter, not in shadow, rejects
 * requests for that. All nodes see the same Redis: to take one out of rotation that can still serve would help nobody.
 *
 * @param isUp whether the application can serve
 * @param details of the store, and of each master
 */
public record RedisHealthReport(boolean isUp, Map<String, Object> details) {

    /** Asks nothing of Redis. */
    public static RedisHealthReport of(RedisStore store, Limiters<?> limiters) {
        StoreHealth health = store.health();
        List<String> rejecting = health.state() == State.DOWN ? rejecting(limiters) : List.of();
        Map<String, Object> details = details(health.state(), health.reason().orElse(""));
        details.put("since", health.since().toString());
        if (!rejecting.isEmpty()) {
            details.put("rejecting", rejecting);
        }
        details.put(
                "shards",
                health.shards().stream().map(RedisHealthReport::details).toList());
        return new RedisHealthReport(rejecting.isEmpty(), details);
    }

    private static List<String> rejecting(Limiters<?> limiters) {
        List<String> rejecting = new ArrayList<>();
        for (String name : limiters.names()) {
            boolean rejects = limiters.spec(name).onStoreFailure() == OnStoreFailure.REJECT;
            if (rejects && !limiters.spec(name).shadow()) {
                rejecting.add(name);
            }
        }
        return rejecting;
    }

    private static Map<String, Object> details(StoreHealth.Shard shard) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("address", shard.address());
        details.putAll(details(shard.state(), shard.reason().orElse("")));
        return details;
    }

    private static Map<String, Object> details(State state, String reason) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("state", state.name().toLowerCase(Locale.ROOT));
        if (!reason.isEmpty()) {
            details.put("reason", reason);
        }
        return details;
    }
}
