package io.github.ratelimit;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Clients that an operator blocked. Without a block on its limiter, a decision computes no digest. Safe for concurrent use. */
final class Blocks {

    /** The blocks of a limiter: the digest of a charge and the end of its block, by milliseconds of the calendar. */
    private record OfLimiter(Map<String, Long> ends, long last) {}

    private volatile Map<String, OfLimiter> blocks = Map.of();

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

    /** Replaces all blocks: the ends by limiter and by digest. */
    void set(Map<String, Map<String, Long>> ends) {
        Map<String, OfLimiter> all = new HashMap<>();
        ends.forEach((limiter, own) -> all.put(limiter, new OfLimiter(own, Collections.max(own.values()))));
        blocks = all;
    }

    /** The rejection of a request with a blocked key; null if there is none. It has the status of that limit alone. */
    @Nullable
    Decision rejection(Store store, List<Charge> charges) {
        Map<String, OfLimiter> known = blocks;
        if (known.isEmpty()) {
            return null;
        }
        long now = time.millis();
        for (Charge charge : charges) {
            OfLimiter own = charge.cost() == 0 ? null : known.get(charge.limiter());
            Long end = own == null || own.last <= now ? null : own.ends.get(digest(charge));
            if (end != null && end > now) {
                long rest = TimeUnit.MILLISECONDS.toNanos(end - now);
                long capacity = charge.limit().capacity();
                return Decision.of(store, List.of(new LimitStatus(charge, capacity, rest, end, rest, end)), null);
            }
        }
        return null;
    }
}
