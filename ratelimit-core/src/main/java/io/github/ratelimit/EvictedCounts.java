package io.github.ratelimit;

import io.github.ratelimit.KeyDigest.Digest;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of counters that had to make room: a table of fixed size that may say too much of a counter, never too little.
 *
 * <p>A count-min sketch that merges by maximum. A counter has one cell in each of four rows; a count is folded into all four, and the
 * smallest of the four is what is remembered. Others may share some of a counter's cells and raise them; to be told too much it has to
 * share all four. A cell carries the end of the last window in it as well, and is free when that has passed, so nothing has to be swept.
 *
 * <p>The row of a cell is chosen by a digest with a secret: nobody can aim at another one's cells. Safe for concurrent use, with one
 * thread at a time that folds.
 */
final class EvictedCounts {

    private static final int ROWS = 4;

    /** A cell is reused only this long after its window's end, so that a slower thread never finds its own open window overwritten. */
    private static final long GRACE_NANOS = 1_000_000_000;

    private final KeyDigest digests;
    private final int columns;
    private final AtomicLongArray used;
    private final AtomicLongArray ends;

    /**
     * Makes an empty table.
     *
     * @param columns cells in each row, a power of two; each takes 64 bytes in all rows together
     * @param now monotonic nanoseconds; no cell is open yet
     */
    EvictedCounts(KeyDigest digests, int columns, long now) {
        this.digests = digests;
        this.columns = columns;
        this.used = new AtomicLongArray(ROWS * columns);
        this.ends = new AtomicLongArray(ROWS * columns);
        for (int cell = 0; cell < ends.length(); cell++) {
            ends.setPlain(cell, now - GRACE_NANOS);
        }
    }

    /** Remembers what a counter has used of a window that is still open. */
    void fold(Key key, long count, long end, long now) {
        Digest digest = digests.of(key);
        for (int row = 0; row < ROWS; row++) {
            int cell = cell(digest, row);
            if (ends.get(cell) + GRACE_NANOS - now <= 0) {
                used.set(cell, count);
                ends.set(cell, end);
            } else {
                used.set(cell, Math.max(used.get(cell), count));
                ends.set(cell, ends.get(cell) - end > 0 ? ends.get(cell) : end);
            }
        }
    }

    /**
     * What is remembered of a counter, as a window: at least what it has used, until at least its end.
     *
     * @param limitEnd the end of a window that starts now: a remembered one never ends later
     * @return null if nothing is remembered, or only of a window that is over
     */
    @Nullable
    Remembered find(Key key, long now, long limitEnd) {
        Digest digest = digests.of(key);
        long count = Long.MAX_VALUE;
        long end = limitEnd;
        for (int row = 0; row < ROWS; row++) {
            int cell = cell(digest, row);
            long cellEnd = ends.get(cell);
            if (FixedWindow.isOver(cellEnd, now)) {
                return null; // this counter was never folded, or its window is over: all its cells last at least as
                // long
            }
            count = Math.min(count, used.get(cell));
            end = cellEnd - end < 0 ? cellEnd : end;
        }
        return new Remembered(count, end);
    }

    /** A count and the end of its window. */
    record Remembered(long used, long end) {}

    private int cell(Digest digest, int row) {
        long half = row < 2 ? digest.high() : digest.low();
        int hash = (int) (half >>> (row % 2 * 32));
        return row * columns + (hash & (columns - 1));
    }
}
