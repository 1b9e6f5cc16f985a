package io.github.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.contract.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Two statements of one definition, the in-process store's and the script's, decide the same traffic step by step. */
class JavaAndLuaAgreeTest {

    private static final int STEPS = 100_000;
    private static final Duration STEP = Duration.ofSeconds(10);
    private static final long SEED = Long.getLong("ratelimit.seed", 20_261_120);

    @Test
    void scriptDecidesAsTheInProcessStoreDoes() {
        Random random = new Random(SEED);
        TestClock clock = new TestClock();
        try (RedisProcess process = RedisProcess.start();
                RedisTestBed bed = RedisTestBed.of(process);
                InProcessStore model = InProcessStore.create(clock);
                RedisStore store = RedisStore.builder()
                        .uri(process.uri())
                        .timeout(Duration.ofSeconds(30))
                        .maximumKnownCounters(0) // every answer is the script's
                        .time(clock)
                        .build()) {
            Traffic traffic = new Traffic(random);
            int steps = 0;
            while (steps < STEPS) {
                String at = "seed %d, step %d".formatted(SEED, steps);
                if (random.nextInt(4) == 0) {
                    Duration jump = STEP.multipliedBy(random.nextInt(20) == 0 ? 400 : 1 + random.nextInt(6));
                    clock.advance(jump);
                    bed.advance(jump);
                    steps++;
                }
                if (random.nextInt(8) == 0) {
                    List<Charge> charges = traffic.charges();
                    long cost = random.nextInt(6);
                    if (random.nextInt(3) == 0) {
                        store.resetAsync("agree", charges).toCompletableFuture().join();
                        model.resetAsync("agree", charges).toCompletableFuture().join();
                    } else {
                        store.refundAsync("agree", charges, cost)
                                .toCompletableFuture()
                                .join();
                        model.refundAsync("agree", charges, cost)
                                .toCompletableFuture()
                                .join();
                    }
                    steps++;
                }
                steps += together(at, traffic, store, model);
            }
            assertThat(bed.keysWithoutExpiry()).isZero();
        }
    }

    /** Requests of one client at one moment: the first travels alone, the others gather behind it and are decided in runs. */
    private static int together(String at, Traffic traffic, RedisStore store, InProcessStore model) {
        List<List<Charge>> asked = new ArrayList<>();
        List<Long> costs = new ArrayList<>();
        List<CompletableFuture<Decision>> answers = new ArrayList<>();
        traffic.nextClient();
        int requests = 1 + traffic.random.nextInt(40);
        for (int i = 0; i < requests; i++) {
            List<Charge> charges = i > 0 && traffic.random.nextInt(3) > 0 ? asked.get(i - 1) : traffic.charges();
            long cost = i > 0 && traffic.random.nextInt(3) > 0 ? costs.get(i - 1) : traffic.cost();
            asked.add(charges);
            costs.add(cost);
            answers.add(store.tryAcquireAsync("agree", charges, cost).toCompletableFuture());
        }
        for (int i = 0; i < requests; i++) {
            Decision expected = model.tryAcquire("agree", asked.get(i), costs.get(i));
            assertSame(at + ", request " + i, answers.get(i).join(), expected);
        }
        return requests;
    }

    private static void assertSame(String at, Decision actual, Decision expected) {
        if (actual.allowed() != expected.allowed()) { // without a description for each of a hundred thousand steps
            throw new AssertionError("%s: %s, expected %s".formatted(at, actual, expected));
        }
        for (int i = 0; i < expected.statuses().size(); i++) {
            LimitStatus is = actual.statuses().get(i);
            LimitStatus should = expected.statuses().get(i);
            if (is.remaining() != should.remaining()
                    || !isClose(is.resetAfter(), should.resetAfter())
                    || is.retryAfter().isPresent() != should.retryAfter().isPresent()
                    || !isClose(
                            is.retryAfter().orElse(STEP), should.retryAfter().orElse(STEP))) {
                throw new AssertionError("%s: %s, expected %s".formatted(at, is, should));
            }
        }
    }

    /** Redis' own clock goes on while the test's stands still. */
    private static boolean isClose(Duration is, Duration should) {
        return is.compareTo(should) <= 0 && is.plus(STEP).compareTo(should) > 0 && is.isZero() == should.isZero();
    }

    /** What clients ask. */
    private static final class Traffic {

        private final Random random;
        private int client;

        Traffic(Random random) {
            this.random = random;
        }

        void nextClient() {
            client = random.nextInt(5);
        }

        /** One rule or two; now and then with other permits than usual, as while a limit is being changed. */
        List<Charge> charges() {
            Key address = Key.of("client-" + client);
            long permits = random.nextInt(10) == 0 ? 1 + random.nextInt(60) : 30;
            if (client == 0) {
                return List.of(new Charge(Limit.of("alone", permits, STEP.multipliedBy(3)), address));
            }
            Key agent = random.nextBoolean() ? Key.of("agent") : Key.absent();
            return List.of(
                    new Charge(Limit.of("burst", permits, STEP.multipliedBy(2)), address.and(agent)),
                    new Charge(Limit.of("long", 3 * permits, STEP.multipliedBy(30)), address));
        }

        long cost() {
            return switch (random.nextInt(8)) {
                case 0 -> 0;
                case 1, 2 -> 2 + random.nextInt(20);
                case 3 -> random.nextInt(4) == 0 ? Long.MAX_VALUE : 61 + random.nextInt(200);
                default -> 1;
            };
        }
    }
}
