package io.github.ratelimit.redis;

import static io.github.ratelimit.contract.StoreContract.costing;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.contract.HoldFaultContract;
import io.github.ratelimit.remote.StoreHealth;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Three processes share the budgets of three limiters: not one permit too many, not one too few.
 *
 * <p>Their clocks are minutes apart, run at different speeds, and their calendars jump. They remember rejections, give permits back and reset
 * counters. A window is known by when it ends, which all nodes tell alike. For each: what was granted in it and not given back is never
 * more than its limit; and when a node has asked until it was rejected, it is the limit exactly, by their count and by the server's.
 * On a Cluster the same holds, though a request meets several shards: what is short for a moment is back in the end.
 */
class ManyNodesTest {

    private static final int CLIENTS = 20;
    private static final int AGENTS = 4;
    private static final int TOKENS = 10;
    private static final int THREADS = 64;

    /** So long a node repeats a rejection; by its own clock, the slowest of which takes a fourth more. */
    private static final Duration REMEMBERED = Duration.ofMillis(200);

    private static final boolean FULL = Boolean.getBoolean("full");

    /** {@code -Dfull} makes a million decisions. */
    private static final int DECISIONS = FULL ? 1_000_000 : 9_000;

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void nodesWithSkewedClocksShareExactlyTheBudgets() throws Exception {
        try (RedisProcess redis = RedisProcess.start();
                RedisTestBed bed = RedisTestBed.of(redis)) {
            shareExactlyTheBudgets(redis.uri(), bed, DECISIONS);
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "full", matches = "true")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void nodesWithSkewedClocksShareExactlyTheBudgetsOfSeveralShards() throws Exception {
        try (RedisClusterProcesses cluster = RedisClusterProcesses.start();
                RedisTestBed bed = new RedisTestBed(cluster.nodeUris())) {
            shareExactlyTheBudgets(cluster.uri(), bed, DECISIONS / 3);
        }
    }

    /** One node is killed with five of nine permits, and two are closed while they hold some. */
    @Test
    void nodesThatEndWhileTheyHoldTakeNoPermitForGood() throws Exception {
        try (RedisProcess redis = RedisProcess.start();
                RedisTestBed bed = RedisTestBed.of(redis)) {
            KilledHolderTest.holding(redis.uri()).destroyForcibly().waitFor();
            List<RedisStore> nodes = Stream.generate(() -> RedisStore.builder()
                            .uri(redis.uri())
                            .timeout(Duration.ofSeconds(30))
                            .build())
                    .limit(4)
                    .toList();
            Limit limit = Limit.concurrent("jobs", 9, KilledHolderTest.LEASE);
            HoldFaultContract.assertEndedNodesTakeNoPermitForGood(
                    nodes, new Charge("jobs", limit, Key.of("tenant")), 5, bed::advance);
        }
    }

    private static void shareExactlyTheBudgets(String uri, RedisTestBed bed, int decisions) throws Exception {
        List<Process> nodes = new ArrayList<>();
        try {
            for (SkewedTime clock : List.of(
                    new SkewedTime(Duration.ofMinutes(-5), 0.8),
                    new SkewedTime(Duration.ZERO, 1),
                    new SkewedTime(Duration.ofMinutes(5), 1.25))) {
                nodes.add(startNode(uri, clock, decisions, nodes.size()));
            }
            List<Map<String, Long>> reports = run(nodes);
            assertExact(reports, bed, new Budgets(decisions));
            assertThat(total(reports, "no-store")).isZero();
            assertThat(total(reports, "decisions")).isEqualTo(decisions / 3 * 3L);
            for (String happened : List.of("rejected", "remembered", "refunds", "resets")) {
                assertThat(reports).as(happened).allMatch(report -> report.getOrDefault(happened, 0L) > 0);
            }
        } finally {
            nodes.forEach(Process::destroyForcibly);
        }
    }

    private static void assertExact(List<Map<String, Long>> reports, RedisTestBed bed, Budgets budgets) {
        Map<String, Long> inServer = counts(bed);
        Map<String, Long> net = new TreeMap<>();
        for (Map<String, Long> report : reports) {
            report.forEach((what, count) -> {
                if (what.startsWith("window ")) {
                    net.merge(what, count, Long::sum);
                }
            });
        }
        budgets.byName().forEach((name, charge) -> {
            String prefix = "window " + name + " ";
            List<Map.Entry<String, Long>> windows = net.entrySet().stream()
                    .filter(window -> window.getKey().startsWith(prefix))
                    .toList();
            long permits = charge.limit().permits();
            assertThat(windows).as(name).isNotEmpty().allMatch(window -> window.getValue() <= permits);
            if (charge.limit().equals(budgets.burst)) {
                return; // its windows end too soon to be filled
            }
            Map.Entry<String, Long> last = windows.get(windows.size() - 1);
            assertThat(last.getValue())
                    .as("granted in the last window of %s", name)
                    .isEqualTo(permits);
            assertThat(inServer.get(TestKeys.key(charge)))
                    .as("counted for %s", name)
                    .isEqualTo(permits);
            Instant reset = Instant.ofEpochMilli(Long.parseLong(last.getKey().substring(prefix.length())));
            assertThat(reset)
                    .as("by the server's calendar")
                    .isBetween(bed.time(), bed.time().plus(charge.limit().window()));
        });
        assertThat(bed.keysWithoutExpiry()).isZero();
    }

    private static Map<String, Long> counts(RedisTestBed bed) {
        Map<String, Long> counts = new HashMap<>();
        bed.servers()
                .forEach(server -> server.keys("*").forEach(key -> {
                    String value = server.get(key);
                    if (value != null) {
                        counts.put(key, Long.parseLong(value));
                    }
                }));
        return counts;
    }

    private static long total(List<Map<String, Long>> reports, String what) {
        return reports.stream()
                .mapToLong(report -> report.getOrDefault(what, 0L))
                .sum();
    }

    private static Process startNode(String uri, SkewedTime clock, int decisions, int number) throws IOException {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx256m");
        if (!FULL) { // a node that ends so soon works most for the second compiler, which never repays
            command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        }
        command.addAll(List.of("-cp", classPath, Node.class.getName(), uri));
        command.addAll(List.of(
                Long.toString(clock.skew.toMinutes()),
                Double.toString(clock.speed),
                Integer.toString(decisions),
                Integer.toString(number)));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** Lets all nodes begin at one moment, lets them fill the budgets when all are done, and reads what they report. */
    private static List<Map<String, Long>> run(List<Process> nodes) throws IOException {
        List<BufferedReader> outputs =
                nodes.stream().map(node -> node.inputReader(US_ASCII)).toList();
        for (String expected : List.of("ready", "mixed")) {
            for (BufferedReader output : outputs) {
                assertThat(output.readLine()).isEqualTo(expected);
            }
            for (Process node : nodes) {
                OutputStream input = node.getOutputStream();
                input.write('\n');
                input.flush();
            }
        }
        List<Map<String, Long>> reports = new ArrayList<>();
        for (BufferedReader output : outputs) {
            reports.add(output.lines()
                    .map(line -> line.split("=", 2))
                    .collect(toMap(parts -> parts[0], parts -> Long.parseLong(parts[1]))));
        }
        return reports;
    }

    /** What may be taken, so that of what is asked about half is granted, and each limit rejects now and then. */
    private static final class Budgets {

        final Limit own;
        final Limit client;
        final Limit token;
        final Limit all;
        final Limit burst;

        Budgets(int decisions) {
            int permits = decisions / CLIENTS * 3 / 4; // a request takes one or two
            this.client = Limit.of("all", permits, Duration.ofHours(2));
            // A little more than a fourth: together, one client's agents could have more than the client.
            this.own = Limit.of("own", permits * 28L / 100, Duration.ofHours(1));
            this.token = Limit.of("only", (long) permits * CLIENTS / TOKENS * 95 / 100, Duration.ofHours(1));
            this.all = Limit.of("only", (long) permits * CLIENTS * 95 / 100, Duration.ofHours(3));
            this.burst = Limit.of("burst", decisions / 100, Duration.ofMillis(500));
        }

        List<Charge> address(int which, int agent) {
            Key address = Key.of("client-" + which);
            return List.of(
                    new Charge("address", own, address.and(Key.of("agent-" + agent))),
                    new Charge("address", client, address));
        }

        Charge token(int which) {
            return new Charge("token", token, Key.of("token-" + which));
        }

        Charge everybody() {
            return new Charge("all", all, Key.absent());
        }

        Charge burst() {
            return new Charge("all", burst, Key.absent());
        }

        /** Every counter that there is. */
        Map<String, Charge> byName() {
            Map<String, Charge> byName = new TreeMap<>();
            for (int i = 0; i < CLIENTS; i++) {
                for (int agent = 0; agent < AGENTS; agent++) {
                    byName.put(
                            "agent-%d-%d".formatted(i, agent), address(i, agent).get(0));
                }
                byName.put("client-" + i, address(i, 0).get(1));
            }
            for (int i = 0; i < TOKENS; i++) {
                byName.put("token-" + i, token(i));
            }
            byName.put("everybody", everybody());
            byName.put("burst", burst());
            return byName;
        }
    }

    /** One process. */
    static final class Node {

        private final RedisStore store;
        private final Budgets budgets;
        private final Map<Charge, String> names;
        private final int share;
        private final int number;

        /** What was granted and not given back, by counter and by when its window ends. */
        private final ConcurrentMap<String, LongAdder> windows = new ConcurrentHashMap<>();

        private final AtomicLong decisions = new AtomicLong();
        private final AtomicLong failed = new AtomicLong();
        private final AtomicLong rejected = new AtomicLong();
        private final AtomicLong refunds = new AtomicLong();
        private final AtomicLong resets = new AtomicLong();

        private Node(RedisStore store, int decisions, int number) {
            this.store = store;
            this.budgets = new Budgets(decisions);
            this.names = budgets.byName().entrySet().stream().collect(toMap(Map.Entry::getValue, Map.Entry::getKey));
            this.share = decisions / 3;
            this.number = number;
        }

        public static void main(String[] args) throws Exception {
            try (RedisStore store = RedisStore.builder()
                    .uri(args[0])
                    .timeout(Duration.ofSeconds(30)) // the counts are what is tested here
                    .rememberRejections(REMEMBERED)
                    .time(new SkewedTime(Duration.ofMinutes(Long.parseLong(args[1])), Double.parseDouble(args[2])))
                    .build()) {
                new Node(store, Integer.parseInt(args[3]), Integer.parseInt(args[4])).run();
            }
        }

        private void run() throws Exception {
            RedisProcess.await("the node connects", () -> store.health().state() == StoreHealth.State.UP);
            for (Charge charge : budgets.byName().values()) {
                store.tryAcquire(costing(List.of(charge), 0));
            }
            go("ready");
            inParallel(this::mix);
            go("mixed");
            inParallel(this::fill);
            report();
        }

        private static void go(String said) throws IOException {
            System.out.println(said);
            if (System.in.read() < 0) {
                throw new IllegalStateException("the test has ended");
            }
        }

        private static void inParallel(Consumer<Integer> task) throws InterruptedException {
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int number = i;
                Thread thread = new Thread(() -> task.accept(number));
                threads.add(thread);
                thread.start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }

        private void mix(int thread) {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            List<Decision> taken = new ArrayList<>();
            boolean isResetDue = false;
            for (int i = share / THREADS + (thread < share % THREADS ? 1 : 0); i > 0; i--) {
                try {
                    List<Charge> address = budgets.address(random.nextInt(CLIENTS), random.nextInt(AGENTS));
                    Decision decision = take(charges(address, random), 1L + random.nextInt(2));
                    long made = decisions.incrementAndGet();
                    if (!decision.allowed()) {
                        rejected.incrementAndGet();
                    } else if (random.nextInt(5) == 0) {
                        taken.add(decision);
                    }
                    if (!taken.isEmpty() && random.nextInt(10) == 0) {
                        giveBack(taken.remove(random.nextInt(taken.size())));
                    }
                    isResetDue |= made % 400 == 0; // by number: at random, a node of a short run may make none
                    int own = random.nextInt(CLIENTS / 3) * 3 + number;
                    if (isResetDue && tryReset(budgets.address(own, random.nextInt(AGENTS)))) {
                        isResetDue = false;
                        resets.incrementAndGet();
                    }
                } catch (RuntimeException e) {
                    failed(e);
                }
            }
        }

        /**
         * Resets counters that no other node resets, if their windows are older than a millisecond. A window is known by its end: a window that
         * is opened in the same millisecond as one that was just reset has the same end, and both would count as one.
         */
        private synchronized boolean tryReset(List<Charge> charges) {
            boolean isOld = store.tryAcquire(costing(charges, 0)).statuses().stream()
                    .allMatch(status -> {
                        Duration open = status.limit().window().minus(status.resetAfter());
                        return !status.resetAfter().isZero() && open.toMillis() > 1;
                    });
            if (isOld) {
                store.resetAsync(charges).toCompletableFuture().join();
            }
            return isOld;
        }

        private void failed(RuntimeException e) {
            if (failed.incrementAndGet() == 1) {
                System.err.println(e);
            }
        }

        /** Of the three limiters, in any order; the last with its short window in one of four. */
        private List<Charge> charges(List<Charge> address, ThreadLocalRandom random) {
            List<Charge> charges = new ArrayList<>(address);
            charges.add(random.nextInt(charges.size() + 1), budgets.token(random.nextInt(TOKENS)));
            charges.add(random.nextInt(charges.size() + 1), budgets.everybody());
            if (random.nextInt(4) == 0) {
                charges.add(budgets.burst());
            }
            return charges;
        }

        private Decision take(List<Charge> charges, long cost) {
            Decision decision = store.tryAcquire(costing(charges, cost));
            if (decision.allowed()) {
                count(decision, cost);
            }
            return decision;
        }

        private void giveBack(Decision decision) {
            store.refundAsync(decision).toCompletableFuture().join();
            refunds.incrementAndGet();
            count(decision, -decision.charges().get(0).cost());
        }

        private void count(Decision decision, long permits) {
            for (int i = 0; i < decision.charges().size(); i++) {
                LimitStatus status = decision.statuses().get(i);
                String window = "window %s %d"
                        .formatted(
                                names.get(decision.charges().get(i).withCost(1)),
                                status.resetAt().toEpochMilli());
                windows.computeIfAbsent(window, same -> new LongAdder()).add(permits);
            }
        }

        /**
         * Asks for each permit that is left of a third of the counters, and again until nothing is remembered that another node made untrue: no
         * other node asks for them, so what this one wrongly takes for used up stays.
         */
        private void fill(int thread) {
            long end = System.nanoTime() + REMEMBERED.multipliedBy(2).toNanos();
            List<Charge> all = new ArrayList<>(budgets.byName().values());
            List<Charge> charges = IntStream.range(0, all.size())
                    .filter(i -> i % 3 == number && !all.get(i).limit().equals(budgets.burst))
                    .mapToObj(all::get)
                    .toList();
            long begun;
            do {
                begun = System.nanoTime(); // or a machine that stands still in the last pass ends it on what was
                // remembered
                for (int i = thread % charges.size(), n = 0; n < charges.size(); i = (i + 1) % charges.size(), n++) {
                    try {
                        while (take(List.of(charges.get(i)), 1).allowed()) {
                            // There may be more.
                        }
                    } catch (RuntimeException e) {
                        failed(e);
                    }
                }
            } while (begun - end < 0);
        }

        private void report() {
            System.out.println("failed=" + failed);
            System.out.println("decisions=" + decisions);
            System.out.println("rejected=" + rejected);
            System.out.println("refunds=" + refunds);
            System.out.println("resets=" + resets);
            System.out.println("remembered=" + store.statistics().localRejections());
            windows.forEach((window, net) -> System.out.println(window + "=" + net));
        }
    }

    /**
     * A machine whose clock is wrong.
     *
     * @param skew how far the calendar is off; every other tenth of a second an hour more
     * @param speed how much passes here in a second
     */
    private record SkewedTime(Duration skew, double speed) implements TimeSource {

        @Override
        public long nanoTime() {
            return (long) (System.nanoTime() * speed);
        }

        @Override
        public Instant instant() {
            Instant now = Instant.now().plus(skew);
            return now.toEpochMilli() / 100 % 2 == 0 ? now : now.plus(Duration.ofHours(1));
        }
    }
}
