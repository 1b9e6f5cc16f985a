package io.github.ratelimit;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ListIterator;
import java.util.Optional;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * What a store answers: whether the cost was taken, and where each limit stands.
 *
 * <p>A value: immutable and safe for concurrent use. A refusal is an answer, not an error.
 */
public final class Decision {

    /** Who decided. */
    public enum Source {
        /** The limiter's store. */
        STORE,
        /** The in-process store that stands in while the limiter's store does not answer. */
        LOCAL,
        /** Nobody: the store did not answer, and {@link OnStoreFailure} says what then. Nothing was counted: there is no status. */
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

    /** Stands for "it never fits" among nanoseconds to wait. */
    static final long NEVER = -1;

    private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

    private final boolean allowed;
    private final Source source;

    // The first limit's figures stand here and the others' behind `rest`: a decision on one limit is one object.
    private final @Nullable Limit limit;
    private final long remaining;
    private final long resetAfterNanos;
    private final long resetAtMillis;
    private final long retryAfterNanos;
    private final @Nullable Decision rest;

    Decision(
            boolean allowed,
            Source source,
            @Nullable Limit limit,
            long remaining,
            long resetAfterNanos,
            long resetAtMillis,
            long retryAfterNanos,
            @Nullable Decision rest) {
        this.allowed = allowed;
        this.source = source;
        this.limit = limit;
        this.remaining = remaining;
        this.resetAfterNanos = resetAfterNanos;
        this.resetAtMillis = resetAtMillis;
        this.retryAfterNanos = retryAfterNanos;
        this.rest = rest;
    }

    /**
     * Makes a store's decision: allowed if no limit is exceeded.
     *
     * @param statuses one for each charge, in order; at least one
     * @throws IllegalArgumentException if there is no status
     */
    public static Decision of(List<LimitStatus> statuses) {
        if (statuses.isEmpty()) {
            throw new IllegalArgumentException("statuses must not be empty; give one for each charge");
        }
        boolean allowed = statuses.stream().noneMatch(LimitStatus::exceeded);
        Decision decision = null;
        for (ListIterator<LimitStatus> each = statuses.listIterator(statuses.size()); each.hasPrevious(); ) {
            LimitStatus status = each.previous();
            decision = new Decision(
                    allowed,
                    Source.STORE,
                    status.limit(),
                    status.remaining(),
                    status.resetAfter().toNanos(),
                    status.resetAt().toEpochMilli(),
                    status.retryAfter().map(Duration::toNanos).orElse(NEVER),
                    decision);
        }
        return requireNonNull(decision);
    }

    /** The decision that nobody made. */
    static Decision withoutStore(boolean allowed) {
        return new Decision(allowed, Source.NONE, null, 0, 0, 0, 0, null);
    }

    /** The same, said by the store that stands in. */
    Decision fromStandIn() {
        return with(allowed, Source.LOCAL);
    }

    /** The same figures, but allowed: what a limiter in shadow answers. */
    Decision inShadow() {
        return with(true, source);
    }

    private Decision with(boolean allowed, Source source) {
        return new Decision(allowed, source, limit, remaining, resetAfterNanos, resetAtMillis, retryAfterNanos, rest);
    }

    /** Whether the request may go on. If so, every limit has given the cost; if not, none has. */
    public boolean allowed() {
        return allowed;
    }

    /** Who decided. */
    public Source source() {
        return source;
    }

    /** Where each limit stands, in the order of the rules; empty if nobody decided. */
    public List<LimitStatus> statuses() {
        List<LimitStatus> statuses = new ArrayList<>(2);
        for (Decision each = this; each != null && each.limit != null; each = each.rest) {
            Optional<Duration> retryAfter = each.retryAfterNanos == NEVER
                    ? Optional.empty()
                    : Optional.of(Duration.ofNanos(each.retryAfterNanos));
            statuses.add(new LimitStatus(
                    each.limit,
                    each.remaining,
                    Duration.ofNanos(each.resetAfterNanos),
                    Instant.ofEpochMilli(each.resetAtMillis),
                    retryAfter));
        }
        return List.copyOf(statuses);
    }

    /** The limit that holds the caller back first, by {@link #MOST_RESTRICTIVE_FIRST}; empty if nobody decided. */
    public Optional<LimitStatus> mostRestrictive() {
        return statuses().stream().min(MOST_RESTRICTIVE_FIRST);
    }

    /**
     * Time until the cost would fit every limit: the longest wait among the exceeded ones.
     *
     * @return empty if no limit is exceeded, if the cost never fits, or if nobody decided
     */
    public Optional<Duration> retryAfter() {
        return mostRestrictive().filter(LimitStatus::exceeded).flatMap(LimitStatus::retryAfter);
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
