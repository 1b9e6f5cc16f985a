package io.github.ratelimit;

import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import java.util.function.ToLongFunction;

/** The memory of a store: segments of counters, each guarded by its own monitor. Safe for concurrent use. */
final class CounterTable {

    // Chosen: segments of 64 KiB grow in a moment and fit into any heap's regions; more than 1,024 no longer reduce
    // contention.
    private static final int FEWEST_SEGMENTS = 16;
    private static final int MOST_SEGMENTS = 1024;
    private static final int COUNTERS_PER_SEGMENT = 2048;

    private static final System.Logger LOGGER = System.getLogger(InProcessStore.class.getName());

    private final TimeSource time;
    private final boolean evict;
    private final int maximumCounters;
    private final Segment[] segments;
    private final AtomicBoolean warned = new AtomicBoolean();

    /** @param evict whether a new key without a free slot evicts the counter with the smallest loss */
    CounterTable(TimeSource time, int maximumCounters, boolean evict) {
        this.time = time;
        this.evict = evict;
        int count = FEWEST_SEGMENTS;
        while (count < MOST_SEGMENTS && count < maximumCounters / COUNTERS_PER_SEGMENT) {
            count *= 2;
        }
        int perSegment = count * Segment.SLOTS;
        int sets = (maximumCounters + perSegment - 1) / perSegment;
        this.maximumCounters = count * sets * Segment.SLOTS;
        this.segments = new Segment[count];
        Arrays.setAll(segments, i -> new Segment(i, sets));
    }

    int maximumCounters() {
        return maximumCounters;
    }

    Segment segment(long digest) {
        return segments[(int) digest & (segments.length - 1)];
    }

    /** Runs a step inside the monitors of all segments, entered in ascending order: otherwise two calls could wait for each other. */
    void locked(CounterAccess[] counters, LongConsumer step) {
        CounterAccess[] ascending = counters.clone();
        Arrays.sort(ascending, Comparator.comparingInt(counter -> counter.segment.index));
        locked(ascending, 0, step);
    }

    private void locked(CounterAccess[] ascending, int i, LongConsumer step) {
        if (i == ascending.length) {
            step.accept(time.nanoTime());
            return;
        }
        synchronized (ascending[i].segment) { // reentrant, if two counters share a segment
            locked(ascending, i + 1, step);
        }
    }

    /**
     * Opens the missing windows that get a slot, and finds all slots again, because opening a window may have moved others.
     *
     * @return whether all got one
     */
    boolean openWindows(CounterAccess[] counters, long now) {
        if (Arrays.stream(counters).noneMatch(CounterAccess::needsSlot)) {
            return true;
        }
        long[] kept =
                Arrays.stream(counters).mapToLong(counter -> counter.digest).toArray();
        boolean opened = true;
        for (CounterAccess counter : counters) {
            opened &= !counter.needsSlot() || openWindow(counter, kept, now);
        }
        for (CounterAccess counter : counters) {
            counter.slot = counter.segment.find(counter.digest);
        }
        return opened;
    }

    private boolean openWindow(CounterAccess counter, long[] kept, long now) {
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
    static void closeWindows(CounterAccess[] counters, long now) {
        for (CounterAccess counter : counters) {
            if (counter.needsSlot() && counter.slot >= 0) {
                counter.segment.close(counter.slot, now);
            }
        }
    }

    long sum(ToLongFunction<Segment> of) {
        long sum = 0;
        for (Segment segment : segments) {
            synchronized (segment) {
                sum += of.applyAsLong(segment);
            }
        }
        return sum;
    }

    private void warn(String action) {
        if (!warned.get() && warned.compareAndSet(false, true)) {
            LOGGER.log(
                    Level.WARNING,
                    "the in-process store is full: {0} counters have open windows, and from now on it {1}; raise its maximum of counters ({2} bytes each) or count by fewer keys",
                    Integer.toString(maximumCounters),
                    action,
                    Integer.toString(InProcessStore.COUNTER_BYTES));
        }
    }
}
