package io.github.ratelimit.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.redis.RedisStore;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One decision on a Redis server of this machine, waited for: every contender on one connection, one after the other on one server, which
 * is started for it. {@link #bareGet} does the least that a round trip can do.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 3, time = 3)
@Fork(1)
@Threads(32)
public class RedisBenchmark {

    private static final long PERMITS = 1_000_000_000_000L;
    private static final Duration WINDOW = Duration.ofHours(1);

    /** How many keys are asked for, each as often: one is a hot key. */
    @Param({"1", "10000"})
    private int keys = 1;

    private @Nullable RedisProcess server;
    private @Nullable RedisClient client;
    private @Nullable StatefulRedisConnection<String, byte[]> connection;
    private @Nullable RedisStore store;
    private @Nullable ProxyManager<String> buckets;
    private List<String> texts = List.of();
    private List<List<Charge>> charges = List.of();
    private List<List<Charge>> usedUp = List.of();
    private final BucketConfiguration configuration = BucketConfiguration.builder()
            .addLimit(limit -> limit.capacity(PERMITS).refillIntervally(PERMITS, WINDOW))
            .build();

    /** Starts the server and connects. */
    @Setup
    public void setUp() {
        server = RedisProcess.start();
        client = RedisClient.create(server.uri());
        connection = client.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE));
        connection.sync().set("bare", "1".getBytes(UTF_8));
        buckets = Bucket4jLettuce.casBasedBuilder(connection).build();
        store = RedisStore.builder()
                .uri(server.uri())
                .timeout(Duration.ofSeconds(30))
                .build();
        texts = IntStream.range(0, keys).mapToObj(i -> "203.0.113." + i).toList();
        charges = charges(Limit.of("limit", PERMITS, WINDOW));
        usedUp = charges(Limit.of("used-up", 1, WINDOW));
    }

    private List<List<Charge>> charges(Limit limit) {
        return texts.stream()
                .map(text -> List.of(new Charge("benchmark", limit, Key.of(text))))
                .toList();
    }

    /** Stops what was started. */
    @TearDown
    public void tearDown() {
        requireNonNull(store).close();
        requireNonNull(client).shutdown(Duration.ZERO, Duration.ofSeconds(1));
        requireNonNull(server).close();
    }

    private int any() {
        return keys == 1 ? 0 : ThreadLocalRandom.current().nextInt(keys);
    }

    /** The bound: a round trip that decides nothing. */
    @Benchmark
    public byte[] bareGet() throws Exception {
        return requireNonNull(connection).async().get("bare").get();
    }

    /** This library's decision, allowed. */
    @Benchmark
    public Decision redisStore() {
        return requireNonNull(store).tryAcquire(charges.get(any()), 1);
    }

    /** This library's decision, refused. */
    @Benchmark
    public Decision redisStoreRefused() {
        return requireNonNull(store).tryAcquire(usedUp.get(any()), 1);
    }

    /** Bucket4j's, allowed. */
    @Benchmark
    public boolean bucket4j() {
        return requireNonNull(buckets)
                .builder()
                .build(texts.get(any()), () -> configuration)
                .tryConsume(1);
    }
}
