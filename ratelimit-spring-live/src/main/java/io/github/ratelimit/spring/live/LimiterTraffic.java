package io.github.ratelimit.spring.live;

import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limit.Shape;
import io.github.ratelimit.LimitStatus;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The recent decisions of one limiter, in memory of a fixed size. Safe for concurrent use. */
final class LimiterTraffic {

    /** Chosen: more rules than limiters have. A limit that is computed may have any number of names; further ones are not shown. */
    static final int MOST_GAUGES = 16;

    /**
     * Where the client stands that is nearest to its limit.
     *
     * @param end when the window is over, in nanoseconds of the clock
     */
    record Standing(Key key, long permits, long windowMillis, long remaining, long end) {

        boolean isOver(long now) {
            return end - now <= 0;
        }

        private boolean hasMoreThan(LimitStatus status) {
            return (double) remaining / permits
                    >= (double) status.remaining() / status.limit().capacity();
        }
    }

    private final Series allowed = new Series();
    private final Series rejected = new Series();
    private final Map<String, Standing> standings = new ConcurrentHashMap<>();

    /** What was allowed. */
    Series allowed() {
        return allowed;
    }

    /** What was rejected. */
    Series rejected() {
        return rejected;
    }

    /** Two threads at once may lose one of two sights: the next decision shows where the client stands. */
    void stands(LimitStatus status, long now) {
        String limit = status.limit().name();
        Key key = status.charge().key();
        Standing before = standings.get(limit);
        boolean isNews = before == null || before.isOver(now) || before.key().equals(key) || before.hasMoreThan(status);
        // Of a concurrency limit nobody tells it when a permit comes back: what a decision saw is shown for a second.
        Duration shown = status.limit().shape().isConcurrent() ? Shape.CONCURRENT_RETRY : status.resetAfter();
        if (isNews && (before != null || standings.size() < MOST_GAUGES)) {
            standings.put(
                    limit,
                    new Standing(
                            key,
                            status.limit().capacity(),
                            windowMillis(status.limit()),
                            status.remaining(),
                            now + shown.toNanos()));
        }
    }

    /** 0 for a concurrency limit. */
    static long windowMillis(Limit limit) {
        return limit.shape().isConcurrent() ? 0 : limit.window().toMillis();
    }

    /** Where the client stands that is nearest to this limit; null while no window is open. */
    @Nullable
    Standing standing(String limit, long now) {
        Standing standing = standings.get(limit);
        return standing == null || standing.isOver(now) ? null : standing;
    }
}
