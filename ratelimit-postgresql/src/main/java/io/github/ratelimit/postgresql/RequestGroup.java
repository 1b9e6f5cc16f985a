package io.github.ratelimit.postgresql;

import io.github.ratelimit.remote.Counter;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** Identical requests of a batch, and what they were told. For one thread at a time. */
final class RequestGroup {

    static final int TAKE = 1;
    static final int FIXED = 0;
    private static final int BLOCKING = 3;
    private static final int CALENDAR = 4;

    /** As PostgreSQL sorts a uuid. */
    static final Comparator<Counter> ORDER = (one, other) -> {
        int high = Long.compareUnsigned(one.high(), other.high());
        return high == 0 ? Long.compareUnsigned(one.low(), other.low()) : high;
    };

    final Counter[] counters;

    /** As "decide" reads it, from the number of counters on. The same object in groups that ask the same. */
    final long[] asked;

    long @Nullable [] told; // as Batch reads it

    RequestGroup(Counter[] counters, long[] asked) {
        this.counters = counters;
        this.asked = asked;
    }

    Counter counter() {
        return counters[0];
    }

    long requests() {
        return asked[1];
    }

    long cost() {
        return asked[3];
    }

    long permits() {
        return asked[4];
    }

    long amount() {
        return cost() * requests();
    }

    /** Whether "take" can decide about it: one counter that has a window, and costs that fit into one. */
    boolean isUsual() {
        return asked[0] == 1
                && asked[2] == TAKE
                && (asked[6] == FIXED || asked[6] == BLOCKING || asked[6] == CALENDAR)
                && cost() > 0
                && cost() <= permits() / requests();
    }

    /** What one request lacks where it is rejected; a rejection closes a blocking window, so that "decide" makes it. */
    long rejectedCost() {
        return asked[6] == BLOCKING ? 0 : cost();
    }

    /** The window's length; negative if "decide" opens it. */
    long span() {
        return asked[6] == CALENDAR ? -asked[5] : asked[5];
    }

    /** Hears of "take". The first word counts, as the second one is of a newer state. Returns the server's time. */
    long hear(long used, long ends, long at, long how) {
        long now = Math.abs(at);
        if (told == null && how >= 0) {
            told = new long[] {
                how * requests(),
                used - how * amount(),
                at < 0 ? -ends : ends,
                used > permits() - cost() ? Math.max(0, ends - now) : 0
            };
        }
        return now;
    }
}
