package io.github.ratelimit.benchmarks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.common.util.concurrent.RateLimiter;
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
import java.time.ZoneOffset;
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
 * One decision among many keys, allowed or rejected, on texts made before. {@link #limiter} is what a user calls, key and all.
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

    /** Whether every decision is allowed, or every one rejected. */
    @Param({"allowed", "rejected"})
    private String outcome = "allowed";

    private String[] texts = {};
    private List<Charge>[] charges = newCharges(0);
    private int[] sequence = {};

    private Store store = InProcessStore.create();
    private Limiter<String> limiter = Limiter.of("limiter", Limit.of(1, WINDOW), Key::of);
    private Limiter<String> bucket = limiter;
    private Limiter<String> sliding = limiter;
    private Limiter<String> day = limiter;
    private Limiter<String> blocking = limiter;
    private Limiters<String> limiters = Limiters.<String>builder(store).build();
    private Cache<String, AtomicLong> counters = Caffeine.newBuilder().build();
    private Cache<String, AtomicLong> expiring = Caffeine.newBuilder().build();
    private Cache<String, Bucket> buckets = Caffeine.newBuilder().build();
    private Cache<String, RateLimiter> guava = Caffeine.newBuilder().build();
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
        boolean allows = outcome.equals("allowed");
        bucket = of(Limit.of("limit", Math.min(permits, 500_000_000), WINDOW).bucket());
        // So short that it has room for the most frequent key. It moves on often, which is the dearer case.
        sliding = of(Limit.of("limit", allows ? 65_535 : 1, allows ? Duration.ofMillis(30) : WINDOW)
                .sliding());
        day = of(Limit.daily("limit", permits, ZoneOffset.UTC));
        blocking = of(limit.blocking(WINDOW));
        Limiters.Builder<String> three = Limiters.builder(InProcessStore.create());
        NAMES.forEach(name -> three.add(LimiterSpec.of(name, limit, Key::of)));
        limiters = three.build();
        counters = Caffeine.newBuilder().build();
        expiring = Caffeine.newBuilder()
                .expireAfterWrite(WINDOW)
                .maximumSize(4L * count)
                .build();
        guava = Caffeine.newBuilder()
                .maximumSize(4L * count)
                .expireAfterAccess(WINDOW)
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

    private static Limiter<String> of(Limit limit) {
        return Limiter.of(LimiterSpec.of("limiter", limit, Key::of), InProcessStore.create());
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

    /** A bucket. */
    @Benchmark
    public Decision shapeBucket(Position position) {
        return bucket.tryAcquire(texts[position.next(sequence)]);
    }

    /** A sliding window. */
    @Benchmark
    public Decision shapeSliding(Position position) {
        return sliding.tryAcquire(texts[position.next(sequence)]);
    }

    /** A day. */
    @Benchmark
    public Decision shapeDay(Position position) {
        return day.tryAcquire(texts[position.next(sequence)]);
    }

    /** A window that blocks. */
    @Benchmark
    public Decision shapeBlocking(Position position) {
        return blocking.tryAcquire(texts[position.next(sequence)]);
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

    /** Bucket4j's token bucket, whose permits come back one by one, in the same cache. */
    @Benchmark
    public boolean bucket4jGreedyInCaffeine(Position position) {
        return buckets.get(
                        texts[position.next(sequence)],
                        key -> Bucket.builder()
                                .addLimit(limit -> limit.capacity(Math.min(permits, 1_000_000_000))
                                        .refillGreedy(Math.min(permits, 1_000_000_000), WINDOW))
                                .build())
                .tryConsume(1);
    }

    /** Guava's limiter, in the same cache. */
    @Benchmark
    public boolean guavaInCaffeine(Position position) {
        return guava.get(
                        texts[position.next(sequence)],
                        key -> RateLimiter.create(outcome.equals("allowed") ? 1e9 : 1e-6))
                .tryAcquire();
    }

    /** resilience4j's registry, which never forgets a key. */
    @Benchmark
    public boolean resilience4jRegistry(Position position) {
        return registry.rateLimiter(texts[position.next(sequence)]).acquirePermission();
    }
}
