package io.github.ratelimit.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.github.ratelimit.Charge;
import java.time.Duration;
import java.util.List;

/** The keys of charges' counters, under the default prefix and without a secret. */
final class TestKeys {

    /** It is closed, and still names counters. */
    private static final RedisStore NAMES =
            RedisStore.builder().startTimeout(Duration.ZERO).build();

    static {
        NAMES.close();
    }

    private TestKeys() {}

    static byte[] bytes(Charge charge) {
        return key(charge).getBytes(US_ASCII);
    }

    static String key(Charge charge) {
        return NAMES.keyNames(List.of(charge)).get(0);
    }
}
