package io.github.ratelimit;

import java.security.SecureRandom;

/**
 * Keyed 128-bit digests of what a counter belongs to: SipHash-1-3, whose 64-bit result is the exclusive or of the two halves.
 *
 * <p>The secret is drawn at random for each store, so that nobody outside can aim at a collision. Immutable and safe for concurrent use.
 * Rule: Aumasson and Bernstein, "SipHash: a fast short-input PRF", with one and three rounds, the form that hash tables use.
 */
final class KeyDigest {

    private final long secret0;
    private final long secret1;

    KeyDigest(long secret0, long secret1) {
        this.secret0 = secret0;
        this.secret1 = secret1;
    }

    static KeyDigest random() {
        SecureRandom random = new SecureRandom();
        return new KeyDigest(random.nextLong(), random.nextLong());
    }

    /** What a charge's counters share, digested: the key is what is left to add. */
    Sip of(Charge charge) {
        return new Sip(secret0, secret1)
                .add(charge.scope())
                .add(charge.limit().name())
                .add(charge.limit().window().toMillis());
    }

    /** One digest in the making. Used by one thread at a time, but for one that nobody adds to any more, which all may copy. */
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

        Sip(Sip other) {
            v0 = other.v0;
            v1 = other.v1;
            v2 = other.v2;
            v3 = other.v3;
            words = other.words;
        }

        Sip add(Key key) {
            for (Key each = key; each != null; each = each.rest()) {
                String part = each.part();
                if (part == null) {
                    add(Long.MIN_VALUE); // no text has that length
                } else {
                    add(part);
                }
            }
            return this;
        }

        /**
         * The length first, so that one text ends where the next begins. Then eight characters a word, the last eight over those before
         * them: texts of 8 to 16 characters, as most keys are, take the same steps whatever their length.
         */
        Sip add(String text) {
            int length = text.length();
            if (length < 8) {
                return addWide(text, length);
            }
            int last = length - 8;
            long any = 0;
            add((long) length);
            for (int i = 0; i < last; i += 8) {
                any |= addEight(text, i);
            }
            any |= addEight(text, last);
            return any > 0xff
                    ? addWide(text, length)
                    : this; // more than Latin-1: what was added so far says too little
        }

        private int addEight(String text, int i) {
            int c0 = text.charAt(i);
            int c1 = text.charAt(i + 1);
            int c2 = text.charAt(i + 2);
            int c3 = text.charAt(i + 3);
            int c4 = text.charAt(i + 4);
            int c5 = text.charAt(i + 5);
            int c6 = text.charAt(i + 6);
            int c7 = text.charAt(i + 7);
            int low = c0 | c1 << 8 | c2 << 16 | c3 << 24;
            int high = c4 | c5 << 8 | c6 << 16 | c7 << 24;
            add((low & 0xffff_ffffL) | (long) high << 32);
            return c0 | c1 | c2 | c3 | c4 | c5 | c6 | c7;
        }

        /** Four characters a word. */
        private Sip addWide(String text, int length) {
            add(~(long) length);
            for (int i = 0; i < length; i += 4) {
                long word = 0;
                for (int j = Math.min(length, i + 4) - 1; j >= i; j--) {
                    word = word << 16 | text.charAt(j);
                }
                add(word);
            }
            return this;
        }

        Sip add(long word) {
            v3 ^= word;
            round();
            v0 ^= word;
            words++;
            return this;
        }

        /** Ends the message. */
        Sip finish() {
            add((words * 8) << 56); // the message's bytes modulo 256, as the last word
            v2 ^= 0xff;
            round();
            round();
            round();
            return this;
        }

        /** One half of a finished digest; never 0, which is nobody's. */
        long high() {
            long high = v0 ^ v1;
            return high == 0 ? 1 : high;
        }

        /** The other half. */
        long low() {
            return v2 ^ v3;
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
