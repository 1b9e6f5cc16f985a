package io.github.ratelimit.redis;

import static io.lettuce.core.protocol.CommandType.PEXPIRETIME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.Store;
import io.github.ratelimit.redis.MovedTime.NodeTime;
import io.github.ratelimit.test.TestClock;
import io.lettuce.core.AclSetuserArgs;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Two statements of one definition, the in-process store's and the script's, decide the same traffic step by step. */
class JavaAndLuaAgreeTest {

    private static final int STEPS = Boolean.getBoolean("full") ? 100_000 : 4_000;
    private static final int STEPS_ON_A_CLUSTER = Boolean.getBoolean("full") ? 3_000 : 600;
    private static final int STEPS_ON_EACH_SERVER = Boolean.getBoolean("full") ? 20_000 : 800;
    private static final Duration STEP = Duration.ofSeconds(10);
    private static final long SEED = Long.getLong("ratelimit.seed", 20_261_120);

    @Test
    void scriptDecidesAsTheInProcessStoreDoes() {
        NodeTime time = new NodeTime(new TestClock());
        try (RedisProcess process = RedisProcess.start();
                RedisTestBed bed = RedisTestBed.of(process);
                RedisStore store = RedisStore.builder()
                        .uri(process.uri())
                        .timeout(Duration.ofSeconds(30))
                        .rememberRejections(Duration.ZERO) // every answer is the script's
                        .time(time)
                        .build()) {
            new Traffic(time, bed, store, 40).run(STEPS);
        }
    }

    @ParameterizedTest
    @MethodSource("io.github.ratelimit.redis.ServersTest#serversAndForms")
    void everyServerDecidesAsTheInProcessStoreDoes(RedisProcess.Version version, ServersTest.Form form) {
        NodeTime time = new NodeTime(new TestClock());
        try (RedisProcess process = RedisProcess.start(version);
                RedisTestBed bed = RedisTestBed.of(process);
                RedisStore store = RedisStore.builder()
                        .uri(
                                form == ServersTest.Form.PEXPIRETIME
                                        ? process.uri()
                                        : userWithoutPexpiretime(bed, process, version))
                        .timeout(Duration.ofSeconds(30))
                        .rememberRejections(Duration.ZERO)
                        .time(time)
                        .build()) {
            new Traffic(time, bed, store, 40).run(STEPS_ON_EACH_SERVER);
            assertThat(bed.commandCounts().getOrDefault("incrby", 0L)).isPositive();
        }
    }

    private static String userWithoutPexpiretime(RedisTestBed bed, RedisProcess process, RedisProcess.Version version) {
        AclSetuserArgs rights =
                AclSetuserArgs.Builder.on().addPassword("secret").allKeys().allCommands();
        bed.server().aclSetuser("user", version.knowsPexpiretime() ? rights.removeCommand(PEXPIRETIME) : rights);
        return "redis://user:secret@127.0.0.1:" + process.port();
    }

    /** One after the other: requests on several slots that come together are not decided in the order of their arrival. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void clusterDecidesAboutSeveralSlotsAsTheInProcessStoreDoes(boolean remembers) {
        NodeTime time = new NodeTime(new TestClock());
        try (RedisClusterProcesses processes = RedisClusterProcesses.start();
                RedisTestBed bed = new RedisTestBed(processes.nodeUris());
                RedisStore store = RedisStore.builder()
                        .uri(processes.uri())
                        .timeout(Duration.ofSeconds(30))
                        .rememberRejections(remembers ? Duration.ofSeconds(1) : Duration.ZERO)
                        .time(time)
                        .build()) {
            new Traffic(time, bed, store, 1).run(STEPS_ON_A_CLUSTER);
            assertThat(bed.servers())
                    .allMatch(server -> server.info("commandstats").contains("cmdstat_evalsha:"));
            assertThat(store.statistics().localRejections() > 0).isEqualTo(remembers);
        }
    }

    /** What clients ask of both stores, and what they give back. */
    private static final class Traffic {

        private static final int KEPT = 20;
        private static final Duration LEASE = STEP.multipliedBy(12);

        private final Random random = new Random(SEED);
        private final NodeTime time;
        private final TestClock clock;
        private final RedisTestBed bed;
        private final Store store;
        private final InProcessStore model;
        private final int mostTogether;
        private final List<Decision> decisions = new ArrayList<>();
        private final List<Decision> expected = new ArrayList<>();
        private final Map<Decision, Decision> renewed = new LinkedHashMap<>();
        private Duration sinceRenewal = Duration.ZERO;
        private Instant timeBefore;
        private int client;
        private int allowed;
        private int rejected;
        private int steps;

        /**
         * Makes it.
         *
         * @param mostTogether how many these are at most
         */
        Traffic(NodeTime time, RedisTestBed bed, Store store, int mostTogether) {
            this.time = time;
            this.clock = time.clock;
            this.bed = bed;
            this.store = new MovedTime(store, bed, clock);
            this.model = InProcessStore.create(clock);
            this.mostTogether = mostTogether;
            this.timeBefore = bed.time();
        }

        void run(int until) {
            while (steps < until) {
                if (random.nextInt(4) == 0) {
                    advance();
                }
                if (random.nextInt(8) == 0) {
                    changeCounts();
                }
                if (random.nextInt(16) == 0) {
                    renew("seed %d, step %d".formatted(SEED, steps));
                }
                if (random.nextInt(16) == 0) {
                    setCalendarBack("seed %d, step %d".formatted(SEED, steps));
                }
                decideTogether("seed %d, step %d".formatted(SEED, steps));
            }
            assertThat(bed.keysWithoutExpiry()).isZero();
            assertThat(Math.min(allowed, rejected)).isGreaterThan(until / 20);
        }

        /**
         * Some leases begin anew. In process they have no end then, as no holder dies without the counter: so they are ended before time
         * goes on for a lease.
         */
        private void renew(String at) {
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

        private void endRenewed() {
            renewed.forEach((is, should) -> {
                store.refundAsync(is).join();
                model.refundAsync(should).join();
            });
            renewed.clear();
        }

        private void advance() {
            boolean isLong = random.nextInt(20) == 0;
            Duration jump = STEP.multipliedBy(isLong ? 400 : 1 + random.nextInt(6));
            sinceRenewal = sinceRenewal.plus(jump);
            if (sinceRenewal.compareTo(LEASE) >= 0) {
                endRenewed();
            }
            clock.advance(jump);
            bed.advance(isLong ? jump.minus(passed()) : jump);
            steps++;
        }

        /**
         * How far the servers' own time has gone on since the last long jump. A part of that jump, after which days alone are open: else they
         * would end too early on a slow machine.
         */
        private Duration passed() {
            Duration passed = Duration.between(timeBefore, bed.time()).truncatedTo(ChronoUnit.MILLIS);
            timeBefore = timeBefore.plus(passed);
            return passed;
        }

        /** A refund of a decision of any age, now and then of one that was given back before; or a reset. */
        private void changeCounts() {
            if (random.nextInt(3) == 0 || decisions.isEmpty()) {
                client = random.nextInt(5);
                List<Charge> charges = charges();
                store.resetAsync(charges).toCompletableFuture().join();
                model.resetAsync(charges).toCompletableFuture().join();
            } else {
                int which = random.nextInt(decisions.size());
                store.refundAsync(decisions.get(which)).toCompletableFuture().join();
                model.refundAsync(expected.get(which)).toCompletableFuture().join();
            }
            steps++;
        }

        /** Requests of one client at one moment: the first travels alone, the others gather behind it and are decided in runs. */
        private void decideTogether(String at) {
            List<List<Charge>> asked = new ArrayList<>();
            List<CompletableFuture<Decision>> answers = new ArrayList<>();
            client = random.nextInt(5);
            int requests = 1 + random.nextInt(mostTogether);
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
        private void setCalendarBack(String at) {
            time.wrong = time.wrong.minusDays(1 + random.nextInt(3));
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

        /**
         * One limiter or several, with one rule or two; now and then with other permits than usual, as while a limit is being changed. The
         * first is by address, the others by what has another first part; and all of them count somebody else together.
         */
        private List<Charge> charges() {
            Key address = Key.of("client-" + client);
            long permits = random.nextInt(10) == 0 ? 1 + random.nextInt(60) : 30;
            List<Charge> charges = new ArrayList<>();
            if (client == 0) {
                charges.add(new Charge("api", Limit.of("alone", permits, STEP.multipliedBy(3)), address));
            } else {
                Key agent = random.nextBoolean() ? Key.of("agent") : Key.absent();
                if (random.nextInt(3) == 0) {
                    charges.add(new Charge("api", Limit.daily("day", 20 * permits, ZoneOffset.UTC), address));
                    charges.add(new Charge("api", Limit.concurrent("jobs", 2 * permits, LEASE), address));
                }
                charges.add(new Charge("api", Limit.of("burst", permits, STEP.multipliedBy(2)), address.and(agent)));
                charges.add(new Charge("api", Limit.of("long", 3 * permits, STEP.multipliedBy(30)), address));
            }
            if (random.nextInt(3) > 0) {
                Key token = Key.of("token-" + random.nextInt(3));
                Limit burst = Limit.of("burst", 2 * permits, STEP.multipliedBy(4));
                Limit write = Limit.of("burst", permits, STEP.multipliedBy(4));
                boolean windows =
                        mostTogether == 1 || random.nextBoolean(); // what several slots give back is of windows
                charges.add(new Charge(
                        "token",
                        windows
                                ? burst
                                : Limit.of("bucket", 30, STEP.multipliedBy(30)).bucket(2 * permits),
                        token));
                charges.add(new Charge(
                        "write",
                        windows
                                ? write
                                : Limit.of("sliding", permits, STEP.multipliedBy(6))
                                        .sliding(),
                        token));
            }
            if (random.nextInt(3) == 0) {
                Limit all = Limit.of("all", 4 * permits, STEP.multipliedBy(5));
                boolean blocks = mostTogether > 1 && random.nextBoolean();
                charges.add(new Charge("all", blocks ? all.blocking(STEP.multipliedBy(2)) : all, Key.absent()));
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

    /** Redis' own clock goes on while the test's stands still. */
    private static boolean isClose(Duration is, Duration should) {
        return is.compareTo(should) <= 0 && is.plus(STEP).compareTo(should) > 0 && is.isZero() == should.isZero();
    }
}
