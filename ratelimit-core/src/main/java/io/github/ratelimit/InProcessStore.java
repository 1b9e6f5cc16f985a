package io.github.ratelimit;

import static java.util.Objects.requireNonNull;

import io.github.ratelimit.internal.memory.CounterAccess;
import io.github.ratelimit.internal.memory.CounterTable;
import io.github.ratelimit.internal.memory.Segment;
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
    public static final int COUNTER_BYTES = CounterTable.COUNTER_BYTES;

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
        Charge charge = charges.get(0);
        UUID ticket = ticket(charges);
        CounterAccess counter = counter(charge, digest.of(charge), ticket);
        synchronized (counter.segment()) {
            if (!counter.decide(time.nanoTime())) {
                return null;
            }
        }
        if (counter.beginsOrRejects() || counter.byCalendar()) {
            followWallClock(counter.now());
        }
        return new Decision(this, status(charge, counter), ticket);
    }

    private Decision decide(List<Charge> charges) {
        UUID ticket = ticket(charges);
        CounterAccess[] counters = counters(charges, ticket);
        table.decide(counters);
        followWallClock(counters[0].now());
        LimitStatus[] statuses = new LimitStatus[counters.length];
        Arrays.setAll(statuses, i -> status(charges.get(i), counters[i]));
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
            long[] back = new long[counters.length];
            long[] windows = new long[counters.length];
            for (int i = 0; i < counters.length; i++) {
                Charge charge = taken.get(i).charge();
                back[i] = back(charge, actual);
                windows[i] = taken.get(i).window();
                counters[i] = counter(charge.withCost(Math.max(0, -back[i])), ticket);
            }
            table.settle(counters, back, windows);
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
        return CompletableFuture.completedFuture(table.hold(counters));
    }

    @Override
    public CompletableFuture<Void> resetAsync(List<Charge> charges) {
        Store.requireValid(charges);
        table.reset(counters(charges, null));
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
        return new ChargeAccess(charge, key, table.segment(key), ticket, time);
    }

    // ---- decisions

    private LimitStatus status(Charge charge, CounterAccess counter) {
        long wait = counter.untilFree();
        if (wait > 0) {
            long end = wallMillis(counter.now() + wait);
            return new LimitStatus(charge, charge.limit().capacity(), wait, end, wait, 0);
        }
        long resetAfter = counter.resetAfter();
        return new LimitStatus(
                charge,
                counter.taken(),
                resetAfter,
                wallMillis(counter.now() + resetAfter),
                counter.retryAfter(),
                counter.window());
    }

    private long wallNanos() {
        return time.millis() * 1_000_000;
    }

    /** Follows the wall clock if it was set or the machine slept. Before each rejection and each new window, as it costs a look at the clock. */
    private void followWallClock(long now) {
        long offset = wallNanos() - now;
        if (Math.abs(offset - calendarOffset) > CounterTable.CALENDAR_SET_NANOS) {
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
            return new InProcessStore(
                    time, new CounterTable(time::nanoTime, maximumCounters, whenFull == WhenFull.EVICT));
        }
    }
}
