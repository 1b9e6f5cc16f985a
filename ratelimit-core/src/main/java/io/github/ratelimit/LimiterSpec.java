package io.github.ratelimit;

import static java.util.Objects.requireNonNull;

import io.github.ratelimit.internal.Names;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The description of a limiter: its name, its rules, its phase, its policy if the store fails, and the outcomes that it counts.
 *
 * <p>Counts belong to the name: places that use one name share them. Immutable and safe for concurrent use.
 *
 * <pre>{@code
 * KeyResolver<Mail> sender = mail -> Key.of(mail.sender());
 * LimiterSpec<Mail> spec = LimiterSpec.of(
 *                 "mail",
 *                 Rule.of(Limit.of("per-second", 2, Duration.ofSeconds(1)), sender),
 *                 Rule.of(Limit.of("per-day", 1_000, Duration.ofDays(1)), sender))
 *         .withOnStoreFailure(OnStoreFailure.ALLOW);
 * }</pre>
 *
 * @param name 1 to 64 of {@code A-Z a-z 0-9 . _ -}
 * @param rules at least one; each limit has a name of its own; a request takes its cost from all rules that apply, or from none
 * @param onStoreFailure the policy if the store does not answer
 * @param shadow whether it only counts and reports: it rejects nothing and takes no part in header fields
 * @param phase when it decides
 * @param count the outcomes that it counts, by the status of the answer, such as {@code Outcomes} of {@code http}. Adapters ask it; other callers
 *     settle by themselves
 * @param atMost the share of a limit that one request takes at most before it is settled, above 0 to 1
 * @param described null: there are no changes by operators
 * @param <R> the type of request
 */
public record LimiterSpec<R>(
        String name,
        List<Rule<R>> rules,
        OnStoreFailure onStoreFailure,
        boolean shadow,
        Phase phase,
        IntPredicate count,
        double atMost,
        @Nullable LimiterSpec<R> described) {

    /** Every outcome counts. */
    public static final IntPredicate EVERY_OUTCOME = status -> true;

    /**
     * Checks and copies the parts.
     *
     * @throws IllegalArgumentException if the name is malformed, there is no rule, two rules have the same limit name, or a rule needs a later
     *     phase
     */
    public LimiterSpec {
        Names.require("limiter", name);
        requireNonNull(onStoreFailure, "onStoreFailure");
        requireNonNull(phase, "phase");
        requireNonNull(count, "count");
        if (!(atMost > 0 && atMost <= 1)) {
            throw new IllegalArgumentException(
                    "limiter '%s': atMost must be more than 0 and at most 1, was %s".formatted(name, atMost));
        }
        rules = List.copyOf(rules);
        if (rules.isEmpty()) {
            throw new IllegalArgumentException(
                    "limiter '%s': rules must not be empty; give at least one".formatted(name));
        }
        Set<String> names = new HashSet<>();
        for (Rule<R> rule : rules) {
            String limit = rule.limits().get(0).name();
            if (!names.add(limit)) {
                throw new IllegalArgumentException(
                        "limiter '%s': two rules are called '%s'; give each its own name".formatted(name, limit));
            }
        }
        if (phase.compareTo(earliestPhase(rules)) < 0) {
            throw new IllegalArgumentException(
                    "limiter '%s': a rule needs the user, a role or an attribute, which are known only after authentication; leave the phase out, or count by another key"
                            .formatted(name));
        }
    }

    /** A description without changes by operators. */
    public LimiterSpec(
            String name, List<Rule<R>> rules, OnStoreFailure policy, boolean shadow, Phase phase, IntPredicate count) {
        this(name, rules, policy, shadow, phase, count, 1, null);
    }

    /** An enforcing limiter of all outcomes in the earliest possible phase, with in-process fallback. */
    public LimiterSpec(String name, List<Rule<R>> rules) {
        this(name, rules, OnStoreFailure.LOCAL, false, earliestPhase(rules), EVERY_OUTCOME);
    }

    /** An enforcing limiter of all outcomes in the earliest possible phase, with in-process fallback. */
    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    public static <R> LimiterSpec<R> of(String name, Rule<R>... rules) {
        return new LimiterSpec<>(name, List.of(rules));
    }

    /** A limiter of one rule. */
    public static <R> LimiterSpec<R> of(String name, Limit limit, KeyResolver<? super R> key) {
        return new LimiterSpec<>(name, List.of(Rule.of(limit, key)));
    }

    /** A copy with another policy for store failures. */
    public LimiterSpec<R> withOnStoreFailure(OnStoreFailure onStoreFailure) {
        return with(it ->
                new LimiterSpec<>(it.name, it.rules, onStoreFailure, it.shadow, it.phase, it.count, it.atMost, null));
    }

    /** A copy that only counts and reports, or that enforces. */
    public LimiterSpec<R> withShadow(boolean shadow) {
        return with(it ->
                new LimiterSpec<>(it.name, it.rules, it.onStoreFailure, shadow, it.phase, it.count, it.atMost, null));
    }

    /**
     * A copy with another phase.
     *
     * @throws IllegalArgumentException if a rule needs a later phase
     */
    public LimiterSpec<R> withPhase(Phase phase) {
        return with(it ->
                new LimiterSpec<>(it.name, it.rules, it.onStoreFailure, it.shadow, phase, it.count, it.atMost, null));
    }

    /** A copy that counts only requests with these outcomes. */
    public LimiterSpec<R> withCount(IntPredicate count) {
        return with(it ->
                new LimiterSpec<>(it.name, it.rules, it.onStoreFailure, it.shadow, it.phase, count, it.atMost, null));
    }

    /**
     * A copy that takes a larger cost as this share of each limit, so that one huge estimate does not close a key that others share. The settlement
     * takes the rest.
     *
     * @param share above 0 to 1; concurrency limits do not bound the cost
     * @throws IllegalArgumentException if it is out of its range
     */
    public LimiterSpec<R> withAtMost(double share) {
        return with(it ->
                new LimiterSpec<>(it.name, it.rules, it.onStoreFailure, it.shadow, it.phase, it.count, share, null));
    }

    /**
     * A copy with other permits of one limit. Counts stay.
     *
     * @param rule the name of the rule's limit; null if there is one rule
     * @param plan the plan whose permits change; null if the rule has no plans
     * @throws IllegalArgumentException if there is no such rule or plan, or the permits are out of range
     */
    public LimiterSpec<R> withPermits(@Nullable String rule, @Nullable String plan, long permits) {
        int at = indexOf(rule); // the same in its description
        return with(it -> {
            List<Rule<R>> changed = new ArrayList<>(it.rules);
            changed.set(at, it.rules.get(at).withPermits(plan, permits));
            return new LimiterSpec<>(
                    it.name, changed, it.onStoreFailure, it.shadow, it.phase, it.count, it.atMost, null);
        });
    }

    /** The description without changes by operators; this one if there are none. The {@code with} methods change it alike. */
    @Override
    public LimiterSpec<R> described() {
        return described == null ? this : described;
    }

    /** A copy that operators made of a description. */
    LimiterSpec<R> madeOf(LimiterSpec<R> described) {
        return new LimiterSpec<>(name, rules, onStoreFailure, shadow, phase, count, atMost, described);
    }

    private LimiterSpec<R> with(UnaryOperator<LimiterSpec<R>> change) {
        LimiterSpec<R> changed = change.apply(this);
        return described == null ? changed : changed.madeOf(change.apply(described));
    }

    /** The place of a rule. */
    int indexOf(@Nullable String rule) {
        List<String> names =
                rules.stream().map(each -> each.limits().get(0).name()).toList();
        int at = rule == null && names.size() == 1 ? 0 : rule == null ? -1 : names.indexOf(rule);
        if (at < 0) {
            throw new IllegalArgumentException(
                    "limiter '%s': rule must be one of %s, was %s".formatted(name, String.join(", ", names), rule));
        }
        return at;
    }

    /**
     * What applies now in place of a limit that an earlier description had for some request: the same one with the permits of now. If plans
     * had the same permits, the fewest that one of them has now.
     */
    Limit limitInPlaceOf(Limit limit, LimiterSpec<?> before) {
        List<Limit> were = before.limits(limit.name());
        List<Limit> are = limits(limit.name());
        return IntStream.range(0, Math.min(were.size(), are.size()))
                .filter(i -> were.get(i).permits() == limit.permits())
                .mapToLong(i -> are.get(i).permits())
                .min()
                .stream()
                .mapToObj(permits ->
                        limit.withPermits(permits).withSoft(are.get(0).soft()))
                .findFirst()
                .orElse(limit);
    }

    private List<Limit> limits(String rule) {
        return rules.stream()
                .map(Rule::limits)
                .filter(limits -> limits.get(0).name().equals(rule))
                .findFirst()
                .orElse(List.of());
    }

    private static <R> Phase earliestPhase(List<Rule<R>> rules) {
        return rules.stream().map(Rule::phase).reduce(Phase.BEFORE_AUTHENTICATION, Phase::later);
    }

    /**
     * The charges of a request: one for each rule that applies.
     *
     * @param waits whether it waits for permits by name
     */
    List<Charge> charges(R request, long cost, boolean waits) {
        if (cost < 0) {
            throw new IllegalArgumentException("limiter '%s': cost must be 0 or more, was %d".formatted(name, cost));
        }
        if (rules.size() == 1) {
            Charge charge = charge(rules.get(0), request, cost, waits);
            return charge == null ? List.of() : capped(List.of(charge));
        }
        List<Charge> charges = new ArrayList<>(rules.size());
        for (Rule<R> rule : rules) {
            Charge charge = charge(rule, request, cost, waits);
            if (charge != null) {
                charges.add(charge);
            }
        }
        return capped(List.copyOf(charges));
    }

    /** With one cost of all limits, as a settlement has one. */
    private List<Charge> capped(List<Charge> charges) {
        if (atMost == 1) {
            return charges;
        }
        long most = charges.stream()
                .filter(charge -> !charge.limit().shape().isConcurrent())
                .mapToLong(charge -> Math.max(1, Math.round(charge.limit().capacity() * atMost)))
                .min()
                .orElse(Long.MAX_VALUE);
        return charges.stream()
                .map(charge -> charge.withCost(Math.min(charge.cost(), most)))
                .toList();
    }

    private @Nullable Charge charge(Rule<R> rule, R request, long cost, boolean waits) {
        Limit limit = rule.limitOrNull(request, waits);
        if (limit == null) {
            return null;
        }
        Key key = requireNonNull(
                rule.key().resolve(request),
                () -> "limiter '%s': the key resolver of limit '%s' returned null; return Key.absent()"
                        .formatted(name, limit.name()));
        return new Charge(name, rule.anchored(limit, key), key, cost);
    }
}
