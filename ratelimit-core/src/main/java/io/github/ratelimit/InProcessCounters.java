package io.github.ratelimit;

import static java.util.Objects.requireNonNull;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import io.github.ratelimit.EvictedCounts.Remembered;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The counters of one limit: a cache whose entries are the open windows, and the table of what had to make room.
 *
 * <p>Named by limiter, limit and window, not by permits: a changed limit applies to the counts that are there. Safe for concurrent use.
 */
final class InProcessCounters {

    private final Limit limit;
    private final long windowNanos;
    private final TimeSource time;
    private final int maximumCounters;
    private final KeyDigest digests;
    private final Cache<Key, Window> windows;

    /**
     * The latest start of a window, which is all the time that the cache is told: it has nothing to expire before the next one starts, and a
     * decision reads no clock but its own.
     */
    private volatile long latestStart;

    private volatile @Nullable EvictedCounts evicted;

    InProcessCounters(Limit limit, TimeSource time, int maximumCounters, KeyDigest digests) {
        this.limit = limit;
        this.windowNanos = limit.window().toNanos();
        this.time = time;
        this.maximumCounters = maximumCounters;
        this.digests = digests;
        this.latestStart = time.nanoTime();
        // Expiry after write, not after access, and a size bound that is rarely reached: then a look-up records
        // nothing.
        this.windows = Caffeine.newBuilder()
                .maximumSize(maximumCounters)
                .expireAfterWrite(limit.window())
                .ticker(() -> latestStart)
                .executor(Runnable::run)
                .evictionListener(this::remember)
                .build();
    }

    /**
     * Where a counter stands before a decision.
     *
     * @param window its open window; null if there is none
     * @param used what is used of it
     * @param kept whether the window is the one that is kept, and not only what is remembered of an evicted one
     */
    record Standing(@Nullable Window window, long used, boolean kept) {}

    @SuppressWarnings(
            "ReferenceEquality") // a limiter's limit is nearly always the same object; only a changed one is compared
    boolean countsFor(Limit other) {
        return limit == other
                || (limit.name().equals(other.name()) && limit.window().equals(other.window()));
    }

    boolean countsFor(InProcessCounters other) {
        return countsFor(other.limit);
    }

    /** The window that is open; null if there is none. It may be closed for eviction at any moment. */
    @Nullable
    Window find(Key key, long now) {
        Window window = windows.getIfPresent(key);
        return window == null || window.isOver(now) ? null : window;
    }

    /** Where the counter stands. Changes nothing. */
    Standing look(Key key, long now) {
        Window window = find(key, now);
        long used = window == null ? 0 : window.used();
        if (used == Window.CLOSED) {
            // Waits for the eviction that is under way, after which the counter is gone and its count is remembered.
            window = windows.asMap().computeIfPresent(key, (same, current) -> current);
            used = window == null ? 0 : window.used();
        }
        if (window != null && used != Window.CLOSED) {
            return new Standing(window, used, true);
        }
        Window remembered = remembered(key, now);
        return new Standing(remembered, remembered == null ? 0 : remembered.used(), false);
    }

    /** Takes a cost that fits from a counter that is locked: nobody else counts up. */
    Standing take(Key key, Standing standing, long cost, long now) {
        Window window = standing.window;
        if (!standing.kept || window == null || !window.change(standing.used, standing.used + cost)) {
            window = compute(key, now, opened -> add(opened, cost));
        }
        return new Standing(window, standing.used + cost, true);
    }

    /** Decides where no window is open, inside the cache's own lock on the counter, so that only one thread opens it. */
    Decision decideOpening(Limit current, Key key, long cost, long now) {
        AtomicReference<@Nullable Decision> decided = new AtomicReference<>();
        compute(key, now, window -> {
            long used = window.used();
            boolean allowed = FixedWindow.fits(current.permits(), used, cost);
            while (allowed && !window.change(used, used + cost)) {
                used = window.used();
                allowed = FixedWindow.fits(current.permits(), used, cost);
            }
            decided.setPlain(decision(allowed, current, window, allowed ? used + cost : used, cost, now, null));
        });
        return requireNonNull(decided.getPlain());
    }

    /**
     * Puts a decision into figures.
     *
     * @param allowed whether the cost was taken from every limit
     * @param window the counter's window; null if none is open
     * @param used what is used of it after the decision
     */
    Decision decision(
            boolean allowed,
            Limit current,
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
            resetAfter = FixedWindow.resetAfter(window.end(), now, windowNanos);
            resetAt = window.endMillis();
        }
        long retryAfter = 0;
        if (!allowed && !FixedWindow.fits(current.permits(), used, cost)) {
            retryAfter = cost > current.permits() ? Decision.NEVER : resetAfter;
        }
        long remaining = FixedWindow.remaining(current.permits(), used);
        return new Decision(allowed, Decision.Source.STORE, current, remaining, resetAfter, resetAt, retryAfter, rest);
    }

    /** Gives permits back to the open window. Of an evicted counter they are lost: that errs towards refusing. */
    void giveBack(Key key, long cost, long now) {
        windows.asMap().computeIfPresent(key, (same, window) -> {
            if (!window.isOver(now)) {
                add(window, -cost);
            }
            return window;
        });
    }

    /** Forgets what was counted. The table forgets nothing: where it remembers the key, an empty window has to stand before it. */
    void forget(Key key, long now) {
        windows.asMap().compute(key, (same, window) -> {
            if (window != null) {
                window.close();
            }
            return remembered(key, now) == null ? null : opened(now, now + windowNanos, 0);
        });
    }

    /** Acts on the open window, opening it first where none is, while nobody else opens or evicts it. */
    private Window compute(Key key, long now, Consumer<Window> action) {
        if (now - latestStart > 0) {
            latestStart = now;
        }
        return requireNonNull(windows.asMap().compute(key, (same, current) -> {
            Window window = current;
            if (window == null || window.isOver(now)) {
                window = remembered(key, now);
            }
            if (window == null) {
                window = opened(now, now + windowNanos, 0);
            }
            action.accept(window);
            return window;
        }));
    }

    private Window opened(long now, long end, long used) {
        long millis = (FixedWindow.resetAfter(end, now, windowNanos) + 999_999) / 1_000_000;
        return new Window(end, time.millis() + millis, used);
    }

    /** What is remembered of an evicted counter's open window; null if nothing is. */
    private @Nullable Window remembered(Key key, long now) {
        EvictedCounts table = evicted;
        Remembered found = table == null ? null : table.find(key, now, now + windowNanos);
        return found == null ? null : opened(now, found.end(), found.used());
    }

    /** Called by the cache while it holds the counter: whoever counts into the window meanwhile finds it closed and asks again. */
    private void remember(@Nullable Key key, @Nullable Window window, RemovalCause cause) {
        long used = requireNonNull(window).close();
        if (cause == RemovalCause.SIZE && !window.isOver(latestStart)) {
            EvictedCounts table = evicted;
            if (table == null) {
                table = new EvictedCounts(digests, columns(), latestStart);
                evicted = table; // the cache evicts on one thread at a time
            }
            table.fold(requireNonNull(key), used, window.end(), latestStart);
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
}
