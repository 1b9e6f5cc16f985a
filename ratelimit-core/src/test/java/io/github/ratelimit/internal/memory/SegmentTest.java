package io.github.ratelimit.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Limit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One segment with chosen digests: which counter is evicted, which moves, and that none is lost. */
class SegmentTest {

    private static final long[] NONE = {};
    private static final int SLOTS = Segment.SLOTS;
    private static final int SET = SLOTS * Segment.WORDS;

    private final SplittableRandom random = new SplittableRandom(1);
    private long now = Long.MAX_VALUE - 50; // overflows during a test

    /** Opens a window of {@code length} nanoseconds, in a new or an ended slot; -1 if there is no slot. */
    private int open(Segment segment, long digest, long used, long permits, long length, boolean evict) {
        int slot = segment.find(digest);
        slot = slot >= 0 ? slot : segment.allocate(digest, now, evict, NONE);
        if (slot >= 0) {
            segment.begin(slot, digest, now + length, permits, Segment.PERMITS);
            segment.words()[slot + Segment.USED] = used;
        }
        return slot;
    }

    private static boolean has(Segment segment, long digest) {
        return segment.find(digest) >= 0;
    }

    private static long word(Segment segment, long digest, int word) {
        return segment.words()[segment.find(digest) + word];
    }

    /** A digest whose counter may stand in these two sets. */
    private long digest(Segment segment, int first, int second) {
        while (true) {
            long digest = random.nextLong();
            int set = segment.firstSet(digest);
            if (set == first && segment.secondSet(set, digest) == second) {
                return digest;
            }
        }
    }

    @Test
    void counterIsFoundByItsWholeDigest() {
        Segment segment = new Segment(0, 1);
        long digest = 0x0123_4567_89ab_cdefL;
        assertThat(has(segment, digest)).isFalse();
        open(segment, digest, 3, 10, 5, false);
        assertThat(has(segment, digest)).isTrue();
        for (int bit = 0; bit < 64; bit++) {
            assertThat(has(segment, digest ^ 1L << bit)).isFalse();
        }
    }

    @Test
    void windowsOfOneCounterDifferEvenIfTheyEndTogether() {
        Segment segment = new Segment(0, 1);
        List<Long> windows = new ArrayList<>();
        for (int i = 0; i < 512; i++) {
            int slot = open(segment, 7, 0, Limit.MAX_PERMITS, 5, false);
            windows.add(segment.words()[slot + Segment.LIMIT] & ~Limit.MAX_PERMITS);
            assertThat(segment.words()[slot + Segment.LIMIT] & Limit.MAX_PERMITS)
                    .isEqualTo(Limit.MAX_PERMITS);
        }
        assertThat(windows).doesNotHaveDuplicates();
    }

    // ---- eviction

    @Test
    void smallestShareIsEvictedThenTheNearestEnd() {
        Segment segment = new Segment(0, 1);
        for (int i = 0; i < SLOTS; i++) {
            // All used half of their limit, except two that used a little less; the later of these ends first.
            long used = (5L << i) - (i == 3 || i == 6 ? 1 << i : 0);
            open(segment, i + 1, used, 10L << i, 100 - i, true);
        }
        List<Integer> order = List.of(6, 3, 7, 5, 4, 2, 1, 0);
        for (int gone = 0; gone < SLOTS; gone++) {
            assertThat(segment.evicted()).isEqualTo(gone);
            open(segment, 100 + gone, 9, 10, 90, true);
            for (int i = 0; i < SLOTS; i++) {
                assertThat(has(segment, i + 1)).as("%d after %d", i, gone + 1).isEqualTo(order.indexOf(i) > gone);
            }
        }
        assertThat(segment.open(now)).isEqualTo(SLOTS);
    }

    @Test
    void countersOfTheSameDecisionAreKept() {
        Segment segment = new Segment(0, 1);
        long[] kept = new long[SLOTS];
        for (int i = 0; i < SLOTS; i++) {
            kept[i] = i + 1L;
            open(segment, i + 1, i, 10, 90, true);
        }
        assertThat(segment.allocate(100, now, true, kept)).isNegative();
        kept[5] = 200;
        int slot = segment.allocate(100, now, true, kept);
        assertThat(slot).as("the only one that may go").isEqualTo(segment.find(6));
        assertThat(segment.evicted()).isEqualTo(1);
    }

    @Test
    void fullSegmentTellsWhenTheNextWindowEnds() {
        Segment segment = new Segment(0, 1);
        for (int i = 0; i < SLOTS; i++) {
            open(segment, i + 1, 1, 10, 20 + (i + 3) % SLOTS, false);
        }
        assertThat(open(segment, 100, 1, 10, 9, false)).isNegative();
        assertThat(segment.untilFree(100, now)).isEqualTo(20);
        now += 19;
        assertThat(segment.untilFree(100, now)).isEqualTo(1);
        now += 1;
        assertThat(open(segment, 100, 1, 10, 9, false)).isNotNegative();
        assertThat(segment.untilFree(101, now)).isEqualTo(1);
        assertThat(segment.evicted()).isZero();
    }

    @Test
    void allSixteenSlotsOfAKeyAreUsed() {
        for (int chosen = 0; chosen < 2 * SLOTS; chosen++) {
            Segment segment = new Segment(0, 2);
            List<Long> digests = new ArrayList<>();
            for (int i = 0; i < 2 * SLOTS; i++) {
                digests.add(random.nextLong());
                boolean first = i == chosen;
                open(segment, digests.get(i), first ? 5 : 50, 100, first ? 20 : 100, false);
            }
            assertThat(segment.open(now)).isEqualTo(2 * SLOTS);
            long fresh = random.nextLong();
            assertThat(segment.untilFree(fresh, now)).isEqualTo(20);
            assertThat(segment.allocate(fresh, now, true, NONE)).isEqualTo(segment.find(digests.get(chosen)));
        }
    }

    // ---- counters that move, tables that grow

    /** Three sets: counters that may use the third set move there, until all slots are in use. */
    @ParameterizedTest
    @CsvSource({"0, 2, 1, 0", "0, 1, 1, 2", "2, 0, 1, 0", "2, 0, 2, 1", "0, 2, 2, 1"})
    void countersMoveUntilEverySlotIsInUse(int oneFirst, int oneSecond, int twoFirst, int twoSecond) {
        Segment segment = new Segment(0, 3);
        for (int i = 0; i < 2 * SLOTS + 1; i++) {
            open(segment, random.nextLong(), 1, 10, 1, false); // grows to three sets
        }
        now += 1;
        List<Long> digests = new ArrayList<>();
        for (int i = 0; i < SLOTS; i++) {
            digests.add(digest(segment, oneFirst, oneSecond));
            digests.add(digest(segment, twoFirst, twoSecond));
        }
        for (int i = 0; i < SLOTS; i++) {
            digests.add(digest(segment, 0, 1));
        }
        for (int i = 0; i < digests.size(); i++) {
            assertThat(open(segment, digests.get(i), i, 100, 100 + i, false))
                    .as("counter %d", i)
                    .isNotNegative();
        }
        assertThat(segment.words()).hasSize(3 * SET);
        for (int i = 0; i < digests.size(); i++) {
            assertThat(word(segment, digests.get(i), Segment.USED)).isEqualTo(i);
            assertThat(word(segment, digests.get(i), Segment.END)).isEqualTo(now + 100 + i);
        }
        assertThat(segment.open(now)).isEqualTo(3 * SLOTS);
        assertThat(open(segment, digest(segment, 0, 1), 1, 10, 9, false)).isNegative();
        assertThat(segment.evicted()).isZero();
    }

    /** Each open window keeps its count and its end while others come, move and end. */
    @Property(tries = 60)
    void noWindowIsLostWhileThereIsRoom(@ForAll long seed, @ForAll @IntRange(min = 1, max = 17) int maximumSets) {
        SplittableRandom traffic = new SplittableRandom(seed);
        Segment segment = new Segment(0, maximumSets);
        Map<Long, long[]> model = new HashMap<>();
        for (int i = 0; i < 60 * maximumSets; i++) {
            long digest = traffic.nextLong();
            long used = traffic.nextLong(1000);
            long length = 1 + traffic.nextLong(40);
            if (open(segment, digest, used, 1000, length, false) >= 0) {
                model.put(digest, new long[] {used, now + length});
            } else {
                assertThat(segment.untilFree(digest, now)).isBetween(1L, 40L);
            }
            now += traffic.nextInt(maximumSets * 2) == 0 ? traffic.nextLong(6) : 0;
            model.values().removeIf(window -> window[1] - now <= 0);
            assertThat(segment.open(now)).isEqualTo(model.size());
        }
        model.forEach((digest, window) -> {
            assertThat(word(segment, digest, Segment.USED)).isEqualTo(window[0]);
            assertThat(word(segment, digest, Segment.END)).isEqualTo(window[1]);
        });
        assertThat(segment.evicted()).isZero();
        assertThat(segment.words().length).isLessThanOrEqualTo(maximumSets * SET);
    }

    @Property(tries = 60)
    void numberOfEvictedWindowsIsExact(@ForAll long seed, @ForAll @IntRange(min = 1, max = 9) int maximumSets) {
        SplittableRandom traffic = new SplittableRandom(seed);
        Segment segment = new Segment(0, maximumSets);
        List<Long> digests = new ArrayList<>();
        for (int i = 0; i < 20 * maximumSets; i++) {
            digests.add(traffic.nextLong());
            open(segment, digests.get(i), traffic.nextLong(1000), 1000, 9, true);
        }
        long kept = digests.stream().filter(digest -> has(segment, digest)).count();
        assertThat(segment.open(now)).isEqualTo(kept);
        assertThat(segment.evicted()).isEqualTo(20L * maximumSets - kept);
    }

    @Test
    void tableGrowsToItsMaximumAndKeepsEveryWindow() {
        for (int maximumSets : List.of(1, 2, 3, 4, 5, 7, 8, 9, 64)) {
            Segment segment = new Segment(0, maximumSets);
            assertThat(segment.words()).hasSize(Math.min(2, maximumSets) * SET);
            List<Long> digests = new ArrayList<>();
            long digest = random.nextLong();
            while (open(segment, digest, digests.size(), 1000, 9, false) >= 0) {
                digests.add(digest);
                digest = random.nextLong();
            }
            assertThat(segment.words()).hasSize(maximumSets * SET);
            for (int i = 0; i < digests.size(); i++) {
                assertThat(word(segment, digests.get(i), Segment.USED)).isEqualTo(i);
            }
            assertThat(digests.size()).isGreaterThan(maximumSets * SLOTS * 3 / 4);
            assertThat(segment.evicted()).isZero();
        }
    }

    @Test
    void tableGrowsOnlyWhenItMust() {
        Segment segment = new Segment(0, 8);
        List<Integer> sets = new ArrayList<>();
        for (int i = 0; i < 48; i++) {
            open(segment, random.nextLong(), 1, 1000, 9, false);
            sets.add(segment.words().length / SET);
        }
        assertThat(sets.stream().distinct()).containsExactly(2, 4, 8);
        assertThat(sets.indexOf(4)).isEqualTo(2 * SLOTS);
        assertThat(sets.indexOf(8)).isGreaterThan(3 * SLOTS);
    }
}
