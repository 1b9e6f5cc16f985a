package io.github.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.test.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One segment by one thread, with digests that are chosen: which counter goes, which moves, and that none is lost on the way. */
class CounterSegmentTest {

    private static final long SECOND = 1_000_000_000;
    private static final int SLOTS = 8;

    private final TestClock clock = new TestClock();
    private final LongAdder forgotten = new LongAdder();

    private CounterSegment segment(int maximumSets, boolean forgets) {
        return new CounterSegment(0, maximumSets, forgets, forgotten);
    }

    /** What a key is to a segment. */
    private record Counter(long digest, long other, long permits) {

        /** One that may stand in these two of so many sets. */
        static Counter in(int number, int first, int second, int sets) {
            int step = Math.floorMod(second - first, sets);
            long low = ((long) first << 32) / sets + 1000 + number;
            long high = sets == 1 ? number : ((long) (step - 1) << 32) / (sets - 1) + 1000 + number;
            return new Counter(high << 32 | low, (long) number << 16, 100);
        }
    }

    private long claim(CounterSegment segment, Counter counter) {
        return segment.claim(counter.digest, counter.other, counter.permits, clock);
    }

    private static int find(CounterSegment segment, Counter counter) {
        return CounterSegment.find(segment.table(), counter.digest, counter.other);
    }

    private static void open(CounterSegment segment, Counter counter, long used, long end) {
        long[] table = segment.table();
        int at = find(segment, counter);
        long state = CounterSegment.lock(table, at);
        assertThat(CounterSegment.holds(table, at, counter.digest, counter.other))
                .isTrue();
        CounterSegment.unlock(table, at, CounterSegment.open(table, at, state, end, used));
    }

    private long wait(CounterSegment segment, Counter counter, long used, Duration window) {
        long wait = claim(segment, counter);
        if (wait == 0) {
            open(segment, counter, used, clock.nanoTime() + window.toNanos());
        }
        return wait;
    }

    private static long used(CounterSegment segment, Counter counter) {
        long[] table = segment.table();
        int at = find(segment, counter);
        if (at < 0) {
            return -1;
        }
        long state = CounterSegment.lock(table, at);
        CounterSegment.unlock(table, at, state);
        return CounterSegment.used(state);
    }

    private static long end(CounterSegment segment, Counter counter) {
        return CounterSegment.end(segment.table(), find(segment, counter));
    }

    @Test
    void keyIsFoundByAllOfItsDigestThatIsKept() {
        CounterSegment segment = segment(1, true);
        Counter key = new Counter(0x0123_4567_89ab_cdefL, 0xfedc_ba98_7654_3210L, 100);
        assertThat(find(segment, key)).isNegative();
        assertThat(claim(segment, key)).isZero();
        int at = find(segment, key);
        assertThat(at).isNotNegative();
        assertThat(claim(segment, key)).as("it has a slot").isZero();
        assertThat(segment.open(clock.nanoTime())).isEqualTo(1);
        for (int bit = 0; bit < 64; bit++) {
            Counter near = new Counter(key.digest ^ 1L << bit, key.other, 100);
            assertThat(find(segment, near)).as("digest, bit %d", bit).isNegative();
            assertThat(CounterSegment.holds(segment.table(), at, near.digest, near.other))
                    .isFalse();
            Counter beside = new Counter(key.digest, key.other ^ 1L << bit, 100);
            assertThat(find(segment, beside) >= 0).as("other, bit %d", bit).isEqualTo(bit < 16);
            assertThat(CounterSegment.holds(segment.table(), at, beside.digest, beside.other))
                    .isEqualTo(bit < 16);
        }
    }

    @Test
    void stateKeepsItsCountAndItsNameApart() {
        long[] table = segment(1, true).table();
        long state = CounterSegment.open(table, 0, 0, 7, 5);
        long first = CounterSegment.window(state, 7);
        state = CounterSegment.withUsed(state, Limit.MAX_PERMITS);
        assertThat(CounterSegment.used(state)).isEqualTo(Limit.MAX_PERMITS);
        assertThat(CounterSegment.window(state, 7)).as("whatever is used").isEqualTo(first);
        assertThat(CounterSegment.withUsed(state, 5)).isEqualTo(CounterSegment.open(table, 0, 0, 7, 5));
        assertThat(CounterSegment.window(state, 8)).as("another end").isNotEqualTo(first);
        for (int i = 1; i < 512; i++) {
            state = CounterSegment.open(table, 0, state, 7, 0);
            assertThat(state).as("neither locked nor reserved").isNotNegative();
            assertThat(CounterSegment.isReserved(state)).isFalse();
            assertThat(CounterSegment.used(state)).isZero();
            assertThat(CounterSegment.window(state, 7))
                    .as("window %d of one end", i)
                    .isNotEqualTo(first);
        }
        assertThat(CounterSegment.end(table, 0)).isEqualTo(7);
    }

    // ---- who makes room

    @Test
    void smallestShareGoesThenTheNearestEnd() {
        CounterSegment segment = segment(1, true);
        List<Counter> keys = new ArrayList<>();
        for (int i = 0; i < SLOTS; i++) {
            Counter key = new Counter(i + 1, (long) i << 16, 10 << i);
            keys.add(key);
            // All have used a half of their limit but two that have used a little less; the later of these ends first.
            long used = (5L << i) - (i == 3 || i == 6 ? 1 << i : 0);
            assertThat(wait(segment, key, used, Duration.ofSeconds(100 - i))).isZero();
        }
        List<Integer> order = List.of(6, 3, 7, 5, 4, 2, 1, 0);
        for (int gone = 0; gone < SLOTS; gone++) {
            assertThat(forgotten.sum()).isEqualTo(gone);
            assertThat(wait(segment, new Counter(100 + gone, 0, 10), 9, Duration.ofSeconds(1)))
                    .isZero();
            for (int i = 0; i < SLOTS; i++) {
                assertThat(find(segment, keys.get(i)) >= 0)
                        .as("key %d after %d", i, gone + 1)
                        .isEqualTo(order.indexOf(i) > gone);
            }
        }
        assertThat(segment.open(clock.nanoTime())).isEqualTo(SLOTS);
    }

    /** Permits are kept roughly: a share is told to two thousandths. */
    @Property(tries = 300)
    void shareOfALimitOfAnySizeIsRightToTwoThousandths(
            @ForAll @LongRange(min = 1000, max = Limit.MAX_PERMITS) long permits, @ForAll @IntRange(max = 7) int at) {
        for (boolean less : List.of(true, false)) {
            CounterSegment segment = segment(1, true);
            long used = permits / 2 + (less ? -1 : 1) * Math.max(3, permits / 333);
            List<Counter> keys = new ArrayList<>();
            for (int i = 0; i < SLOTS; i++) {
                Counter key = new Counter(i + 1, 0, i == at ? permits : 1000);
                keys.add(key);
                wait(segment, key, i == at ? used : 500, Duration.ofSeconds(10));
            }
            wait(segment, new Counter(100, 0, 1), 1, Duration.ofSeconds(10));
            assertThat(find(segment, keys.get(at)) < 0)
                    .as("%d of %d beside 500 of 1000", used, permits)
                    .isEqualTo(less);
        }
    }

    @Test
    void permitsAreThoseOfTheLastDecision() {
        CounterSegment segment = segment(1, true);
        List<Counter> keys = new ArrayList<>();
        for (int i = 0; i < SLOTS; i++) {
            keys.add(new Counter(i + 1, 0xffff_ffff_ffff_0000L, 10));
            wait(segment, keys.get(i), 5, Duration.ofSeconds(10));
        }
        CounterSegment.permits(segment.table(), find(segment, keys.get(4)), 11);
        assertThat(CounterSegment.holds(segment.table(), find(segment, keys.get(4)), 5, 0xffff_ffff_ffff_0000L))
                .isTrue();
        wait(segment, new Counter(100, 0, 1), 1, Duration.ofSeconds(10));
        assertThat(find(segment, keys.get(4))).isNegative();
        assertThat(forgotten.sum()).isEqualTo(1);
    }

    @Test
    void slotThatIsKeptForAKeyIsTheLastToGoAndForASecondAlone() {
        CounterSegment segment = segment(1, true);
        List<Counter> reserved = new ArrayList<>();
        for (int i = 0; i < SLOTS - 1; i++) {
            reserved.add(new Counter(i + 1, 0, 10));
            assertThat(claim(segment, reserved.get(i))).isZero();
            assertThat(end(segment, reserved.get(i))).isEqualTo(clock.nanoTime() + SECOND);
        }
        for (int i = 0; i < 5; i++) { // used up, and lasts longer: it goes all the same
            assertThat(wait(segment, new Counter(100 + i, 0, 10), 10, Duration.ofDays(1)))
                    .isZero();
        }
        assertThat(reserved).allMatch(key -> find(segment, key) >= 0);
        assertThat(forgotten.sum()).isEqualTo(4);
        clock.advance(Duration.ofNanos(SECOND - 1));
        assertThat(segment.open(clock.nanoTime())).isEqualTo(SLOTS);
        clock.advance(Duration.ofNanos(1));
        assertThat(segment.open(clock.nanoTime())).isEqualTo(1);
        for (int i = 0; i < SLOTS - 1; i++) {
            assertThat(wait(segment, new Counter(200 + i, 0, 10), 1, Duration.ofDays(1)))
                    .isZero();
        }
        assertThat(forgotten.sum()).as("nothing had to go").isEqualTo(4);
        assertThat(used(segment, new Counter(104, 0, 10))).isEqualTo(10);
    }

    @Test
    void fullSetThatForgetsNothingTellsWhenItsNextWindowEnds() {
        CounterSegment segment = segment(1, false);
        for (int i = 0; i < SLOTS; i++) {
            assertThat(wait(segment, new Counter(i + 1, 0, 10), 1, Duration.ofSeconds(20 + (i + 3) % SLOTS)))
                    .isZero();
        }
        Counter fresh = new Counter(100, 0, 10);
        assertThat(claim(segment, fresh)).isEqualTo(20 * SECOND);
        clock.advance(Duration.ofSeconds(20).minusNanos(1));
        assertThat(claim(segment, fresh)).isEqualTo(1);
        assertThat(find(segment, fresh)).isNegative();
        clock.advance(Duration.ofNanos(1));
        assertThat(claim(segment, fresh)).isZero();
        assertThat(find(segment, fresh)).isNotNegative();
        assertThat(claim(segment, new Counter(101, 0, 10))).isEqualTo(SECOND);
        assertThat(forgotten.sum()).isZero();
    }

    /** Of all sixteen places that a key may have, wherever in them the one stands that goes, or ends, first. */
    @Test
    void everyPlaceOfAKeyIsLookedAt() {
        for (int chosen = 0; chosen < 2 * SLOTS; chosen++) {
            for (boolean forgets : List.of(true, false)) {
                CounterSegment segment = segment(2, forgets);
                List<Counter> keys = new ArrayList<>();
                for (int i = 0; i < 2 * SLOTS; i++) {
                    keys.add(Counter.in(i, 0, 1, 2));
                    boolean first = i == chosen;
                    wait(segment, keys.get(i), first ? 5 : 50, Duration.ofSeconds(first ? 20 : 100));
                }
                assertThat(segment.open(clock.nanoTime())).isEqualTo(2 * SLOTS);
                for (int set = 0; set < 2; set++) {
                    Counter fresh = Counter.in(100 + set, set, 1 - set, 2);
                    if (forgets) {
                        assertThat(claim(segment, fresh)).isZero();
                        assertThat(find(segment, keys.get(chosen))).isNegative();
                        break;
                    }
                    assertThat(claim(segment, fresh)).isEqualTo(20 * SECOND);
                }
            }
        }
        assertThat(forgotten.sum()).isEqualTo(2 * SLOTS);
    }

    @Test
    void nearestEndIsNearWhateverTheClockShows() {
        long start = (1L << 62) - 5 * SECOND;
        TimeSource time = new TimeSource() {
            @Override
            public long nanoTime() {
                return start;
            }

            @Override
            public Instant instant() {
                return Instant.EPOCH;
            }
        };
        CounterSegment segment = segment(1, true);
        for (int i = 0; i < SLOTS; i++) {
            Counter key = new Counter(i + 1, 0, 10);
            assertThat(segment.claim(key.digest, key.other, 10, time)).isZero();
            open(segment, key, 5, start + (20 - 2 * i) * SECOND);
        }
        assertThat(segment.claim(100, 0, 10, time)).isZero();
        assertThat(find(segment, new Counter(SLOTS, 0, 10))).isNegative();
    }

    // ---- counters that move

    /** Three sets: whoever may stand in the third goes there, until all twenty-four slots are in use. */
    @ParameterizedTest
    @CsvSource({"0, 2, 1, 0", "0, 1, 1, 2", "2, 0, 1, 0", "2, 0, 2, 1", "0, 2, 2, 1"})
    void countersMoveUntilEverySlotIsInUse(int oneFirst, int oneSecond, int twoFirst, int twoSecond) {
        CounterSegment segment = segment(3, false);
        List<Counter> keys = new ArrayList<>();
        for (int i = 0; i < SLOTS; i++) {
            keys.add(Counter.in(2 * i, oneFirst, oneSecond, 3));
            keys.add(Counter.in(2 * i + 1, twoFirst, twoSecond, 3));
        }
        for (int i = 0; i < SLOTS; i++) {
            keys.add(Counter.in(100 + i, 0, 1, 3));
        }
        for (int i = 0; i < keys.size(); i++) {
            assertThat(wait(segment, keys.get(i), i, Duration.ofSeconds(100 + i)))
                    .as("key %d", i)
                    .isZero();
        }
        assertThat(segment.table()).hasSize(3 * SLOTS * CounterSegment.WORDS);
        long now = clock.nanoTime();
        for (int i = 0; i < keys.size(); i++) {
            assertThat(used(segment, keys.get(i))).as("key %d", i).isEqualTo(i);
            assertThat(end(segment, keys.get(i))).isEqualTo(now + (100 + i) * SECOND);
        }
        assertThat(keys.stream().map(key -> find(segment, key))).doesNotHaveDuplicates();
        assertThat(segment.moves() % 2).isZero();
        assertThat(segment.open(now)).isEqualTo(3 * SLOTS);
        assertThat(claim(segment, Counter.in(200, 0, 1, 3))).isBetween(100 * SECOND, 123 * SECOND);
        assertThat(forgotten.sum()).isZero();
    }

    /** Whatever comes, moves and ends: each open window is where its key finds it, with what it had; and no key is there twice. */
    @Property(tries = 60)
    void noWindowIsLostWhileThereIsRoom(@ForAll long seed, @ForAll @IntRange(min = 1, max = 17) int maximumSets) {
        SplittableRandom random = new SplittableRandom(seed);
        CounterSegment segment = segment(maximumSets, false);
        Map<Counter, long[]> model = new HashMap<>();
        int refused = 0;
        for (int i = 0; i < 60 * maximumSets; i++) {
            Counter key = new Counter(random.nextLong(), random.nextLong(), 1 + random.nextLong(1000));
            long used = random.nextLong(1000);
            long window = 1 + random.nextLong(40);
            long wait = wait(segment, key, used, Duration.ofNanos(window));
            if (wait == 0) {
                model.put(key, new long[] {used, clock.nanoTime() + window});
            } else {
                refused++;
                assertThat(wait).isBetween(1L, 40L);
            }
            if (random.nextInt(maximumSets * 2) == 0) {
                clock.advance(Duration.ofNanos(random.nextLong(6)));
            }
            long now = clock.nanoTime();
            model.values().removeIf(open -> open[1] - now <= 0);
            assertThat(segment.open(now)).isEqualTo(model.size());
        }
        model.forEach((key, window) -> {
            assertThat(used(segment, key)).isEqualTo(window[0]);
            assertThat(end(segment, key)).isEqualTo(window[1]);
        });
        assertThat(forgotten.sum()).isZero();
        assertThat(segment.table().length).isLessThanOrEqualTo(maximumSets * SLOTS * CounterSegment.WORDS);
        assertThat(refused).isLessThan(60 * maximumSets);
    }

    @Property(tries = 60)
    void figureOfForgottenWindowsIsExact(@ForAll long seed, @ForAll @IntRange(min = 1, max = 9) int maximumSets) {
        forgotten.reset();
        SplittableRandom random = new SplittableRandom(seed);
        CounterSegment segment = segment(maximumSets, true);
        List<Counter> counted = new ArrayList<>();
        for (int i = 0; i < 20 * maximumSets; i++) {
            Counter key = new Counter(random.nextLong(), random.nextLong(), 1000);
            assertThat(wait(segment, key, random.nextLong(1000), Duration.ofSeconds(9)))
                    .isZero();
            counted.add(key);
        }
        long kept = counted.stream().filter(key -> find(segment, key) >= 0).count();
        assertThat(segment.open(clock.nanoTime())).isEqualTo(kept);
        assertThat(forgotten.sum()).isEqualTo(20L * maximumSets - kept);
    }

    @Test
    void tableGrowsToItsBoundAndKeepsEveryWindow() {
        for (int maximumSets : List.of(1, 2, 3, 4, 5, 7, 8, 9, 64)) {
            CounterSegment segment = segment(maximumSets, false);
            assertThat(segment.table()).hasSize(Math.min(2, maximumSets) * SLOTS * CounterSegment.WORDS);
            SplittableRandom random = new SplittableRandom(maximumSets);
            List<Counter> keys = new ArrayList<>();
            int refused = 0;
            while (refused == 0) {
                Counter key = new Counter(random.nextLong(), random.nextLong(), 1000);
                refused = wait(segment, key, keys.size(), Duration.ofSeconds(9)) == 0 ? 0 : 1;
                keys.add(key);
            }
            assertThat(segment.table()).hasSize(maximumSets * SLOTS * CounterSegment.WORDS);
            for (int i = 0; i < keys.size() - 1; i++) {
                assertThat(used(segment, keys.get(i))).isEqualTo(i);
            }
            assertThat(keys.size() - 1).isGreaterThan(maximumSets * SLOTS * 3 / 4);
        }
        assertThat(forgotten.sum()).isZero();
    }

    @Test
    void tableGrowsNoSoonerThanItHasTo() {
        CounterSegment segment = segment(8, false);
        List<Integer> sets = new ArrayList<>();
        SplittableRandom random = new SplittableRandom(8);
        for (int i = 0; i < 48; i++) {
            wait(segment, new Counter(random.nextLong(), random.nextLong(), 1000), 1, Duration.ofSeconds(9));
            sets.add(segment.table().length / SLOTS / CounterSegment.WORDS);
        }
        assertThat(sets.stream().distinct()).containsExactly(2, 4, 8);
        assertThat(sets.indexOf(4)).isEqualTo(2 * SLOTS);
        assertThat(sets.indexOf(8)).isGreaterThan(3 * SLOTS);
    }

    @Test
    void slotsOfATableThatWasReplacedSaySo() throws Exception {
        CounterSegment segment = segment(4, false);
        long[] before = segment.table();
        Counter first = Counter.in(0, 0, 1, 2);
        wait(segment, first, 7, Duration.ofSeconds(9));
        int at = find(segment, first);
        for (int i = 1; segment.table() == before; i++) {
            wait(segment, new Counter(((long) i << 40) * 31 + ((long) i << 27), i, 10), 1, Duration.ofSeconds(9));
        }
        assertThat(CounterSegment.lock(before, at)).isEqualTo(CounterSegment.MOVED);
        assertThat(CounterSegment.lock(before, before.length - CounterSegment.WORDS))
                .isEqualTo(CounterSegment.MOVED);
        assertThat(used(segment, first)).isEqualTo(7);
        segment.awaitGrowth();
        assertThat(CompletableFuture.supplyAsync(() -> claim(segment, new Counter(99, 0, 10)))
                        .get(20, TimeUnit.SECONDS))
                .as("nobody is kept waiting")
                .isZero();
    }
}
