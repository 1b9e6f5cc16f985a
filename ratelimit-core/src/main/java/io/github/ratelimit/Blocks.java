package io.github.ratelimit;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Clients that an operator blocked, by digests of their keys. Without any, a decision reads one field. Safe for concurrent use. */
final class Blocks {

    /** The digest of a charge and the end of its block, by milliseconds of the calendar. */
    private volatile Map<String, Long> ends = Map.of();

    private final Function<Charge, String> digest;
    private final TimeSource time;

    Blocks(Store store) {
        this.digest = store.sharedSettings()
                .<Function<Charge, String>>map(settings -> settings::digest)
                .orElseGet(() -> {
                    Digest local = Digest.random();
                    return charge -> Long.toHexString(local.of(charge));
                });
        this.time = store.time();
    }

    String digest(Charge charge) {
        return digest.apply(charge);
    }

    void set(Map<String, Long> ends) {
        this.ends = Map.copyOf(ends);
    }

    /** The rejection of a request with a blocked key; null if there is none. It has the status of that limit alone. */
    @Nullable
    Decision rejection(Store store, List<Charge> charges) {
        Map<String, Long> known = ends;
        if (known.isEmpty()) {
            return null;
        }
        long now = time.millis();
        for (Charge charge : charges) {
            Long end = charge.cost() == 0 ? null : known.get(digest(charge));
            if (end != null && end > now) {
                Duration rest = Duration.ofMillis(end - now);
                LimitStatus status = new LimitStatus(
                        charge.limiter(), charge.limit(), 0, rest, Instant.ofEpochMilli(end), Optional.of(rest));
                return Decision.of(store, List.of(charge), List.of(status));
            }
        }
        return null;
    }
}
