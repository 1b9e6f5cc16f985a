package io.github.ratelimit.spring.internal.remote;

import io.github.ratelimit.Limiters;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.remote.RemoteStore;
import io.github.ratelimit.remote.StoreHealth;
import io.github.ratelimit.remote.StoreHealth.State;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The health of a store behind a network, for Actuator.
 *
 * <p>Limiters decide by their {@code on-store-failure} where no server answers, so that the application is up also then, and also where
 * only some masters of a Redis Cluster answer: the details say so. It is down only where no server answers and a limiter, not in shadow,
 * rejects requests for that. All nodes see the same servers: to take one out of rotation that can still serve would help nobody.
 *
 * @param isUp whether the application can serve
 * @param details of the store, and of each server
 */
public record RemoteHealthReport(boolean isUp, Map<String, Object> details) {

    /** Asks no server. */
    public static RemoteHealthReport of(RemoteStore store, Limiters<?> limiters) {
        StoreHealth health = store.health();
        List<String> rejecting = health.state() == State.DOWN ? rejecting(limiters) : List.of();
        Map<String, Object> details = details(health.state(), health.reason().orElse(""));
        details.put("since", health.since().toString());
        if (!rejecting.isEmpty()) {
            details.put("rejecting", rejecting);
        }
        details.put(
                "shards",
                health.shards().stream().map(RemoteHealthReport::details).toList());
        return new RemoteHealthReport(rejecting.isEmpty(), details);
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
