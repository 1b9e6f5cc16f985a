package io.github.ratelimit.internal.memory;

import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A part of a store's counters: sets of eight slots in one array, which doubles up to a maximum. A key may use the slots of two sets.
 *
 * <p>Callers hold the segment's monitor for every call and every word. There is no other lock.
 */
public final class Segment {

    /** The digest of the counter's key; 0 in a slot that was never used. */
    static final int DIGEST = 0;

    /** When the counter's window ends, in nanoseconds of the store's clock. */
    static final int END = 1;

    /** What is counted: permits taken, negative if a block keeps them, or what the shape of the limit makes of them. */
    static final int USED = 2;

    /** The permits of the limit; in the bits above them, what is counted and the number of the window. */
    static final int LIMIT = 3;

    static final int WORDS = 4;
    static final int SLOTS = 8;

    /** What {@link #USED} holds: permits, parts of permits, four counts of 16 bits, or permits until an end by the calendar. */
    static final int PERMITS = 0;

    static final int PARTS = 1;
    static final int THIRDS = 2;
    static final int DAYS = 3;

    private static final int SET = WORDS * SLOTS;
    private static final int PERMITS_BITS = 53;
    private static final int UNIT_BITS = 2;
    private static final int FIRST_SETS = 2;
    private static final long GOLDEN_RATIO = 0x9e37_79b9_7f4a_7c15L;

    /** Shared until a segment has a counter, as most of an idle store have none. Holds zeros. */
    private static final long[] EMPTY = new long[FIRST_SETS * SET];

    /** The position among all segments of a store: monitors are entered in this order. */
    final int index;

    private final int maximumSets;
    private int sets;
    private long[] words;
    private @Nullable Tickets[] tickets = {}; // of each slot, if there is any
    private long windows; // begun so far
    private long wallOffset; // of the wall clock to the other one, by which calendar windows end
    private long evicted;

    Segment(int index, int maximumSets) {
        this.index = index;
        this.maximumSets = maximumSets;
        this.sets = Math.min(FIRST_SETS, maximumSets);
        this.words = sets == FIRST_SETS ? EMPTY : new long[sets * SET];
    }

    /** The slots. Growing replaces the array. */
    long[] words() {
        return words;
    }

    /** Open windows that were evicted so far. */
    public long evicted() {
        return evicted;
    }

    /** Finds a counter's slot, also if its window is over; -1 if it has none. */
    int find(long digest) {
        int first = firstSet(digest);
        int slot = findIn(first, digest);
        return slot >= 0 ? slot : findIn(secondSet(first, digest), digest);
    }

    private int findIn(int set, long digest) {
        for (int i = 0; i < SLOTS; i++) {
            int slot = slot(set, digest, i);
            if (words[slot] == digest) {
                return slot;
            }
        }
        return -1;
    }

    boolean isOpen(int slot, long now) {
        return !FixedWindow.isOver(words[slot + END], now);
    }

    /**
     * Finds a slot for a counter that has none. Moves other counters if necessary, so slots found before may be stale.
     *
     * @param evict whether to evict the counter with the smallest loss if both sets are full
     * @param kept digests that must not be evicted: the other counters of the same decision
     * @return -1 if there is no slot
     */
    int allocate(long digest, long now, boolean evict, long[] kept) {
        if (words == EMPTY) {
            words = new long[sets * SET];
        }
        int slot = freeSlot(digest, now);
        while (slot < 0 && sets < maximumSets) {
            grow(now);
            slot = freeSlot(digest, now);
        }
        if (slot < 0) {
            slot = vacate(digest, now);
        }
        if (slot < 0 && evict) {
            slot = smallestLoss(digest, kept);
            evicted += slot < 0 ? 0 : 1;
        }
        return slot;
    }

    /** The tickets of a slot; null if it has none. */
    @Nullable
    Tickets tickets(int slot) {
        return tickets.length == 0 ? null : tickets[slot / WORDS];
    }

    /** The tickets of a slot, which it has from now on. */
    Tickets ticketsOf(int slot) {
        if (tickets.length == 0) {
            tickets = new Tickets[words.length / WORDS];
        }
        Tickets there = tickets[slot / WORDS];
        if (there == null) {
            there = new Tickets();
            tickets[slot / WORDS] = there;
        }
        return there;
    }

    void forgetTickets(int slot) {
        if (tickets.length > 0) {
            tickets[slot / WORDS] = null;
        }
    }

    /** Closes a window before its end. */
    void close(int slot, long now) {
        words[slot + END] = now;
        forgetTickets(slot);
    }

    /** Begins a window. Assignments only, so that a stack overflow cannot leave half of it. */
    void begin(int slot, long digest, long end, long permits, int unit) {
        forgetTickets(slot);
        long number = (windows++ << (PERMITS_BITS + UNIT_BITS)) | ((long) unit << PERMITS_BITS);
        words[slot + DIGEST] = digest;
        words[slot + END] = end;
        words[slot + USED] = 0;
        words[slot + LIMIT] = number | permits;
    }

    /** Lets open calendar windows end at the same moment of the wall clock as before if it was set. */
    void followWallClock(long offset, long now) {
        long back = wallOffset - offset;
        if (Math.abs(back) > CounterTable.CALENDAR_SET_NANOS) {
            wallOffset = offset;
            for (int slot = 0; slot < words.length; slot += WORDS) {
                words[slot + END] += unit(slot) == DAYS && isOpen(slot, now) ? back : 0;
            }
        }
    }

    /** How long until one of a key's slots is free, in nanoseconds; at least 1. */
    long untilFree(long digest, long now) {
        long wait = Long.MAX_VALUE;
        for (int i = 0; i < 2 * SLOTS; i++) {
            wait = Math.min(wait, words[slotOfTwo(digest, i) + END] - now);
        }
        return Math.max(1, wait);
    }

    /** Counts the open windows. */
    public int open(long now) {
        int open = 0;
        for (int slot = 0; slot < words.length; slot += WORDS) {
            open += isFree(slot, now) ? 0 : 1;
        }
        return open;
    }

    // ---- the slots of a key

    int firstSet(long digest) {
        return (int) (((digest >>> 32) * sets) >>> 32);
    }

    int secondSet(int first, long digest) {
        int second = first + 1 + (int) ((((digest * GOLDEN_RATIO) >>> 32) * (sets - 1)) >>> 32);
        return second < sets ? second : second - sets;
    }

    /** The i-th slot of a set, from a start that depends on the digest: most counters are found at the first look. */
    private static int slot(int set, long digest, int i) {
        return set * SET + (((int) (digest >>> 29) + i) & (SLOTS - 1)) * WORDS;
    }

    /** The i-th of the sixteen slots of two sets. */
    private int slotOfTwo(long digest, int i) {
        int first = firstSet(digest);
        return (i < SLOTS ? first : secondSet(first, digest)) * SET + (i & (SLOTS - 1)) * WORDS;
    }

    private boolean isFree(int slot, long now) {
        return words[slot] == 0 || !isOpen(slot, now);
    }

    /** A free slot of the emptier set; -1 if both are full. */
    private int freeSlot(long digest, long now) {
        int first = firstSet(digest);
        int second = secondSet(first, digest);
        int set = countFree(first, now) >= countFree(second, now) ? first : second;
        for (int i = 0; i < SLOTS; i++) {
            int slot = slot(set, digest, i);
            if (isFree(slot, now)) {
                return slot;
            }
        }
        return -1;
    }

    private int countFree(int set, long now) {
        int free = 0;
        for (int slot = set * SET; slot < (set + 1) * SET; slot += WORDS) {
            free += isFree(slot, now) ? 1 : 0;
        }
        return free;
    }

    // ---- making room

    /** Moves a counter out of one of the key's slots to a slot in its own other set; -1 if none can move. */
    private int vacate(long digest, long now) {
        for (int i = 0; i < 2 * SLOTS; i++) {
            int from = slotOfTwo(digest, i);
            int to = freeSlot(words[from], now);
            if (to >= 0) {
                System.arraycopy(words, from, words, to, WORDS);
                if (tickets.length > 0) {
                    tickets[to / WORDS] = tickets[from / WORDS];
                }
                words[from] = 0;
                return from;
            }
        }
        return -1;
    }

    /**
     * The share of its limit that a counter has used. Of parts it is not known: half of it, and of those that have one limit the one that loses
     * least ends first.
     */
    private double usedShare(int slot) {
        double permits = words[slot + LIMIT] & CounterAccess.MAX_PERMITS;
        return switch (unit(slot)) {
            case PARTS -> 0.5;
            case THIRDS -> SlidingWindow.sum(words[slot + USED]) / permits;
            default -> Math.abs(words[slot + USED]) / permits;
        };
    }

    private int unit(int slot) {
        return (int) (words[slot + LIMIT] >>> PERMITS_BITS) & (1 << UNIT_BITS) - 1;
    }

    /**
     * The counter that used the smallest share of its limit; among equals, the one whose window ends first. No concurrency limit: what was taken
     * of it is in use.
     */
    private int smallestLoss(long digest, long[] kept) {
        int smallest = -1;
        double smallestShare = 0;
        for (int i = 0; i < 2 * SLOTS; i++) {
            int slot = slotOfTwo(digest, i);
            double share = usedShare(slot);
            boolean smaller = smallest < 0
                    || share < smallestShare
                    || (share == smallestShare && words[slot + END] - words[smallest + END] < 0);
            if (smaller && tickets(slot) == null && LongStream.of(kept).noneMatch(each -> each == words[slot])) {
                smallest = slot;
                smallestShare = share;
            }
        }
        return smallest;
    }

    private void grow(long now) {
        long[] old = words;
        @Nullable Tickets[] oldTickets = tickets;
        // The last step doubles at least, too: a table that grows by a little would be copied too often.
        int larger = 4 * sets > maximumSets ? maximumSets : 2 * sets;
        // An OutOfMemoryError here changes nothing.
        @Nullable Tickets[] more = new Tickets[oldTickets.length == 0 ? 0 : larger * SLOTS];
        words = new long[larger * SET];
        tickets = more;
        sets = larger;
        for (int from = 0; from < old.length; from += WORDS) {
            if (old[from] != 0 && !FixedWindow.isOver(old[from + END], now)) {
                int to = freeSlot(old[from], now);
                if (to >= 0) {
                    System.arraycopy(old, from, words, to, WORDS);
                    if (more.length > 0) {
                        more[to / WORDS] = oldTickets[from / WORDS];
                    }
                } else {
                    evicted++; // both sets of the larger table are full: practically never
                }
            }
        }
    }
}
