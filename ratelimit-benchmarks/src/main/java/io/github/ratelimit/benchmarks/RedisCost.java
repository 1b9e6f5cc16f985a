package io.github.ratelimit.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.github.ratelimit.Charge;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.redis.RedisStore;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/**
 * What a decision on a Redis server of this machine costs: contenders in turns of one run on one server, each on a connection of its own.
 * Prints decisions a second, their latency, and scripts and time of the server for each, as medians of the turns.
 *
 * <p>{@code java -cp benchmarks.jar io.github.ratelimit.benchmarks.RedisCost [turns=5] [seconds=2]}
 */
public final class RedisCost {

    private static final long PERMITS = 1_000_000_000_000L;
    private static final Duration WINDOW = Duration.ofHours(1);
    private static final int IN_FLIGHT = 256;

    /** Asks for one decision on the key and waits for it. */
    @FunctionalInterface
    private interface Contender {
        void decide(int key) throws Exception;
    }

    /** Asks for one decision and does not wait. */
    @FunctionalInterface
    private interface Asynchronous {
        CompletionStage<?> decide(int key);
    }

    /** One turn of one contender. */
    private record Turn(double perSecond, double p50, double p99, double scripts, double serverMicros) {}

    private final int turns;
    private final long turnNanos;
    private final StatefulRedisConnection<String, String> operator;
    private final Map<String, Contender> contenders = new LinkedHashMap<>();
    private final Map<String, Asynchronous> asynchronous = new LinkedHashMap<>();

    private RedisCost(int turns, int seconds, RedisClient client, RedisStore store) throws IOException {
        this.turns = turns;
        this.turnNanos = seconds * 1_000_000_000L;
        this.operator = client.connect();
        List<String> texts =
                IntStream.range(0, 10_000).mapToObj(i -> "203.0.113." + i).toList();
        List<List<Charge>> charges = charges(texts, Limit.of("limit", PERMITS, WINDOW));
        List<List<Charge>> usedUp = charges(texts, Limit.of("used-up", 1, WINDOW));
        StatefulRedisConnection<String, byte[]> bare =
                client.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE));
        bare.sync().set("bare", "1".getBytes(UTF_8));
        StatefulRedisConnection<String, String> scripted = client.connect();
        String sha = scripted.sync().scriptLoad(script());
        String[][] names =
                texts.stream().map(text -> new String[] {"one:" + text}).toArray(String[][]::new);
        String[] arguments = {
            "1", "1", "1", "1", "1", "1", Long.toString(PERMITS), Long.toString(WINDOW.toMillis()), "0"
        };
        ProxyManager<String> buckets = Bucket4jLettuce.casBasedBuilder(
                        client.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE)))
                .build();
        BucketConfiguration configuration = BucketConfiguration.builder()
                .addLimit(limit -> limit.capacity(PERMITS).refillIntervally(PERMITS, WINDOW))
                .build();
        contenders.put("bare GET", key -> bare.async().get("bare").get());
        contenders.put("RedisStore", key -> store.tryAcquire(charges.get(key)));
        contenders.put("RedisStore, rejected", key -> store.tryAcquire(usedUp.get(key)));
        contenders.put(
                "the same script, one call a decision",
                key -> scripted.async()
                        .evalsha(sha, ScriptOutputType.MULTI, names[key], arguments)
                        .get());
        contenders.put(
                "Bucket4j",
                key -> buckets.builder()
                        .build(texts.get(key), () -> configuration)
                        .tryConsume(1));
        asynchronous.put("RedisStore", key -> store.tryAcquireAsync(charges.get(key)));
        asynchronous.put(
                "the same script, one call a decision",
                key -> scripted.async().evalsha(sha, ScriptOutputType.MULTI, names[key], arguments));
    }

    private static List<List<Charge>> charges(List<String> texts, Limit limit) {
        return texts.stream()
                .map(text -> List.of(new Charge("benchmark", limit, Key.of(text))))
                .toList();
    }

    private static String script() throws IOException {
        try (InputStream in = RedisStore.class.getResourceAsStream("counters.lua")) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    /** Measures and prints. */
    public static void main(String[] args) throws Exception {
        int turns = Integer.parseInt(option(args, "turns", "5"));
        int seconds = Integer.parseInt(option(args, "seconds", "2"));
        try (RedisProcess server = RedisProcess.start();
                RedisStore store = RedisStore.builder()
                        .uri(server.uri())
                        .timeout(Duration.ofSeconds(30))
                        .build()) {
            RedisClient client = RedisClient.create(server.uri());
            try {
                RedisCost cost = new RedisCost(turns, seconds, client, store);
                cost.together("32 threads, one hot key", 32, 1);
                cost.together("32 threads, 10 000 keys", 32, 10_000);
                cost.together("8 threads, 10 000 keys", 8, 10_000);
                cost.together("64 threads, one hot key", 64, 1);
                cost.together("1 thread, 10 000 keys", 1, 10_000);
                cost.inFlight("256 in flight, one hot key", 1);
                cost.inFlight("256 in flight, 10 000 keys", 10_000);
            } finally {
                client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
            }
        }
    }

    private static String option(String[] args, String name, String otherwise) {
        return Arrays.stream(args)
                .filter(arg -> arg.startsWith(name + "="))
                .map(arg -> arg.substring(name.length() + 1))
                .findFirst()
                .orElse(otherwise);
    }

    private void together(String title, int threads, int keys) throws Exception {
        Map<String, List<Turn>> results = new LinkedHashMap<>();
        for (int turn = -1; turn < turns; turn++) { // the first warms up
            for (Map.Entry<String, Contender> each : contenders.entrySet()) {
                Turn result = turn(each.getValue(), threads, keys);
                if (turn >= 0) {
                    results.computeIfAbsent(each.getKey(), name -> new ArrayList<>())
                            .add(result);
                }
            }
        }
        print(title, results);
    }

    private Turn turn(Contender contender, int threads, int keys) throws Exception {
        operator.sync().configResetstat();
        double cpu = serverCpu();
        long end = System.nanoTime() + turnNanos;
        List<long[]> latencies = new ArrayList<>();
        List<Thread> running = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Thread thread = new Thread(() -> {
                long[] own = new long[1 << 16];
                int count = 0;
                try {
                    for (long now = System.nanoTime(); now < end; ) {
                        contender.decide(any(keys));
                        long after = System.nanoTime();
                        if (count == own.length) {
                            own = Arrays.copyOf(own, 2 * count);
                        }
                        own[count++] = after - now;
                        now = after;
                    }
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
                synchronized (latencies) {
                    latencies.add(Arrays.copyOf(own, count));
                }
            });
            running.add(thread);
            thread.start();
        }
        for (Thread thread : running) {
            thread.join();
        }
        long[] all = latencies.stream().flatMapToLong(Arrays::stream).sorted().toArray();
        return turn(all.length, cpu, all[all.length / 2] / 1e3, all[(int) (all.length * 0.99)] / 1e3);
    }

    private void inFlight(String title, int keys) throws Exception {
        Map<String, List<Turn>> results = new LinkedHashMap<>();
        for (int turn = -1; turn < turns; turn++) {
            for (Map.Entry<String, Asynchronous> each : asynchronous.entrySet()) {
                Turn result = turn(each.getValue(), keys);
                if (turn >= 0) {
                    results.computeIfAbsent(each.getKey(), name -> new ArrayList<>())
                            .add(result);
                }
            }
        }
        print(title, results);
    }

    private Turn turn(Asynchronous contender, int keys) throws InterruptedException {
        operator.sync().configResetstat();
        double cpu = serverCpu();
        Semaphore free = new Semaphore(IN_FLIGHT);
        LongAdder decided = new LongAdder();
        long end = System.nanoTime() + turnNanos;
        while (System.nanoTime() < end) {
            free.acquire();
            CompletionStage<?> unused = contender.decide(any(keys)).whenComplete((decision, failure) -> {
                decided.increment();
                free.release();
            });
        }
        free.acquire(IN_FLIGHT);
        return turn(decided.sum(), cpu, 0, 0);
    }

    private Turn turn(long decisions, double cpuBefore, double p50, double p99) {
        double cpu = serverCpu() - cpuBefore;
        return new Turn(decisions / (turnNanos / 1e9), p50, p99, scripts() / (double) decisions, cpu * 1e6 / decisions);
    }

    private static int any(int keys) {
        return keys == 1 ? 0 : ThreadLocalRandom.current().nextInt(keys);
    }

    /** Seconds that the server has worked. */
    private double serverCpu() {
        return operator.sync()
                .info("cpu")
                .lines()
                .filter(line -> line.startsWith("used_cpu_user:") || line.startsWith("used_cpu_sys:"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(':') + 1)))
                .sum();
    }

    private long scripts() {
        return operator.sync()
                .info("commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_eval"))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf("calls=") + 6, line.indexOf(','))))
                .sum();
    }

    private static void print(String title, Map<String, List<Turn>> results) {
        System.out.printf(
                Locale.ROOT,
                "%n%-38s %12s %10s %10s %9s %10s%n",
                title,
                "decisions/s",
                "p50 us",
                "p99 us",
                "scripts",
                "server us");
        results.forEach((name, of) -> System.out.printf(
                Locale.ROOT,
                "%-38s %,12.0f %10.1f %10.1f %9.3f %10.2f%n",
                name,
                median(of.stream().mapToDouble(Turn::perSecond).toArray()),
                median(of.stream().mapToDouble(Turn::p50).toArray()),
                median(of.stream().mapToDouble(Turn::p99).toArray()),
                median(of.stream().mapToDouble(Turn::scripts).toArray()),
                median(of.stream().mapToDouble(Turn::serverMicros).toArray())));
    }

    private static double median(double[] of) {
        Arrays.sort(of);
        return of[of.length / 2];
    }
}
