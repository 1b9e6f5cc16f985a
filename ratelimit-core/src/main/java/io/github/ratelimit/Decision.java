package io.github.ratelimit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A store's answer: whether the costs were taken, and the status of each limit.
 *
 * <p>A rejection is an answer, not an error. A decision remembers its charges, its store and its windows, so that {@link Limiter#refund} gives
 * back exactly the permits taken, once. Immutable apart from that; safe for concurrent use.
 *
 * <pre>{@code
 * Decision decision = limiter.tryAcquire("ann", 2);
 * if (!decision.allowed()) {
 *     answer.append(
 *             decision.retryAfter().map(wait -> "come back in " + wait).orElse("split it"));
 * }
 * for (LimitStatus status : decision.statuses()) {
 *     answer.append("; ").append(status.limit().name()).append(": ").append(status.remaining());
 * }
 * }</pre>
 */
public final class Decision {

    /** The part of the library that decided. */
    public enum Source {
        /** The limiter's store. */
        STORE,
        /** The in-process fallback of a store that did not answer. */
        LOCAL,
        /** No store: no limit applied, or the store did not answer and {@link OnStoreFailure} decided. */
        NONE
    }

    /**
     * The order for fields with a single value, the most restrictive limit first: longest {@code retryAfter}, with "never" the longest; then
     * limits of a window before those of how many at a time; then fewest remaining; then latest reset.
     *
     * <p>Rule: docs/design/rules.md, "The most restrictive limit".
     */
    public static final Comparator<LimitStatus> MOST_RESTRICTIVE_FIRST = LimitStatus::mostRestrictiveFirst;

    private static final Decision UNLIMITED = withoutStore(true);

    @SuppressWarnings("rawtypes") // a class literal has no type arguments
    private static final AtomicReferenceFieldUpdater<Decision, CompletableFuture> SETTLEMENT =
            AtomicReferenceFieldUpdater.newUpdater(Decision.class, CompletableFuture.class, "settlement");

    private final @Nullable Store store;
    private final boolean allowed;
    private final Source source;
    private final @Nullable LimitStatus only; // most decisions have one, and need no list
    private final List<LimitStatus> several;
    private final List<Decision> shadows;
    private final @Nullable UUID ticket;

    /** The settlement that runs or succeeded. */
    private volatile @Nullable CompletableFuture<Void> settlement;

    /** Made by the first settlement. */
    private volatile @Nullable List<Decision> parts;

    private Decision(
            @Nullable Store store,
            boolean allowed,
            Source source,
            List<LimitStatus> statuses,
            List<Decision> shadows,
            @Nullable UUID ticket) {
        boolean isOne = statuses.size() == 1;
        this.store = store;
        this.allowed = allowed;
        this.source = source;
        this.only = isOne ? statuses.get(0) : null;
        this.several = isOne ? List.of() : List.copyOf(statuses);
        this.shadows = shadows;
        this.ticket = ticket;
    }

    /** A store's decision about one charge, without a list of its status. */
    Decision(Store store, LimitStatus only, @Nullable UUID ticket) {
        this.store = store;
        this.allowed = !only.exceeded();
        this.source = Source.STORE;
        this.only = only;
        this.several = List.of();
        this.shadows = List.of();
        this.ticket = allowed ? ticket : null;
    }

    /**
     * Makes a store's decision. It is allowed if no limit is exceeded.
     *
     * @param store the store that decided: no other one can refund the decision
     * @param statuses one for each charge, in the same order
     * @param ticket names what was taken of concurrency limits: 128 random bits, another one for each call; null if none took part
     * @throws IllegalArgumentException if there is no status
     */
    public static Decision of(Store store, List<LimitStatus> statuses, @Nullable UUID ticket) {
        if (statuses.isEmpty()) {
            throw new IllegalArgumentException("statuses must be one for each charge, were none");
        }
        boolean allowed = true;
        for (int i = 0; i < statuses.size(); i++) { // without an iterator: this runs for each request
            allowed &= !statuses.get(i).exceeded();
        }
        return new Decision(store, allowed, Source.STORE, statuses, List.of(), allowed ? ticket : null);
    }

    /** The decision about a request without limits: allowed, without charges. */
    public static Decision unlimited() {
        return UNLIMITED;
    }

    /** A decision without a store. */
    static Decision withoutStore(boolean allowed) {
        return new Decision(null, allowed, Source.NONE, List.of(), List.of(), null);
    }

    /** The same decision, made by the fallback. */
    Decision fromFallback() {
        return new Decision(store, allowed, Source.LOCAL, statuses(), shadows, ticket);
    }

    /** The same decision some time later: its times are shorter. */
    Decision later(long nanos) {
        List<LimitStatus> aged =
                statuses().stream().map(status -> status.later(nanos)).toList();
        return new Decision(store, allowed, source, aged, shadows, ticket);
    }

    /** The same decision about charges whose limits have other permits. */
    Decision about(List<Charge> charges) {
        List<LimitStatus> own = IntStream.range(0, charges.size())
                .mapToObj(i -> statuses().get(i).about(charges.get(i)))
                .toList();
        return new Decision(store, allowed, source, own, shadows, ticket);
    }

    /** The same decision with that of one more limiter in shadow. */
    Decision withShadow(Decision shadow) {
        List<Decision> all = Stream.concat(shadows.stream(), Stream.of(shadow)).toList();
        return new Decision(store, allowed, source, statuses(), all, ticket);
    }

    /** Whether the request may go on: then each charge was taken, else none. */
    public boolean allowed() {
        return allowed;
    }

    /** Whether the request may go on above a {@link Limit#soft soft} limit: serve it with less, or bill it. */
    public boolean exceeded() {
        return allowed && statuses().stream().anyMatch(LimitStatus::overSoftLimit);
    }

    /** The part of the library that decided. */
    public Source source() {
        return source;
    }

    /** The charges, in the order of the rules; empty if no store decided. */
    public List<Charge> charges() {
        return statuses().stream().map(LimitStatus::charge).toList();
    }

    /** The status of each limit, in the order of the charges; empty if no store decided. */
    public List<LimitStatus> statuses() {
        return only == null ? several : List.of(only);
    }

    /** The statuses of one limiter; empty if it took no part. */
    public List<LimitStatus> statuses(String limiter) {
        return statuses().stream()
                .filter(status -> status.limiter().equals(limiter))
                .toList();
    }

    /** The first limit by {@link #MOST_RESTRICTIVE_FIRST}; empty if no store decided. */
    public Optional<LimitStatus> mostRestrictive() {
        LimitStatus most = only;
        for (int i = 0; i < several.size(); i++) { // without an iterator: each response asks
            LimitStatus status = several.get(i);
            most = most == null || MOST_RESTRICTIVE_FIRST.compare(status, most) < 0 ? status : most;
        }
        return Optional.ofNullable(most);
    }

    /** Time until all limits admit their costs: zero if they fit now, empty if one never fits. */
    public Optional<Duration> retryAfter() {
        return mostRestrictive().map(LimitStatus::retryAfter).orElse(Optional.of(Duration.ZERO));
    }

    /** Whether a cost is larger than its limit, so that waiting is pointless. */
    public boolean neverFits() {
        return retryAfter().isEmpty();
    }

    /**
     * Settles this decision. For stores: every settlement and refund runs through here.
     *
     * <p>Returns the same future while the settlement runs and after it succeeded, so that there is one for each decision. After a failure the
     * next call tries again. Each limiter settles its part as a separate decision.
     *
     * @param by the store that settles
     * @param settle gives back or takes; not called if this decision was rejected or made without a store
     * @throws IllegalArgumentException if another store made this decision; nothing changes then
     */
    @SuppressWarnings("ReferenceEquality") // this store, and not one like it
    public CompletableFuture<Void> settleOnce(Store by, Supplier<CompletableFuture<Void>> settle) {
        if (!allowed || statuses().isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        if (by != store) {
            throw new IllegalArgumentException(
                    "the decision was made by another store (%s); refund it there".formatted(store));
        }
        CompletableFuture<Void> mine = new CompletableFuture<>();
        while (!SETTLEMENT.compareAndSet(this, null, mine)) {
            CompletableFuture<Void> running = settlement;
            if (running != null) {
                return running;
            } // else it has just failed
        }
        try {
            settle.get().whenComplete((nothing, failure) -> endSettlement(mine, failure));
        } catch (Throwable e) {
            endSettlement(mine, e);
            throw e;
        }
        return mine;
    }

    private void endSettlement(CompletableFuture<Void> mine, @Nullable Throwable failure) {
        if (failure == null) {
            mine.complete(null);
        } else {
            settlement = null; // first: the caller that sees the failure may try again
            mine.completeExceptionally(failure);
        }
    }

    /** Whether it was settled, or is just being settled. */
    boolean isSettled() {
        return settlement != null;
    }

    /** The ticket that names in the store what was taken of concurrency limits; empty if nothing was. For stores. */
    public Optional<UUID> ticket() {
        return Optional.ofNullable(ticket);
    }

    /** The store that decided; null if none did. */
    @Nullable
    Store store() {
        return store;
    }

    /** The decisions of limiters in shadow. */
    List<Decision> shadows() {
        return shadows;
    }

    /** Whether permits of concurrency limits were taken, also in shadow. */
    boolean takesConcurrent() {
        List<LimitStatus> statuses = statuses();
        boolean takes = false;
        for (int i = 0; allowed && i < statuses.size(); i++) {
            takes |= statuses.get(i).isConcurrent() && statuses.get(i).charge().cost() > 0;
        }
        return takes || (!shadows.isEmpty() && shadows.stream().anyMatch(Decision::takesConcurrent));
    }

    /** Whether it is a part of concurrency limits. */
    boolean isConcurrent() {
        return statuses().stream().anyMatch(LimitStatus::isConcurrent);
    }

    /**
     * The part of each limiter, also in shadow, as a separate decision: so each limiter settles once, and without the others.
     * Concurrency limits are a separate part, too.
     */
    List<Decision> parts() {
        List<Decision> known = parts;
        if (known == null) {
            synchronized (this) {
                known = parts != null ? parts : List.copyOf(split());
                parts = known;
            }
        }
        return known;
    }

    private List<Decision> split() {
        List<Decision> split = new ArrayList<>();
        shadows.forEach(shadow -> split.addAll(shadow.parts()));
        Map<?, List<LimitStatus>> own = statuses().stream()
                .collect(Collectors.groupingBy(
                        status -> List.of(status.limiter(), status.isConcurrent()),
                        LinkedHashMap::new,
                        Collectors.toList()));
        own.values().forEach(part -> {
            UUID its = part.get(0).isConcurrent() ? ticket : null;
            split.add(new Decision(store, allowed, source, part, List.of(), its));
        });
        return split;
    }

    /** The outcome, the source, and the remaining permits of each limit. Shows no key. */
    @Override
    public String toString() {
        return statuses().stream()
                .map(LimitStatus::toString)
                .collect(Collectors.joining(", ", (allowed ? "allowed" : "rejected") + " by " + source + " [", "]"));
    }
}
