package io.github.ratelimit.http;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Hold;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.Limiters;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The decisions about one request, so that each limiter charges it once, and a rejected request costs nothing.
 *
 * <p>An adapter keeps one with each request. Used by one thread at a time.
 */
public final class HttpDecisions {

    /** The status of a request that ended without an answer, such as one that its client cancelled: every limiter counts it. */
    public static final int UNKNOWN = 0;

    private record Made(List<String> limiters, Decision decision, Limiters<HttpCall> by) {

        /** Whether a limiter does not count every outcome. */
        boolean countsSome() {
            boolean some = false;
            for (int i = 0; i < limiters.size() && decision.allowed() && !some; i++) {
                some = !Outcomes.countsAll(by.spec(limiters.get(i)));
            }
            return some;
        }

        /** Whether the limit counts this request for certain: it rejects it, or counts every outcome. */
        boolean counts(LimitStatus status) {
            return status.exceeded() || Outcomes.countsAll(by.spec(status.limiter()));
        }
    }

    /** In their order. Immutable, so that a request without limiters allocates nothing. */
    private List<Made> made = List.of();

    /** Permits taken after the decisions, by the limiter's name; negative if given back. */
    private Map<String, Long> settled = Map.of();

    private boolean rejected;
    private boolean ended;

    // Guarded by this: the request may end on another thread, while the store is asked.
    private List<Hold> holds = List.of();
    private boolean released;

    /** Creates decisions about a new request. */
    public HttpDecisions() {}

    /** Marks the request as rejected, so that its error page is not limited. For adapters. */
    public void tellRejection() {
        rejected = true;
    }

    /** Whether the client gets a rejection. Stays false if a limiter rejected the request but the application served it anyway. */
    public boolean isRejected() {
        return rejected;
    }

    /** The last one; one that took nothing if nobody has decided. */
    public Decision last() {
        return made.isEmpty() ? Decision.unlimited() : made.get(made.size() - 1).decision;
    }

    /** Whether the request goes on above a soft limit: {@link Decision#exceeded}. */
    public boolean exceeded() {
        return made.stream().anyMatch(each -> each.decision.exceeded());
    }

    /** Whether the end of the request may give permits back: those of concurrency limits, or of limiters that do not count every outcome. */
    public boolean awaitsEnd() {
        synchronized (this) {
            if (!holds.isEmpty()) {
                return true;
            }
        }
        boolean awaits = false;
        for (int i = 0; i < made.size() && !awaits; i++) { // without iterators: each request asks
            awaits = made.get(i).countsSome();
        }
        return awaits;
    }

    /** Gives the permits of concurrency limits back, once. For adapters, if a request may end without an answer. Any thread may call it. */
    public void release() {
        giveBack(true);
    }

    /** Holds permits until the request ends or is rejected. */
    void hold(Hold hold) {
        if (hold == Hold.NOTHING) {
            return;
        }
        synchronized (this) {
            if (!released) {
                holds = Stream.concat(holds.stream(), Stream.of(hold)).toList();
                return;
            }
        }
        hold.close();
    }

    private void giveBack(boolean ends) {
        List<Hold> last;
        synchronized (this) {
            released |= ends;
            last = holds;
            holds = List.of();
        }
        last.forEach(Hold::close);
    }

    /** Those of the names whose limiter has not decided yet. */
    List<String> undecided(List<String> names, Limiters<HttpCall> limiters) {
        if (made.isEmpty()) {
            return names; // a union ignores repeated names
        }
        List<String> undecided = new ArrayList<>(names.size());
        for (String name : names) {
            if (of(List.of(name), limiters) == null) {
                undecided.add(name);
            }
        }
        return undecided;
    }

    /** Keeps a decision. A rejection gives the earlier ones back; if that fails, their permits return when their windows end. */
    void add(List<String> names, Decision decision, Limiters<HttpCall> limiters) {
        if (!decision.allowed()) {
            giveBack(false);
            made.forEach(earlier -> earlier.by.refund(earlier.decision).exceptionally(failure -> null));
        }
        Made last = new Made(List.copyOf(names), decision, limiters);
        made = made.isEmpty()
                ? List.of(last)
                : Stream.concat(made.stream(), Stream.of(last)).toList();
    }

    /**
     * Settles what a limiter took of the request by what it has really cost, once for each limiter: {@link Limiters#settle}. Fields that are
     * written after that tell it. For adapters.
     *
     * @param limiter the limiter's name
     * @param actual permits, 0 or more
     * @return completes when it is done, or exceptionally with {@link io.github.ratelimit.StoreException}; at once if the limiter took nothing
     * @throws IllegalArgumentException if there is no limiter of this name, or {@code actual} is negative
     */
    public CompletableFuture<Void> settle(String limiter, long actual) {
        for (Made each : made) {
            List<Charge> charges = each.decision.charges().stream()
                    .filter(charge -> charge.limiter().equals(limiter)
                            && !charge.limit().shape().isConcurrent())
                    .toList();
            if (each.decision.allowed() && !charges.isEmpty()) {
                CompletableFuture<Void> done = each.by.settle(each.decision, limiter, actual);
                settled = settled.isEmpty() ? new HashMap<>() : settled;
                settled.putIfAbsent(limiter, actual - charges.get(0).cost());
                return done;
            }
        }
        if (made.stream().noneMatch(each -> each.by.names().contains(limiter))) {
            made.stream().findFirst().ifPresent(first -> first.by.get(limiter)); // says which names there are
        }
        return CompletableFuture.completedFuture(null);
    }

    /**
     * Tells the end of the request: permits return to the limiters that do not count its outcome, unless they were settled before, and to
     * concurrency limits. For
     * adapters, once the answer is complete or cannot change any more; later calls change nothing. Header fields do not tell it.
     *
     * @param status the status of the answer, 500 after an exception that nothing answered, or {@value #UNKNOWN}
     */
    public void ended(int status) {
        List<Made> counted = ended || status == UNKNOWN ? List.of() : made;
        ended = true;
        release();
        for (Made each : counted) {
            for (String limiter : each.limiters) {
                if (each.decision.allowed() && !each.by.spec(limiter).count().test(status)) {
                    each.by.settle(each.decision, limiter, 0).exceptionally(failure -> null); // as after a rejection
                }
            }
        }
    }

    /** The status after settlements. */
    private LimitStatus told(LimitStatus status) {
        long more = settled.getOrDefault(status.limiter(), 0L);
        return more == 0 || status.limit().shape().isConcurrent()
                ? status
                : LimitStatus.of(
                        status.charge(),
                        Math.max(0, Math.min(status.limit().capacity(), status.remaining() - more)),
                        status.resetAfter(),
                        status.resetAt(),
                        status.retryAfter());
    }

    /** The decision of these limiters: the rejection if there is one, else the last; null if none has decided. */
    @Nullable
    Decision of(List<String> names, Limiters<HttpCall> limiters) {
        Decision found = null;
        for (int i = 0; i < made.size(); i++) {
            Made each = made.get(i);
            if ((found == null || found.allowed())
                    && each.by == limiters
                    && !Collections.disjoint(each.limiters, names)) {
                found = each.decision;
            }
        }
        return found;
    }

    /** The most restrictive limit of the request; empty if no store decided. */
    Optional<LimitStatus> mostRestrictive() {
        if (made.size() == 1 && settled.isEmpty() && !made.get(0).countsSome()) {
            return made.get(0).decision.mostRestrictive();
        }
        return statuses().stream().min(Decision.MOST_RESTRICTIVE_FIRST);
    }

    /**
     * The status of each limit of the request, in the order of the decisions. Limits that count by outcome are told of alone, or if they reject:
     * else they would hide the others, though they may not count this request.
     */
    List<LimitStatus> statuses() {
        List<LimitStatus> counting = new ArrayList<>();
        List<LimitStatus> all = new ArrayList<>();
        standing()
                .forEach(each -> each.decision.statuses().forEach(status -> {
                    all.add(told(status));
                    if (each.counts(status)) {
                        counting.add(told(status));
                    }
                }));
        return counting.isEmpty() ? all : counting;
    }

    /** The decisions that still hold: after a rejection it alone, because the earlier ones were given back. */
    private Stream<Made> standing() {
        boolean rejectedLast =
                !made.isEmpty() && !made.get(made.size() - 1).decision.allowed();
        return made.stream().skip(rejectedLast ? made.size() - 1L : 0);
    }
}
