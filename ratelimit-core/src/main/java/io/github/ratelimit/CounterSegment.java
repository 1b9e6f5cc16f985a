package io.github.ratelimit;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A part of a store's counters: a table of 64-bit words that grows up to a bound, and then makes room by forgetting what loses least.
 *
 * <p>A counter is a slot of four words: 64 bits of its key's digest; 48 more, and its permits roughly; its state; and when its window
 * ends. Eight slots are a set, and a key may stand in either of two sets. No object for a key, no pointer to follow.
 *
 * <p><b>Who may write.</b> The state's highest bit is the slot's lock: all four words change only by who holds it, and whoever has taken
 * it looks again whose slot it is. What a thread has read without the lock only tells it where to look. Several slots are locked in
 * ascending order of segment and place. A key comes into the table, leaves it and moves within it only by who holds the segment's own
 * lock as well; that one is never waited for with a slot locked. So no two slots ever hold one key, and there is no deadlock.
 *
 * <p><b>A lock outlives no overflow of the stack.</b> Whoever has locked a slot says so, or enters a {@code try}, before the next call;
 * and a slot is released by an assignment where there is no room for a call. The segment's own lock is its monitor, and {@link #moves} a
 * plain number, for the same reason.
 */
final class CounterSegment {

    static final int WORDS = 4;
    private static final int SLOTS = 8;
    private static final int SET = WORDS * SLOTS;

    private static final int DIGEST = 0;
    private static final int OTHER = 1;
    static final int STATE = 2;
    private static final int END = 3;

    /** The state of a slot whose table has been replaced by a larger one. */
    static final long MOVED = -1;

    private static final long LOCKED = 1L << 63;
    /** Set where a key has its slot and no window yet: until its end, nobody else takes the slot. */
    private static final long RESERVED = 1L << 62;

    private static final int GENERATION_SHIFT = 53;
    private static final long GENERATION = 0x1ffL << GENERATION_SHIFT;
    private static final long USED = Limit.MAX_PERMITS;
    private static final long PERMITS = 0xffff; // of the second word

    /** Chosen: far longer than a thread needs from its key's slot to its window, even where it loses the processor in between. */
    private static final long RESERVATION_NANOS = 1_000_000_000;

    private static final int SPINS = 64;

    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

    /** Where this segment stands among all: the first part of the order in which slots are locked. */
    final int index;

    private final int maximumSets;
    private final boolean forgets;
    private final LongAdder forgotten;
    private volatile long[] table;

    /** Counts up before and after a key moves within the table: who finds none meanwhile looks again. Changes by the lock's holder. */
    private volatile int moves;

    CounterSegment(int index, int maximumSets, boolean forgets, LongAdder forgotten) {
        this.index = index;
        this.maximumSets = maximumSets;
        this.forgets = forgets;
        this.forgotten = forgotten;
        this.table = new long[Math.min(2, maximumSets) * SET];
    }

    // ---- one slot

    /** Even while no key is on its way within the table. */
    int moves() {
        return moves;
    }

    /** The words as they are now. A larger table may replace them; slots of the old one say so. */
    long[] table() {
        return table;
    }

    /** Where a key's slot probably is; -1 if it probably has none. */
    static int find(long[] table, long digest, long other) {
        int sets = table.length / SET;
        int first = first(digest, sets);
        int at = findIn(table, first, digest, other);
        return at >= 0 ? at : findIn(table, second(digest, first, sets), digest, other);
    }

    private static int findIn(long[] table, int set, long digest, long other) {
        int home = home(other);
        for (int i = 0; i < SLOTS; i++) {
            int at = set * SET + ((home + i) & (SLOTS - 1)) * WORDS;
            if ((long) WORD.getOpaque(table, at) == digest
                    && ((long) WORD.getOpaque(table, at + OTHER) ^ other) >>> 16 == 0) {
                return at;
            }
        }
        return -1;
    }

    /** Takes a slot's lock. The state without it, or {@link #MOVED}: then there is nothing to release. */
    @SuppressWarnings("ThreadPriorityCheck") // yields where a lock's holder has lost the processor, within some twenty
    // instructions
    static long lock(long[] table, int at) {
        for (int spins = 0; ; spins++) {
            long state = (long) WORD.getVolatile(table, at + STATE);
            if (state >= 0) {
                if (WORD.compareAndSet(table, at + STATE, state, state | LOCKED)) {
                    return state;
                }
            } else if (state == MOVED) {
                return MOVED;
            } else if (spins < SPINS) {
                Thread.onSpinWait();
            } else {
                Thread.yield();
            }
        }
    }

    static void unlock(long[] table, int at, long state) {
        WORD.setRelease(table, at + STATE, state);
    }

    /** Whether a locked slot is this key's. */
    static boolean holds(long[] table, int at, long digest, long other) {
        return table[at] == digest && (table[at + OTHER] ^ other) >>> 16 == 0;
    }

    /** When a locked slot's window ends. */
    static long end(long[] table, int at) {
        return table[at + END];
    }

    static boolean isReserved(long state) {
        return (state & RESERVED) != 0;
    }

    static long used(long state) {
        return state & USED;
    }

    static long withUsed(long state, long used) {
        return (state & ~USED) | used;
    }

    /** Begins a window in a locked slot. The state to unlock it with. */
    static long open(long[] table, int at, long state, long end, long used) {
        long opened = nextGeneration(state)
                | used; // before: without room for this call, what was used would be so in the new window
        WORD.setOpaque(table, at + END, end);
        return opened;
    }

    /** Keeps a locked slot's permits, roughly: they tell what it would lose. */
    static void permits(long[] table, int at, long permits) {
        long word = (table[at + OTHER] & ~PERMITS) | rough(permits);
        if (table[at + OTHER] != word) {
            WORD.setOpaque(table, at + OTHER, word);
        }
    }

    /** Names a slot's window among all that it ever has: two windows of one key never share both their end and their generation. */
    static long window(long state, long end) {
        return end << 9 | (state & GENERATION) >>> GENERATION_SHIFT;
    }

    private static long nextGeneration(long state) {
        return (state + (1L << GENERATION_SHIFT)) & GENERATION;
    }

    /** Ten bits of it and how far they are shifted: exact below 1024, and at most a five-hundredth less above. */
    private static long rough(long permits) {
        int shift = Math.max(0, 54 - Long.numberOfLeadingZeros(permits));
        return (long) shift << 10 | permits >>> shift;
    }

    private static double share(long used, long other) {
        long rough = other & PERMITS;
        return Math.min(1, used / (double) ((rough & 0x3ff) << (rough >>> 10)));
    }

    // ---- which slots may be a key's

    private static int first(long digest, int sets) {
        return (int) (((digest & 0xffff_ffffL) * sets) >>> 32);
    }

    private static int second(long digest, int first, int sets) {
        int step = 1 + (int) (((digest >>> 32) * (sets - 1)) >>> 32);
        int second = first + step;
        return sets == 1 ? 0 : second < sets ? second : second - sets;
    }

    private static int home(long other) {
        return (int) (other >>> 16) & (SLOTS - 1);
    }

    // ---- keys come and go

    /**
     * Gives a key a slot, if it has none, and keeps it for the time that its caller needs to begin a window.
     *
     * @param permits of the limit, to compare it by later
     * @return 0; or, where the table is full and forgets nothing, how many nanoseconds it will be before there may be room
     */
    synchronized long claim(long digest, long other, long permits, TimeSource time) {
        long now = time.nanoTime();
        while (find(table, digest, other) < 0) {
            int at = free(table, digest, other, now);
            if (at < 0 && table.length / SET < maximumSets) {
                grow(now);
                continue;
            }
            if (at < 0) {
                at = displaced(digest, now);
            }
            boolean full = at < 0;
            if (full && !forgets) {
                return nextEnd(digest, now);
            }
            if (full) {
                at = least(digest, now);
            }
            long[] words = table;
            long state = lock(words, at);
            try {
                if (full || isFree(words, at, now)) {
                    state = assign(at, state, digest, other, permits, now);
                } // else its own key has begun a new window just now
            } finally {
                try {
                    unlock(words, at, state);
                } catch (StackOverflowError e) {
                    words[at + STATE] = state;
                }
            }
        }
        return 0;
    }

    /** Waits until a table that was found moved has been replaced. */
    @SuppressWarnings("EmptySynchronizedBlock")
    void awaitGrowth() {
        synchronized (this) {
        }
    }

    /** Gives a locked slot to a key. The state to unlock it with. */
    private long assign(int at, long state, long digest, long other, long permits, long now) {
        if (!isFree(table, at, now)) {
            forgotten.increment();
        }
        long reserved = nextGeneration(state) | RESERVED; // before, as in open
        WORD.setOpaque(table, at + END, now); // nobody's, until it is wholly the key's
        WORD.setOpaque(table, at + OTHER, (other & ~PERMITS) | rough(permits));
        WORD.setOpaque(table, at + DIGEST, digest);
        WORD.setOpaque(table, at + END, now + RESERVATION_NANOS);
        return reserved;
    }

    /** A free slot of the first set while it has room enough, of the emptier set after that; -1 if both are full. */
    private static int free(long[] table, long digest, long other, long now) {
        int sets = table.length / SET;
        int first = first(digest, sets);
        int second = second(digest, first, sets);
        int inFirst = freeIn(table, first, now);
        int inSecond = inFirst >= SLOTS / 4 ? 0 : freeIn(table, second, now);
        if (inFirst == 0 && inSecond == 0) {
            return -1;
        }
        int set = inFirst >= inSecond ? first : second;
        int home = home(other);
        for (int i = 0; i < SLOTS; i++) {
            int at = set * SET + ((home + i) & (SLOTS - 1)) * WORDS;
            if (isFree(table, at, now)) {
                return at;
            }
        }
        return -1;
    }

    private static int freeIn(long[] table, int set, long now) {
        int free = 0;
        for (int at = set * SET; at < (set + 1) * SET; at += WORDS) {
            free += isFree(table, at, now) ? 1 : 0;
        }
        return free;
    }

    /** Whether no key has it, or one whose window is over. Without the slot's lock that may change: who takes the slot looks again. */
    private static boolean isFree(long[] table, int at, long now) {
        return (long) WORD.getOpaque(table, at) == 0 || FixedWindow.isOver((long) WORD.getOpaque(table, at + END), now);
    }

    /** Makes room by moving a counter of the key's two sets to the other set of its own; -1 if none can move. */
    private int displaced(long digest, long now) {
        int sets = table.length / SET;
        int first = first(digest, sets);
        int second = second(digest, first, sets);
        for (int i = 0; i < 2 * SLOTS; i++) {
            int set = i < SLOTS ? first : second;
            int from = set * SET + (i & (SLOTS - 1)) * WORDS;
            long moving = table[from]; // keys change only by who holds the segment's lock
            if (moving == 0) {
                return from;
            }
            int one = first(moving, sets);
            int elsewhere = one == set ? second(moving, one, sets) : one;
            for (int to = elsewhere * SET; to < (elsewhere + 1) * SET; to += WORDS) {
                if (elsewhere != set && isFree(table, to, now) && move(from, to, now)) {
                    return from;
                }
            }
        }
        return -1;
    }

    private boolean move(int from, int to, long now) {
        long[] words = table;
        int low = Math.min(from, to);
        int high = Math.max(from, to);
        long highState = 0;
        boolean both = false;
        boolean fits = false;
        long lowState = lock(words, low);
        try {
            highState = lock(words, high);
            both = true;
            fits = isFree(words, to, now);
            if (fits) {
                copy(from, to);
                highState = lowState = from == low ? lowState : highState;
            }
        } finally {
            try {
                unlock(words, low, lowState);
            } catch (StackOverflowError e) {
                words[low + STATE] = lowState;
            }
            if (both) {
                try {
                    unlock(words, high, highState);
                } catch (StackOverflowError e) {
                    words[high + STATE] = highState;
                }
            }
        }
        return fits;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // the segment's lock is held
    private void copy(int from, int to) {
        long[] words = table;
        moves++;
        try {
            VarHandle.fullFence(); // nobody sees what follows, and an even number
            // By assignments, which need no room on the stack: it is moved wholly or not at all.
            words[to + END] = words[from + END];
            words[to + OTHER] = words[from + OTHER];
            words[to + DIGEST] = words[from];
            words[from + DIGEST] = 0;
        } finally {
            moves++;
        }
    }

    /** The slot whose counter loses least: the smallest used share of its limit, then the nearest end. */
    private int least(long digest, long now) {
        int sets = table.length / SET;
        int first = first(digest, sets);
        int second = second(digest, first, sets);
        int least = -1;
        double leastShare = 0;
        long leastLeft = 0;
        for (int i = 0; i < 2 * SLOTS; i++) {
            int at = (i < SLOTS ? first : second) * SET + (i & (SLOTS - 1)) * WORDS;
            long state = (long) WORD.getVolatile(table, at + STATE);
            // A reserved slot loses its claim: two keys of one decision would take it from each other for ever.
            double share = isReserved(state) ? 2 : share(used(state), (long) WORD.getOpaque(table, at + OTHER));
            long left = (long) WORD.getOpaque(table, at + END) - now;
            if (least < 0 || share < leastShare || (share == leastShare && left < leastLeft)) {
                least = at;
                leastShare = share;
                leastLeft = left;
            }
        }
        return least;
    }

    private long nextEnd(long digest, long now) {
        int sets = table.length / SET;
        int first = first(digest, sets);
        int second = second(digest, first, sets);
        long left = Long.MAX_VALUE;
        for (int i = 0; i < 2 * SLOTS; i++) {
            int at = (i < SLOTS ? first : second) * SET + (i & (SLOTS - 1)) * WORDS;
            left = Math.min(left, (long) WORD.getOpaque(table, at + END) - now);
        }
        return Math.max(1, left);
    }

    /** Puts the open windows into a table of twice the size. Whoever waits for a slot of the old one finds it moved. */
    private void grow(long now) {
        long[] old = table;
        int locked = 0;
        try {
            for (; locked < old.length; locked += WORDS) {
                lock(old, locked); // ascending, as everybody does
            }
            int sets = old.length / SET;
            long @Nullable [] larger;
            do {
                sets = 4 * sets > maximumSets
                        ? maximumSets
                        : 2 * sets; // the last table, too, is at least twice the one before
                larger = rehashed(old, sets, now, sets == maximumSets);
            } while (larger == null);
            table = larger;
        } finally { // without memory for a larger one, the old one stays
            for (int at = 0; at < locked; at += WORDS) {
                long state = table == old ? old[at + STATE] & ~LOCKED : MOVED;
                try {
                    unlock(old, at, state);
                } catch (StackOverflowError e) {
                    old[at + STATE] = state;
                }
            }
        }
    }

    /** Null if a key finds both its sets full, unless there is no larger table: then it is forgotten. */
    private long @Nullable [] rehashed(long[] old, int sets, long now, boolean last) {
        long[] larger = new long[sets * SET];
        for (int at = 0; at < old.length; at += WORDS) {
            long state = old[at + STATE] & ~LOCKED;
            if (!isFree(old, at, now)) {
                int to = free(larger, old[at], old[at + OTHER], now);
                if (to >= 0) {
                    System.arraycopy(old, at, larger, to, WORDS);
                    larger[to + STATE] = state;
                } else if (last) {
                    forgotten.increment();
                } else {
                    return null;
                }
            }
        }
        return larger;
    }

    /** How many counters have an open window now. Looks at every slot. */
    int open(long now) {
        long[] words = table;
        int open = 0;
        for (int at = 0; at < words.length; at += WORDS) {
            open += isFree(words, at, now) ? 0 : 1;
        }
        return open;
    }
}
