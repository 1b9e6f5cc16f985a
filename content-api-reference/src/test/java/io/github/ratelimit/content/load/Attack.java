package io.github.ratelimit.content.load;

import java.util.function.BooleanSupplier;

/** Somebody who uses the server, well or ill, from one thread. */
interface Attack {
    /** Goes on until it is over, whatever happens. */
    void until(BooleanSupplier isOver);

    String name();

    /** Returns how many requests, or connections, there were. */
    long requests();

    /** Returns how many bytes they had. */
    long bytes();

    /** Tells whether the server was reached at all. */
    boolean isMade();

    /** Tells what it was answered. */
    String answers();

    /** Tells in one line what it did and what it was answered. */
    default String report() {
        return "%-45s %s".formatted(name(), answers());
    }
}
