package io.github.ratelimit.benchmarks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bucket;
import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limiter;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.Store;
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
import org.openjdk.jmh.infra.ThreadParams;

/**
 * One decision among many keys, allowed or refused, on texts made before. {@link #limiter} is what a user calls, key and all.
 *
 * <p>Compare through {@link Rounds}, which takes the contenders in turns.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class KeyedBenchmark {

    /** Chosen: long enough that nearly every one of 100,000 keys is in it, uniform ones too. */
    private static final int SEQUENCE = 1 << 18;

    private static final Duration WINDOW = Duration.ofHours(1);
    private static final List<String> NAMES = List.of("a", "b", "c");

    /** How many keys there are. */
    @Param("100000")
    private int count = 100_000;

    /** {@code zipf}: few keys ask often, as clients do; {@code uniform}: all ask alike. */
    @Param({"zipf", "uniform"})
    private String keys = "zipf";

    /** Whether every decision is allowed, or every one refused. */
    @Param({"allowed", "refused"})
    private String outcome = "allowed";

    private String[] texts = {};
    private List<Charge>[] charges = newCharges(0);
    private int[] sequence = {};

    private Store store = InProcessStore.create();
    private Limiter<String> limiter = Limiter.of("limiter", Limit.of(1, WINDOW), Key::of);
    private Limiters<String> limiters = Limiters.<String>builder(store).build();
    private Cache<String, AtomicLong> counters = Caffeine.newBuilder().build();
    private Cache<String, AtomicLong> expiring = Caffeine.newBuilder().build();
    private Cache<String, Bucket> buckets = Caffeine.newBuilder().build();
    private RateLimiterRegistry registry = RateLimiterRegistry.ofDefaults();
    private long permits;

    /** The position in the sequence of keys, one for each thread. Threads begin apart: in step they would fight for each counter. */
    @State(Scope.Thread)
    public static class Position {
        private int next;

        /** Begins at the thread's own part of the sequence. */
        @Setup
        public void begin(ThreadParams threads) {
            next = SEQUENCE / threads.getThreadCount() * threads.getThreadIndex();
        }

        int next(int[] sequence) {
            return sequence[next++ & (SEQUENCE - 1)];
        }
    }

    /** Makes keys, warms nothing. */
    @Setup
    public void setUp() {
        permits = outcome.equals("allowed") ? Limit.MAX_PERMITS : 1;
        Limit limit = Limit.of("limit", permits, WINDOW);
        texts = IntStream.range(0, count)
                .mapToObj(i -> "203." + (i >> 16 & 255) + "." + (i >> 8 & 255) + "." + (i & 255))
                .toArray(String[]::new);
        charges = newCharges(count);
        for (int i = 0; i < count; i++) {
            charges[i] = List.of(new Charge("limiter", limit, Key.of(texts[i])));
        }
        sequence = keys.equals("zipf")
                ? zipf(count)
                : new Random(1).ints(SEQUENCE, 0, count).toArray();
        store = InProcessStore.create();
        limiter = Limiter.of("limiter", limit, Key::of);
        Limiters.Builder<String> three = Limiters.builder(InProcessStore.create());
        NAMES.forEach(name -> three.add(LimiterSpec.of(name, limit, Key::of)));
        limiters = three.build();
        counters = Caffeine.newBuilder().build();
        expiring = Caffeine.newBuilder()
                .expireAfterWrite(WINDOW)
                .maximumSize(4L * count)
                .build();
        buckets = Caffeine.newBuilder()
                .maximumSize(4L * count)
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

    private static int[] zipf(int count) {
        double[] sums = new double[count];
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += 1.0 / (i + 1);
            sums[i] = sum;
        }
        Random random = new Random(1);
        int[] sequence = new int[SEQUENCE];
        for (int i = 0; i < SEQUENCE; i++) {
            int found = Arrays.binarySearch(sums, random.nextDouble() * sum);
            sequence[i] = Math.min(found < 0 ? -found - 1 : found, count - 1);
        }
        return sequence;
    }

    private boolean take(AtomicLong used) {
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

    /** A look-up in a cache without bound or expiry, one clock read, one compare-and-set. */
    @Benchmark
    public boolean boundCaffeine(Position position) {
        return take(counters.get(texts[position.next(sequence)], key -> new AtomicLong()));
    }

    /** The same in a cache that has a bound and expires. */
    @Benchmark
    public boolean boundCaffeineExpiring(Position position) {
        return take(expiring.get(texts[position.next(sequence)], key -> new AtomicLong()));
    }

    /** This library as it is called: a text is limited, by a limiter of one rule. */
    @Benchmark
    public Decision limiter(Position position) {
        return limiter.tryAcquire(texts[position.next(sequence)]);
    }

    /** Three limiters that one request meets: one decision. */
    @Benchmark
    public Decision threeLimiters(Position position) {
        return limiters.of(NAMES).tryAcquire(texts[position.next(sequence)]);
    }

    /** This library's store alone, charges made before. */
    @Benchmark
    public Decision store(Position position) {
        return store.tryAcquire(charges[position.next(sequence)]);
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
