package io.github.ratelimit.control;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.Store;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.internal.memory.SipHash;
import java.security.SecureRandom;
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
    private final Store store;
    private final TimeSource time;

    Blocks(Store store) {
        this.store = store;
        this.digest = store.sharedSettings()
                .<Function<Charge, String>>map(settings -> settings::digest)
                .orElseGet(Blocks::ownDigest);
        this.time = store.time();
    }

    private static Function<Charge, String> ownDigest() {
        SecureRandom random = new SecureRandom();
        long secret0 = random.nextLong();
        long secret1 = random.nextLong();
        return charge -> {
            SipHash hash = new SipHash(secret0, secret1);
            hash.add(charge.limiter());
            hash.add(charge.limit().name());
            hash.add(charge.limit().window().toMillis());
            hash.add(charge.limit().shape().kind().name());
            hash.add(charge.key().encoded());
            return Long.toHexString(hash.finish());
        };
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
    Decision rejection(List<Charge> charges) {
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
