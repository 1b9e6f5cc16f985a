package io.github.ratelimit.content.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.Consumer;

/**
 * Says whether what reads a text takes work in proportion to its length: by the work for one length and for four times of it, never
 * by an absolute time.
 */
public final class Growth {
    private static final int SHORT = 2_000;
    private static final int TIMES = 4;
    /** Between four, which is linear, and sixteen, which is quadratic. */
    private static final double MOST = 9;
    /** Less than this is the noise of the machine. */
    private static final long NOTICED_NANOS = 20_000_000;

    private static final long NOTICED_BYTES = 2_000_000;
    private static final int ROUNDS = 3;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Growth() {}

    /**
     * Has a text read that is a piece again and again.
     *
     * @param name of what reads
     * @param piece any, not empty
     * @param reader may reject by no exception
     */
    public static void assertLinear(String name, String piece, Consumer<String> reader) {
        try {
            assertLinear(piece, reader);
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(name + ", '" + piece + "' again and again: " + e, e);
        }
    }

    /**
     * Has a text read that is a piece again and again.
     *
     * @param piece any, not empty
     * @param reader may reject by no exception
     */
    public static void assertLinear(String piece, Consumer<String> reader) {
        assertLinear(piece, SHORT * TIMES, reader);
    }

    /**
     * Has a text of any length read that is a piece again and again: what looks for one character through all of a text is too fast to
     * be noticed in a short one.
     *
     * @param piece any, not empty
     * @param length of the longer one of two texts
     * @param reader may reject by no exception
     */
    public static void assertLinear(String piece, int length, Consumer<String> reader) {
        String small = repeated(piece, length / TIMES);
        String large = repeated(piece, length);
        long[] some = work(small, reader);
        long[] more = work(large, reader);
        // Looked at again only where it is in doubt: what else the machine does makes no round cheaper.
        for (int round = 1; round < ROUNDS && isTooMuch(some, more); round++) {
            some = least(some, work(small, reader));
            more = least(more, work(large, reader));
        }
        assertThat(isTooMuch(some, more))
                .as(
                        "'%s' again and again: %d ns and %d bytes; four times as long: %d ns and %d bytes",
                        piece, some[0], some[1], more[0], more[1])
                .isFalse();
    }

    /**
     * Tells how much memory work takes.
     *
     * @param work done by this thread alone
     * @return bytes
     */
    public static long allocated(Runnable work) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        work.run();
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    private static boolean isTooMuch(long[] some, long[] more) {
        return (more[0] > NOTICED_NANOS && more[0] > MOST * some[0])
                || (more[1] > NOTICED_BYTES && more[1] > MOST * some[1]);
    }

    private static long[] work(String text, Consumer<String> reader) {
        long nanos = THREADS.getCurrentThreadCpuTime();
        long bytes = THREADS.getCurrentThreadAllocatedBytes();
        reader.accept(text);
        return new long[] {THREADS.getCurrentThreadCpuTime() - nanos, THREADS.getCurrentThreadAllocatedBytes() - bytes};
    }

    private static long[] least(long[] one, long[] other) {
        return new long[] {Math.min(one[0], other[0]), Math.min(one[1], other[1])};
    }

    private static String repeated(String piece, int length) {
        return piece.repeat(Math.max(1, length / piece.length()));
    }
}
