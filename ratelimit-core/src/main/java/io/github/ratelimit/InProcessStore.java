package io.github.ratelimit;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Keeps counters in this process' memory.
 *
 * <p>A decision enters the monitors of its counters' segments in ascending order, reads the clock, looks at all counters, and takes all costs
 * or none. A counter is {@value #COUNTER_BYTES} bytes in an array; keys are digests, not objects. Safe for concurrent use. Holds only memory,
 * so closing is optional.
 *
 * <p><b>Memory is bounded</b> for all limiters together: {@link Builder#maximumCounters}. A counter whose window is over frees its slot. If
 * all slots of a new key are in use, {@link WhenFull} decides. A concurrency limit takes some 300 bytes more while permits of it are in use, and
 * 120 for each further decision.
 *
 * <pre>{@code
 * InProcessStore store = InProcessStore.builder()
 *         .maximumCounters(100_000) // 3.2 MB
 *         .whenFull(InProcessStore.WhenFull.EVICT)
 *         .build();
 * }</pre>
 */
public final class InProcessStore implements Store {

    /** The size of a counter in bytes. */
    public static final int COUNTER_BYTES = 32;

    /** The default maximum of counters: 64 MiB. Chosen: a small part of a service's heap. */
    public static final int DEFAULT_MAXIMUM_COUNTERS = 64 * 1024 * 1024 / COUNTER_BYTES;

    /** The policy for a new key without a free slot. */
    public enum WhenFull {

        /**
         * Evicts the counter that used the smallest share of its limit; among equals, the one whose window ends first. Its key then starts a
         * new window. Used-up counters are evicted last. Concurrency limits with permits in use are never evicted: a new key that finds only
         * such counters is rejected. The default.
         */
        EVICT,

        /** Rejects the new key until a window ends. Evicts nothing, but clients that invent keys can lock out others. */
        REJECT
    }

    /** Chosen: the two clocks are read at slightly different moments; a larger difference means that the wall clock was set. */
    static final long CALENDAR_SET_NANOS = 500_000_000;

    private final TimeSource time;
    private final CounterTable table;
    private final Digest digest = Digest.random();

    /** Wall clock minus monotonic clock, in nanoseconds. */
    private volatile long calendarOffset;

    private InProcessStore(TimeSource time, CounterTable table) {
        this.time = time;
        this.table = table;
        this.calendarOffset = wallNanos() - time.nanoTime();
    }

    /** Creates a store with the machine's clock and the default settings. */
    public static InProcessStore create() {
        return builder().build();
    }

    /** Creates a store with another clock and the default settings. */
    public static InProcessStore create(TimeSource time) {
        return builder().time(time).build();
    }

    /** Starts the description of a store. */
    public static Builder builder() {
        return new Builder();
    }

    /** The store of a limiter without one: all share one bound of memory, and no counts, because each digests with a secret of its own. */
    static InProcessStore ofOneLimiter() {
        return new InProcessStore(Shared.STORE.time, Shared.STORE.table);
    }

    private static final class Shared {
        static final InProcessStore STORE = create();
    }

    @Override
    public Decision tryAcquire(List<Charge> charges) {
        Store.requireValid(charges);
        Decision taken = charges.size() == 1 && charges.get(0).cost() > 0 ? takeFromOne(charges) : null;
        return taken != null ? taken : decide(charges);
    }

    /**
     * Decides the usual case at once: one charge, whose counter has a slot.
     *
     * @return null in all other cases; then nothing has changed
     */
    private @Nullable Decision takeFromOne(List<Charge> charges) {
        UUID ticket = ticket(charges);
        CounterAccess counter = counter(charges.get(0), digest.of(charges.get(0)), ticket);
        synchronized (counter.segment) {
            counter.readToDecide(time.nanoTime());
            if (counter.slot < 0) {
                return null;
            }
            if (!counter.fits) {
                counter.reject();
            } else if (!counter.open) {
                counter.open(counter.slot);
            }
            if (counter.fits) {
                counter.take();
            }
            if (counter.fits || counter.open) {
                counter.write();
            }
        }
        if (!counter.open || !counter.fits || counter.byCalendar()) {
            followWallClock(counter.now);
        }
        return Decision.of(this, status(counter), ticket);
    }

    private Decision decide(List<Charge> charges) {
        UUID ticket = ticket(charges);
        CounterAccess[] counters = counters(charges, ticket);
        table.locked(counters, now -> {
            if (readAll(counters, now)) {
                if (table.openWindows(counters, now)) {
                    take(counters);
                } else {
                    CounterTable.closeWindows(counters, now);
                }
            } else {
                for (CounterAccess counter : counters) {
                    counter.reject();
                    if (counter.open) {
                        counter.write();
                    }
                }
            }
        });
        followWallClock(counters[0].now);
        LimitStatus[] statuses = new LimitStatus[counters.length];
        Arrays.setAll(statuses, i -> status(counters[i]));
        return Decision.of(this, List.of(statuses), ticket);
    }

    /** Another one for each decision that takes permits of a concurrency limit. */
    private static @Nullable UUID ticket(List<Charge> charges) {
        boolean takes = false;
        for (int i = 0; i < charges.size(); i++) { // without an iterator: this runs for each request
            takes |= charges.get(i).limit().shape().isConcurrent()
                    && charges.get(i).cost() > 0;
        }
        return takes ? UUID.randomUUID() : null;
    }

    /** Reads all counters, also after one that does not fit: the decision tells about each. */
    private static boolean readAll(CounterAccess[] counters, long now) {
        boolean fit = true;
        for (CounterAccess counter : counters) {
            counter.readToDecide(now);
            fit &= counter.fits;
        }
        return fit;
    }

    /** Computes first and writes then, so that a stack overflow cannot take a part of the costs. */
    private static void take(CounterAccess[] counters) {
        long[][] words = new long[counters.length][];
        for (int i = 0; i < counters.length; i++) {
            counters[i].take();
            words[i] = counters[i].segment.words();
        }
        for (int i = 0; i < counters.length; i++) {
            CounterAccess counter = counters[i];
            if (counter.isKept()) {
                words[i][counter.slot + Segment.END] = counter.end;
                words[i][counter.slot + Segment.USED] = counter.used;
                words[i][counter.slot + Segment.LIMIT] = counter.number | counter.permits;
                if (counter.taken != null) {
                    counter.taken.take(counter.cost);
                }
            }
        }
    }

    @Override
    public CompletableFuture<Decision> tryAcquireAsync(List<Charge> charges) {
        return CompletableFuture.completedFuture(tryAcquire(charges));
    }

    @Override
    public CompletableFuture<Void> settleAsync(Decision decision, ToLongFunction<Charge> actual) {
        return decision.settleOnce(this, () -> {
            List<LimitStatus> taken = decision.statuses();
            UUID ticket = decision.ticket().orElse(null);
            CounterAccess[] counters = new CounterAccess[taken.size()];
            for (int i = 0; i < counters.length; i++) {
                Charge charge = taken.get(i).charge();
                counters[i] = counter(charge.withCost(Math.max(0, -back(charge, actual))), ticket);
            }
            table.locked(counters, now -> {
                for (CounterAccess counter : counters) {
                    counter.read(now);
                }
                table.openWindows(counters, now);
                for (int i = 0; i < counters.length; i++) {
                    CounterAccess counter = counters[i];
                    long back = back(taken.get(i).charge(), actual);
                    if (back > 0) {
                        counter.giveBack(back, taken.get(i).window());
                    }
                    counter.take();
                    if (counter.isKept()) {
                        counter.write();
                    }
                }
            });
            return CompletableFuture.completedFuture(null);
        });
    }

    /** How many permits come back; negative to take more. A ticket ends as a whole, or stays. */
    private static long back(Charge charge, ToLongFunction<Charge> actual) {
        long cost = actual.applyAsLong(charge);
        return charge.limit().shape().isConcurrent() && cost > 0 ? 0 : charge.cost() - cost;
    }

    /** Takes the lease away: a holder in this process ends with its counter. */
    @Override
    public CompletableFuture<Boolean> renewAsync(Decision decision) {
        UUID ticket = decision.ticket().orElse(null);
        CounterAccess[] counters = decision.charges().stream()
                .filter(charge -> charge.limit().shape().isConcurrent() && charge.cost() > 0)
                .map(charge -> counter(charge, ticket))
                .toArray(CounterAccess[]::new);
        boolean[] held = {counters.length > 0};
        table.locked(counters, now -> {
            for (CounterAccess counter : counters) {
                counter.read(now);
                held[0] &= counter.hold();
            }
        });
        return CompletableFuture.completedFuture(held[0]);
    }

    @Override
    public CompletableFuture<Void> resetAsync(List<Charge> charges) {
        Store.requireValid(charges);
        CounterAccess[] counters = counters(charges, null);
        table.locked(counters, now -> {
            for (CounterAccess counter : counters) {
                counter.read(now);
                if (counter.open) {
                    counter.segment.close(counter.slot, now);
                }
            }
        });
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public boolean supports(Limit.Shape.Kind kind) {
        return true;
    }

    @Override
    public TimeSource time() {
        return time;
    }

    /** The number of open windows. Reads the whole table: for a metric, not for each request. */
    public long counters() {
        return table.sum(segment -> segment.open(time.nanoTime()));
    }

    /** The number of open windows that were evicted since the store was created. */
    public long evicted() {
        return table.sum(Segment::evicted);
    }

    /** The maximum of counters. */
    public int maximumCounters() {
        return table.maximumCounters();
    }

    // ---- counters

    private CounterAccess[] counters(List<Charge> charges, @Nullable UUID ticket) {
        CounterAccess[] counters = new CounterAccess[charges.size()];
        Arrays.setAll(counters, i -> counter(charges.get(i), ticket));
        return counters;
    }

    private CounterAccess counter(Charge charge, @Nullable UUID ticket) {
        return counter(charge, digest.of(charge), ticket);
    }

    /** Apart from the digest, so that it is small: then the counter of a single charge is no object. */
    private CounterAccess counter(Charge charge, long key, @Nullable UUID ticket) {
        return new CounterAccess(charge, key, table.segment(key), ticket, time);
    }

    // ---- decisions

    private LimitStatus status(CounterAccess counter) {
        long capacity = counter.limit.capacity();
        if (counter.untilFree > 0) {
            long wait = Math.min(counter.untilFree, counter.limit.window().toNanos());
            return new LimitStatus(counter.charge, capacity, wait, wallMillis(counter.now + wait), wait, 0);
        }
        long resetAfter = counter.resetAfter();
        return new LimitStatus(
                counter.charge,
                capacity - counter.available,
                resetAfter,
                wallMillis(counter.now + resetAfter),
                counter.retryAfter(),
                counter.window());
    }

    private long wallNanos() {
        return time.millis() * 1_000_000;
    }

    /** Follows the wall clock if it was set or the machine slept. Before each rejection and each new window, as it costs a look at the clock. */
    private void followWallClock(long now) {
        long offset = wallNanos() - now;
        if (Math.abs(offset - calendarOffset) > CALENDAR_SET_NANOS) {
            calendarOffset = offset;
        }
    }

    /** Converts a monotonic moment to the wall clock, rounded up. One window ends at the same millisecond in each decision. */
    private long wallMillis(long moment) {
        return Math.floorDiv(moment + calendarOffset + 999_999, 1_000_000L);
    }

    /** Describes a store. Not safe for concurrent use. */
    public static final class Builder {

        private static final int FEWEST = 1024;
        private static final int MOST = 1 << 26;

        private TimeSource time = TimeSource.system();
        private int maximumCounters = DEFAULT_MAXIMUM_COUNTERS;
        private WhenFull whenFull = WhenFull.EVICT;

        private Builder() {}

        /** Sets the clock; by default the machine's. */
        public Builder time(TimeSource time) {
            this.time = requireNonNull(time, "time");
            return this;
        }

        /**
         * Sets the maximum of counters for all limiters together: 1024 to 2^26, {@value #COUNTER_BYTES} bytes each, rounded up a little. Memory
         * is allocated as needed. A key can use sixteen slots; with eight of ten counters in use the first keys find all of theirs taken. In
         * the smallest store this begins with six of ten.
         *
         * @throws IllegalArgumentException if it is out of range
         */
        public Builder maximumCounters(int maximumCounters) {
            if (maximumCounters < FEWEST || maximumCounters > MOST) {
                throw new IllegalArgumentException(
                        "maximumCounters must be %d..%d, was %d".formatted(FEWEST, MOST, maximumCounters));
            }
            this.maximumCounters = maximumCounters;
            return this;
        }

        /** Sets the policy for new keys without a free slot; by default {@link WhenFull#EVICT}. */
        public Builder whenFull(WhenFull whenFull) {
            this.whenFull = requireNonNull(whenFull, "whenFull");
            return this;
        }

        /** Creates the store. */
        public InProcessStore build() {
            return new InProcessStore(time, new CounterTable(time, maximumCounters, whenFull == WhenFull.EVICT));
        }
    }
}
