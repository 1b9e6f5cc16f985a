package io.github.ratelimit.redis;

/**
 * Looks, before anything is begun, whether the caller's stack has room for all of it.
 *
 * <p>A stack that ends within a decision leaves half of it behind: a call that counts as on its way and never was, or a connection's thread
 * that is taken to have been woken and was not. Every later decision, of whatever thread, would wait for that, and the libraries below have
 * such places too. Here it ends where nothing is begun yet. Code that runs for the first time in a process takes some ten times the room, while it is
 * linked: so much is not asked for.
 */
final class StackRoom {

    /** Chosen: 8 KB of compiled code, and more of interpreted code; a decision was found to need 4.5 KB where nothing is compiled. */
    private static final int FRAMES = 96;

    private static final long[] WORDS = new long[16];

    private StackRoom() {}

    /**
     * Returns if there is room.
     *
     * @throws StackOverflowError if there is none
     */
    static void require() {
        long unused = deeper(FRAMES, WORDS);
    }

    private static long deeper(int frames, long[] w) {
        if (frames != 1) {
            return frames == 0 ? 0 : deeper(frames - 1, w) + 1;
        }
        // Compiled code has one size of frame for a method: what this call keeps while it makes the next one makes all
        // of them large. With small frames five times as many were needed, and the time for them.
        long a = w[0];
        long b = w[1];
        long c = w[2];
        long d = w[3];
        long e = w[4];
        long f = w[5];
        long g = w[6];
        long h = w[7];
        long i = w[8];
        long j = w[9];
        long k = w[10];
        long l = w[11];
        long m = w[12];
        long n = w[13];
        long o = w[14];
        long p = w[15];
        return deeper(frames - 1, w) + (a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ i ^ j ^ k ^ l ^ m ^ n ^ o ^ p);
    }
}
