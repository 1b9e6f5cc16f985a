package io.github.ratelimit.contract;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Limit;
import io.github.ratelimit.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A limiter that is obviously right and slow: it keeps every grant in a list and adds them up when asked. No windows are stored, no
 * count, nothing expires.
 */
final class NaiveModel {

    private record Grant(long moment, long cost) {}

    /** What the model says of one limit. */
    record Status(long remaining, Duration resetAfter, Optional<Duration> retryAfter) {}

    /** What the model says of a request. */
    record Answer(boolean allowed, List<Status> statuses) {}

    private final TimeSource time;
    private final Map<List<Object>, List<Grant>> grants = new HashMap<>();

    NaiveModel(TimeSource time) {
        this.time = time;
    }

    Answer tryAcquire(String limiter, List<Charge> charges, long cost) {
        boolean allowed = charges.stream().allMatch(charge -> used(limiter, charge) + cost <= permits(charge));
        if (allowed && cost > 0) {
            charges.forEach(charge -> grants(limiter, charge).add(new Grant(time.nanoTime(), cost)));
        }
        return new Answer(
                allowed,
                charges.stream()
                        .map(charge -> status(limiter, charge, allowed, cost))
                        .toList());
    }

    void refund(String limiter, List<Charge> charges, long cost) {
        for (Charge charge : charges) {
            if (windowStart(limiter, charge).isPresent()) {
                long back = Math.min(cost, used(limiter, charge));
                grants(limiter, charge).add(new Grant(time.nanoTime(), -back));
            }
        }
    }

    void reset(String limiter, List<Charge> charges) {
        charges.forEach(charge -> grants(limiter, charge).clear());
    }

    private Status status(String limiter, Charge charge, boolean allowed, long cost) {
        long remaining = Math.max(0, permits(charge) - used(limiter, charge));
        Duration resetAfter = windowStart(limiter, charge)
                .map(start -> charge.limit().window().minusNanos(time.nanoTime() - start))
                .orElse(Duration.ZERO);
        if (allowed || cost <= remaining) {
            return new Status(remaining, resetAfter, Optional.of(Duration.ZERO));
        }
        return new Status(remaining, resetAfter, cost > permits(charge) ? Optional.empty() : Optional.of(resetAfter));
    }

    /** The sum of what was granted in the window that is open. */
    private long used(String limiter, Charge charge) {
        Optional<Long> start = windowStart(limiter, charge);
        return start.map(moment -> grants(limiter, charge).stream()
                        .filter(grant -> grant.moment - moment >= 0)
                        .mapToLong(Grant::cost)
                        .sum())
                .orElse(0L);
    }

    /** Walks from the first grant: a window starts with a grant, and the next one with the first grant after its end. */
    private Optional<Long> windowStart(String limiter, Charge charge) {
        long window = charge.limit().window().toNanos();
        @Nullable Long start = null;
        for (Grant grant : grants(limiter, charge)) {
            if (start == null || grant.moment - start >= window) {
                start = grant.moment;
            }
        }
        return Optional.ofNullable(start).filter(moment -> time.nanoTime() - moment < window);
    }

    private List<Grant> grants(String limiter, Charge charge) {
        Limit limit = charge.limit();
        List<Object> counter = List.of(limiter, limit.name(), limit.window(), charge.key());
        return grants.computeIfAbsent(counter, unused -> new ArrayList<>());
    }

    private static long permits(Charge charge) {
        return charge.limit().permits();
    }
}
