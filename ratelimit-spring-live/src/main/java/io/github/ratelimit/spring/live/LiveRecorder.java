package io.github.ratelimit.spring.live;

import io.github.ratelimit.Decision;
import io.github.ratelimit.DecisionListener;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.TimeSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Remembers what limiters decided within the last fifteen minutes, for the live page.
 *
 * <p>Takes a few kilobytes for each limiter: no list grows with clients or keys. A look (cost 0) is no traffic,
 * and a limiter whose permits sufficed, of a request that another one rejected, is not counted, as in the metrics. Safe for concurrent use.
 */
final class LiveRecorder implements DecisionListener {

    private static final long NANOS_A_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final TimeSource time;
    private final Map<String, LimiterTraffic> traffic = new ConcurrentHashMap<>(); // as many as there are limiters
    private final RejectedKeys rejected = new RejectedKeys();
    private final StoreWatch store;
    private final long start;

    /**
     * Makes a recorder that has heard of nothing.
     *
     * @param time the clock that the limiters' store counts by
     */
    LiveRecorder(TimeSource time) {
        this.time = time;
        this.store = new StoreWatch(time);
        this.start = time.nanoTime();
    }

    @Override
    public void onDecision(String limiter, Decision decision, boolean shadow, long nanos) {
        LimiterTraffic of = traffic(limiter);
        long now = time.nanoTime();
        if (decision.source() == Decision.Source.STORE) {
            store.answered(now);
        } else {
            store.wasAway(now);
        }
        boolean isExceeded = look(limiter, of, decision, now);
        boolean nobodyDecided = decision.source() == Decision.Source.NONE;
        boolean took = decision.charges().stream().anyMatch(charge -> charge.cost() > 0);
        if (nobodyDecided || took) {
            if (decision.allowed()) {
                of.allowed().add(second(now));
            } else if (isExceeded || nobodyDecided) {
                of.rejected().add(second(now));
            }
        }
    }

    /** Notes where each of its limits stands; answers whether one of them is exceeded. */
    private boolean look(String limiter, LimiterTraffic of, Decision decision, long now) {
        boolean isExceeded = false;
        for (LimitStatus status : decision.statuses(limiter)) {
            of.stands(status, now);
            if (status.exceeded()) {
                isExceeded = true;
                rejected.add(limiter, status.limit().name(), status.charge().key(), second(now));
            }
        }
        return isExceeded;
    }

    /** Seconds since this was made. */
    long second(long now) {
        return (now - start) / NANOS_A_SECOND;
    }

    TimeSource time() {
        return time;
    }

    LimiterTraffic traffic(String limiter) {
        return traffic.computeIfAbsent(limiter, name -> new LimiterTraffic());
    }

    RejectedKeys rejected() {
        return rejected;
    }

    StoreWatch store() {
        return store;
    }
}
