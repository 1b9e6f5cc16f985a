package io.github.ratelimit;

import java.security.SecureRandom;

/**
 * Keyed digests of counters: SipHash-1-3 with a random secret for each store, so that clients cannot aim at collisions.
 *
 * <p>Immutable and safe for concurrent use. Rule: Aumasson and Bernstein, "SipHash: a fast short-input PRF", with one and three rounds, as
 * hash tables use it.
 */
final class Digest {

    private static final long ABSENT = -1; // no text has this length

    private final long secret0;
    private final long secret1;

    Digest(long secret0, long secret1) {
        this.secret0 = secret0;
        this.secret1 = secret1;
    }

    static Digest random() {
        SecureRandom random = new SecureRandom();
        return new Digest(random.nextLong(), random.nextLong());
    }

    /** Digests a charge's limiter, limit name, window and key. Never 0. */
    long of(Charge charge) {
        Sip sip = new Sip(secret0, secret1);
        sip.add(charge.limiter());
        sip.add(charge.limit().name());
        sip.add(charge.limit().window().toMillis());
        sip.add((long) charge.limit().shape().kind().name().hashCode());
        for (Key key = charge.key(); key != null; key = key.rest()) {
            String part = key.part();
            if (part == null) {
                sip.add(ABSENT);
            } else {
                sip.add(part);
            }
        }
        long digest = sip.finish();
        return digest == 0 ? 1 : digest;
    }

    /** One digest in progress. */
    static final class Sip {

        private long v0;
        private long v1;
        private long v2;
        private long v3;
        private long words;

        Sip(long secret0, long secret1) {
            v0 = secret0 ^ 0x736f6d6570736575L;
            v1 = secret1 ^ 0x646f72616e646f6dL;
            v2 = secret0 ^ 0x6c7967656e657261L;
            v3 = secret1 ^ 0x7465646279746573L;
        }

        /** Adds the length first, so that different texts never join to the same words; then four characters a word. */
        void add(String text) {
            int length = text.length();
            add((long) length);
            int i = 0;
            for (; i <= length - 4; i += 4) {
                add((long) text.charAt(i)
                        | (long) text.charAt(i + 1) << 16
                        | (long) text.charAt(i + 2) << 32
                        | (long) text.charAt(i + 3) << 48);
            }
            long last = 0;
            for (; i < length; i++) {
                last = last << 16 | text.charAt(i);
            }
            add(last);
        }

        void add(long word) {
            v3 ^= word;
            round();
            v0 ^= word;
            words++;
        }

        long finish() {
            add(words << 59); // the message's length in bytes modulo 256, as the last byte of the last word
            v2 ^= 0xff;
            round();
            round();
            round();
            return v0 ^ v1 ^ v2 ^ v3;
        }

        private void round() {
            v0 += v1;
            v1 = Long.rotateLeft(v1, 13) ^ v0;
            v0 = Long.rotateLeft(v0, 32);
            v2 += v3;
            v3 = Long.rotateLeft(v3, 16) ^ v2;
            v0 += v3;
            v3 = Long.rotateLeft(v3, 21) ^ v0;
            v2 += v1;
            v1 = Long.rotateLeft(v1, 17) ^ v2;
            v2 = Long.rotateLeft(v2, 32);
        }
    }
}
