package io.github.ratelimit;

import java.security.SecureRandom;

/**
 * A keyed 128-bit digest of keys: SipHash-2-4 with the long output.
 *
 * <p>The secret is drawn at random for each process, so that nobody outside can aim at a collision. Immutable and safe for concurrent
 * use. Rule: Aumasson and Bernstein, "SipHash: a fast short-input PRF", with the 128-bit finish of the authors' reference code.
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

    /** 128 bits. */
    record Digest(long high, long low) {

        /** As text of 16 characters of one byte each: as short in memory as a string can be. */
        String text() {
            char[] text = new char[16];
            for (int i = 0; i < 8; i++) {
                text[i] = (char) ((high >>> (8 * i)) & 0xff);
                text[i + 8] = (char) ((low >>> (8 * i)) & 0xff);
            }
            return new String(text);
        }
    }

    Digest of(Key key) {
        return sip().add(key).finish();
    }

    Sip sip() {
        return new Sip(secret0, secret1);
    }

    /** One digest in the making. */
    static final class Sip {

        private long v0;
        private long v1;
        private long v2;
        private long v3;
        private long words;

        private Sip(long secret0, long secret1) {
            v0 = secret0 ^ 0x736f6d6570736575L;
            v1 = secret1 ^ 0x646f72616e646f6dL ^ 0xee; // 0xee: the long output
            v2 = secret0 ^ 0x6c7967656e657261L;
            v3 = secret1 ^ 0x7465646279746573L;
        }

        Sip add(Key key) {
            for (Key each = key; each != null; each = each.rest()) {
                String part = each.part();
                if (part == null) {
                    add(-1L); // no text has that length
                } else {
                    add(part);
                }
            }
            return this;
        }

        /** The length first, so that one text ends where the next begins. */
        Sip add(String text) {
            int length = text.length();
            add((long) length);
            int i = 0;
            for (; i + 4 <= length; i += 4) {
                add(text.charAt(i)
                        | (long) text.charAt(i + 1) << 16
                        | (long) text.charAt(i + 2) << 32
                        | (long) text.charAt(i + 3) << 48);
            }
            if (i < length) {
                long word = 0;
                for (int shift = 0; i < length; i++, shift += 16) {
                    word |= (long) text.charAt(i) << shift;
                }
                add(word);
            }
            return this;
        }

        Sip add(long word) {
            v3 ^= word;
            round();
            round();
            v0 ^= word;
            words++;
            return this;
        }

        Digest finish() {
            long length = (words * 8) << 56; // the message's bytes modulo 256, as the last word
            v3 ^= length;
            round();
            round();
            v0 ^= length;
            v2 ^= 0xee;
            rounds4();
            long high = v0 ^ v1 ^ v2 ^ v3;
            v1 ^= 0xdd;
            rounds4();
            return new Digest(high, v0 ^ v1 ^ v2 ^ v3);
        }

        private void rounds4() {
            round();
            round();
            round();
            round();
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
