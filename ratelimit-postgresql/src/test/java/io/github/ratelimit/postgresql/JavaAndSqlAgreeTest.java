package io.github.ratelimit.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.test.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Two statements of one definition, the in-process store's and the function's, decide the same traffic step by step. */
class JavaAndSqlAgreeTest {

    private static final int STEPS = Boolean.getBoolean("full") ? 8_000 : 4_000; // the server's clock runs on meanwhile
    private static final int SEEDS = Boolean.getBoolean("full") ? 12 : 1;
    private static final int KEPT = 20;
    private static final int MOST_TOGETHER = 40;
    private static final Duration STEP = Duration.ofSeconds(10);
    private static final Duration LEASE = STEP.multipliedBy(12);
    private static final long FIRST_SEED = Long.getLong("ratelimit.seed", 20_261_128);

    private final Random random = new Random();
    private final TestClock clock = new TestClock();
    private final MovedTime time = new MovedTime(PostgresServer.shared(), "agree");
    private final InProcessStore model = InProcessStore.create(clock);
    private final List<Decision> decisions = new ArrayList<>();
    private final List<Decision> expected = new ArrayList<>();
    private final Map<Decision, Decision> renewed = new LinkedHashMap<>();
    private Duration sinceRenewal = Duration.ZERO;
    private Duration wrong = Duration.ZERO; // the node's calendar
    private int client;
    private int allowed;
    private int rejected;
    private int steps;

    static LongStream seeds() {
        return LongStream.range(FIRST_SEED, FIRST_SEED + SEEDS);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void functionDecidesAsTheInProcessStoreDoes(long seed) {
        random.setSeed(seed);
        time.begin(clock);
        try (PostgresStore store = time.store(clock)
                .rememberRejections(Duration.ZERO) // every answer is the function's
                .lines(1) // requests of two calls have no order
                .time(nodeTime())
                .build()) {
            while (steps < STEPS) {
                if (random.nextInt(4) == 0) {
                    advance(store);
                }
                if (random.nextInt(8) == 0) {
                    changeCounts(store);
                }
                if (random.nextInt(16) == 0) {
                    renew(store, "seed %d, step %d".formatted(seed, steps));
                }
                if (random.nextInt(16) == 0) {
                    setCalendarBack(store, "seed %d, step %d".formatted(seed, steps));
                }
                decideTogether(store, "seed %d, step %d".formatted(seed, steps));
            }
        }
        assertThat(Math.min(allowed, rejected)).isGreaterThan(STEPS / 20);
    }

    /** The test's, and a calendar that can be wrong. */
    private TimeSource nodeTime() {
        return new TimeSource() {
            @Override
            public long nanoTime() {
                return clock.nanoTime();
            }

            @Override
            public Instant instant() {
                return clock.instant().plus(wrong);
            }

            @Override
            public Future<?> runAfter(long nanos, Runnable task) {
                return clock.runAfter(nanos, task);
            }
        };
    }

    /**
     * Some leases begin anew. In process they have no end then, as no holder dies without the counter: so they are ended before time goes on
     * for a lease.
     */
    private void renew(PostgresStore store, String at) {
        for (int i = 0; i < decisions.size(); i++) {
            if (decisions.get(i).ticket().isPresent() && random.nextInt(4) == 0) {
                boolean is = store.renewAsync(decisions.get(i)).join();
                boolean should = model.renewAsync(expected.get(i)).join();
                assertThat(is).as("%s: whether a ticket is there", at).isEqualTo(should);
                if (is) {
                    sinceRenewal = renewed.isEmpty() ? Duration.ZERO : sinceRenewal; // the first one ends first
                    renewed.put(decisions.get(i), expected.get(i));
                }
            }
        }
    }

    private void endRenewed(PostgresStore store) {
        renewed.forEach((is, should) -> {
            store.refundAsync(is).join();
            model.refundAsync(should).join();
        });
        renewed.clear();
    }

    private void advance(PostgresStore store) {
        Duration jump = STEP.multipliedBy(random.nextInt(20) == 0 ? 4000 : 1 + random.nextInt(6));
        sinceRenewal = sinceRenewal.plus(jump);
        if (sinceRenewal.compareTo(LEASE) >= 0) {
            endRenewed(store);
        }
        clock.advance(jump);
        time.advance(jump);
        steps++;
    }

    /** A refund of a decision of any age, now and then of one that was given back before; or a reset. */
    private void changeCounts(PostgresStore store) {
        if (random.nextInt(3) == 0 || decisions.isEmpty()) {
            client = random.nextInt(5);
            List<Charge> charges = charges();
            store.resetAsync(charges).join();
            model.resetAsync(charges).toCompletableFuture().join();
        } else {
            int which = random.nextInt(decisions.size());
            store.refundAsync(decisions.get(which)).join();
            model.refundAsync(expected.get(which)).toCompletableFuture().join();
        }
        steps++;
    }

    /** Requests of one client at one moment: the first travels alone, the others gather behind it and are decided in groups. */
    private void decideTogether(PostgresStore store, String at) {
        List<List<Charge>> asked = new ArrayList<>();
        List<CompletableFuture<Decision>> answers = new ArrayList<>();
        client = random.nextInt(5);
        int requests = 1 + random.nextInt(MOST_TOGETHER);
        for (int i = 0; i < requests; i++) {
            List<Charge> charges = i > 0 && random.nextInt(3) > 0 ? asked.get(i - 1) : charges();
            charges = i > 0 && random.nextInt(3) > 0 ? charges : withCosts(charges);
            asked.add(charges);
            answers.add(store.tryAcquireAsync(charges));
        }
        for (int i = 0; i < requests; i++) {
            Decision should = model.tryAcquire(asked.get(i));
            Decision is = answers.get(i).join();
            assertSame(at + ", request " + i, is, should, renewed.isEmpty());
            keep(is, should);
        }
        steps += requests;
    }

    /** The node's calendar is set back by days: one or both of the ends that it tells are over. One request by itself: it is asked once more. */
    private void setCalendarBack(PostgresStore store, String at) {
        wrong = wrong.minusDays(1 + random.nextInt(3));
        Key address = Key.of("client-" + (1 + random.nextInt(4)));
        List<Charge> daily = List.of(new Charge("api", Limit.daily("day", 600, ZoneOffset.UTC), address));
        if (random.nextBoolean()) {
            store.resetAsync(daily).join();
            model.resetAsync(daily).join();
        }
        Decision should = model.tryAcquire(daily);
        Decision is = store.tryAcquire(daily);
        assertSame(at, is, should, true);
        keep(is, should);
        steps++;
    }

    private void keep(Decision is, Decision should) {
        if (is.allowed()) {
            allowed++;
        } else {
            rejected++;
        }
        if (decisions.size() < KEPT) {
            decisions.add(is);
            expected.add(should);
        } else {
            int which = random.nextInt(KEPT);
            decisions.set(which, is);
            expected.set(which, should);
        }
    }

    /** One limiter or several, of every shape; now and then with other permits than usual, as while a limit is being changed. */
    private List<Charge> charges() {
        Key address = Key.of("client-" + client);
        long permits = random.nextInt(10) == 0 ? 1 + random.nextInt(60) : 30;
        List<Charge> charges = new ArrayList<>();
        if (client == 0) {
            charges.add(new Charge("api", Limit.of("alone", permits, STEP.multipliedBy(3)), address));
        } else {
            charges.add(new Charge("api", Limit.of("burst", permits, STEP.multipliedBy(2)), address));
            charges.add(new Charge("api", Limit.daily("day", 20 * permits, ZoneOffset.UTC), address));
            if (random.nextBoolean()) {
                charges.add(new Charge("api", Limit.concurrent("jobs", 2 * permits, LEASE), address));
            }
        }
        if (random.nextInt(3) > 0) {
            Key token = Key.of("token-" + random.nextInt(3));
            charges.add(new Charge(
                    "token", Limit.of("bucket", 30, STEP.multipliedBy(30)).bucket(2 * permits), token));
            charges.add(new Charge(
                    "write", Limit.of("sliding", permits, STEP.multipliedBy(6)).sliding(), token));
        }
        if (random.nextInt(3) == 0) {
            Limit blocking = Limit.of("all", 4 * permits, STEP.multipliedBy(5)).blocking(STEP.multipliedBy(2));
            charges.add(new Charge("all", blocking, Key.absent()));
        }
        return charges;
    }

    /** Mostly one cost for all charges of a request. */
    private List<Charge> withCosts(List<Charge> charges) {
        long cost = cost();
        return charges.stream()
                .map(charge -> charge.withCost(random.nextInt(6) == 0 ? cost() : cost))
                .toList();
    }

    private long cost() {
        return switch (random.nextInt(8)) {
            case 0 -> 0;
            case 1, 2 -> 2 + random.nextInt(20);
            case 3 -> random.nextInt(4) == 0 ? Long.MAX_VALUE : 61 + random.nextInt(200);
            default -> 1;
        };
    }

    /** @param leases whether all permits of concurrency limits come back by time in both */
    private static void assertSame(String at, Decision actual, Decision expected, boolean leases) {
        if (actual.allowed() != expected.allowed()) { // without a description for each of a hundred thousand steps
            throw new AssertionError("%s: %s, expected %s".formatted(at, actual, expected));
        }
        for (int i = 0; i < expected.statuses().size(); i++) {
            LimitStatus is = actual.statuses().get(i);
            LimitStatus should = expected.statuses().get(i);
            if (!is.limiter().equals(should.limiter())
                    || !is.limit().equals(should.limit())
                    || is.remaining() != should.remaining()
                    || (!isClose(is.resetAfter(), should.resetAfter())
                            && (leases || !is.limit().shape().isConcurrent()))
                    || is.retryAfter().isPresent() != should.retryAfter().isPresent()
                    || !isClose(
                            is.retryAfter().orElse(STEP), should.retryAfter().orElse(STEP))) {
                throw new AssertionError("%s: %s, expected %s".formatted(at, is, should));
            }
        }
    }

    /** The server's own clock goes on by a millisecond at each reset while the test's stands still. */
    private static boolean isClose(Duration is, Duration should) {
        return is.compareTo(should) <= 0 && is.plusMillis(900).compareTo(should) > 0 && is.isZero() == should.isZero();
    }
}
