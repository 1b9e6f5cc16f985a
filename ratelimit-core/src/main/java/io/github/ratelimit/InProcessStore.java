package io.github.ratelimit;

import static java.util.Objects.requireNonNull;

import io.github.ratelimit.InProcessCounters.Standing;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Counts in this process' memory.
 *
 * <p>A decision on one limit is one look-up, one clock read and one compare-and-set; it takes no lock and makes no object but its answer. A
 * decision on several limits locks their counters in ascending order. Safe for concurrent use; holds nothing but memory, so that closing
 * it is a courtesy.
 *
 * <p><b>Memory is bounded.</b> Of each limit at most {@code maximumCounters} counters are kept. When room must be made, what an evicted
 * counter had used is folded into a table of fixed size and found again when the counter is: a flood of fresh keys never gives anybody a
 * new budget. The table errs to one side: it may refuse early, it never admits too many. A counter costs the same whatever its key's
 * length: long keys are held as digests with a secret of this process.
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

    /** By limiter; of each the few limits that it has. Grows with what is configured, not with what is asked for. */
    private final Map<String, InProcessCounters[]> counters = new ConcurrentHashMap<>();

    private InProcessStore(TimeSource time, int maximumCounters) {
        this.time = time;
        this.maximumCounters = maximumCounters;
        for (int i = 0; i < LOCKS; i++) {
            locks[i] = new ReentrantLock();
        }
    }

    /** Makes a store on the machine's clock that keeps {@value #DEFAULT_MAXIMUM_COUNTERS} counters of each limit. */
    public static InProcessStore create() {
        return create(TimeSource.system());
    }

    /** Makes a store that keeps {@value #DEFAULT_MAXIMUM_COUNTERS} counters of each limit. */
    public static InProcessStore create(TimeSource time) {
        return create(time, DEFAULT_MAXIMUM_COUNTERS);
    }

    /**
     * Makes a store.
     *
     * @param time what it counts by
     * @param maximumCounters how many counters of each limit it keeps exactly, 1000 to 2^24; some 250 bytes each
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
        InProcessCounters ofLimit = counters(limiter, limit);
        Key key = kept(charge.key());
        long now = time.nanoTime();
        Window window = ofLimit.find(key, now);
        while (window != null) {
            long used = window.used();
            if (used == Window.CLOSED) {
                break; // being evicted: what it has used is found again below
            }
            if (!FixedWindow.fits(limit.permits(), used, cost)) {
                return ofLimit.decision(false, limit, window, used, cost, now, null);
            }
            if (cost == 0 || window.change(used, used + cost)) {
                return ofLimit.decision(true, limit, window, used + cost, cost, now, null);
            }
        }
        if (cost == 0 || cost > limit.permits()) {
            Standing standing = ofLimit.look(key, now); // starts no window
            return ofLimit.decision(cost == 0, limit, standing.window(), standing.used(), cost, now, null);
        }
        return ofLimit.decideOpening(limit, key, cost, now);
    }

    /** The path of a limiter with several rules: looks at all counters, then takes from all of them, with all of them locked. */
    private Decision decideAll(String limiter, List<Charge> charges, long cost) {
        int count = charges.size();
        InProcessCounters[] ofLimit = new InProcessCounters[count];
        Key[] keys = new Key[count];
        for (int i = 0; i < count; i++) {
            ofLimit[i] = counters(limiter, charges.get(i).limit());
            keys[i] = kept(charges.get(i).key());
        }
        int[] locked = lock(limiter, keys);
        try {
            long now = time.nanoTime(); // one moment for the whole decision
            Standing[] standings = new Standing[count];
            boolean allowed = true;
            for (int i = 0; i < count; i++) {
                standings[i] = ofLimit[i].look(keys[i], now);
                allowed &= FixedWindow.fits(charges.get(i).limit().permits(), standings[i].used(), cost);
            }
            if (allowed && cost > 0) {
                for (int i = 0; i < count; i++) {
                    standings[i] = ofLimit[i].take(keys[i], standings[i], cost, now);
                }
            }
            Decision decision = null;
            for (int i = count - 1; i >= 0; i--) {
                Standing standing = standings[i];
                Limit limit = charges.get(i).limit();
                decision = ofLimit[i].decision(allowed, limit, standing.window(), standing.used(), cost, now, decision);
            }
            return requireNonNull(decision);
        } finally {
            for (int lock : locked) {
                locks[lock].unlock();
            }
        }
    }

    /** Ascending order: two compound decisions would wait for each other otherwise. */
    private int[] lock(String limiter, Key[] keys) {
        int[] order = new int[keys.length];
        for (int i = 0; i < order.length; i++) {
            int hash = limiter.hashCode() * 31 + keys[i].hashCode();
            order[i] = (hash ^ (hash >>> 16)) & (LOCKS - 1);
        }
        Arrays.sort(order);
        for (int lock : order) {
            locks[lock].lock(); // reentrant, as two keys may share one lock
        }
        return order;
    }

    @Override
    public CompletionStage<Void> refundAsync(String limiter, List<Charge> charges, long cost) {
        Store.requireValid(charges, cost);
        long now = time.nanoTime();
        for (Charge charge : charges) {
            counters(limiter, charge.limit()).giveBack(kept(charge.key()), cost, now);
        }
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Void> resetAsync(String limiter, List<Charge> charges) {
        Store.requireValid(charges, 0);
        long now = time.nanoTime();
        for (Charge charge : charges) {
            counters(limiter, charge.limit()).forget(kept(charge.key()), now);
        }
        return CompletableFuture.completedFuture(null);
    }

    private Key kept(Key key) {
        return key.length() <= LONGEST_KEPT_KEY ? key : Key.of(digests.of(key).text());
    }

    /** Found without making an object to look for: by the limiter's name, and among its few limits by comparison. */
    private InProcessCounters counters(String limiter, Limit limit) {
        InProcessCounters[] ofLimiter = counters.get(limiter);
        if (ofLimiter != null) {
            for (InProcessCounters ofLimit : ofLimiter) {
                if (ofLimit.countsFor(limit)) {
                    return ofLimit;
                }
            }
        }
        counters.merge(limiter, new InProcessCounters[] {newCounters(limit)}, InProcessStore::joined);
        return counters(limiter, limit);
    }

    private InProcessCounters newCounters(Limit limit) {
        return new InProcessCounters(limit, time, maximumCounters, digests);
    }

    /** Those that are there and the new ones, unless another thread was faster. */
    private static InProcessCounters[] joined(InProcessCounters[] there, InProcessCounters[] added) {
        for (InProcessCounters ofLimit : there) {
            if (ofLimit.countsFor(added[0])) {
                return there;
            }
        }
        InProcessCounters[] all = Arrays.copyOf(there, there.length + 1);
        all[there.length] = added[0];
        return all;
    }
}
