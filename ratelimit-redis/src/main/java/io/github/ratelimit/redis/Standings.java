package io.github.ratelimit.redis;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.TimeSource;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the counters of decisions that were refused or took the last permit, and refuses by them without asking Redis.
 *
 * <p>A window that has no room for a cost has none until it ends, so such a refusal is exact: it is never one too many, as nothing is
 * ever allowed from here. A window is held for over when as much time has passed as the server said, counted from when its answer came:
 * at most one round trip late. What else the answer says of limits that are not used up is as this node last saw it. Bounded in memory;
 * safe for concurrent use.
 */
final class Standings {

    /** What was learned, when, and for how long it may be of use. */
    private record Learned(Standing standing, long at, long keepNanos) {

        /** The same now: a window that is over counts as none. */
        Standing now(long now) {
            long left = standing.resetAfterNanos() - (now - at);
            long used = left > 0 ? standing.used() : 0;
            return new Standing(used, standing.resetAtMillis(), Math.max(left, 0));
        }
    }

    private static final Expiry<Counter, Learned> WHILE_OF_USE =
            Expiry.writing((counter, learned) -> Duration.ofNanos(learned.keepNanos));

    private final TimeSource time;
    private final Cache<Counter, Learned> learned;

    Standings(TimeSource time, int maximum) {
        this.time = time;
        this.learned = Caffeine.newBuilder()
                .maximumSize(maximum)
                .expireAfter(WHILE_OF_USE)
                .ticker(time::nanoTime)
                .executor(Runnable::run)
                .build();
    }

    /** The refusal, if what is known suffices for one; else null. */
    @Nullable
    Decision refusal(List<Charge> charges, Counter[] counters, long cost) {
        Learned first = learned.getIfPresent(counters[0]);
        if (first == null) {
            return null;
        }
        long now = time.nanoTime();
        Standing[] standings = new Standing[counters.length];
        int exceeded = -1;
        for (int i = 0; i < counters.length; i++) {
            Learned known = i == 0 ? first : learned.getIfPresent(counters[i]);
            if (known == null) {
                return null;
            }
            standings[i] = known.now(now);
            if (standings[i].exceeds(charges.get(i).limit().permits(), cost)) {
                exceeded = i;
            }
        }
        if (exceeded < 0) {
            return null;
        }
        // Where no window is open the reset is now, by the server's calendar: told by a window that is open.
        Standing open = standings[exceeded];
        long nowMillis = open.resetAtMillis() - (open.resetAfterNanos() + 999_999) / 1_000_000;
        for (int i = 0; i < standings.length; i++) {
            if (standings[i].resetAfterNanos() == 0) {
                standings[i] = new Standing(0, nowMillis, 0);
            }
        }
        return Standing.decision(charges, standings, cost, false);
    }

    /**
     * Remembers where a request's counters stand, if that may refuse one later, or if older knowledge of them is here.
     *
     * @param after the standings after the server's answer, which came just now
     * @param refused whether a request was refused
     */
    void learn(Request request, Standing[] after, boolean refused) {
        Counter[] counters = request.counters();
        boolean mayRefuse = refused;
        long keep = 0;
        for (int i = 0; i < after.length; i++) {
            mayRefuse |= after[i].isUsedUp(request.charges().get(i).limit().permits());
            keep = Math.max(keep, after[i].resetAfterNanos());
        }
        if (keep == 0) {
            return; // no window is open
        }
        long now = time.nanoTime();
        for (int i = 0; i < after.length; i++) {
            if (mayRefuse || learned.getIfPresent(counters[i]) != null) {
                learned.put(counters[i], new Learned(after[i], now, keep));
            }
        }
    }

    /** Drops what is known of these counters: they were given back to or reset. */
    void forget(Counter[] counters) {
        learned.invalidateAll(List.of(counters));
    }

    /** How many counters are known. */
    long size() {
        return learned.estimatedSize();
    }
}
