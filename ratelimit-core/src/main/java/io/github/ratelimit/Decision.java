package io.github.ratelimit;

import static java.util.Objects.requireNonNull;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * What a store answers: whether the cost was taken, from which charges, and where each limit stands.
 *
 * <p>A refusal is an answer, not an error. A decision knows its charges, who decided and in which windows, so that {@link Limiter#refund} gives
 * back exactly what was taken, once. Immutable but for the mark that it was given back; safe for concurrent use.
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

    /** Who decided. */
    public enum Source {
        /** The limiter's store. */
        STORE,
        /** The in-process store that stands in while the limiter's store does not answer. */
        LOCAL,
        /**
         * Nobody, and nothing was counted: no limit applies to the request; or the store did not answer, and {@link OnStoreFailure} says
         * what then.
         */
        NONE
    }

    /**
     * The order that single-valued fields report by, the most restrictive first: exceeded before not exceeded and among those the
     * longest wait, with "never" the longest of all; then fewest remaining; then latest reset.
     *
     * <p>Rule: docs/rules.md, "The most restrictive limit".
     */
    public static final Comparator<LimitStatus> MOST_RESTRICTIVE_FIRST = Comparator.<LimitStatus, Duration>comparing(
                    status -> status.retryAfter().orElse(Decision.FOREVER))
            .reversed()
            .thenComparingLong(LimitStatus::remaining)
            .thenComparing(LimitStatus::resetAt, Comparator.reverseOrder());

    /** What is decided where no limit applies: allowed, and nothing was counted. */
    static final Decision UNLIMITED = withoutStore(true);

    /** Stands for "it never fits" among nanoseconds to wait: the longest of all. */
    static final long NEVER = Long.MAX_VALUE;

    private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);
    private static final Optional<Duration> FITS_NOW = Optional.of(Duration.ZERO);
    private static final VarHandle REFUNDED;

    static {
        try {
            REFUNDED = MethodHandles.lookup().findVarHandle(Decision.class, "refunded", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final boolean allowed;
    private final Source source;
    private final long cost;

    // The first charge's figures stand here and the others' behind `rest`: a decision on one limit is one object.
    private final @Nullable Charge charge;
    private final long remaining;
    private final long resetAfterNanos;
    private final long resetAtMillis;
    private final long retryAfterNanos;
    private final long window;
    private final @Nullable Decision rest;

    private final List<Decision> shadows;

    @SuppressWarnings("unused") // by its handle
    private volatile boolean refunded;

    private Decision(
            boolean allowed,
            Source source,
            long cost,
            @Nullable Charge charge,
            long remaining,
            long resetAfterNanos,
            long resetAtMillis,
            long retryAfterNanos,
            long window,
            @Nullable Decision rest,
            List<Decision> shadows) {
        this.allowed = allowed;
        this.source = source;
        this.cost = cost;
        this.charge = charge;
        this.remaining = remaining;
        this.resetAfterNanos = resetAfterNanos;
        this.resetAtMillis = resetAtMillis;
        this.retryAfterNanos = retryAfterNanos;
        this.window = window;
        this.rest = rest;
        this.shadows = shadows;
    }

    /**
     * Puts one charge's figures before those of the charges that follow it.
     *
     * @param retryAfterNanos 0 if this limit admits the cost; else the wait, or {@link #NEVER}
     * @param window names the window among all that the counter ever has; what it says is the store's own
     * @param rest the decision on the charges that follow; null for the last
     */
    static Decision of(
            Charge charge,
            long cost,
            long remaining,
            long resetAfterNanos,
            long resetAtMillis,
            long retryAfterNanos,
            long window,
            @Nullable Decision rest) {
        boolean allowed = retryAfterNanos == 0 && (rest == null || rest.allowed);
        return new Decision(
                allowed,
                Source.STORE,
                cost,
                charge,
                remaining,
                resetAfterNanos,
                resetAtMillis,
                retryAfterNanos,
                window,
                rest,
                List.of());
    }

    /**
     * Makes a store's decision: allowed if no limit is exceeded.
     *
     * @param charges what was asked for
     * @param cost what was asked of each
     * @param statuses one for each charge, in order
     * @throws IllegalArgumentException if there is no charge, or not one status for each
     */
    public static Decision of(List<Charge> charges, long cost, List<LimitStatus> statuses) {
        if (statuses.isEmpty() || statuses.size() != charges.size()) {
            throw new IllegalArgumentException(
                    "statuses must be one for each charge, were %d for %d".formatted(statuses.size(), charges.size()));
        }
        Decision decision = null;
        for (int i = statuses.size() - 1; i >= 0; i--) {
            LimitStatus status = statuses.get(i);
            long resetAt = status.resetAt().toEpochMilli();
            decision = of(
                    charges.get(i),
                    cost,
                    status.remaining(),
                    status.resetAfter().toNanos(),
                    resetAt,
                    status.retryAfter().map(Duration::toNanos).orElse(NEVER),
                    resetAt,
                    decision);
        }
        return requireNonNull(decision);
    }

    /** The decision that nobody made. */
    static Decision withoutStore(boolean allowed) {
        return new Decision(allowed, Source.NONE, 0, null, 0, 0, 0, 0, 0, null, List.of());
    }

    /** The same, said by the store that stands in. */
    Decision fromStandIn() {
        return with(Source.LOCAL, shadows);
    }

    /** The same, and what limiters in shadow decided beside it. */
    Decision withShadows(List<Decision> shadows) {
        return with(source, List.copyOf(shadows));
    }

    private Decision with(Source source, List<Decision> shadows) {
        return new Decision(
                allowed,
                source,
                cost,
                charge,
                remaining,
                resetAfterNanos,
                resetAtMillis,
                retryAfterNanos,
                window,
                rest,
                shadows);
    }

    /** Whether the request may go on. If so, every charge has given the cost; if not, none has. */
    public boolean allowed() {
        return allowed;
    }

    /** Who decided. */
    public Source source() {
        return source;
    }

    /** What was asked of each charge. */
    public long cost() {
        return cost;
    }

    /** What was asked for, in the order of the rules; empty if nobody decided. */
    public List<Charge> charges() {
        List<Charge> charges = new ArrayList<>(2);
        for (Decision each = this; each != null && each.charge != null; each = each.rest) {
            charges.add(each.charge);
        }
        return List.copyOf(charges);
    }

    /** Where each limit stands, one for each charge, in their order; empty if nobody decided. */
    public List<LimitStatus> statuses() {
        List<LimitStatus> statuses = new ArrayList<>(2);
        for (Decision each = this; each != null && each.charge != null; each = each.rest) {
            statuses.add(each.status(each.charge));
        }
        return List.copyOf(statuses);
    }

    /** Where the limits of one limiter stand; empty if it took no part. */
    public List<LimitStatus> statuses(String limiter) {
        return statuses().stream()
                .filter(status -> status.limiter().equals(limiter))
                .toList();
    }

    /** The limit that holds the caller back first, by {@link #MOST_RESTRICTIVE_FIRST}; empty if nobody decided. */
    public Optional<LimitStatus> mostRestrictive() {
        Decision most = this;
        for (Decision each = rest; each != null; each = each.rest) {
            if (each.isMoreRestrictiveThan(most)) {
                most = each;
            }
        }
        return most.charge == null ? Optional.empty() : Optional.of(most.status(most.charge));
    }

    /** As {@link #MOST_RESTRICTIVE_FIRST}, without making what it compares. */
    private boolean isMoreRestrictiveThan(Decision other) {
        if (retryAfterNanos != other.retryAfterNanos) {
            return retryAfterNanos > other.retryAfterNanos;
        }
        return remaining != other.remaining ? remaining < other.remaining : resetAtMillis > other.resetAtMillis;
    }

    private LimitStatus status(Charge of) {
        return new LimitStatus(
                of.scope(),
                of.limit(),
                remaining,
                Duration.ofNanos(resetAfterNanos),
                Instant.ofEpochMilli(resetAtMillis),
                retryAfter(retryAfterNanos));
    }

    private static Optional<Duration> retryAfter(long nanos) {
        if (nanos == 0) {
            return FITS_NOW;
        }
        return nanos == NEVER ? Optional.empty() : Optional.of(Duration.ofNanos(nanos));
    }

    /**
     * Time until the cost would fit every limit: the longest wait among the exceeded ones.
     *
     * @return empty if no limit is exceeded, if the cost never fits, or if nobody decided
     */
    public Optional<Duration> retryAfter() {
        return mostRestrictive().filter(LimitStatus::exceeded).flatMap(LimitStatus::retryAfter);
    }

    /**
     * Marks the decision as given back. For stores: what every refund begins with.
     *
     * @return whether to go on; false if it took nothing, or if it has been marked before
     */
    public boolean markRefunded() {
        return allowed && cost > 0 && charge != null && REFUNDED.compareAndSet(this, false, true);
    }

    /** What limiters in shadow decided beside it. */
    List<Decision> shadows() {
        return shadows;
    }

    /** The name of the first charge's window. */
    long window() {
        return window;
    }

    /** The decision on the charges behind the first. */
    @Nullable
    Decision rest() {
        return rest;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof Decision that
                        && allowed == that.allowed
                        && source == that.source
                        && cost == that.cost
                        && remaining == that.remaining
                        && resetAfterNanos == that.resetAfterNanos
                        && resetAtMillis == that.resetAtMillis
                        && retryAfterNanos == that.retryAfterNanos
                        && Objects.equals(charge, that.charge)
                        && Objects.equals(rest, that.rest));
    }

    @Override
    public int hashCode() {
        return Objects.hash(allowed, source, cost, charge, remaining, resetAtMillis, rest);
    }

    /** Whether it is allowed, by whom, and what remains of each limit. Shows no key. */
    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(", ", (allowed ? "allowed" : "refused") + " by " + source + " [", "]");
        statuses()
                .forEach(status -> text.add("%s: %d remaining, reset after %s"
                        .formatted(status.limit().name(), status.remaining(), status.resetAfter())));
        return text.toString();
    }
}
