package io.github.ratelimit.benchmarks;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.redis.RedisStore;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.resource.ClientResources;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * What nodes on one key of one Redis server decide together, each by calls alone and with permits ahead.
 *
 * <p>First three processes of 32 threads that ask as fast as they can. Then up to a hundred nodes in this process: each asks for eight decisions
 * at a time and pauses for two milliseconds, against a limit that never ends, and against one of half of what they ask for.
 *
 * <p>{@code java -cp benchmarks.jar io.github.ratelimit.benchmarks.NodesCost [seconds=2] [nodes=100]}
 */
public final class NodesCost {

    private static final int PROCESSES = 3;
    private static final int THREADS = 32;
    private static final int TOGETHER = 8;
    private static final long PAUSE_NANOS = 2_000_000;
    private static final long MOST_A_SECOND = 60_000; // two cores of clients ask for more
    private static final Limit OPEN = Limit.of("open", 1_000_000_000_000L, Duration.ofHours(1));

    private final int seconds;
    private final RedisProcess server;
    private final RedisCommands<String, String> operator;

    private NodesCost(int seconds, RedisProcess server, RedisCommands<String, String> operator) {
        this.seconds = seconds;
        this.server = server;
        this.operator = operator;
    }

    /** Measures and prints. Two arguments that are an address and "ahead" or "calls" begin one node. */
    public static void main(String[] args) throws Exception {
        if (args.length > 0 && args[0].startsWith("redis://")) {
            node(args[0], args[1].equals("ahead"), Integer.parseInt(args[2]));
            return;
        }
        int seconds = Turns.option(args, "seconds", 2);
        int most = Turns.option(args, "nodes", 100);
        try (RedisProcess server = RedisProcess.start()) {
            RedisClient client = RedisClient.create(server.uri());
            try {
                NodesCost cost = new NodesCost(seconds, server, client.connect().sync());
                for (boolean ahead : new boolean[] {false, true}) {
                    System.out.printf(
                            "%d processes, %s: %,.0f decisions/s; one: %,.0f%n",
                            PROCESSES, how(ahead), cost.processes(PROCESSES, ahead), cost.processes(1, ahead));
                }
                for (String limit : List.of("open", "half")) {
                    for (boolean ahead : new boolean[] {false, true}) {
                        System.out.printf(
                                "%n%s, %s%n%5s %12s %12s %10s %12s %8s%n",
                                limit,
                                how(ahead),
                                "nodes",
                                "granted/s",
                                "rejected/s",
                                "scripts/s",
                                "% of 1 core",
                                "served");
                        for (int nodes = 1;
                                nodes <= most;
                                nodes = Integer.toString(nodes).startsWith("1") ? nodes * 3 : nodes * 10 / 3) {
                            cost.simulated(nodes, ahead, limit.equals("open"));
                        }
                    }
                }
            } finally {
                client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
            }
        }
    }

    private static String how(boolean ahead) {
        return ahead ? "permits ahead" : "calls";
    }

    private static RedisStore store(String uri, boolean ahead, ClientResources resources) {
        return RedisStore.builder()
                .uri(uri)
                .clientResources(resources)
                .timeout(Duration.ofSeconds(30))
                .permitsAhead(ahead ? Set.of("hot") : Set.of())
                .build();
    }

    private static List<Charge> charges(Limit limit) {
        return List.of(new Charge("hot", limit, Key.absent()));
    }

    /** Decisions a second of so many processes together. */
    private double processes(int count, boolean ahead) throws Exception {
        List<Process> nodes = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                nodes.add(new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                NodesCost.class.getName(),
                                server.uri(),
                                ahead ? "ahead" : "calls",
                                Integer.toString(seconds))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start());
            }
            List<BufferedReader> outputs =
                    nodes.stream().map(node -> node.inputReader(US_ASCII)).toList();
            for (BufferedReader output : outputs) {
                output.readLine(); // ready
            }
            for (Process node : nodes) {
                node.getOutputStream().write('\n');
                node.getOutputStream().flush();
            }
            double sum = 0;
            for (BufferedReader output : outputs) {
                sum += Double.parseDouble(output.readLine());
            }
            return sum;
        } finally {
            nodes.forEach(Process::destroyForcibly);
        }
    }

    private static void node(String uri, boolean ahead, int seconds) throws Exception {
        ClientResources resources = ClientResources.create();
        try (RedisStore store = store(uri, ahead, resources)) {
            asked(store, 2);
            System.out.println("ready");
            if (System.in.read() < 0) {
                throw new IOException("the benchmark has ended");
            }
            System.out.println(asked(store, seconds) / (double) seconds);
        } finally {
            resources.shutdown();
        }
    }

    private static long asked(RedisStore store, int seconds) throws InterruptedException {
        LongAdder decided = new LongAdder();
        List<Charge> charges = charges(OPEN);
        long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
        inParallel(THREADS, number -> {
            while (System.nanoTime() - end < 0) {
                store.tryAcquire(charges);
                decided.increment();
            }
        });
        return decided.sum();
    }

    private void simulated(int count, boolean ahead, boolean open) throws Exception {
        long demand = count * TOGETHER * 1_000_000_000L / PAUSE_NANOS;
        Limit limit = open ? OPEN : Limit.of("half", Math.min(demand, MOST_A_SECOND) / 2, Duration.ofSeconds(1));
        List<Charge> charges = charges(limit);
        ClientResources resources = ClientResources.create();
        List<RedisStore> stores = IntStream.range(0, count)
                .mapToObj(i -> store(server.uri(), ahead, resources))
                .toList();
        try {
            ask(stores, charges, 2);
            long before = scripts();
            double cpu = cpu();
            long servedBefore = served(stores);
            long begun = System.nanoTime();
            long[] decided = ask(stores, charges, seconds);
            double took = (System.nanoTime() - begun) / 1e9;
            System.out.printf(
                    "%5d %,12.0f %,12.0f %,10.0f %12.1f %7.1f%%%n",
                    count,
                    decided[0] / took,
                    decided[1] / took,
                    (scripts() - before) / took,
                    100 * (cpu() - cpu) / took,
                    100.0 * (served(stores) - servedBefore) / Math.max(1, decided[0]));
        } finally {
            stores.forEach(RedisStore::close);
            resources.shutdown().get();
        }
    }

    /** How many were granted and rejected. */
    private static long[] ask(List<RedisStore> stores, List<Charge> charges, int seconds) throws Exception {
        LongAdder granted = new LongAdder();
        LongAdder rejected = new LongAdder();
        long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
        inParallel(stores.size(), number -> {
            RedisStore store = stores.get(number);
            while (System.nanoTime() - end < 0) {
                List<CompletableFuture<Decision>> answers = IntStream.range(0, TOGETHER)
                        .mapToObj(i -> store.tryAcquireAsync(charges).toCompletableFuture())
                        .toList();
                for (CompletableFuture<Decision> answer : answers) {
                    (answer.join().allowed() ? granted : rejected).increment();
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        });
        return new long[] {granted.sum(), rejected.sum()};
    }

    private static long served(List<RedisStore> stores) {
        return stores.stream()
                .mapToLong(store -> store.statistics().ahead().served())
                .sum();
    }

    private static void inParallel(int threads, java.util.function.IntConsumer task) throws InterruptedException {
        List<Thread> all = IntStream.range(0, threads)
                .mapToObj(i -> new Thread(() -> task.accept(i)))
                .toList();
        all.forEach(Thread::start);
        for (Thread thread : all) {
            thread.join();
        }
    }

    private double cpu() {
        return operator.info("cpu")
                .lines()
                .filter(line -> line.startsWith("used_cpu_user:") || line.startsWith("used_cpu_sys:"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(':') + 1)))
                .sum();
    }

    private long scripts() {
        return operator.info("commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_eval"))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf("calls=") + 6, line.indexOf(','))))
                .sum();
    }
}
