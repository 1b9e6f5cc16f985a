package io.github.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.TimeSource;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Three processes, whose clocks are minutes apart, share budgets on one Redis: not one permit too many, not one too few. */
class ManyNodesTest {

    private static final int KEYS = 20;
    private static final int AGENTS = 4;
    private static final int THREADS = 64;

    /** {@code -Dfull} makes a million decisions. */
    private static final int DECISIONS = Boolean.getBoolean("full") ? 1_000_000 : 100_000;

    /** Half of what is asked for each key. */
    private static final int PERMITS = DECISIONS / KEYS / 2;

    /** A little more than a fourth: together, one key's agents could have more than the key. */
    private static final int PERMITS_OF_AN_AGENT = PERMITS * 28 / 100;

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void nodesWithSkewedClocksShareExactlyTheBudgets() throws Exception {
        try (RedisProcess redis = RedisProcess.start();
                RedisTestBed bed = RedisTestBed.of(redis)) {
            List<Process> nodes = new ArrayList<>();
            try {
                for (int skewMinutes : new int[] {-5, 0, 5}) {
                    nodes.add(startNode(redis.uri(), skewMinutes));
                }
                List<Map<String, Long>> reports = run(nodes);

                assertThat(total(reports, "failed")).isZero();
                assertThat(total(reports, "decisions")).isEqualTo(DECISIONS / 3 * 3L);
                for (int key = 0; key < KEYS; key++) {
                    assertThat(total(reports, "allowed-" + key))
                            .as("allowed on key %d", key)
                            .isEqualTo(PERMITS);
                    String reset = "reset-" + key;
                    assertThat(reports.stream().map(report -> report.get(reset)).distinct())
                            .as("when key %d resets, told by all nodes", key)
                            .hasSize(1);
                    for (int agent = 0; agent < AGENTS; agent++) {
                        assertThat(total(reports, "agent-%d-%d".formatted(key, agent)))
                                .isLessThanOrEqualTo(PERMITS_OF_AN_AGENT);
                    }
                }
                assertThat(bed.keysWithoutExpiry()).isZero();
            } finally {
                nodes.forEach(Process::destroyForcibly);
            }
        }
    }

    private static long total(List<Map<String, Long>> reports, String what) {
        return reports.stream()
                .mapToLong(report -> report.getOrDefault(what, 0L))
                .sum();
    }

    private static Process startNode(String uri, int skewMinutes) throws IOException {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-Dfull=" + Boolean.getBoolean("full"),
                        "-cp",
                        classPath,
                        Node.class.getName(),
                        uri,
                        Integer.toString(skewMinutes))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** Lets all nodes begin at one moment and reads what they report. */
    private static List<Map<String, Long>> run(List<Process> nodes) throws IOException {
        List<BufferedReader> outputs = new ArrayList<>();
        for (Process node : nodes) {
            BufferedReader output = node.inputReader(StandardCharsets.US_ASCII);
            assertThat(output.readLine()).isEqualTo("ready");
            outputs.add(output);
        }
        for (Process node : nodes) {
            OutputStream input = node.getOutputStream();
            input.write('\n');
            input.flush();
        }
        List<Map<String, Long>> reports = new ArrayList<>();
        for (BufferedReader output : outputs) {
            Map<String, Long> report = new HashMap<>();
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                String[] parts = line.split(" ", 2);
                report.put(parts[0], Long.parseLong(parts[1]));
            }
            reports.add(report);
        }
        return reports;
    }

    /** One process. */
    static final class Node {

        private final AtomicLongArray allowed = new AtomicLongArray(KEYS);
        private final AtomicLongArray allowedOfAgent = new AtomicLongArray(KEYS * AGENTS);
        private final AtomicReferenceArray<Instant> resets = new AtomicReferenceArray<>(KEYS);
        private final AtomicLong failed = new AtomicLong();
        private final AtomicLong decisions = new AtomicLong();
        private final Set<String> failures = new HashSet<>();

        public static void main(String[] args) throws Exception {
            new Node().run(args[0], Duration.ofMinutes(Long.parseLong(args[1])));
        }

        private void run(String uri, Duration skew) throws Exception {
            try (RedisStore store = RedisStore.builder()
                    .uri(uri)
                    .timeout(Duration.ofSeconds(30)) // the counts are what is tested here
                    .time(new SkewedTime(skew))
                    .build()) {
                RedisProcess.await(60, "the node connects", () -> store.health().state() == RedisHealth.State.UP);
                store.tryAcquire(charges(0, 0), 0);
                System.out.println("ready");
                if (System.in.read() < 0) {
                    return; // the test has ended
                }
                List<Thread> threads = new ArrayList<>();
                for (int i = 0; i < THREADS; i++) {
                    int share = DECISIONS / 3 / THREADS + (i < DECISIONS / 3 % THREADS ? 1 : 0);
                    Thread thread = new Thread(() -> decide(store, share));
                    threads.add(thread);
                    thread.start();
                }
                for (Thread thread : threads) {
                    thread.join();
                }
                report();
            }
        }

        private void decide(RedisStore store, int times) {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            for (int i = 0; i < times; i++) {
                int key = random.nextInt(KEYS);
                int agent = random.nextInt(AGENTS);
                try {
                    Decision decision = store.tryAcquire(charges(key, agent), 1);
                    decisions.incrementAndGet();
                    if (decision.allowed()) {
                        allowed.incrementAndGet(key);
                        allowedOfAgent.incrementAndGet(key * AGENTS + agent);
                    }
                    Instant reset = decision.statuses().get(1).resetAt();
                    if (!resets.compareAndSet(key, null, reset) && !reset.equals(resets.get(key))) {
                        throw new IllegalStateException("two resets of one window");
                    }
                } catch (RuntimeException e) {
                    failed.incrementAndGet();
                    synchronized (failures) {
                        if (failures.add(String.valueOf(e.getMessage()))) {
                            System.err.println(e);
                        }
                    }
                }
            }
        }

        private static List<Charge> charges(int key, int agent) {
            Key client = Key.of("client-" + key);
            return List.of(
                    new Charge(
                            "api",
                            Limit.of("own", PERMITS_OF_AN_AGENT, Duration.ofHours(1)),
                            client.and(Key.of("agent-" + agent))),
                    new Charge("api", Limit.of("all", PERMITS, Duration.ofHours(2)), client));
        }

        private void report() {
            System.out.println("failed " + failed);
            System.out.println("decisions " + decisions);
            for (int key = 0; key < KEYS; key++) {
                System.out.println("allowed-" + key + " " + allowed.get(key));
                System.out.println("reset-" + key + " " + resets.get(key).toEpochMilli());
                for (int agent = 0; agent < AGENTS; agent++) {
                    System.out.println(
                            "agent-%d-%d %d".formatted(key, agent, allowedOfAgent.get(key * AGENTS + agent)));
                }
            }
        }
    }

    /** A machine whose clock is wrong. */
    private record SkewedTime(Duration skew) implements TimeSource {

        @Override
        public long nanoTime() {
            return System.nanoTime() + skew.toNanos();
        }

        @Override
        public Instant instant() {
            return Instant.now().plus(skew);
        }
    }
}
