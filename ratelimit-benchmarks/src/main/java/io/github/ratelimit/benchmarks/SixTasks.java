package io.github.ratelimit.benchmarks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.common.util.concurrent.RateLimiter;
import io.github.bucket4j.Bucket;
import io.github.ratelimit.Decision;
import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Key;
import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.Limiter;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Rule;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import java.time.Duration;

/**
 * Six tasks in four libraries: hello, one limit for each key, two limits with two keys, wait, refund, look. Compiled, so that the comparison
 * stays true.
 *
 * <p>Ten requests per minute; for two limits, ten for each user and a hundred for all.
 */
@SuppressWarnings("UnstableApiUsage") // Guava's limiter is in beta
final class SixTasks {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private SixTasks() {}

    /** This library: 1 to 3 statements each. */
    static final class Ratelimit {

        boolean hello() {
            Limiter<Void> limiter = Limiter.of("hello", Limit.of(10, MINUTE));
            return limiter.tryAcquire().allowed();
        }

        boolean perKey(String user) {
            Limiter<String> limiter = Limiter.of("user", Limit.of(10, MINUTE), Key::of);
            return limiter.tryAcquire(user).allowed();
        }

        /** Both permits or none. */
        boolean twoLimitsWithTwoKeys(String user) {
            LimiterSpec<String> spec = LimiterSpec.of(
                    "both",
                    Rule.of(Limit.of("own", 10, MINUTE), Key::of),
                    Rule.of(Limit.of("all", 100, MINUTE), KeyResolver.everybody()));
            Limiter<String> limiter = Limiter.of(spec, InProcessStore.create());
            return limiter.tryAcquire(user).allowed();
        }

        boolean waits(Limiter<String> limiter, String user) throws InterruptedException {
            return limiter.acquire(user, 1, Duration.ofSeconds(2)).allowed();
        }

        void refund(Limiter<String> limiter, String user) {
            Decision decision = limiter.tryAcquire(user);
            limiter.refund(decision);
        }

        long look(Limiter<String> limiter, String user) {
            LimitStatus status = limiter.look(user).statuses().get(0);
            return status.remaining();
        }
    }

    /** Bucket4j in process: keys need a cache. */
    static final class Bucket4j {

        private final Cache<String, Bucket> buckets =
                Caffeine.newBuilder().maximumSize(100_000).build();
        private final Bucket all = bucket(100);

        private static Bucket bucket(long permits) {
            return Bucket.builder()
                    .addLimit(limit -> limit.capacity(permits).refillIntervally(permits, MINUTE))
                    .build();
        }

        boolean hello() {
            Bucket bucket = bucket(10);
            return bucket.tryConsume(1);
        }

        boolean perKey(String user) {
            Bucket bucket = buckets.get(user, key -> bucket(10));
            return bucket.tryConsume(1);
        }

        /** Two decisions: the first permit is given back by hand. */
        boolean twoLimitsWithTwoKeys(String user) {
            Bucket own = buckets.get(user, key -> bucket(10));
            if (!own.tryConsume(1)) {
                return false;
            }
            if (!all.tryConsume(1)) {
                own.addTokens(1);
                return false;
            }
            return true;
        }

        boolean waits(Bucket bucket) throws InterruptedException {
            return bucket.asBlocking().tryConsume(1, Duration.ofSeconds(2));
        }

        void refund(Bucket bucket) {
            bucket.tryConsume(1);
            bucket.addTokens(1); // also after the bucket was refilled
        }

        long look(Bucket bucket) {
            return bucket.getAvailableTokens();
        }
    }

    /** resilience4j: a registry of limiters by name, without eviction and refunds. */
    static final class Resilience4j {

        private final RateLimiterConfig ten = RateLimiterConfig.custom()
                .limitForPeriod(10)
                .limitRefreshPeriod(MINUTE)
                .timeoutDuration(Duration.ofSeconds(2))
                .build();
        private final RateLimiterRegistry registry = RateLimiterRegistry.of(ten);

        boolean hello() {
            return registry.rateLimiter("hello").acquirePermission();
        }

        boolean perKey(String user) {
            return registry.rateLimiter(user).acquirePermission();
        }

        /** Two decisions; the first permit stays taken if the second is rejected. */
        boolean twoLimitsWithTwoKeys(String user) {
            RateLimiterConfig hundred =
                    RateLimiterConfig.from(ten).limitForPeriod(100).build();
            return registry.rateLimiter(user).acquirePermission()
                    && registry.rateLimiter("all", hundred).acquirePermission();
        }

        boolean waits(String user) {
            return registry.rateLimiter(user).acquirePermission();
        }

        long look(String user) {
            return registry.rateLimiter(user).getMetrics().getAvailablePermissions();
        }
    }

    /** Guava: a smooth rate, without windows, refunds and looks. */
    static final class Guava {

        private final Cache<String, RateLimiter> limiters =
                Caffeine.newBuilder().maximumSize(100_000).build();
        private final RateLimiter all = RateLimiter.create(100 / 60.0);

        boolean hello() {
            RateLimiter limiter = RateLimiter.create(10 / 60.0);
            return limiter.tryAcquire();
        }

        boolean perKey(String user) {
            RateLimiter limiter = limiters.get(user, key -> RateLimiter.create(10 / 60.0));
            return limiter.tryAcquire();
        }

        /** Two decisions; the first permit stays taken if the second is rejected. */
        boolean twoLimitsWithTwoKeys(String user) {
            RateLimiter own = limiters.get(user, key -> RateLimiter.create(10 / 60.0));
            return own.tryAcquire() && all.tryAcquire();
        }

        boolean waits(RateLimiter limiter) {
            return limiter.tryAcquire(Duration.ofSeconds(2));
        }
    }
}
