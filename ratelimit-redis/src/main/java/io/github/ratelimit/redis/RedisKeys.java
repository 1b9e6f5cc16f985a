package io.github.ratelimit.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.github.ratelimit.remote.Counter;
import io.lettuce.core.cluster.SlotHash;
import java.nio.ByteBuffer;
import java.util.Base64;

/**
 * Writes counters' names as keys of Redis: {@code <prefix>{<group>}<name>}, both in URL-safe base64. The text in braces decides the slot
 * of a Cluster. Immutable and safe for concurrent use.
 */
final class RedisKeys {

    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

    private final byte[] prefix;
    private final byte[] settings;

    RedisKeys(String prefix) {
        this.prefix = prefix.getBytes(US_ASCII);
        this.settings = (prefix + "settings").getBytes(US_ASCII);
    }

    byte[] key(Counter counter) {
        byte[] group =
                BASE64.encode(ByteBuffer.allocate(8).putLong(counter.group()).array());
        byte[] name = BASE64.encode(ByteBuffer.allocate(16)
                .putLong(counter.high())
                .putLong(counter.low())
                .array());
        return ByteBuffer.allocate(prefix.length + group.length + name.length + 2)
                .put(prefix)
                .put((byte) '{')
                .put(group)
                .put((byte) '}')
                .put(name)
                .array();
    }

    /** The hash of the settings: no counter is called so. */
    byte[] settings() {
        return settings.clone();
    }

    int slotOfSettings() {
        return SlotHash.getSlot(settings);
    }

    int slot(Counter counter) {
        return SlotHash.getSlot(key(counter));
    }
}
