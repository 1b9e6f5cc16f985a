package io.github.ratelimit.content.server.store;

import java.util.List;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;

/**
 * Deletes, or changes, what may be any number of rows, some at a time, and not within one transaction: a statement that took them all would keep other
 * writers waiting, and with enough of them be ended before it is done, this time and each time that it is tried again. What is left when one is ended
 * in between must be something that a repeat finishes.
 */
public final class Pieces {
    /** Chosen: rows of a piece; some milliseconds. */
    public static final int ROWS = 200;

    /** Chosen: items of a piece, which have texts: a hundred kilobytes in most, some megabytes where all are as long as they may be. */
    public static final int ITEMS = 20;

    private Pieces() {}

    /**
     * Takes apart what was found at once.
     *
     * @param ids of items
     * @return pieces of {@link #ITEMS} at most
     */
    public static List<List<Long>> of(List<Long> ids) {
        return IntStream.iterate(0, from -> from < ids.size(), from -> from + ITEMS)
                .mapToObj(from -> ids.subList(from, Math.min(from + ITEMS, ids.size())))
                .toList();
    }

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
