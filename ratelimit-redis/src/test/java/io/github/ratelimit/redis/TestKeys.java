package io.github.ratelimit.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.github.ratelimit.Charge;
import io.github.ratelimit.remote.CounterNames;
import java.util.List;

/** The keys of charges' counters, under the default prefix and without a secret. */
final class TestKeys {

    private static final CounterNames NAMES = new CounterNames(null);
    private static final RedisKeys KEYS = new RedisKeys(RedisStore.Builder.DEFAULT_KEY_PREFIX);

    private TestKeys() {}

    static byte[] bytes(Charge charge) {
        return KEYS.key(NAMES.of(List.of(charge))[0]);
    }

    static String key(Charge charge) {
        return new String(bytes(charge), US_ASCII);
    }
}
