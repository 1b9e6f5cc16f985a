package io.github.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.github.ratelimit.test.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What each shape promises by itself; what all promise together is in the contract of stores. */
class ShapeTest {

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final int STEPS = 1_000_000;

    private final TestClock clock = new TestClock(Instant.parse("2026-03-28T12:00:00Z"));
    private final InProcessStore store = InProcessStore.create(clock);

    private Decision take(Limit limit, long cost) {
        return store.tryAcquire(List.of(new Charge("shapes", limit, Key.of("ann"), cost)));
    }

    /** Windows and permits that divide by nothing, costs and waits of any size, and moments beside those at which something fits. */
    @ParameterizedTest
    @CsvSource({"7, 1001, 5", "1000, 1, 3000", "1, 86400000, 2", "65537, 997, 11"})
    void bucketIsWithinOnePermitOfRealArithmetic(long permits, long windowMillis, long burst) {
        Limit limit =
                Limit.of("bucket", permits, Duration.ofMillis(windowMillis)).bucket(burst);
        Random random = new Random(permits);
        double nanosForOne = windowMillis * 1e6 / permits;
        double microsecond = 1000 / nanosForOne; // moments are counted in these
        double available = (double) burst;
        long wait = 0;
        for (int step = 0; step < STEPS / 4; step++) {
            long nanos = switch (random.nextInt(4)) {
                case 0 -> 0;
                case 1 -> Math.max(0, wait - random.nextInt(2));
                case 2 -> random.nextInt(1000);
                default -> Math.round(random.nextDouble() * 2 * nanosForOne);
            };
            clock.advance(Duration.ofNanos(nanos));
            available = Math.min((double) burst, available + (double) nanos / nanosForOne);
            long cost = random.nextInt(3) == 0 ? 1 + random.nextInt((int) burst) : 1;

            Decision decision = take(limit, cost);

            LimitStatus status = decision.statuses().get(0);
            available -= decision.allowed() ? (double) cost : 0;
            assertThat((double) status.remaining()).isCloseTo(available, within(1 + microsecond));
            assertThat(decision.allowed() ? available >= -microsecond : available < cost + microsecond)
                    .isTrue();
            wait = decision.allowed() ? 0 : status.retryAfter().orElseThrow().toNanos();
        }
    }

    /** A client that asks twenty times as often as it can get a permit: a log of what it got, each with its moment. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 7, 1000})
    void slidingWindowNeverHasMoreThanItsPermitsAndThreeQuartersOfThemAtLeast(long permits) {
        Duration window = Duration.ofMillis(2999);
        Limit limit = Limit.of("sliding", permits, window).sliding();
        Random random = new Random(permits);
        Deque<Long> log = new ArrayDeque<>();
        long grants = 0;
        long start = clock.nanoTime();
        int asked = 0;
        while (asked++ < STEPS / 4) {
            clock.advance(Duration.ofNanos(random.nextInt((int) (window.toNanos() / (20 * permits)))));
            long now = clock.nanoTime();
            while (!log.isEmpty() && now - log.peekFirst() >= window.toNanos()) {
                log.removeFirst();
            }
            if (take(limit, 1).allowed()) {
                log.addLast(now);
                grants++;
                assertThat(log.size()).isLessThanOrEqualTo((int) permits);
            }
        }
        double windows = (clock.nanoTime() - start) / (double) window.toNanos();
        assertThat(grants / windows / permits).isGreaterThan(0.73);
    }

    @Test
    void daysAndMonthsEndByTheCalendarThroughSummerTime() {
        Limit daily = Limit.daily("daily", 5, BERLIN);
        Limit monthly = Limit.monthly("monthly", 5, BERLIN);
        assertThat(resetAt(daily)).isEqualTo("2026-03-28T23:00:00Z");
        assertThat(resetAt(monthly)).isEqualTo("2026-03-31T22:00:00Z");

        clock.advance(Duration.ofHours(11).minusNanos(1));
        assertThat(take(daily, 5).allowed()).as("the day's last moment").isFalse();
        clock.advance(Duration.ofNanos(1));
        assertThat(take(daily, 5).allowed()).isTrue();
        assertThat(resetAt(daily)).as("a day of 23 hours").isEqualTo("2026-03-29T22:00:00Z");
    }

    private Instant resetAt(Limit limit) {
        return take(limit, 1).statuses().get(0).resetAt();
    }

    @Test
    void furtherRejectionsDoNotProlongABlock() {
        Limit login = Limit.of("login", 3, Duration.ofMinutes(1)).blocking(Duration.ofMinutes(15));
        for (int i = 0; i < 3; i++) {
            assertThat(take(login, 1).allowed()).isTrue();
        }
        assertThat(take(login, 1).retryAfter()).contains(Duration.ofMinutes(15));
        clock.advance(Duration.ofMinutes(14));
        assertThat(take(login, 1).retryAfter()).contains(Duration.ofMinutes(1));
        assertThat(take(login, 0).statuses().get(0).resetAfter()).isEqualTo(Duration.ofMinutes(1));
        clock.advance(Duration.ofMinutes(1));
        assertThat(take(login, 3).allowed()).isTrue();
    }

    /** Of a hundred requests that wait for something and are given back, what has come back by time is not given back once more. */
    @Test
    void refundsOfABucketGiveBackWhatTimeHasNot() {
        Limit limit = Limit.of("bucket", 10, Duration.ofSeconds(1)).bucket(100);
        List<Decision> decisions =
                Stream.generate(() -> take(limit, 1)).limit(100).toList();
        clock.advance(Duration.ofSeconds(1));
        assertThat(take(limit, 10).allowed()).isTrue();
        decisions.forEach(store::refundAsync);
        assertThat(take(limit, 0).statuses().get(0).remaining()).isEqualTo(90);
    }

    /** A third of a second is no whole number of microseconds: rounding costs nobody a microsecond more than once. */
    @Test
    void bucketKeepsThePromiseOfRetryAfterToTheMicrosecond() {
        TestClock clock = new TestClock();
        Limit limit = Limit.of("bucket", 3, Duration.ofSeconds(1)).bucket(1);
        List<Charge> charges = List.of(new Charge("limiter", limit, Key.of("somebody")));
        try (InProcessStore store = InProcessStore.create(clock)) {
            long start = clock.nanoTime();
            assertThat(store.tryAcquire(charges).allowed()).isTrue();
            for (int i = 0; i < 300; i++) {
                Duration wait = store.tryAcquire(charges).retryAfter().orElseThrow();
                clock.advance(wait.minusNanos(1_000));
                assertThat(store.tryAcquire(charges).allowed()).isFalse();
                clock.advance(Duration.ofNanos(1_000));
                assertThat(store.tryAcquire(charges).allowed()).isTrue();
            }
            assertThat(clock.nanoTime() - start).isBetween(100_000_000_000L, 100_000_300_000L);
        }
    }

    @Test
    void settlementTakesTheRestOrGivesItBackOnce() {
        Limit limit = Limit.of("tokens", 1_000, Duration.ofHours(1));
        Limiter<String> limiter = Limiter.of(LimiterSpec.of("model", limit, Key::of), store);
        Supplier<Long> left =
                () -> limiter.tryAcquire("ann", 0).statuses().get(0).remaining();
        Decision first = limiter.tryAcquire("ann", 100);
        limiter.settle(first, 40).join();
        limiter.settle(first, 0).join();
        assertThat(left.get()).isEqualTo(960);

        limiter.settle(limiter.tryAcquire("ann", 100), 1_500).join();
        assertThat(left.get()).isZero();
        assertThat(limiter.tryAcquire("ann", 1).retryAfter()).contains(Duration.ofHours(1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limiter.settle(first, -1))
                .withMessage("the actual cost must be 0 or more, was -1");
    }

    @Test
    void wrongCombinationsAreRejected() {
        Limit minute = Limit.of("api", 100, Duration.ofMinutes(1));
        assertRejected(() -> minute.bucket(0), "burst must be 1 or more, was 0");
        assertRejected(
                () -> minute.bucket(1L << 51), "burst must be 1..37529996894 for a window of 1m, was 2251799813685248");
        assertRejected(
                () -> Limit.of("api", 1, Duration.ofDays(366)).bucket(2),
                "a bucket must be full again after 366 days at most; lower burst, which was 2");
        assertRejected(
                () -> Limit.of("api", 65_536, Duration.ofMinutes(1)).sliding(),
                "a sliding window has 1..65535 permits and 3 ms at least, was 65536 in 1m; a bucket can have more");
        assertRejected(() -> minute.blocking(Duration.ZERO), "block must be whole milliseconds, 1ms to 366d, was 0s");
        assertThat(minute.bucket(20).capacity()).isEqualTo(20);
        assertThat(minute.bucket().capacity()).isEqualTo(100);
        assertThat(minute.bucket(20)).hasToString("100 per 1m (bucket api)");
    }

    private static void assertRejected(Supplier<Limit> making, String problem) {
        assertThatIllegalArgumentException().isThrownBy(making::get).withMessage("limit 'api': " + problem);
    }
}
