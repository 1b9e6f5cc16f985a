package io.github.ratelimit.benchmarks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bucket;
import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
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
import org.openjdk.jmh.annotations.Warmup;

/** One decision among many keys, allowed or refused, on keys made before. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class KeyedBenchmark {

    private static final int KEYS = 20_000;
    private static final int SEQUENCE = 1 << 16;
    private static final Duration WINDOW = Duration.ofHours(1);

    /** {@code zipf}: few keys ask often, as clients do; {@code uniform}: all ask alike. */
    @Param({"zipf", "uniform"})
    private String keys = "zipf";

    /** Whether every decision is allowed, or every one refused. */
    @Param({"allowed", "refused"})
    private String outcome = "allowed";

    private String[] texts = {};
    private List<Charge>[] charges = newCharges(0);
    private int[] sequence = {};

    private InProcessStore store = InProcessStore.create();
    private Cache<String, AtomicLong> counters = Caffeine.newBuilder().build();
    private Cache<String, Bucket> buckets = Caffeine.newBuilder().build();
    private RateLimiterRegistry registry = RateLimiterRegistry.ofDefaults();
    private long permits;

    /** The position in the sequence of keys, one for each thread. */
    @State(Scope.Thread)
    public static class Position {
        private int next;

        int next(int[] sequence) {
            return sequence[next++ & (SEQUENCE - 1)];
        }
    }

    /** Makes keys, warms nothing. */
    @Setup
    public void setUp() {
        permits = outcome.equals("allowed") ? Limit.MAX_PERMITS : 1;
        Limit limit = Limit.of("limit", permits, WINDOW);
        texts = IntStream.range(0, KEYS)
                .mapToObj(i -> "203.0." + i / 256 + "." + i % 256)
                .toArray(String[]::new);
        charges = newCharges(KEYS);
        for (int i = 0; i < KEYS; i++) {
            charges[i] = List.of(new Charge(limit, Key.of(texts[i])));
        }
        sequence = keys.equals("zipf")
                ? zipf()
                : new Random(1).ints(SEQUENCE, 0, KEYS).toArray();
        store = InProcessStore.create();
        counters = Caffeine.newBuilder().build();
        buckets = Caffeine.newBuilder()
                .maximumSize(100_000)
                .expireAfterAccess(WINDOW)
                .build();
        registry = RateLimiterRegistry.of(RateLimiterConfig.custom()
                .limitForPeriod(outcome.equals("allowed") ? Integer.MAX_VALUE : 1)
                .limitRefreshPeriod(WINDOW)
                .timeoutDuration(Duration.ZERO)
                .build());
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static List<Charge>[] newCharges(int length) {
        return new List[length];
    }

    private static int[] zipf() {
        double[] sums = new double[KEYS];
        double sum = 0;
        for (int i = 0; i < KEYS; i++) {
            sum += 1.0 / (i + 1);
            sums[i] = sum;
        }
        Random random = new Random(1);
        int[] sequence = new int[SEQUENCE];
        for (int i = 0; i < SEQUENCE; i++) {
            int found = Arrays.binarySearch(sums, random.nextDouble() * sum);
            sequence[i] = Math.min(found < 0 ? -found - 1 : found, KEYS - 1);
        }
        return sequence;
    }

    /** A look-up in a cache without bound or expiry, one clock read, one compare-and-set. */
    @Benchmark
    public boolean boundCaffeine(Position position) {
        AtomicLong used = counters.get(texts[position.next(sequence)], key -> new AtomicLong());
        long end = System.nanoTime() + 1;
        while (true) {
            long now = used.get();
            if (now >= permits || end == now) {
                return false;
            }
            if (used.compareAndSet(now, now + 1)) {
                return true;
            }
        }
    }

    /** This library's store. */
    @Benchmark
    public Decision inProcessStore(Position position) {
        return store.tryAcquire("limiter", charges[position.next(sequence)], 1);
    }

    /** Bucket4j's local bucket in a bounded, expiring cache. */
    @Benchmark
    public boolean bucket4jInCaffeine(Position position) {
        return buckets.get(
                        texts[position.next(sequence)],
                        key -> Bucket.builder()
                                .addLimit(limit -> limit.capacity(Math.min(permits, 1_000_000_000))
                                        .refillIntervally(Math.min(permits, 1_000_000_000), WINDOW))
                                .build())
                .tryConsume(1);
    }

    /** resilience4j's registry, which never forgets a key. */
    @Benchmark
    public boolean resilience4jRegistry(Position position) {
        return registry.rateLimiter(texts[position.next(sequence)]).acquirePermission();
    }
}
