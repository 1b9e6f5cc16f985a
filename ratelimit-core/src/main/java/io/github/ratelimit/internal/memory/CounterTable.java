package io.github.ratelimit.internal.memory;

import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/** The memory of a store: segments of counters, each guarded by its own monitor. Safe for concurrent use. */
public final class CounterTable {

    /** The size of a counter in bytes. */
    public static final int COUNTER_BYTES = 32;

    /** Chosen: the two clocks are read at slightly different moments; a larger difference means that the wall clock was set. */
    public static final long CALENDAR_SET_NANOS = 500_000_000;

    // Chosen: segments of 64 KiB grow in a moment and fit into any heap's regions; more than 1,024 no longer reduce
    // contention.
    private static final int FEWEST_SEGMENTS = 16;
    private static final int MOST_SEGMENTS = 1024;
    private static final int COUNTERS_PER_SEGMENT = 2048;

    private static final System.Logger LOGGER = System.getLogger("io.github.ratelimit.InProcessStore");

    private final LongSupplier time;
    private final boolean evict;
    private final int maximumCounters;
    private final Segment[] segments;
    private final AtomicBoolean warned = new AtomicBoolean();

    /**
     * Makes an empty one.
     *
     * @param time monotonic nanoseconds
     * @param evict whether a new key without a free slot evicts the counter with the smallest loss
     */
    public CounterTable(LongSupplier time, int maximumCounters, boolean evict) {
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

    /** How many counters fit. */
    public int maximumCounters() {
        return maximumCounters;
    }

    /** The segment of a counter. */
    public Segment segment(long digest) {
        return segments[(int) digest & (segments.length - 1)];
    }

    /** Takes the costs of all counters, or of none. */
    public void decide(CounterAccess[] counters) {
        locked(counters, now -> {
            if (readAll(counters, now)) {
                if (openWindows(counters, now)) {
                    take(counters);
                } else {
                    closeWindows(counters, now);
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
    }

    /**
     * Gives permits back to the windows that they came from, or takes the costs.
     *
     * @param back the permits of each counter
     * @param windows see {@link CounterAccess#window}
     */
    public void settle(CounterAccess[] counters, long[] back, long[] windows) {
        locked(counters, now -> {
            for (CounterAccess counter : counters) {
                counter.read(now);
            }
            openWindows(counters, now);
            for (int i = 0; i < counters.length; i++) {
                CounterAccess counter = counters[i];
                if (back[i] > 0) {
                    counter.giveBack(back[i], windows[i]);
                }
                counter.take();
                if (counter.isKept()) {
                    counter.write();
                }
            }
        });
    }

    /** Holds the tickets of all counters, and tells whether all were still there. */
    public boolean hold(CounterAccess[] counters) {
        boolean[] held = {counters.length > 0};
        locked(counters, now -> {
            for (CounterAccess counter : counters) {
                counter.read(now);
                held[0] &= counter.hold();
            }
        });
        return held[0];
    }

    /** Closes the windows of all counters. */
    public void reset(CounterAccess[] counters) {
        locked(counters, now -> {
            for (CounterAccess counter : counters) {
                counter.read(now);
                if (counter.open) {
                    counter.segment.close(counter.slot, now);
                }
            }
        });
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

    /** Runs a step inside the monitors of all segments, entered in ascending order: otherwise two calls could wait for each other. */
    private void locked(CounterAccess[] counters, LongConsumer step) {
        CounterAccess[] ascending = counters.clone();
        Arrays.sort(ascending, Comparator.comparingInt(counter -> counter.segment.index));
        locked(ascending, 0, step);
    }

    private void locked(CounterAccess[] ascending, int i, LongConsumer step) {
        if (i == ascending.length) {
            step.accept(time.getAsLong());
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
    private boolean openWindows(CounterAccess[] counters, long now) {
        boolean needsSlot = false;
        for (CounterAccess counter : counters) {
            needsSlot |= counter.needsSlot();
        }
        if (!needsSlot) {
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
    private static void closeWindows(CounterAccess[] counters, long now) {
        for (CounterAccess counter : counters) {
            if (counter.needsSlot() && counter.slot >= 0) {
                counter.segment.close(counter.slot, now);
            }
        }
    }

    /** Adds up a number of each segment. */
    public long sum(ToLongFunction<Segment> of) {
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
                    Integer.toString(COUNTER_BYTES));
        }
    }
}
