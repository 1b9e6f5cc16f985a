package io.github.ratelimit.redis;

import io.github.ratelimit.Charge;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** One decision that one call can bring: on a Cluster its counters are of one slot. Safe for concurrent use. */
class Request extends Waiter {

    private final List<Charge> charges;
    private final Counter[] counters;
    private final long cost;

    Request(List<Charge> charges, Counter[] counters, long cost, long deadline, @Nullable Executor executor) {
        super(deadline, executor);
        this.charges = charges;
        this.counters = counters;
        this.cost = cost;
    }

    final List<Charge> charges() {
        return charges;
    }

    /** One for each charge. Not a copy: only to be read. */
    final Counter[] counters() {
        return counters;
    }

    final long cost() {
        return cost;
    }

    /** For how long its counters are worth remembering although it is not refused, in nanoseconds; 0 if they are not. */
    long rememberNanos() {
        return 0;
    }

    /**
     * Tells what was decided. Changes nothing if the deadline was faster.
     *
     * @param after where each counter stands after it
     */
    void answer(Standing[] after, boolean allowed) {
        if (!isDone()) {
            tell(Standing.decision(charges, after, cost, allowed));
        }
    }

    /** Whether the other one asks the same of the same counters, so that one figure answers both. */
    final boolean asksTheSameAs(Request other) {
        if (cost != other.cost || !Arrays.equals(counters, other.counters)) {
            return false;
        }
        for (int i = 0; i < charges.size(); i++) {
            if (charges.get(i).limit().permits() != other.charges.get(i).limit().permits()) {
                return false; // a limit that is being changed
            }
        }
        return true;
    }
}
