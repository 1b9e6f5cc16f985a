package io.github.ratelimit.postgresql;

import io.github.ratelimit.remote.Counter;
import java.util.Arrays;
import java.util.Comparator;

/** Identical requests of a batch, and their result. For one thread at a time. */
final class RequestGroup {

    static final int TAKE = 1;
    static final int FIXED = 0;
    private static final int BLOCKING = 3;
    private static final int CALENDAR = 4;

    /** Less than any counter has left. */
    private static final long NEVER_REJECTED = -(1L << 53);

    /** As PostgreSQL sorts a uuid. */
    static final Comparator<Counter> ORDER = (one, other) -> {
        int high = Long.compareUnsigned(one.high(), other.high());
        return high == 0 ? Long.compareUnsigned(one.low(), other.low()) : high;
    };

    /** A counter of a group for "take": its figures begin in what the group asks at that place. */
    record Part(RequestGroup group, int counter, int at) {

        Counter name() {
            return group.counters[counter];
        }

        long cost() {
            return group.asked[at];
        }

        long permits() {
            return group.asked[at + 1];
        }

        private long kind() {
            return group.asked[at + 3];
        }

        /** What all requests of the group take. */
        long amount() {
            return cost() * group.requests();
        }

        /** What one request lacks where it is rejected; a rejection closes a blocking window, so that "decide" makes it. */
        long rejectedCost() {
            return group.isBlocking ? NEVER_REJECTED : cost();
        }

        /** The window's length; negative if "decide" opens it. */
        long span() {
            return kind() == CALENDAR ? -group.asked[at + 2] : group.asked[at + 2];
        }

        private boolean isUsual() {
            return (kind() == FIXED || kind() == BLOCKING || kind() == CALENDAR)
                    && cost() > 0
                    && cost() <= permits() / group.requests();
        }

        /** Hears of "take". The first word counts, as the second one is of a newer state. Returns the server's time. */
        long taken(long used, long ends, long time, long how) {
            long now = Math.abs(time);
            long[] result = group.result;
            if (how >= 0 && group.undecided > 0) {
                result[0] = how * group.requests();
                result[3 * counter + 1] = used - how * amount();
                result[3 * counter + 2] = time < 0 ? -ends : ends;
                result[3 * counter + 3] = used > permits() - cost() ? Math.max(0, ends - now) : 0;
                group.undecided--;
            }
            return now;
        }
    }

    final Counter[] counters;

    /** As "decide" reads it, from the number of counters on. The same object in groups that ask the same. */
    final long[] asked;

    final Part[] parts;
    private final boolean isBlocking;
    private long[] result;
    private int undecided;

    RequestGroup(Counter[] counters, long[] asked) {
        this.counters = counters;
        this.asked = asked;
        this.parts = new Part[counters.length];
        this.result = new long[1 + 3 * counters.length];
        this.undecided = counters.length;
        int at = 3;
        for (int i = 0; i < counters.length; i++) {
            parts[i] = new Part(this, i, at);
            at += length(asked[2], parts[i].kind());
        }
        this.isBlocking = Arrays.stream(parts).anyMatch(part -> part.kind() == BLOCKING);
    }

    /** How many figures a counter has in what a group asks. */
    static int length(long operation, long kind) {
        return operation == TAKE && kind == FIXED ? 4 : 7;
    }

    private long requests() {
        return asked[1];
    }

    /** Whether "take" can decide about it: counters that have windows, and costs that fit into them. */
    boolean isUsual() {
        return asked[2] == TAKE && Arrays.stream(parts).allMatch(Part::isUsual);
    }

    /** Whether it has not heard of all its counters. */
    boolean isUndecided() {
        return undecided > 0;
    }

    /** What Batch reads: how many requests were allowed, and three figures of each counter; or -1. */
    long[] result() {
        return result;
    }

    /** Hears of "decide". */
    void decided(long[] all) {
        result = all;
        undecided = 0;
    }
}
