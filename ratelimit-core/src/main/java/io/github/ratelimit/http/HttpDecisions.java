package io.github.ratelimit.http;

import io.github.ratelimit.Decision;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.Limiters;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What was decided about one request: so that each limiter charges it once whatever it passes, and a refusal costs nothing.
 *
 * <p>An adapter keeps one with each request. Used by one thread at a time.
 */
public final class HttpDecisions {

    /** What stood here before a later decision took its place. */
    private record Earlier(
            List<String> limiters,
            Decision decision,
            @Nullable Earlier earlier) {}

    // The latest decision stands here and those before it behind `earlier`: nearly all requests have one.
    private List<String> limiters = List.of();
    private @Nullable Decision decision;
    private @Nullable Earlier earlier;
    private boolean refused;

    /** Makes an empty one. */
    public HttpDecisions() {}

    /** Remembers that the client is told of a refusal: what the application does to answer it is not refused again. For adapters. */
    public void tellRefusal() {
        refused = true;
    }

    /** Whether the client is told of a refusal. A limiter that refused, while the application served the request all the same, does not count. */
    public boolean isRefused() {
        return refused;
    }

    /** Those of the limiters that have not decided yet, each once: the list itself if that is all of it. */
    List<String> undecided(List<String> names) {
        if (decision == null && areDistinct(names)) {
            return names;
        }
        List<String> undecided = new ArrayList<>(names.size());
        for (String name : names) {
            if (!hasDecided(name) && !undecided.contains(name)) {
                undecided.add(name);
            }
        }
        return undecided;
    }

    private static boolean areDistinct(List<String> names) {
        for (int i = 1; i < names.size(); i++) {
            if (names.indexOf(names.get(i)) < i) {
                return false;
            }
        }
        return true;
    }

    private boolean hasDecided(String name) {
        boolean decided = limiters.contains(name);
        for (Earlier each = earlier; each != null; each = each.earlier) {
            decided |= each.limiters.contains(name);
        }
        return decided;
    }

    /** Keeps a decision. One that refuses gives all earlier ones back; what cannot be given back errs towards refusing. */
    void add(List<String> names, Decision made, Limiters<HttpCall> of) {
        if (decision != null) {
            earlier = new Earlier(limiters, decision, earlier);
        }
        limiters = List.copyOf(names); // the list itself where it cannot be changed
        decision = made;
        if (!made.allowed()) {
            for (Earlier each = earlier; each != null; each = each.earlier) {
                of.refund(each.decision).exceptionally(lost -> null);
            }
        }
    }

    /** What the limiters have decided: the refusal among it if there is one, else the latest; null if they have not. */
    @SuppressWarnings("ReferenceEquality") // the list that was just asked about needs no comparison
    @Nullable
    Decision of(List<String> names) {
        if (names == limiters && earlier == null) {
            return decision;
        }
        Decision found = decision != null && meet(limiters, names) ? decision : null;
        for (Earlier each = earlier; each != null; each = each.earlier) {
            if ((found == null || !each.decision.allowed()) && meet(each.limiters, names)) {
                found = each.decision;
            }
        }
        return found;
    }

    private static boolean meet(List<String> some, List<String> others) {
        for (String name : some) {
            if (others.contains(name)) {
                return true;
            }
        }
        return false;
    }

    /** The limit that holds the caller back first, of all that the request has met; empty if nobody counted. */
    Optional<LimitStatus> mostRestrictive() {
        if (decision == null) {
            return Optional.empty();
        }
        Optional<LimitStatus> most = decision.mostRestrictive();
        for (Earlier each = standing(); each != null; each = each.earlier) {
            Optional<LimitStatus> other = each.decision.mostRestrictive();
            boolean tighter = other.isPresent()
                    && (most.isEmpty() || Decision.MOST_RESTRICTIVE_FIRST.compare(other.get(), most.get()) < 0);
            most = tighter ? other : most;
        }
        return most;
    }

    /** Where all limits stand that the request has met, in the order in which it met them. */
    List<LimitStatus> statuses() {
        if (decision == null) {
            return List.of();
        }
        if (standing() == null) {
            return decision.statuses();
        }
        List<LimitStatus> statuses = new ArrayList<>(decision.statuses());
        for (Earlier each = standing(); each != null; each = each.earlier) {
            statuses.addAll(0, each.decision.statuses());
        }
        return statuses;
    }

    /** Those before the latest whose figures still hold: none where that refused, as they were given back. */
    private @Nullable Earlier standing() {
        return decision != null && decision.allowed() ? earlier : null;
    }
}
