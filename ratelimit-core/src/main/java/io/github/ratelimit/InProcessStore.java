package io.github.ratelimit;

import static java.util.Objects.requireNonNull;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import io.github.ratelimit.EvictedCounts.Remembered;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Counts in this process' memory.
 *
 * <p>A decision on one limit is one look-up, one clock read and one compare-and-set; it takes no lock. A decision on several limits
 * locks their counters in ascending order. Safe for concurrent use; holds nothing but memory, so that closing it is a courtesy.
 *
 * <p><b>Memory is bounded.</b> Windows of one order of magnitude are kept together, at most {@code maximumCounters} of them. When room
 * must be made, what an evicted counter had used is folded into a table of fixed size and found again when the counter is: a flood of
 * fresh keys never gives anybody a new budget. The table errs to one side: it may refuse early, it never admits too many. A counter costs
 * the same whatever its key's length: long keys are held as digests with a secret of this process.
 */
public final class InProcessStore implements Store {

    /** Chosen: some 25 MB when full, more clients than most services see in a minute. */
    public static final int DEFAULT_MAXIMUM_COUNTERS = 100_000;

    /** Keys of more characters are held as digests. Chosen: longer than any address, identifier or digest in text. */
    private static final int LONGEST_KEPT_KEY = 64;

    /** Chosen: rarely two compound decisions of some hundred threads meet on one lock by chance. */
    private static final int LOCKS = 512;

    private final TimeSource time;
    private final int maximumCounters;
    private final KeyDigest digests = KeyDigest.random();
    private final Lock[] locks = new Lock[LOCKS];
    private final AtomicReferenceArray<@Nullable Shelf> shelves = new AtomicReferenceArray<>(Long.SIZE);

    private InProcessStore(TimeSource time, int maximumCounters) {
        this.time = time;
        this.maximumCounters = maximumCounters;
        for (int i = 0; i < LOCKS; i++) {
            locks[i] = new ReentrantLock();
        }
    }

    /** Makes a store on the machine's clock that keeps {@value #DEFAULT_MAXIMUM_COUNTERS} counters. */
    public static InProcessStore create() {
        return create(TimeSource.system());
    }

    /** Makes a store that keeps {@value #DEFAULT_MAXIMUM_COUNTERS} counters. */
    public static InProcessStore create(TimeSource time) {
        return create(time, DEFAULT_MAXIMUM_COUNTERS);
    }

    /**
     * Makes a store.
     *
     * @param time what it counts by
     * @param maximumCounters how many counters it keeps exactly, of windows of one order of magnitude (a power of two in milliseconds);
     *     1000 to 2^24, some 250 bytes each
     * @throws IllegalArgumentException if {@code maximumCounters} is out of its range
     */
    public static InProcessStore create(TimeSource time, int maximumCounters) {
        if (maximumCounters < 1000 || maximumCounters > 1 << 24) {
            throw new IllegalArgumentException(
                    "maximumCounters must be 1000..16777216, was %d".formatted(maximumCounters));
        }
        return new InProcessStore(time, maximumCounters);
    }

    @Override
    public Decision tryAcquire(String limiter, List<Charge> charges, long cost) {
        Store.requireValid(charges, cost);
        return charges.size() == 1 ? decideOne(limiter, charges.get(0), cost) : decideAll(limiter, charges, cost);
    }

    @Override
    public CompletionStage<Decision> tryAcquireAsync(String limiter, List<Charge> charges, long cost) {
        return CompletableFuture.completedFuture(tryAcquire(limiter, charges, cost));
    }

    /** The path of a limiter with one rule. It never meets {@link #decideAll} on a counter, as a counter belongs to one limiter. */
    private Decision decideOne(String limiter, Charge charge, long cost) {
        Limit limit = charge.limit();
        Shelf shelf = shelf(limit);
        Counter counter = counter(limiter, charge);
        long now = time.nanoTime();
        Window window = shelf.find(counter, now);
        while (window != null) {
            long used = window.used();
            if (used == Window.CLOSED) {
                break; // being evicted: what it has used is found again below
            }
            if (!FixedWindow.fits(limit.permits(), used, cost)) {
                return decision(false, limit, window, used, cost, now, null);
            }
            if (cost == 0 || window.change(used, used + cost)) {
                return decision(true, limit, window, used + cost, cost, now, null);
            }
        }
        if (cost == 0 || cost > limit.permits()) {
            Standing standing = shelf.look(counter, now); // starts no window
            return decision(cost == 0, limit, standing.window, standing.used, cost, now, null);
        }
        return shelf.decideOpening(counter, cost, now);
    }

    /** The path of a limiter with several rules: looks at all counters, then takes from all of them, with all of them locked. */
    private Decision decideAll(String limiter, List<Charge> charges, long cost) {
        Counter[] counters = new Counter[charges.size()];
        for (int i = 0; i < counters.length; i++) {
            counters[i] = counter(limiter, charges.get(i));
        }
        int[] locked = lock(counters);
        try {
            long now = time.nanoTime(); // one moment for the whole decision
            Standing[] standings = new Standing[counters.length];
            boolean allowed = true;
            for (int i = 0; i < counters.length; i++) {
                Limit limit = counters[i].limit();
                standings[i] = shelf(limit).look(counters[i], now);
                allowed &= FixedWindow.fits(limit.permits(), standings[i].used, cost);
            }
            if (allowed && cost > 0) {
                for (int i = 0; i < counters.length; i++) {
                    standings[i] = shelf(counters[i].limit()).take(counters[i], standings[i], cost, now);
                }
            }
            Decision decision = null;
            for (int i = counters.length - 1; i >= 0; i--) {
                Standing standing = standings[i];
                decision = decision(allowed, counters[i].limit(), standing.window, standing.used, cost, now, decision);
            }
            return requireNonNull(decision);
        } finally {
            for (int lock : locked) {
                locks[lock].unlock();
            }
        }
    }

    /** Ascending order: two compound decisions would wait for each other otherwise. */
    private int[] lock(Counter[] counters) {
        int[] order = new int[counters.length];
        for (int i = 0; i < order.length; i++) {
            int hash = counters[i].hashCode();
            order[i] = (hash ^ (hash >>> 16)) & (LOCKS - 1);
        }
        Arrays.sort(order);
        for (int lock : order) {
            locks[lock].lock(); // reentrant, as two counters may share one lock
        }
        return order;
    }

    /**
     * Puts a decision into figures.
     *
     * @param allowed whether the cost was taken from every limit
     * @param window the counter's window; null if none is open
     * @param used what is used of it after the decision
     */
    private Decision decision(
            boolean allowed,
            Limit limit,
            @Nullable Window window,
            long used,
            long cost,
            long now,
            @Nullable Decision rest) {
        long resetAfter = 0;
        long resetAt;
        if (window == null) {
            resetAt = time.millis();
        } else {
            resetAfter =
                    FixedWindow.resetAfter(window.end(), now, limit.window().toNanos());
            resetAt = window.endMillis();
        }
        long retryAfter = 0;
        if (!allowed && !FixedWindow.fits(limit.permits(), used, cost)) {
            retryAfter = cost > limit.permits() ? Decision.NEVER : resetAfter;
        }
        long remaining = FixedWindow.remaining(limit.permits(), used);
        return new Decision(allowed, Decision.Source.STORE, limit, remaining, resetAfter, resetAt, retryAfter, rest);
    }

    @Override
    public CompletionStage<Void> refundAsync(String limiter, List<Charge> charges, long cost) {
        Store.requireValid(charges, cost);
        long now = time.nanoTime();
        for (Charge charge : charges) {
            shelf(charge.limit()).giveBack(counter(limiter, charge), cost, now);
        }
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Void> resetAsync(String limiter, List<Charge> charges) {
        Store.requireValid(charges, 0);
        long now = time.nanoTime();
        for (Charge charge : charges) {
            shelf(charge.limit()).forget(counter(limiter, charge), now);
        }
        return CompletableFuture.completedFuture(null);
    }

    private Counter counter(String limiter, Charge charge) {
        Key key = charge.key();
        if (key.length() > LONGEST_KEPT_KEY) {
            key = Key.of(digests.of(key).text());
        }
        return new Counter(limiter, charge.limit(), key);
    }

    private Shelf shelf(Limit limit) {
        int magnitude = Long.SIZE - Long.numberOfLeadingZeros(limit.window().toMillis());
        Shelf shelf = shelves.get(magnitude);
        if (shelf == null) {
            shelves.compareAndSet(magnitude, null, new Shelf(magnitude));
            shelf = requireNonNull(shelves.get(magnitude));
        }
        return shelf;
    }

    /**
     * Where a counter stands before a decision.
     *
     * @param window its open window; null if there is none
     * @param used what is used of it
     * @param kept whether the window is the one that is kept, and not only what is remembered of an evicted one
     */
    private record Standing(@Nullable Window window, long used, boolean kept) {}

    /** The counters whose windows are of one order of magnitude: one cache, whose entries expire when their windows are surely over. */
    private final class Shelf {

        private final Cache<Counter, Window> windows;

        /**
         * The latest start of a window, which is all the time that the cache is told: it has nothing to expire before the next one
         * starts, and a decision reads no clock but its own.
         */
        private volatile long latestStart = time.nanoTime();

        private volatile @Nullable EvictedCounts evicted;

        Shelf(int magnitude) {
            // Expiry after write, not after access, and a size bound that is rarely reached: then a look-up records
            // nothing.
            windows = Caffeine.newBuilder()
                    .maximumSize(maximumCounters)
                    .expireAfterWrite(Duration.ofMillis(1L << magnitude))
                    .ticker(() -> latestStart)
                    .executor(Runnable::run)
                    .evictionListener(this::remember)
                    .build();
        }

        /** The window that is open; null if there is none. It may be closed for eviction at any moment. */
        @Nullable
        Window find(Counter counter, long now) {
            Window window = windows.getIfPresent(counter);
            return window == null || window.isOver(now) ? null : window;
        }

        /** Where the counter stands. Changes nothing. */
        Standing look(Counter counter, long now) {
            Window window = find(counter, now);
            long used = window == null ? 0 : window.used();
            if (used == Window.CLOSED) {
                // Waits for the eviction that is under way, after which the counter is gone and its count is
                // remembered.
                window = windows.asMap().computeIfPresent(counter, (same, current) -> current);
                used = window == null ? 0 : window.used();
            }
            if (window != null && used != Window.CLOSED) {
                return new Standing(window, used, true);
            }
            Window remembered = remembered(counter, now);
            return new Standing(remembered, remembered == null ? 0 : remembered.used(), false);
        }

        /** Takes a cost that fits from a counter that is locked: nobody else counts up. */
        Standing take(Counter counter, Standing standing, long cost, long now) {
            Window window = standing.window;
            if (!standing.kept || window == null || !window.change(standing.used, standing.used + cost)) {
                window = compute(counter, now, opened -> add(opened, cost));
            }
            return new Standing(window, standing.used + cost, true);
        }

        /** Decides where no window is open, inside the cache's own lock on the counter, so that only one thread opens it. */
        Decision decideOpening(Counter counter, long cost, long now) {
            Limit limit = counter.limit();
            AtomicReference<@Nullable Decision> decided = new AtomicReference<>();
            compute(counter, now, window -> {
                long used = window.used();
                boolean allowed = FixedWindow.fits(limit.permits(), used, cost);
                while (allowed && !window.change(used, used + cost)) {
                    used = window.used();
                    allowed = FixedWindow.fits(limit.permits(), used, cost);
                }
                decided.setPlain(decision(allowed, limit, window, allowed ? used + cost : used, cost, now, null));
            });
            return requireNonNull(decided.getPlain());
        }

        void giveBack(Counter counter, long cost, long now) {
            windows.asMap().computeIfPresent(counter, (same, window) -> {
                if (!window.isOver(now)) {
                    add(window, -cost);
                }
                return window;
            });
        }

        void forget(Counter counter, long now) {
            windows.asMap().compute(counter, (same, window) -> {
                if (window != null) {
                    window.close();
                }
                // The table forgets nothing: where it remembers the counter, an empty window has to stand before it.
                return remembered(counter, now) == null ? null : opened(counter, now, now + nanos(counter), 0);
            });
        }

        /** Acts on the open window, opening it first where none is, while nobody else opens or evicts it. */
        private Window compute(Counter counter, long now, Consumer<Window> action) {
            if (now - latestStart > 0) {
                latestStart = now;
            }
            return requireNonNull(windows.asMap().compute(counter, (same, current) -> {
                Window window = current;
                if (window == null || window.isOver(now)) {
                    window = remembered(counter, now);
                }
                if (window == null) {
                    window = opened(counter, now, now + nanos(counter), 0);
                }
                action.accept(window);
                return window;
            }));
        }

        private Window opened(Counter counter, long now, long end, long used) {
            long millis = (FixedWindow.resetAfter(end, now, nanos(counter)) + 999_999) / 1_000_000;
            return new Window(end, time.millis() + millis, used);
        }

        /** What is remembered of an evicted counter's open window; null if nothing is. */
        private @Nullable Window remembered(Counter counter, long now) {
            EvictedCounts table = evicted;
            Remembered found = table == null ? null : table.find(counter, now, now + nanos(counter));
            return found == null ? null : opened(counter, now, found.end(), found.used());
        }

        /** Called by the cache while it holds the counter: whoever counts into the window meanwhile finds it closed and asks again. */
        private void remember(@Nullable Counter counter, @Nullable Window window, RemovalCause cause) {
            long used = requireNonNull(window).close();
            if (cause == RemovalCause.SIZE && !window.isOver(latestStart)) {
                EvictedCounts table = evicted;
                if (table == null) {
                    table = new EvictedCounts(digests, columns(), latestStart);
                    evicted = table; // the cache evicts on one thread at a time
                }
                table.fold(requireNonNull(counter), used, window.end(), latestStart);
            }
        }

        private int columns() {
            return Math.max(1024, Integer.highestOneBit(maximumCounters - 1) << 1);
        }

        private static void add(Window window, long cost) {
            long used = window.used();
            while (!window.change(used, Math.max(0, used + cost))) {
                used = window.used();
            }
        }

        private static long nanos(Counter counter) {
            return counter.limit().window().toNanos();
        }
    }
}
