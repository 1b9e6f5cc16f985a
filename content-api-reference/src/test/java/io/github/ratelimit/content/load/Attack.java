package io.github.ratelimit.content.load;

import java.util.function.BooleanSupplier;

/** Somebody who uses the server, well or ill, from one thread. */
interface Attack {
    /** Goes on until it is over, whatever happens. */
    void until(BooleanSupplier isOver);

    /** Tells in one line what it did and what it was answered. */
    String report();
}
