package io.github.ratelimit.redis;

import io.github.ratelimit.CalendarWindow;
import io.github.ratelimit.CalendarWindow.Unit;
import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limit.Shape;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.SharedSettings;
import io.github.ratelimit.Store;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.test.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * A store whose servers' time is moved by moving expiries. Tells the ends of windows by the test's calendar, so that a window keeps its
 * end while time passes; and by the server's where a decision is given back.
 *
 * <p>Nobody can move a server's calendar. So the store is asked with other calendars: those that end, by the server's calendar, when the test's
 * end by the test's. A year is the longest of them. A window of 366 days has none.
 */
final class MovedTime implements Store {

    private static final int DAY_SECONDS = 86_400;

    /** Before which leap year no test comes: its windows of 366 days begin 2104. */
    static final Instant START = Instant.parse("2096-11-20T10:00:00.250Z");

    private final TestClock clock;
    private final Store store;
    private final RedisTestBed bed;
    private final Map<List<Object>, Limit> limits = new ConcurrentHashMap<>();

    /** What the test's calendar is ahead of the server's, beside what time is moved. */
    private final Duration ahead;

    private final int movesBefore;

    /**
     * Makes it.
     *
     * @param store whose node has {@link NodeTime}
     */
    MovedTime(Store store, RedisTestBed bed, TestClock clock) {
        this.store = store;
        this.bed = bed;
        this.clock = clock;
        this.ahead = Duration.between(bed.time(), clock.instant())
                .minus(bed.moved())
                .truncatedTo(ChronoUnit.MILLIS); // as windows end
        this.movesBefore = bed.moves().size() - 1;
    }

    /** A node's time: the test's, and the calendar of this machine, which can be wrong. */
    static final class NodeTime implements TimeSource {

        final TestClock clock;
        volatile Duration wrong = Duration.ZERO;

        NodeTime(TestClock clock) {
            this.clock = clock;
        }

        @Override
        public long nanoTime() {
            return clock.nanoTime();
        }

        @Override
        public Instant instant() {
            return TimeSource.system().instant().plus(wrong);
        }

        @Override
        public Future<?> runAfter(long nanos, Runnable task) {
            return clock.runAfter(nanos, task);
        }
    }

    /** Days stay days, so that a node whose calendar is days behind tells ends that are over. */
    private Charge moved(Charge charge) {
        Limit limit = charge.limit();
        CalendarWindow calendar = limit.shape().calendar();
        if (calendar == null) {
            return charge;
        }
        Instant end = calendar.endOf(clock.instant()).minus(ahead).minus(bed.moved());
        Limit moved = limits.computeIfAbsent(List.of(limit, end), unused -> {
            int second = Math.floorMod(end.getEpochSecond(), DAY_SECONDS);
            ZoneOffset zone = ZoneOffset.ofTotalSeconds(second <= DAY_SECONDS / 2 ? -second : DAY_SECONDS - second);
            Unit unit = calendar.unit() == Unit.DAY ? Unit.DAY : Unit.YEAR;
            CalendarWindow there = CalendarWindow.of(unit, zone).from(LocalDate.ofInstant(end, zone));
            Shape shape = Limit.calendar(limit.name(), 1, there).shape();
            return new Limit(limit.name(), limit.permits(), limit.window(), shape);
        });
        return new Charge(charge.limiter(), moved, charge.key(), charge.cost());
    }

    private List<Charge> moved(List<Charge> charges) {
        return charges.stream().map(this::moved).toList();
    }

    @Override
    public CompletableFuture<Decision> tryAcquireAsync(List<Charge> charges) {
        return store.tryAcquireAsync(moved(charges)).thenApply(decision -> {
            Duration by = ahead.plus(bed.moved());
            return told(
                    this,
                    decision,
                    charges,
                    status -> decision.allowed() ? status.resetAt().plus(by) : ofRejection(status));
        });
    }

    @Override
    public Optional<SharedSettings> sharedSettings() {
        return store.sharedSettings();
    }

    /** A rejection may be remembered from before the last moves of time. */
    private Instant ofRejection(LimitStatus status) {
        Instant byReset = clock.instant().plus(status.resetAfter());
        List<Duration> moves = bed.moves();
        return moves.subList(movesBefore, moves.size()).stream()
                .map(moved -> status.resetAt().plus(ahead).plus(moved))
                .min(Comparator.comparing(
                        resetAt -> Duration.between(resetAt, byReset).abs()))
                .orElseThrow();
    }

    @Override
    public CompletableFuture<Void> settleAsync(Decision decision, ToLongFunction<Charge> actual) {
        Duration by = ahead.plus(bed.moved());
        List<Charge> charges = moved(decision.charges());
        return decision.settleOnce(
                this,
                () -> store.settleAsync(
                        told(
                                store,
                                decision,
                                charges,
                                status -> status.resetAt().minus(by)),
                        charge -> actual.applyAsLong(decision.charges().get(charges.indexOf(charge)))));
    }

    @Override
    public CompletableFuture<Boolean> renewAsync(Decision decision) {
        return store.renewAsync(decision);
    }

    @Override
    public CompletableFuture<Void> resetAsync(List<Charge> charges) {
        return store.resetAsync(charges);
    }

    @Override
    public boolean supports(Shape.Kind kind) {
        return store.supports(kind);
    }

    @Override
    public TimeSource time() {
        return clock;
    }

    private static Decision told(
            Store store, Decision decision, List<Charge> charges, Function<LimitStatus, Instant> resetAt) {
        List<LimitStatus> statuses = new ArrayList<>();
        for (int i = 0; i < charges.size(); i++) {
            LimitStatus status = decision.statuses().get(i);
            statuses.add(LimitStatus.of(
                    charges.get(i),
                    status.remaining(),
                    status.resetAfter(),
                    resetAt.apply(status),
                    status.retryAfter()));
        }
        return Decision.of(store, statuses, decision.ticket().orElse(null));
    }

    @Override
    public void close() {
        store.close();
    }
}
