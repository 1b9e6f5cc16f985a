package io.github.ratelimit.spring.boot;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.Store;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.spring.Diagnostic;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Watches whether another application counts under the same prefix by limiters of the same names and other limits: both count for each other,
 * and each refuses by what it believes the limit to be.
 *
 * <p>Each limiter has a mark in the store: a counter of its own, whose count is a number that is made of its limits. Whoever comes first puts it
 * there, for {@value #MINUTES_KEPT} minutes; everybody looks at it each minute. So the store needs no further command and no further right,
 * and what an application left behind is gone soon. Safe for concurrent use.
 */
final class LimitsOnPrefix implements SmartInitializingSingleton, DisposableBean {

    private static final Log LOG = LogFactory.getLog(LimitsOnPrefix.class);
    private static final int MINUTES_KEPT = 10;
    private static final Duration KEPT = Duration.ofMinutes(MINUTES_KEPT);

    /** Chosen: one of a thousand differences is not seen, and the marks look like other counters to whoever lists the most used. */
    private static final int MARKS = 1000;

    private static final String SCOPE = "ratelimit.limits";
    private static final Key ALL = Key.of("limits"); // one key: on a Cluster, one slot

    private final Store store;
    /** As they were at the start: whoever changes a limiter of this process knows that he did. */
    private final List<LimiterSpec<HttpCall>> specs;

    private final Diagnostics diagnostics;
    private @Nullable Future<?> next; // guarded by this

    LimitsOnPrefix(Store store, Limiters<HttpCall> limiters, Diagnostics diagnostics) {
        this.store = store;
        this.specs = limiters.names().stream().map(name -> limiters.spec(name)).toList();
        this.diagnostics = diagnostics;
    }

    @Override
    public synchronized void afterSingletonsInstantiated() {
        next = store.time().runAfter(TimeUnit.MINUTES.toNanos(1), this::look);
    }

    private void look() {
        CompletionStage<Void> compared = compare();
        compared.whenComplete((done, failure) -> {
            if (failure != null) {
                LOG.debug("It is not known whether another application counts by other limits", failure);
            }
            again();
        });
    }

    private synchronized void again() {
        if (next != null) {
            afterSingletonsInstantiated();
        }
    }

    @Override
    public synchronized void destroy() {
        if (next != null) {
            next.cancel(false);
            next = null;
        }
    }

    /** Looks at the marks, puts those that are missing, and tells of those that differ. */
    CompletionStage<Void> compare() {
        if (specs.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        List<Charge> marks =
                specs.stream().map(spec -> charge(spec, Limit.MAX_PERMITS, 0)).toList();
        return store.tryAcquireAsync(marks).thenCompose(seen -> {
            CompletionStage<Void> done = CompletableFuture.completedFuture(null);
            for (int i = 0; i < specs.size(); i++) {
                LimiterSpec<HttpCall> spec = specs.get(i);
                LimitStatus status = seen.statuses().get(i);
                long mark = status.limit().capacity() - status.remaining();
                if (mark == 0) {
                    done = done.thenCompose(last -> put(spec));
                } else if (mark != mark(spec)) {
                    warn(spec);
                }
            }
            return done;
        });
    }

    /** Whoever asks for as many permits as there are gets them only if nobody has taken any. */
    private CompletionStage<Void> put(LimiterSpec<HttpCall> spec) {
        long mark = mark(spec);
        CompletionStage<Decision> put = store.tryAcquireAsync(List.of(charge(spec, mark, mark)));
        return put.thenAccept(decision -> {});
    }

    private void warn(LimiterSpec<HttpCall> spec) {
        diagnostics.warn(
                Diagnostic.OTHER_LIMITS_ON_PREFIX,
                "limiter '%s' has other limits in another application, or in another version of this one, that counts under the same ratelimit.redis.key-prefix: give each application a prefix of its own, or its limiters names of their own; while a version is replaced, wait for the last of the old ones"
                        .formatted(spec.name()));
    }

    private static Charge charge(LimiterSpec<HttpCall> spec, long permits, long cost) {
        return new Charge(SCOPE, Limit.of(spec.name(), permits, KEPT), ALL, cost);
    }

    /** 1 to {@value #MARKS}. What is not known beforehand, and what a plan is called, does not count. */
    private static long mark(LimiterSpec<HttpCall> spec) {
        String limits = spec.rules().stream()
                .map(rule -> rule.limits().stream()
                        .map(limit -> limit.name() + " " + limit.permits() + " " + limit.window())
                        .sorted()
                        .collect(Collectors.joining(",")))
                .collect(Collectors.joining(";"));
        return Math.floorMod(limits.hashCode(), MARKS) + 1L;
    }
}
