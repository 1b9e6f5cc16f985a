package io.github.ratelimit.content.shared.storage;

import java.util.function.IntSupplier;

/**
 * Deletes what may be any number of rows, some at a time, and not within one transaction: a statement that took them all would keep other writers
 * waiting, and with enough of them be ended before it is done, this time and each time that it is tried again.
 */
public final class Pieces {
    /** Chosen: rows of a piece; some milliseconds. */
    public static final int ROWS = 200;

    private Pieces() {}

    /**
     * Deletes piece by piece until nothing is left.
     *
     * @param piece deletes about {@link #ROWS} rows at most, and tells how many there were
     * @return how many there were together
     */
    public static int deleteAll(IntSupplier piece) {
        int all = 0;
        int last;
        do {
            last = piece.getAsInt();
            all += last;
        } while (last > 0);
        return all;
    }
}
