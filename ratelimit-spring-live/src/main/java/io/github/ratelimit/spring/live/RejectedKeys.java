package io.github.ratelimit.spring.live;

import io.github.ratelimit.Key;
import io.github.ratelimit.spring.live.HeaviestKeys.Rejected;
import io.github.ratelimit.spring.live.HeaviestKeys.Seen;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The rejected keys of the last ten to fifteen minutes. Safe for concurrent use.
 *
 * <p>Keys are personal data, and there are few enough addresses to try them all: a digest begins with a secret that is drawn at each start, so it
 * tells two keys apart and says nothing else.
 */
final class RejectedKeys {

    /** How many are shown. */
    static final int SHOWN = 20;

    private static final int GENERATIONS = 3;
    private static final long GENERATION_SECONDS = 300;

    private final byte[] secret = new byte[16];
    private final Deque<HeaviestKeys> generations = new ArrayDeque<>(); // the newest first
    private long newest;

    RejectedKeys() {
        new SecureRandom().nextBytes(secret);
        generations.add(new HeaviestKeys());
    }

    void add(String limiter, String rule, Key key, long second) {
        Rejected rejected = new Rejected(limiter, rule, digest(key));
        synchronized (this) {
            forgetBefore(second);
            generations.getFirst().add(rejected);
        }
    }

    private long digest(Key key) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(secret);
            return ByteBuffer.wrap(digest.digest(key.encoded().getBytes(StandardCharsets.UTF_8)))
                    .getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }

    private void forgetBefore(long second) {
        long now = second / GENERATION_SECONDS;
        for (long i = Math.max(newest, now - GENERATIONS); i < now; i++) {
            generations.addFirst(new HeaviestKeys());
            if (generations.size() > GENERATIONS) {
                generations.removeLast();
            }
        }
        newest = Math.max(newest, now);
    }

    /** The most rejected keys, in descending order. */
    synchronized List<Seen> heaviest(long second) {
        forgetBefore(second);
        Map<Rejected, Seen> all = new HashMap<>();
        for (HeaviestKeys generation : generations) {
            generation
                    .seen()
                    .forEach(seen ->
                            all.merge(seen.rejected(), seen, (one, other) -> one.plus(other.count(), other.error())));
        }
        return all.values().stream()
                .sorted(Comparator.comparingLong(Seen::count)
                        .reversed()
                        .thenComparing(seen -> seen.rejected().limiter())
                        .thenComparingLong(seen -> seen.rejected().digest()))
                .limit(SHOWN)
                .toList();
    }
}
