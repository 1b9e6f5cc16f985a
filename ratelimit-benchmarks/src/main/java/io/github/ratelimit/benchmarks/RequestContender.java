package io.github.ratelimit.benchmarks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.http.FieldStyle;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpKeys;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.servlet.RateLimitFilter;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** What stands before the servlet. All that limit allow every request, by the same limit, and write the same three fields. */
enum RequestContender {

    /** Nothing. */
    BARE("bare") {
        @Override
        Optional<Filter> filter() {
            return Optional.empty();
        }
    },

    /** The three fields with changing figures, made as cheaply as can be, and nothing decided. */
    FIELDS("fields") {
        @Override
        Optional<Filter> filter() {
            Counter counter = new Counter();
            return Optional.of((request, response, chain) -> {
                long count = counter.count++;
                write((HttpServletResponse) response, PERMITS - count, FIRST_RESET + count);
                chain.doFilter(request, response);
            });
        }
    },

    /** This library's filter, one limiter. */
    OURS_1("ours-1") {
        @Override
        Optional<Filter> filter() {
            return Optional.of(RateLimitFilter.builder(limiter("first"))
                    .limit("/**", "first")
                    .build());
        }
    },

    /** This library's filter, two limiters that every request meets. */
    OURS_2("ours-2") {
        @Override
        Optional<Filter> filter() {
            return Optional.of(RateLimitFilter.builder(limiter("first", "second"))
                    .limit("/**", "first")
                    .limit("/**", "second")
                    .build());
        }
    },

    /** What somebody would write in ten lines over Bucket4j in Caffeine. */
    BUCKET4J("bucket4j") {
        @Override
        Optional<Filter> filter() {
            Cache<String, Bucket> buckets = Caffeine.newBuilder()
                    .maximumSize(100_000)
                    .expireAfterAccess(WINDOW)
                    .build();
            return Optional.of((request, response, chain) -> {
                Bucket bucket = buckets.get(
                        request.getRemoteAddr(),
                        address -> Bucket.builder()
                                .addLimit(limit -> limit.capacity(PERMITS).refillIntervally(PERMITS, WINDOW))
                                .build());
                ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(1);
                long reset = System.currentTimeMillis() + probe.getNanosToWaitForReset() / 1_000_000;
                write(
                        (HttpServletResponse) response,
                        probe.getRemainingTokens(),
                        TimeUnit.MILLISECONDS.toSeconds(reset));
                if (!probe.isConsumed()) {
                    ((HttpServletResponse) response).sendError(429);
                    return;
                }
                chain.doFilter(request, response);
            });
        }
    };

    private static final long PERMITS = 1_000_000_000;
    private static final String LIMIT = Long.toString(PERMITS);
    private static final Duration WINDOW = Duration.ofHours(1);
    private static final long FIRST_RESET = 1_800_000_000; // as many digits as a moment has

    private final String label;

    RequestContender(String label) {
        this.label = label;
    }

    /** How it is called in tables. */
    String label() {
        return label;
    }

    /** Of one length for all, so that all requests are as long. */
    String contextPath() {
        return "/" + (label + "--------").substring(0, 8);
    }

    /** What stands before the servlet, if anything does. */
    abstract Optional<Filter> filter();

    /** Counted without care for races: a lost count is a figure like any other. */
    private static final class Counter {
        long count;
    }

    private static void write(HttpServletResponse response, long remaining, long reset) {
        response.setHeader("X-RateLimit-Limit", LIMIT);
        response.setHeader("X-RateLimit-Remaining", Long.toString(remaining));
        response.setHeader("X-RateLimit-Reset", Long.toString(reset));
    }

    private static HttpRateLimiter limiter(String... names) {
        Limiters.Builder<HttpCall> limiters = Limiters.builder(InProcessStore.create());
        for (String name : names) {
            limiters.add(LimiterSpec.of(name, Limit.of("limit", PERMITS, WINDOW), HttpKeys.clientAddress()));
        }
        return new HttpRateLimiter(limiters.build(), FieldStyle.X_RATELIMIT);
    }
}
