package io.github.ratelimit.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Limit;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Names counters: {@code <prefix>{<tag>}<counter>}, of which the tag is 64 bits of a digest of the key's first part and the counter
 * 128 bits of one of the limiter's name, the limit's name, its window and the whole key, both in URL-safe base64.
 *
 * <p>The same on all nodes of one configuration. Without a secret the digest is SHA-256, which hides nothing that can be guessed,
 * such as an address; with one it is HMAC-SHA-256. A tag needs no more than 64 bits: who makes two keys share one gains nothing but
 * a neighbour in a slot. Safe for concurrent use.
 */
final class CounterDigests {

    /** Chosen: more digests are rarely in use at one moment; a thread that finds none makes one. */
    private static final int KEPT = 32;

    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

    private final byte[] prefix;
    private final Supplier<Hash> hashes;
    private final AtomicReferenceArray<@Nullable Hash> idle = new AtomicReferenceArray<>(KEPT);

    /**
     * Names counters.
     *
     * @param prefix the start of every name
     * @param secret the key of the digests; null for plain ones
     */
    CounterDigests(String prefix, byte @Nullable [] secret) {
        this.prefix = prefix.getBytes(US_ASCII);
        this.hashes = secret == null ? Hash::sha256 : () -> Hash.hmacSha256(secret);
    }

    Counter[] of(List<Charge> charges) {
        Counter[] counters = new Counter[charges.size()];
        // Not a thread-local: ten thousand virtual threads would each have one.
        int slot = (int) Thread.currentThread().getId() & (KEPT - 1);
        Hash hash = idle.getAndSet(slot, null);
        if (hash == null) {
            hash = hashes.get();
        }
        for (int i = 0; i < counters.length; i++) {
            counters[i] = of(charges.get(i), hash);
        }
        idle.lazySet(slot, hash);
        return counters;
    }

    private Counter of(Charge charge, Hash hash) {
        String limiter = charge.limiter();
        String key = charge.key().encoded();
        byte[] tag = hash.text(key, 0, endOfFirstPart(key)).digest();
        String limit = charge.limit().name();
        // Each text's length before it: what it is joined with cannot be taken for a part of it.
        byte[] name = hash.text(limiter.length() + ":" + limiter)
                .text(limit.length() + ":" + limit)
                .text(charge.limit().window().toMillis() + kind(charge.limit()))
                .text(key)
                .digest();
        return new Counter(word(name, 0), word(name, 8), word(tag, 0), redisKey(tag, name));
    }

    /** A counter of one shape is none of another. Fixed windows are named as they were before there were others. */
    private static String kind(Limit limit) {
        return Shapes.isOther(limit) ? limit.shape().kind() + ":" : ":";
    }

    private byte[] redisKey(byte[] tag, byte[] name) {
        byte[] tagText = BASE64.encode(Arrays.copyOf(tag, 8));
        byte[] nameText = BASE64.encode(Arrays.copyOf(name, 16));
        ByteBuffer key = ByteBuffer.allocate(prefix.length + tagText.length + nameText.length + 2);
        key.put(prefix).put((byte) '{').put(tagText).put((byte) '}').put(nameText);
        return key.array();
    }

    /** Where the first part of an encoded key ends: a part is its length, a colon and the part; an absent one is a hyphen. */
    private static int endOfFirstPart(String key) {
        if (key.charAt(0) == '-') {
            return 1;
        }
        int colon = key.indexOf(':');
        return colon + 1 + Integer.parseInt(key, 0, colon, 10);
    }

    private static long word(byte[] digest, int from) {
        return ByteBuffer.wrap(digest).getLong(from);
    }

    /** A digest in the making, used by one thread at a time. Texts go in through a buffer of fixed size, however long they are. */
    private static final class Hash {

        private static final int BUFFER = 256;

        /** What MessageDigest and Mac have in common. */
        private interface Update {
            void update(byte[] bytes, int from, int length);
        }

        private final Update update;
        private final Supplier<byte[]> finish;
        private final byte[] buffer = new byte[BUFFER];
        private int filled;

        private Hash(Update update, Supplier<byte[]> finish) {
            this.update = update;
            this.finish = finish;
        }

        static Hash sha256() {
            try {
                MessageDigest digest = MessageDigest.getInstance("SHA-256");
                return new Hash(digest::update, digest::digest);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("every Java platform has SHA-256", e);
            }
        }

        static Hash hmacSha256(byte[] secret) {
            try {
                Mac mac = Mac.getInstance("HmacSHA256");
                mac.init(new SecretKeySpec(secret, "HmacSHA256"));
                return new Hash(mac::update, mac::doFinal);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("every Java platform has HmacSHA256", e);
            }
        }

        Hash text(String text) {
            return text(text, 0, text.length());
        }

        /** One to three bytes for each UTF-16 unit, as UTF-8 has it, but a lone surrogate is kept and not replaced: texts that differ stay apart. */
        Hash text(String text, int from, int to) {
            for (int i = from; i < to; i++) {
                if (filled > BUFFER - 3) {
                    flush();
                }
                char unit = text.charAt(i);
                if (unit < 0x80) {
                    buffer[filled++] = (byte) unit;
                } else if (unit < 0x800) {
                    buffer[filled++] = (byte) (0xc0 | unit >> 6);
                    buffer[filled++] = (byte) (0x80 | (unit & 0x3f));
                } else {
                    buffer[filled++] = (byte) (0xe0 | unit >> 12);
                    buffer[filled++] = (byte) (0x80 | (unit >> 6 & 0x3f));
                    buffer[filled++] = (byte) (0x80 | (unit & 0x3f));
                }
            }
            return this;
        }

        byte[] digest() {
            flush();
            return finish.get();
        }

        private void flush() {
            update.update(buffer, 0, filled);
            filled = 0;
        }
    }
}
