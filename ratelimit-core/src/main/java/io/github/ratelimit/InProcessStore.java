package io.github.ratelimit;

import static java.util.Objects.requireNonNull;

import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
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

    // Chosen: segments of 64 KiB grow in a moment and fit into any heap's regions; more than 1,024 no longer reduce
    // contention.
    private static final int FEWEST_SEGMENTS = 16;
    private static final int MOST_SEGMENTS = 1024;
    private static final int COUNTERS_PER_SEGMENT = 2048;

    /** Chosen: the two clocks are read at slightly different moments; a larger difference means that the wall clock was set. */
    static final long CALENDAR_SET_NANOS = 500_000_000;

    private static final System.Logger LOGGER = System.getLogger(InProcessStore.class.getName());

    private final TimeSource time;
    private final boolean evict;
    private final int maximumCounters;
    private final Segment[] segments;
    private final AtomicBoolean warned;
    private final Digest digest = Digest.random();

    /** Wall clock minus monotonic clock, in nanoseconds. */
    private volatile long calendarOffset;

    private InProcessStore(Builder builder) {
        this.time = builder.time;
        this.evict = builder.whenFull == WhenFull.EVICT;
        int count = FEWEST_SEGMENTS;
        while (count < MOST_SEGMENTS && count < builder.maximumCounters / COUNTERS_PER_SEGMENT) {
            count *= 2;
        }
        int perSegment = count * Segment.SLOTS;
        int sets = (builder.maximumCounters + perSegment - 1) / perSegment;
        this.maximumCounters = count * sets * Segment.SLOTS;
        this.segments = new Segment[count];
        Arrays.setAll(segments, i -> new Segment(i, sets));
        this.warned = new AtomicBoolean();
        this.calendarOffset = wallNanos() - time.nanoTime();
    }

    /** Shares the memory and the bound of another store, but no counts: its digests have another secret. */
    private InProcessStore(InProcessStore memory) {
        this.time = memory.time;
        this.evict = memory.evict;
        this.maximumCounters = memory.maximumCounters;
        this.segments = memory.segments;
        this.warned = memory.warned;
        this.calendarOffset = memory.calendarOffset;
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

    /** The store of a limiter without one: all such limiters share one bound of memory, and no counts. */
    static InProcessStore ofOneLimiter() {
        return new InProcessStore(Shared.MEMORY);
    }

    private static final class Shared {
        static final InProcessStore MEMORY = create();
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
        Counter counter = counter(charges.get(0), digest.of(charges.get(0)), ticket);
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
        return new Decision(this, status(counter), ticket);
    }

    private Decision decide(List<Charge> charges) {
        UUID ticket = ticket(charges);
        Counter[] counters = counters(charges, ticket);
        locked(counters, now -> {
            if (readAll(counters, now)) {
                if (openWindows(counters, now)) {
                    take(counters);
                } else {
                    closeWindows(counters, now);
                }
            } else {
                for (Counter counter : counters) {
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
    private static boolean readAll(Counter[] counters, long now) {
        boolean fit = true;
        for (Counter counter : counters) {
            counter.readToDecide(now);
            fit &= counter.fits;
        }
        return fit;
    }

    /**
     * Opens the missing windows that get a slot, and finds all slots again, because opening a window may have moved others.
     *
     * @return whether all got one
     */
    private boolean openWindows(Counter[] counters, long now) {
        boolean needsSlot = false;
        for (Counter counter : counters) {
            needsSlot |= counter.needsSlot();
        }
        if (!needsSlot) {
            return true;
        }
        long[] kept =
                Arrays.stream(counters).mapToLong(counter -> counter.digest).toArray();
        boolean opened = true;
        for (Counter counter : counters) {
            opened &= !counter.needsSlot() || openWindow(counter, kept, now);
        }
        for (Counter counter : counters) {
            counter.slot = counter.segment.find(counter.digest);
        }
        return opened;
    }

    private boolean openWindow(Counter counter, long[] kept, long now) {
        Segment segment = counter.segment;
        long before = segment.evicted();
        int slot = segment.find(counter.digest);
        slot = slot >= 0 ? slot : segment.allocate(counter.digest, now, evict, kept);
        if (slot < 0) {
            counter.untilFree = segment.untilFree(counter.digest, now);
            warn("rejects new keys");
            return false;
        }
        if (segment.evicted() != before) {
            warn("evicts counters");
        }
        counter.open(slot);
        return true;
    }

    /** Closes the windows of this call again. */
    private static void closeWindows(Counter[] counters, long now) {
        for (Counter counter : counters) {
            if (counter.needsSlot() && counter.slot >= 0) {
                counter.segment.close(counter.slot, now);
            }
        }
    }

    /** Computes first and writes then, so that a stack overflow cannot take a part of the costs. */
    private static void take(Counter[] counters) {
        long[][] words = new long[counters.length][];
        for (int i = 0; i < counters.length; i++) {
            counters[i].take();
            words[i] = counters[i].segment.words();
        }
        for (int i = 0; i < counters.length; i++) {
            Counter counter = counters[i];
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
            Counter[] counters = new Counter[taken.size()];
            for (int i = 0; i < counters.length; i++) {
                Charge charge = taken.get(i).charge();
                counters[i] = counter(charge.withCost(Math.max(0, -back(charge, actual))), ticket);
            }
            locked(counters, now -> {
                for (Counter counter : counters) {
                    counter.read(now);
                }
                openWindows(counters, now);
                for (int i = 0; i < counters.length; i++) {
                    Counter counter = counters[i];
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
        Counter[] counters = decision.charges().stream()
                .filter(charge -> charge.limit().shape().isConcurrent() && charge.cost() > 0)
                .map(charge -> counter(charge, ticket))
                .toArray(Counter[]::new);
        boolean[] held = {counters.length > 0};
        locked(counters, now -> {
            for (Counter counter : counters) {
                counter.read(now);
                held[0] &= counter.hold();
            }
        });
        return CompletableFuture.completedFuture(held[0]);
    }

    @Override
    public CompletableFuture<Void> resetAsync(List<Charge> charges) {
        Store.requireValid(charges);
        Counter[] counters = counters(charges, null);
        locked(counters, now -> {
            for (Counter counter : counters) {
                counter.read(now);
                if (counter.open) {
                    counter.segment.close(counter.slot, now);
                }
            }
        });
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public boolean supports(Shape.Kind kind) {
        return true;
    }

    @Override
    public TimeSource time() {
        return time;
    }

    /** The number of open windows. Reads the whole table: for a metric, not for each request. */
    public long counters() {
        return sum(segment -> segment.open(time.nanoTime()));
    }

    /** The number of open windows that were evicted since the store was created. */
    public long evicted() {
        return sum(Segment::evicted);
    }

    private long sum(ToLongFunction<Segment> of) {
        long sum = 0;
        for (Segment segment : segments) {
            synchronized (segment) {
                sum += of.applyAsLong(segment);
            }
        }
        return sum;
    }

    /** The maximum of counters. */
    public int maximumCounters() {
        return maximumCounters;
    }

    // ---- counters and monitors

    private Segment segment(long key) {
        return segments[(int) key & (segments.length - 1)];
    }

    private Counter[] counters(List<Charge> charges, @Nullable UUID ticket) {
        Counter[] counters = new Counter[charges.size()];
        Arrays.setAll(counters, i -> counter(charges.get(i), ticket));
        return counters;
    }

    private Counter counter(Charge charge, @Nullable UUID ticket) {
        return counter(charge, digest.of(charge), ticket);
    }

    /** Apart from the digest, so that it is small: then the counter of a single charge is no object. */
    private Counter counter(Charge charge, long key, @Nullable UUID ticket) {
        return new Counter(charge, key, segment(key), ticket, time);
    }

    /** Runs a step inside the monitors of all segments, entered in ascending order: otherwise two calls could wait for each other. */
    private void locked(Counter[] counters, LongConsumer step) {
        Counter[] ascending = counters.clone();
        Arrays.sort(ascending, Comparator.comparingInt(counter -> counter.segment.index));
        locked(ascending, 0, step);
    }

    private void locked(Counter[] ascending, int i, LongConsumer step) {
        if (i == ascending.length) {
            step.accept(time.nanoTime());
            return;
        }
        synchronized (ascending[i].segment) { // reentrant, if two counters share a segment
            locked(ascending, i + 1, step);
        }
    }

    // ---- decisions

    private LimitStatus status(Counter counter) {
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

    private void warn(String action) {
        if (!warned.get() && warned.compareAndSet(false, true)) {
            LOGGER.log(
                    Level.WARNING,
                    "the in-process store is full: {0} counters have open windows, and from now on it {1}; raise its maximum of counters ({2} bytes each) or count by fewer keys",
                    Integer.toString(maximumCounters),
                    action,
                    Integer.toString(COUNTER_BYTES));
        }
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
            return new InProcessStore(this);
        }
    }
}
