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
 * Remembers the counters of decisions that were rejected or took the last permit, and rejects by them without asking Redis.
 *
 * <p>A window that has no room for a cost has none until it ends, so such a rejection is exact: it is never one too many, as nothing is
 * ever allowed from here; and it is not remembered for long, as somebody else may have given permits back or reset the counter. A window is held for over when as much time has passed as the server said, counted from when its answer came:
 * at most one round trip late. What else the answer says of limits that are not used up is as this node last saw it. Bounded in memory;
 * safe for concurrent use.
 */
final class Standings {

    /** A learned state, its moment, and how long it may be of use. */
    private record Learned(Standing standing, long at, long keepNanos) {

        /** The same now: a window that is over counts as none. */
        Standing now(long now) {
            long left = standing.resetAfterNanos() - (now - at);
            long used = left > 0 ? standing.used() : 0;
            return new Standing(used, standing.resetAtMillis(), Math.max(left, 0), Math.max(left, 0), false);
        }
    }

    private static final Expiry<Counter, Learned> WHILE_OF_USE =
            Expiry.writing((counter, learned) -> Duration.ofNanos(learned.keepNanos));

    private final TimeSource time;
    private final long longestNanos;
    private final boolean remembers;
    private final Cache<Counter, Learned> learned;

    /**
     * Makes it.
     *
     * @param longest how long anything is remembered at most
     * @param maximum how many counters are remembered at most; with 0 nothing is remembered
     */
    Standings(TimeSource time, Duration longest, int maximum) {
        this.time = time;
        this.longestNanos = longest.toNanos();
        this.remembers = maximum > 0; // a cache of size 0 shows an entry until it is evicted
        this.learned = Caffeine.newBuilder()
                .maximumSize(maximum)
                .expireAfter(WHILE_OF_USE)
                .ticker(time::nanoTime)
                .executor(Runnable::run)
                .build();
    }

    /** The rejection, if one follows from known states; else null. */
    @Nullable
    Decision rejection(RedisStore store, List<Charge> charges, Counter[] counters) {
        Standing[] standings = rejecting(charges, counters);
        return standings == null ? null : Standing.decision(store, charges, standings, false);
    }

    /** Where the counters stand, if that is known and suffices for a rejection; else null. */
    Standing @Nullable [] rejecting(List<Charge> charges, Counter[] counters) {
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
            if (standings[i].exceeds(charges.get(i))) {
                exceeded = i;
            }
        }
        if (exceeded < 0) {
            return null;
        }
        // Where no window is open the reset is now, by the server's calendar: told by a window that is open.
        long nowMillis = standings[exceeded].nowMillis();
        for (int i = 0; i < standings.length; i++) {
            if (standings[i].resetAfterNanos() == 0) {
                standings[i] = Standing.closed(nowMillis);
            }
        }
        return standings;
    }

    /**
     * Remembers where a request's counters stand, if that may reject one later, or if older knowledge of them is here.
     *
     * @param after the standings after the server's answer, which came just now
     * @param rejected whether a request was rejected
     * @param rememberNanos for how long they are part of a rejection by other counters; 0 if they are not
     * @param age how old the answer may be, in nanoseconds: this process may have stood still before it read it
     */
    void learn(Ask request, Standing[] after, boolean rejected, long rememberNanos, long age) {
        if (!remembers) {
            return;
        }
        Counter[] counters = request.counters();
        boolean mayReject = rejected || rememberNanos > 0;
        long keep = rememberNanos;
        for (int i = 0; i < after.length; i++) {
            mayReject |= after[i].isUsedUp(request.charges().get(i).limit().permits());
            keep = Math.max(keep, after[i].resetAfterNanos());
        }
        keep = Math.min(keep, longestNanos) - age;
        if (keep <= 0) {
            return; // no window is open, nothing is remembered, or the answer is too old for it
        }
        long now = time.nanoTime();
        for (int i = 0; i < after.length; i++) {
            if (mayReject || learned.getIfPresent(counters[i]) != null) {
                learned.put(counters[i], new Learned(after[i], now, keep));
            }
        }
    }

    /** Forgets these counters: a refund or a reset has changed them. */
    void forget(Counter[] counters) {
        learned.invalidateAll(List.of(counters));
    }

    /** Drops everything: the server, or who has which counters, may be another one. */
    void clear() {
        learned.invalidateAll();
    }

    /** How many counters are known. */
    long size() {
        return learned.estimatedSize();
    }
}
