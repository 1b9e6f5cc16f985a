package io.github.ratelimit.internal.memory;

/**
 * One digest in progress by SipHash-1-3: with one and three rounds, as hash tables use it. For one thread.
 *
 * <p>Rule: Aumasson and Bernstein, "SipHash: a fast short-input PRF".
 */
public final class SipHash {

    private long v0;
    private long v1;
    private long v2;
    private long v3;
    private long words;

    /** Starts a digest with a secret. */
    public SipHash(long secret0, long secret1) {
        v0 = secret0 ^ 0x736f6d6570736575L;
        v1 = secret1 ^ 0x646f72616e646f6dL;
        v2 = secret0 ^ 0x6c7967656e657261L;
        v3 = secret1 ^ 0x7465646279746573L;
    }

    /** Adds the length first, so that different texts never join to the same words; then four characters a word. */
    public void add(String text) {
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

    /** Adds a word. */
    public void add(long word) {
        v3 ^= word;
        round();
        v0 ^= word;
        words++;
    }

    /** Ends the digest. */
    public long finish() {
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
