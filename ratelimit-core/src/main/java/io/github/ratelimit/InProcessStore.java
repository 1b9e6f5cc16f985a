package io.github.ratelimit;

import static java.util.Objects.requireNonNull;

import io.github.ratelimit.KeyDigest.Sip;
import java.lang.System.Logger.Level;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Counts in this process' memory.
 *
 * <p>A decision finds the counter of each charge, locks them in ascending order, and takes from all of them or from none: one path,
 * whether there is one charge or several. A counter is {@value #COUNTER_BYTES} bytes in a table; no object is kept for a key. Safe for
 * concurrent use. Holds nothing but memory: closing it does nothing, and is not needed.
 *
 * <p><b>Memory is bounded</b>, for all limiters together: {@link Builder#maximumCounters}. The slot of a counter whose window is over is used
 * again. Where every counter that could make room has an open window, {@link WhenFull} says what happens.
 *
 * <pre>{@code
 * InProcessStore store = InProcessStore.builder()
 *         .maximumCounters(100_000) // 3.2 MB
 *         .whenFull(InProcessStore.WhenFull.FORGET)
 *         .build();
 * }</pre>
 */
public final class InProcessStore implements Store {

    /** What one counter takes, in bytes. */
    public static final int COUNTER_BYTES = 32;

    /** How many counters there may be if nothing else is said: what 64 MiB hold. Chosen: a small part of what a service is given. */
    public static final int DEFAULT_MAXIMUM_COUNTERS = 64 * 1024 * 1024 / COUNTER_BYTES;

    /** What happens to a fresh key where all counters that could make room for it have an open window. */
    public enum WhenFull {

        /**
         * The counter with the smallest used share of its limit is forgotten, among those the one with the nearest end; its key then starts
         * a fresh window. So nobody who has used less than his limit is refused because of somebody else, and a counter that is used up is
         * the last to go. The default.
         */
        FORGET,

        /** The fresh key is refused until a window ends. Nothing is forgotten; but whoever can make keys up can keep others out. */
        REFUSE
    }

    /** Chosen: tables of at most 256 KiB, small enough to grow in a moment and for every heap's regions. */
    private static final int SEGMENT_COUNTERS = 8192;

    private static final int FEWEST_SEGMENTS = 16;
    private static final int SET = 8;

    /** Chosen: more limits than a limiter has; what an application makes up beyond that is digested each time. */
    private static final int MOST_REMEMBERED = 64;

    /** The calendar is taken to have been set where it differs by more: the machine's two clocks are read at different moments. */
    private static final long CALENDAR_SET_NANOS = 500_000_000;

    private static final System.Logger LOGGER = System.getLogger(InProcessStore.class.getName());

    private final TimeSource time;
    private final WhenFull whenFull;
    private final CounterSegment[] segments;
    private final int maximumCounters;
    private final KeyDigest digests = KeyDigest.random();
    private final LongAdder forgotten = new LongAdder();
    private final AtomicBoolean warned = new AtomicBoolean();

    /** By limiter; of each the few limits that it has. */
    private final Map<String, Prefix[]> prefixes = new ConcurrentHashMap<>();

    /** What the calendar says beside what is counted by: wherever a moment is told, the two differ by this. */
    private volatile long calendarOffset;

    private InProcessStore(Builder builder) {
        this.time = builder.time;
        this.whenFull = builder.whenFull;
        int count = FEWEST_SEGMENTS;
        while (count < builder.maximumCounters / SEGMENT_COUNTERS) {
            count *= 2;
        }
        int sets = (builder.maximumCounters + count * SET - 1) / (count * SET);
        this.maximumCounters = count * sets * SET;
        this.segments = new CounterSegment[count];
        for (int i = 0; i < count; i++) {
            segments[i] = new CounterSegment(i, sets, whenFull == WhenFull.FORGET, forgotten);
        }
        this.calendarOffset = time.millis() * 1_000_000 - time.nanoTime();
    }

    /** Makes a store on the machine's clock, with everything as it is by default. */
    public static InProcessStore create() {
        return builder().build();
    }

    /** Makes a store that counts by this clock, with everything else as it is by default. */
    public static InProcessStore create(TimeSource time) {
        return builder().time(time).build();
    }

    /** Starts to describe a store. */
    public static Builder builder() {
        return new Builder();
    }

    /** What a limit's counters share, digested once. */
    private record Prefix(Charge charge, Sip sip) {}

    /** Where one charge's counter is, and what was found there. Used by one thread. */
    private static final class Place {

        final Charge charge;
        final CounterSegment segment;
        final long digest;
        final long other;
        long[] table;
        int at;
        long state;
        long end;
        boolean open;
        boolean fits;
        boolean locked;

        Place(Charge charge, CounterSegment segment, long digest, long other) {
            this.charge = charge;
            this.segment = segment;
            this.digest = digest;
            this.other = other;
            this.table = segment.table();
        }

        long used() {
            return open ? CounterSegment.used(state) : 0;
        }

        void find() {
            int moves;
            do {
                moves = segment.moves();
                table = segment.table();
                at = CounterSegment.find(table, digest, other);
                VarHandle.acquireFence(); // what was looked at was looked at before the moves are counted again
            } while (at < 0 && ((moves & 1) != 0 || moves != segment.moves()));
            open = false;
        }

        /** Whether a key that had no slot has one by now: not a locked one. */
        boolean hasAppeared() {
            find();
            return at >= 0;
        }

        /** Whether it is locked now and this key's. */
        boolean lock() {
            state = CounterSegment.lock(table, at);
            if (state == CounterSegment.MOVED) {
                return false;
            }
            locked = true;
            end = CounterSegment.end(table, at);
            return CounterSegment.holds(table, at, digest, other);
        }

        void look(long now) {
            open = at >= 0 && !CounterSegment.isReserved(state) && !FixedWindow.isOver(end, now);
        }

        boolean hasRoom(long cost) {
            fits = FixedWindow.fits(charge.limit().permits(), used(), cost);
            return fits;
        }

        void take(long cost, long now) {
            if (!open) {
                end = now + charge.limit().window().toNanos();
                state = CounterSegment.open(table, at, state, end, 0);
                open = true;
            }
            state = CounterSegment.withUsed(state, CounterSegment.used(state) + cost);
            CounterSegment.permits(table, at, charge.limit().permits());
        }

        /** Of two keys that were found in one slot, one after the other, one is gone by now. */
        boolean standsWhere(Place that) {
            return at == that.at && table == that.table;
        }

        boolean isAfter(Place that) {
            return segment.index != that.segment.index ? segment.index > that.segment.index : at > that.at;
        }
    }

    @Override
    public Decision tryAcquire(List<Charge> charges, long cost) {
        Store.requireValid(charges, cost);
        Decision taken = charges.size() == 1 && cost > 0 ? takenAtOnce(charges.get(0), cost) : null;
        return taken != null ? taken : decide(places(charges), cost);
    }

    /**
     * A shortcut for what nearly every request is: one charge, whose window is open and has room. The steps are those of {@link #decide}, but
     * no object is made for the place.
     *
     * @return null where anything is otherwise: then nothing has happened
     */
    private @Nullable Decision takenAtOnce(Charge charge, long cost) {
        Sip sip = digest(charge);
        long digest = sip.high();
        long other = sip.low();
        long[] table = segment(other).table();
        int at = CounterSegment.find(table, digest, other);
        long permits = charge.limit().permits();
        long now = time.nanoTime(); // before the lock: a window that is open at this moment, or began since, may be
        // counted in
        long state = at < 0 ? CounterSegment.MOVED : CounterSegment.lock(table, at);
        if (state == CounterSegment.MOVED) {
            return null;
        }
        long after = state;
        long end;
        try {
            end = CounterSegment.end(table, at);
            if (!CounterSegment.holds(table, at, digest, other)
                    || CounterSegment.isReserved(state)
                    || FixedWindow.isOver(end, now)
                    || !FixedWindow.fits(permits, CounterSegment.used(state), cost)) {
                return null;
            }
            CounterSegment.permits(table, at, permits);
            after = CounterSegment.withUsed(state, CounterSegment.used(state) + cost);
        } finally {
            try {
                CounterSegment.unlock(table, at, after);
            } catch (StackOverflowError e) {
                table[at + CounterSegment.STATE] = after; // as in whileLocked
            }
        }
        return Decision.of(
                charge,
                cost,
                FixedWindow.remaining(permits, CounterSegment.used(after)),
                FixedWindow.resetAfter(end, now, charge.limit().window().toNanos()),
                calendarMillis(end),
                0,
                CounterSegment.window(state, end),
                null);
    }

    private Decision decide(Place[] places, long cost) {
        while (true) {
            long now = whileLocked(
                    places,
                    moment -> { // one moment for the whole decision
                        if (haveRoom(places, cost, moment) && cost > 0 && allHere(places)) {
                            take(places, cost, moment);
                        }
                    });
            if (cost == 0 || !allFit(places) || allHere(places)) {
                return decision(places, cost, now);
            }
            Decision refusal = claim(places, cost);
            if (refusal != null) {
                return refusal;
            }
        }
    }

    /** Looks at all of them, also after the first that has none: each is told about. */
    private static boolean haveRoom(Place[] places, long cost, long now) {
        boolean room = true;
        for (Place place : places) {
            place.look(now);
            room &= place.hasRoom(cost);
        }
        return room;
    }

    private static boolean allFit(Place[] places) {
        for (Place place : places) {
            if (!place.fits) {
                return false;
            }
        }
        return true;
    }

    private static boolean allHere(Place[] places) {
        for (Place place : places) {
            if (place.at < 0) {
                return false;
            }
        }
        return true;
    }

    private void take(Place[] places, long cost, long now) {
        boolean opens = false;
        for (Place place : places) {
            opens |= !place.open;
            place.take(cost, now);
        }
        if (opens) {
            followCalendar(now);
        }
    }

    @Override
    public CompletionStage<Decision> tryAcquireAsync(List<Charge> charges, long cost) {
        return CompletableFuture.completedFuture(tryAcquire(charges, cost));
    }

    @Override
    public CompletionStage<Void> refundAsync(Decision decision) {
        if (decision.markRefunded()) {
            Place[] places = places(decision.charges());
            whileLocked(places, now -> giveBack(places, decision, now));
        }
        return CompletableFuture.completedFuture(null);
    }

    private static void giveBack(Place[] places, Decision decision, long now) {
        Decision of = decision;
        for (Place place : places) {
            place.look(now);
            if (place.open
                    && CounterSegment.window(place.state, place.end)
                            == requireNonNull(of).window()) {
                long used = CounterSegment.used(place.state);
                place.state = CounterSegment.withUsed(place.state, Math.max(0, used - decision.cost()));
            }
            of = of == null ? null : of.rest();
        }
    }

    @Override
    public CompletionStage<Void> resetAsync(List<Charge> charges) {
        Store.requireValid(charges, 0);
        Place[] places = places(charges);
        whileLocked(places, now -> {
            // Over long ago, and so for everybody, also for who has read the clock before.
            long end = now - Limit.MAX_WINDOW.toNanos();
            for (Place place : places) {
                if (place.at >= 0) {
                    place.state = CounterSegment.open(place.table, place.at, place.state, end, 0);
                }
            }
        });
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public TimeSource time() {
        return time;
    }

    /** How many counters have an open window now. Looks at all of them: for a metric, not for each request. */
    public long counters() {
        long now = time.nanoTime();
        long open = 0;
        for (CounterSegment segment : segments) {
            open += segment.open(now);
        }
        return open;
    }

    /** How many open windows were forgotten since the store was made, to make room for others. */
    public long forgotten() {
        return forgotten.sum();
    }

    /** How many counters there may be. */
    public int maximumCounters() {
        return maximumCounters;
    }

    // ---- the counters of one decision

    private Place[] places(List<Charge> charges) {
        Place[] places = new Place[charges.size()];
        for (int i = 0; i < places.length; i++) {
            places[i] = place(charges.get(i));
        }
        return places;
    }

    private Place place(Charge charge) {
        Sip sip = digest(charge);
        return new Place(charge, segment(sip.low()), sip.high(), sip.low());
    }

    private Sip digest(Charge charge) {
        return new Sip(prefix(charge)).add(charge.key()).finish();
    }

    private CounterSegment segment(long other) {
        return segments[(int) (other >>> 40) & (segments.length - 1)];
    }

    /** Found without making an object to look for: by the limiter's name, and among its few limits by comparison. */
    @SuppressWarnings(
            "ReferenceEquality") // a limiter's limit is nearly always the same object; only a changed one is compared
    private Sip prefix(Charge charge) {
        Prefix[] known = prefixes.get(charge.scope());
        if (known != null) {
            for (Prefix prefix : known) {
                if (prefix.charge.limit() == charge.limit() || prefix.charge.sharesCountersWith(charge)) {
                    return prefix.sip;
                }
            }
        }
        Prefix prefix = new Prefix(new Charge(charge.scope(), charge.limit(), Key.absent()), digests.of(charge));
        if (known != null ? known.length < MOST_REMEMBERED : prefixes.size() < MOST_REMEMBERED * MOST_REMEMBERED) {
            prefixes.merge(charge.scope(), new Prefix[] {prefix}, InProcessStore::joined);
        }
        return prefix.sip;
    }

    private static Prefix[] joined(Prefix[] there, Prefix[] added) {
        Prefix[] all = Arrays.copyOf(there, there.length + 1);
        all[there.length] = added[0];
        return all;
    }

    /**
     * Does a step at a moment at which the counters that are there are locked, and the others are not there.
     *
     * <p>What is locked is released without a call where the stack has no room for one: nobody else could count by it any more. So a slot is
     * known to be locked by the statement after the one that locked it, and this is the only place that releases several.
     *
     * @return the moment
     */
    private long whileLocked(Place[] places, LongConsumer step) {
        while (true) {
            long now = 0;
            Place lost;
            try {
                lost = lock(places);
                if (lost == null) {
                    now = time.nanoTime();
                    step.accept(now);
                }
            } finally {
                for (Place place : places) {
                    if (place.locked) {
                        place.locked = false;
                        try {
                            CounterSegment.unlock(place.table, place.at, place.state);
                        } catch (StackOverflowError e) {
                            place.table[place.at + CounterSegment.STATE] = place.state;
                        }
                    }
                }
            }
            if (lost == null) {
                return now;
            }
            if (lost.state == CounterSegment.MOVED) {
                lost.segment.awaitGrowth();
            }
        }
    }

    /**
     * Locks the counters that are there, in ascending order: two decisions would wait for each other otherwise.
     *
     * @return the first that is not as it was found; null if all are
     */
    private static @Nullable Place lock(Place[] places) {
        for (Place place : places) {
            place.find();
        }
        Place[] order = ascending(places);
        for (int i = 0; i < order.length; i++) {
            if (order[i].at >= 0 && !lock(order, i)) {
                return order[i];
            }
        }
        return appeared(order);
    }

    /** Two keys may have been found in one slot, as it changed hands in between: it would be waited for by who has locked it. */
    private static boolean lock(Place[] order, int i) {
        return (i == 0 || !order[i].standsWhere(order[i - 1])) && order[i].lock();
    }

    private static @Nullable Place appeared(Place[] places) {
        for (Place place : places) {
            if (place.at < 0 && place.hasAppeared()) {
                return place;
            }
        }
        return null;
    }

    private static Place[] ascending(Place[] places) {
        if (places.length == 1) {
            return places;
        }
        Place[] order = places.clone();
        for (int i = 1; i < order.length; i++) {
            Place place = order[i];
            int to = i;
            for (; to > 0 && order[to - 1].isAfter(place); to--) {
                order[to] = order[to - 1];
            }
            order[to] = place;
        }
        return order;
    }

    /** Gives those keys a slot that have none. The refusal, where there is no room. */
    private @Nullable Decision claim(Place[] places, long cost) {
        long before = forgotten.sum();
        for (Place place : places) {
            if (place.at < 0) {
                long wait = place.segment.claim(
                        place.digest, place.other, place.charge.limit().permits(), time);
                if (wait > 0) {
                    warn("refuses fresh keys");
                    return noRoom(places, place, cost, wait);
                }
            }
        }
        if (forgotten.sum() != before) {
            warn("forgets counters");
        }
        return null;
    }

    private void warn(String what) {
        if (!warned.get() && warned.compareAndSet(false, true)) {
            LOGGER.log(
                    Level.WARNING,
                    "the in-process store is full: {0} counters with open windows, and {1} from now on; raise its maximum of counters ({2} bytes each) or count by fewer keys",
                    Integer.toString(maximumCounters),
                    what,
                    Integer.toString(COUNTER_BYTES));
        }
    }

    // ---- what is told

    private Decision decision(Place[] places, long cost, long now) {
        Decision decision = null;
        for (int i = places.length - 1; i >= 0; i--) {
            Place place = places[i];
            Limit limit = place.charge.limit();
            long resetAfter = 0;
            long resetAt;
            long retryAfter = 0;
            if (place.open) {
                resetAfter =
                        FixedWindow.resetAfter(place.end, now, limit.window().toNanos());
                resetAt = calendarMillis(place.end);
            } else {
                resetAt = time.millis();
            }
            if (!place.fits) {
                retryAfter = FixedWindow.retryAfter(limit.permits(), cost, resetAfter);
            }
            decision = Decision.of(
                    place.charge,
                    cost,
                    FixedWindow.remaining(limit.permits(), place.used()),
                    resetAfter,
                    resetAt,
                    retryAfter,
                    CounterSegment.window(place.state, place.end),
                    decision);
        }
        return requireNonNull(decision);
    }

    private Decision noRoom(Place[] places, Place without, long cost, long wait) {
        long now = time.nanoTime();
        Decision decision = null;
        for (int i = places.length - 1; i >= 0; i--) {
            Place place = places[i];
            boolean full = place == without;
            Limit limit = place.charge.limit();
            long end = full ? now + wait : place.open ? place.end : now;
            long after = Math.max(
                    full ? 1 : 0,
                    FixedWindow.resetAfter(end, now, limit.window().toNanos()));
            decision = Decision.of(
                    place.charge,
                    cost,
                    full ? 0 : FixedWindow.remaining(limit.permits(), place.used()),
                    after,
                    calendarMillis(now + after),
                    full ? after : 0,
                    0,
                    decision);
        }
        return requireNonNull(decision);
    }

    /** A moment by the calendar, rounded up. The same for one window each time, unless the calendar is set meanwhile. */
    private long calendarMillis(long moment) {
        return Math.floorDiv(moment + calendarOffset + 999_999, 1_000_000L);
    }

    private void followCalendar(long now) {
        long offset = time.millis() * 1_000_000 - now;
        if (Math.abs(offset - calendarOffset) > CALENDAR_SET_NANOS) {
            calendarOffset = offset;
        }
    }

    /** Gathers what a store needs. Not safe for concurrent use. */
    public static final class Builder {

        private static final int FEWEST = 1024;
        private static final int MOST = 1 << 26;

        private TimeSource time = TimeSource.system();
        private int maximumCounters = DEFAULT_MAXIMUM_COUNTERS;
        private WhenFull whenFull = WhenFull.FORGET;

        private Builder() {}

        /** What it counts by; the machine's clocks if not given. */
        public Builder time(TimeSource time) {
            this.time = requireNonNull(time, "time");
            return this;
        }

        /**
         * How many counters there may be, for all limiters together: 1024 to 2^26, {@value #COUNTER_BYTES} bytes each; rounded up a
         * little. Memory is taken as it is needed. To a key the table is full where the sixteen places that it may have are in use. That
         * begins when about eight of ten counters are in use; in the smallest store, six of ten.
         *
         * @throws IllegalArgumentException if it is out of its range
         */
        public Builder maximumCounters(int maximumCounters) {
            if (maximumCounters < FEWEST || maximumCounters > MOST) {
                throw new IllegalArgumentException(
                        "maximumCounters must be %d..%d, was %d".formatted(FEWEST, MOST, maximumCounters));
            }
            this.maximumCounters = maximumCounters;
            return this;
        }

        /** What happens to a fresh key where there is no room; {@link WhenFull#FORGET} if not given. */
        public Builder whenFull(WhenFull whenFull) {
            this.whenFull = requireNonNull(whenFull, "whenFull");
            return this;
        }

        /** Makes the store. */
        public InProcessStore build() {
            return new InProcessStore(this);
        }
    }
}
