package io.github.ratelimit.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.github.ratelimit.Charge;
import io.github.ratelimit.InProcessStore;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/**
 * What a decision on a Redis server of this machine costs: {@link Turns} of contenders, each on a connection of its own. Calls are scripts.
 *
 * <p>{@code java -cp benchmarks.jar io.github.ratelimit.benchmarks.RedisCost [turns=5] [seconds=2]}
 */
public final class RedisCost {

    private static final long PERMITS = 1_000_000_000_000L;
    private static final Duration WINDOW = Duration.ofHours(1);
    private static final int IN_FLIGHT = 256;

    /** Asks for one decision and does not wait. */
    @FunctionalInterface
    private interface Asynchronous {
        CompletionStage<?> decide(int key);
    }

    private final Turns turns;
    private final StatefulRedisConnection<String, String> operator;
    private final Map<String, Turns.Contender> contenders = new LinkedHashMap<>();
    private final Map<String, Asynchronous> asynchronous = new LinkedHashMap<>();

    private RedisCost(int turns, int seconds, RedisClient client, RedisStore store, RedisStore ahead)
            throws IOException {
        this.turns = new Turns(turns, seconds, this::serverCpu, this::scripts);
        this.operator = client.connect();
        List<String> texts =
                IntStream.range(0, 10_000).mapToObj(i -> "203.0.113." + i).toList();
        List<List<Charge>> charges = charges(texts, Limit.of("limit", PERMITS, WINDOW));
        List<List<Charge>> hot = charges(texts, Limit.of("ahead", PERMITS, WINDOW));
        InProcessStore local = InProcessStore.create();
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
        contenders.put("RedisStore, permits ahead", key -> ahead.tryAcquire(hot.get(key)));
        contenders.put("in process", key -> local.tryAcquire(charges.get(key)));
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
        int turns = Turns.option(args, "turns", 5);
        int seconds = Turns.option(args, "seconds", 2);
        try (RedisProcess server = RedisProcess.start();
                RedisStore store = store(server.uri(), Set.of());
                RedisStore ahead = store(server.uri(), Set.of("benchmark"))) {
            RedisClient client = RedisClient.create(server.uri());
            try {
                RedisCost cost = new RedisCost(turns, seconds, client, store, ahead);
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

    private static RedisStore store(String uri, Set<String> ahead) {
        return RedisStore.builder()
                .uri(uri)
                .timeout(Duration.ofSeconds(30))
                .permitsAhead(ahead)
                .build();
    }

    private void together(String title, int threads, int keys) throws Exception {
        turns.together(title, threads, keys, contenders);
    }

    private void inFlight(String title, int keys) throws Exception {
        Map<String, Callable<Turns.Turn>> all = new LinkedHashMap<>();
        asynchronous.forEach((name, contender) ->
                all.put(name, () -> turns.turn(end -> inFlight(end, keys, contender))));
        turns.compare(title, all);
    }

    private static long[] inFlight(long end, int keys, Asynchronous contender) throws InterruptedException {
        Semaphore free = new Semaphore(IN_FLIGHT);
        LongAdder decided = new LongAdder();
        while (System.nanoTime() < end) {
            free.acquire();
            CompletionStage<?> unused = contender.decide(Turns.any(keys)).whenComplete((decision, failure) -> {
                decided.increment();
                free.release();
            });
        }
        free.acquire(IN_FLIGHT);
        return new long[decided.intValue()];
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
}
