package io.github.ratelimit;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Supplier;
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
    public static final Comparator<LimitStatus> MOST_RESTRICTIVE_FIRST = Comparator.<LimitStatus, Duration>comparing(
                    status -> status.retryAfter().orElse(Decision.FOREVER))
            .reversed()
            .thenComparing(status -> status.limit().shape().isConcurrent())
            .thenComparingLong(LimitStatus::remaining)
            .thenComparing(LimitStatus::resetAt, Comparator.reverseOrder());

    private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);
    private static final Optional<Duration> NOW = Optional.of(Duration.ZERO);

    /** A wait in nanoseconds that means "never". */
    static final long NEVER = Long.MAX_VALUE;

    private static final Decision UNLIMITED = withoutStore(true);

    // The figures of one charge.
    private static final int REMAINING = 0;
    private static final int RESET_AFTER_NANOS = 1;
    private static final int RESET_AT_MILLIS = 2;
    private static final int RETRY_AFTER_NANOS = 3;
    private static final int WINDOW = 4;
    private static final int FIGURES = 5;

    @SuppressWarnings("rawtypes") // a class literal has no type arguments
    private static final AtomicReferenceFieldUpdater<Decision, CompletableFuture> SETTLEMENT =
            AtomicReferenceFieldUpdater.newUpdater(Decision.class, CompletableFuture.class, "settlement");

    private final @Nullable Store store;
    private final boolean allowed;
    private final Source source;
    private final List<Charge> charges;
    private final long[] figures;
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
            List<Charge> charges,
            long[] figures,
            List<Decision> shadows,
            @Nullable UUID ticket) {
        this.store = store;
        this.allowed = allowed;
        this.source = source;
        this.charges = charges;
        this.figures = figures;
        this.shadows = shadows;
        this.ticket = ticket;
    }

    /** Collects the figures of a store's decision. Used by one thread, once. */
    static final class Builder {

        private final Store store;
        private final List<Charge> charges;
        private final long[] figures;
        private boolean allowed = true;
        private int at;
        private final @Nullable UUID ticket;

        /**
         * Starts a decision.
         *
         * @param ticket names what it takes of concurrency limits
         */
        Builder(Store store, List<Charge> charges, @Nullable UUID ticket) {
            this.store = store;
            this.charges = List.copyOf(charges);
            this.figures = new long[FIGURES * charges.size()];
            this.ticket = ticket;
        }

        /**
         * Adds the figures of the next charge.
         *
         * @param retryAfterNanos 0 if this limit admits the cost, or {@link #NEVER}
         * @param window identifies the window among all windows of the counter
         */
        Builder add(long remaining, long resetAfterNanos, long resetAtMillis, long retryAfterNanos, long window) {
            figures[at + REMAINING] = remaining;
            figures[at + RESET_AFTER_NANOS] = resetAfterNanos;
            figures[at + RESET_AT_MILLIS] = resetAtMillis;
            figures[at + RETRY_AFTER_NANOS] = retryAfterNanos;
            figures[at + WINDOW] = window;
            allowed &= retryAfterNanos == 0;
            at += FIGURES;
            return this;
        }

        Decision build() {
            return new Decision(store, allowed, Source.STORE, charges, figures, List.of(), allowed ? ticket : null);
        }
    }

    /**
     * Makes a store's decision. It is allowed if no limit is exceeded.
     *
     * @param store the store that decided: no other one can refund the decision
     * @param statuses one for each charge, in the same order
     * @throws IllegalArgumentException if there is no charge, or not one status for each
     */
    public static Decision of(Store store, List<Charge> charges, List<LimitStatus> statuses) {
        return of(store, charges, statuses, null);
    }

    /**
     * As {@link #of(Store, List, List)}, with the ticket that names what was taken of concurrency limits.
     *
     * @param ticket 128 random bits, another one for each call; null if no concurrency limit took part
     */
    public static Decision of(Store store, List<Charge> charges, List<LimitStatus> statuses, @Nullable UUID ticket) {
        if (statuses.isEmpty() || statuses.size() != charges.size()) {
            throw new IllegalArgumentException(
                    "statuses must be one for each charge, were %d for %d".formatted(statuses.size(), charges.size()));
        }
        Builder decision = new Builder(store, charges, ticket);
        for (LimitStatus status : statuses) {
            long resetAt = status.resetAt().toEpochMilli();
            long retryAfter = status.retryAfter().map(Duration::toNanos).orElse(NEVER);
            decision.add(status.remaining(), status.resetAfter().toNanos(), resetAt, retryAfter, resetAt);
        }
        return decision.build();
    }

    /** The decision about a request without limits: allowed, without charges. */
    public static Decision unlimited() {
        return UNLIMITED;
    }

    /** A decision without a store. */
    static Decision withoutStore(boolean allowed) {
        return new Decision(null, allowed, Source.NONE, List.of(), new long[0], List.of(), null);
    }

    /** The same decision, made by the fallback. */
    Decision fromFallback() {
        return new Decision(store, allowed, Source.LOCAL, charges, figures, shadows, ticket);
    }

    /** The same decision some time later: its times are shorter. */
    Decision later(long nanos) {
        long[] aged = figures.clone();
        for (int i = 0; i < aged.length; i += FIGURES) {
            long wait = aged[i + RETRY_AFTER_NANOS];
            aged[i + RESET_AFTER_NANOS] = Math.max(0, aged[i + RESET_AFTER_NANOS] - nanos);
            aged[i + RETRY_AFTER_NANOS] = wait == 0 || wait == NEVER ? wait : Math.max(1, wait - nanos);
        }
        return new Decision(store, allowed, source, charges, aged, shadows, ticket);
    }

    /** The same decision with that of one more limiter in shadow. */
    Decision withShadow(Decision shadow) {
        List<Decision> all = Stream.concat(shadows.stream(), Stream.of(shadow)).toList();
        return new Decision(store, allowed, source, charges, figures, all, ticket);
    }

    /** Whether the request may go on: then each charge was taken, else none. */
    public boolean allowed() {
        return allowed;
    }

    /** The part of the library that decided. */
    public Source source() {
        return source;
    }

    /** The charges, in the order of the rules; empty if no store decided. */
    public List<Charge> charges() {
        return charges;
    }

    /** The status of each limit, in the order of the charges; empty if no store decided. */
    public List<LimitStatus> statuses() {
        List<LimitStatus> statuses = new ArrayList<>(charges.size());
        for (int i = 0; i < charges.size(); i++) {
            statuses.add(status(i));
        }
        return List.copyOf(statuses);
    }

    /** The statuses of one limiter; empty if it took no part. */
    public List<LimitStatus> statuses(String limiter) {
        return statuses().stream()
                .filter(status -> status.limiter().equals(limiter))
                .toList();
    }

    /** The first limit by {@link #MOST_RESTRICTIVE_FIRST}; empty if no store decided. */
    public Optional<LimitStatus> mostRestrictive() {
        return charges.isEmpty() ? Optional.empty() : Optional.of(status(mostRestrictiveIndex()));
    }

    /** As {@link #MOST_RESTRICTIVE_FIRST}, without creating the statuses: each response asks. */
    private int mostRestrictiveIndex() {
        int most = 0;
        for (int i = 1; i < charges.size(); i++) {
            int order = Long.compare(figure(i, RETRY_AFTER_NANOS), figure(most, RETRY_AFTER_NANOS));
            order = order != 0 ? order : Boolean.compare(isConcurrent(most), isConcurrent(i));
            order = order != 0 ? order : Long.compare(figure(most, REMAINING), figure(i, REMAINING));
            order = order != 0 ? order : Long.compare(figure(i, RESET_AT_MILLIS), figure(most, RESET_AT_MILLIS));
            most = order > 0 ? i : most;
        }
        return most;
    }

    private long figure(int charge, int figure) {
        return figures[FIGURES * charge + figure];
    }

    private LimitStatus status(int i) {
        return new LimitStatus(
                charges.get(i).limiter(),
                charges.get(i).limit(),
                figure(i, REMAINING),
                Duration.ofNanos(figure(i, RESET_AFTER_NANOS)),
                Instant.ofEpochMilli(figure(i, RESET_AT_MILLIS)),
                duration(figure(i, RETRY_AFTER_NANOS)));
    }

    private static Optional<Duration> duration(long nanos) {
        if (nanos == 0) {
            return NOW;
        }
        return nanos == NEVER ? Optional.empty() : Optional.of(Duration.ofNanos(nanos));
    }

    /** Time until all limits admit their costs: zero if they fit now, empty if one never fits. */
    public Optional<Duration> retryAfter() {
        return charges.isEmpty() ? NOW : duration(figure(mostRestrictiveIndex(), RETRY_AFTER_NANOS));
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
        if (!allowed || charges.isEmpty()) {
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
        boolean takes = false;
        for (int i = 0; allowed && i < charges.size(); i++) {
            takes |= isConcurrent(i) && charges.get(i).cost() > 0;
        }
        return takes || (!shadows.isEmpty() && shadows.stream().anyMatch(Decision::takesConcurrent));
    }

    private boolean isConcurrent(int charge) {
        return charges.get(charge).limit().shape().isConcurrent();
    }

    /** Whether it is a part of concurrency limits. */
    boolean isConcurrent() {
        return !charges.isEmpty() && isConcurrent(0);
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
        for (int from = 0, to; from < charges.size(); from = to) {
            String limiter = charges.get(from).limiter();
            to = from + 1;
            while (to < charges.size() && charges.get(to).limiter().equals(limiter)) {
                to++;
            }
            for (boolean concurrent : new boolean[] {false, true}) {
                int[] own = IntStream.range(from, to)
                        .filter(i -> isConcurrent(i) == concurrent)
                        .toArray();
                if (own.length > 0) {
                    split.add(part(own));
                }
            }
        }
        return split;
    }

    private Decision part(int[] own) {
        long[] ownFigures = new long[FIGURES * own.length];
        for (int i = 0; i < own.length; i++) {
            System.arraycopy(figures, FIGURES * own[i], ownFigures, FIGURES * i, FIGURES);
        }
        List<Charge> ownCharges = Arrays.stream(own).mapToObj(charges::get).toList();
        return new Decision(
                store, allowed, source, ownCharges, ownFigures, List.of(), isConcurrent(own[0]) ? ticket : null);
    }

    /** The window of a charge among all windows of its counter. */
    long window(int charge) {
        return figure(charge, WINDOW);
    }

    /** The outcome, the source, and the remaining permits of each limit. Shows no key. */
    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(", ", (allowed ? "allowed" : "rejected") + " by " + source + " [", "]");
        statuses()
                .forEach(status -> text.add("%s: %d remaining, reset after %s"
                        .formatted(status.limit().name(), status.remaining(), status.resetAfter())));
        return text.toString();
    }
}
