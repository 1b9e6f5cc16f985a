package io.github.ratelimit.remote;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limit.Shape;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Names counters: 128 bits of a digest of the whole key, mixed with digests of the limiter, the limit, its window and its shape. The group
 * of a counter is 64 bits of a digest of the key's first part.
 *
 * <p>The same on all nodes of one configuration. Without a secret the digest is SHA-256, which hides nothing that can be guessed, such as
 * an address; with one it is HMAC-SHA-256. Two digests are mixed by exclusive or. Two counters share a name only if their
 * keys' digests differ by a given number. Such keys are as hard to find as two keys with one digest. Safe for concurrent use.
 */
final class CounterNames {

    /** Chosen: more digests are rarely in use at one moment; a thread that finds none makes one. */
    private static final int IDLE = 32;

    /** Chosen: limits are few; where an application makes them up, their digests are made anew. */
    private static final int MOST_LIMITS = 10_000;

    /** It has its own methods: those that the JDK makes for records of objects keep the last class loader that used them. */
    private record LimitName(String limiter, String limit, long windowMillis, Shape.Kind kind) {

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof LimitName name
                    && limit.equals(name.limit)
                    && limiter.equals(name.limiter)
                    && windowMillis == name.windowMillis
                    && kind == name.kind;
        }

        @Override
        public int hashCode() {
            return 31 * limiter.hashCode() + limit.hashCode();
        }
    }

    private record Mask(long high, long low) {}

    private final Supplier<Digest> digests;
    private final AtomicReferenceArray<@Nullable Digest> idle = new AtomicReferenceArray<>(IDLE);
    private final Map<LimitName, Mask> masks = new ConcurrentHashMap<>();

    /**
     * Names counters.
     *
     * @param secret the key of the digests; null for plain ones
     */
    CounterNames(byte @Nullable [] secret) {
        this.digests = () -> digest(secret);
    }

    /** The names of the counters of charges, in their order. */
    Counter[] of(List<Charge> charges) {
        Counter[] counters = new Counter[charges.size()];
        // Not a thread-local: ten thousand virtual threads would each have one.
        int slot = (int) Thread.currentThread().getId() & (IDLE - 1);
        Digest digest = idle.getAndSet(slot, null);
        if (digest == null) {
            digest = digests.get();
        }
        Counter key = null;
        for (int i = 0; i < counters.length; i++) {
            Charge charge = charges.get(i);
            if (key == null || !charge.key().equals(charges.get(i - 1).key())) {
                key = keyName(charge.key().encoded(), digest);
            }
            Mask mask = mask(charge, digest);
            counters[i] = new Counter(key.group(), key.high() ^ mask.high, key.low() ^ mask.low);
        }
        idle.lazySet(slot, digest);
        return counters;
    }

    private static Counter keyName(String key, Digest digest) {
        int first = endOfFirstPart(key);
        ByteBuffer whole = digest.of(key, key.length());
        long group = first < key.length() ? digest.of(key, first).getLong(16) : whole.getLong(16);
        return new Counter(group, whole.getLong(0), whole.getLong(8));
    }

    private Mask mask(Charge charge, Digest digest) {
        Limit limit = charge.limit();
        LimitName name = new LimitName(
                charge.limiter(),
                limit.name(),
                limit.window().toMillis(),
                limit.shape().kind());
        Mask known = masks.get(name);
        if (known == null) {
            if (masks.size() >= MOST_LIMITS) {
                masks.clear();
            }
            // Each text's length before it: what it is joined with cannot be taken for a part of it.
            String text = "%d:%s%d:%s%d:%s"
                    .formatted(
                            name.limiter.length(),
                            name.limiter,
                            name.limit.length(),
                            name.limit,
                            name.windowMillis,
                            name.kind);
            ByteBuffer words = digest.of(text, text.length());
            known = new Mask(words.getLong(), words.getLong());
            masks.put(name, known);
        }
        return known;
    }

    /** Where the first part of an encoded key ends: a part is its length, a colon and the part; an absent one is a hyphen. */
    private static int endOfFirstPart(String key) {
        if (key.charAt(0) == '-') {
            return 1;
        }
        int colon = key.indexOf(':');
        return colon + 1 + Integer.parseInt(key, 0, colon, 10);
    }

    /** A digest in the making, used by one thread at a time. */
    private interface Digest {

        byte[] finish(ByteBuffer text);

        /** Of its UTF-16 units as they are: where an encoding replaces a lone surrogate, texts that differ would share a name. */
        default ByteBuffer of(String text, int to) {
            ByteBuffer units = ByteBuffer.allocate(2 * to);
            units.asCharBuffer().put(text, 0, to);
            return ByteBuffer.wrap(finish(units));
        }
    }

    private static Digest digest(byte @Nullable [] secret) {
        try {
            if (secret == null) {
                MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
                return text -> {
                    sha256.update(text);
                    return sha256.digest();
                };
            }
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            return text -> {
                mac.update(text);
                return mac.doFinal();
            };
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has SHA-256 and HmacSHA256", e);
        }
    }
}
