package io.github.ratelimit;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A limit and the key that it counts by; the limit can depend on the client's plan, and the rule can skip requests.
 *
 * <p>A rule that does not apply to a request takes no part in the decision, the header fields and the metrics. Immutable and safe for
 * concurrent use, if its resolvers and predicates are.
 *
 * <pre>{@code
 * Rule<Mail> rule = Rule.<Mail>byPlan(
 *                 "mails",
 *                 Duration.ofHours(1),
 *                 Map.of("free", 100L, "pro", 5_000L),
 *                 mail -> Key.of(plans.getOrDefault(mail.sender(), "free")),
 *                 mail -> Key.of(mail.sender()))
 *         .unless(mail -> mail.sender().equals("postmaster"));
 * }</pre>
 *
 * @param <R> the type of request
 */
public final class Rule<R> {

    private final Limit limit; // without a plan
    private final Map<String, Limit> plans;
    private final @Nullable KeyResolver<? super R> planBy;
    private final KeyResolver<? super R> key;
    private final List<Predicate<? super R>> exceptions;
    private final Phase phase;
    private final @Nullable Function<? super Key, @Nullable LocalDate> anchorBy;
    private final @Nullable NamedLimits named;

    private Rule(
            Limit limit,
            Map<String, Limit> plans,
            @Nullable KeyResolver<? super R> planBy,
            KeyResolver<? super R> key,
            List<Predicate<? super R>> exceptions,
            Phase phase,
            @Nullable Function<? super Key, @Nullable LocalDate> anchorBy,
            @Nullable NamedLimits named) {
        this.limit = requireNonNull(limit, "a rule's limit must not be null");
        this.plans = plans;
        this.planBy = planBy;
        this.key = key;
        this.exceptions = List.copyOf(exceptions);
        this.phase = phase;
        this.anchorBy = anchorBy;
        this.named = named;
    }

    /** A rule with the same limit for each request. */
    public static <R> Rule<R> of(Limit limit, KeyResolver<? super R> key) {
        requireNonNull(key, "a rule's key must not be null; count all requests together with KeyResolver.everybody()");
        return new Rule<>(limit, Map.of(), null, key, List.of(), key.phase(), null, null);
    }

    /**
     * A rule whose permits depend on the client's plan. Clients without a known plan get the smallest limit. Names of
     * plans are compared without letter case and surrounding blanks. All plans share their counts, so
     * a client keeps its used permits when its plan changes.
     *
     * @param each the limit, whose permits a plan replaces
     * @param plans permits by plan; at least one
     * @param planBy finds the plan: the first present part of this key
     * @param key the key to count by
     * @throws IllegalArgumentException if there is no plan, two have one name, or the permits of a plan are out of range
     */
    public static <R> Rule<R> byPlan(
            Limit each, Map<String, Long> plans, KeyResolver<? super R> planBy, KeyResolver<? super R> key) {
        Map<String, Limit> limits = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        Limit smallest = null;
        for (Map.Entry<String, Long> plan : plans.entrySet()) {
            Limit limit = each.withPermits(plan.getValue());
            if (limits.put(plan.getKey().strip(), limit) != null) {
                throw new IllegalArgumentException("limit '%s': two plans are called '%s'; letter case does not count"
                        .formatted(each.name(), plan.getKey()));
            }
            smallest = smallest == null || limit.permits() < smallest.permits() ? limit : smallest;
        }
        if (smallest == null) {
            throw new IllegalArgumentException(
                    "limit '%s': plans must not be empty; give permits by plan".formatted(each.name()));
        }
        return new Rule<>(
                smallest,
                Collections.unmodifiableMap(limits),
                planBy,
                key,
                List.of(),
                Phase.later(planBy.phase(), key.phase()),
                null,
                null);
    }

    /**
     * As {@link #byPlan(Limit, Map, KeyResolver, KeyResolver)}, for fixed windows.
     *
     * @param name the limit's name
     * @param window the limit's window
     */
    public static <R> Rule<R> byPlan(
            String name,
            Duration window,
            Map<String, Long> plans,
            KeyResolver<? super R> planBy,
            KeyResolver<? super R> key) {
        return byPlan(Limit.of(name, 1, window), plans, planBy, key);
    }

    /** The same rule, but it does not apply to requests that match. */
    public Rule<R> unless(Predicate<? super R> matches) {
        List<Predicate<? super R>> all = new ArrayList<>(exceptions);
        all.add(matches);
        return new Rule<>(limit, plans, planBy, key, all, phase, anchorBy, named);
    }

    /** The same rule, for conditions that need an authenticated request. */
    public Rule<R> afterAuthentication() {
        return new Rule<>(limit, plans, planBy, key, exceptions, Phase.AFTER_AUTHENTICATION, anchorBy, named);
    }

    /**
     * The same rule, whose windows of the calendar begin at an anchor of each key, such as the first day of a customer's contract.
     *
     * @param anchorBy finds the anchor; asked with each request, and null for a key keeps the limit's own
     * @throws IllegalArgumentException if windows do not end by the calendar
     */
    public Rule<R> anchoredBy(Function<? super Key, @Nullable LocalDate> anchorBy) {
        limit.from(CalendarWindow.FIRST); // checks it
        return new Rule<>(limit, plans, planBy, key, exceptions, phase, anchorBy, named);
    }

    /**
     * The same rule, whose permits depend on a name, such as a plan's or a customer's: for numbers in a database of the application.
     *
     * <p>The function is asked with the first request of a name, and then once a minute, on threads of the library and at most four names at a
     * time. These requests wait for it, for at most 5 seconds, unless they are asynchronous. Without an answer the last known permits apply, or
     * else the rule's own. Counts stay when the answer changes.
     *
     * @param name finds the name: the first present part of this key
     * @param permits gives the permits of a name, and null for a name that has the rule's own; for example a query
     * @throws IllegalArgumentException if the rule has plans
     */
    public Rule<R> permitsBy(KeyResolver<? super R> name, Function<? super String, @Nullable Long> permits) {
        return permitsBy(name, permits, TimeSource.system());
    }

    Rule<R> permitsBy(KeyResolver<? super R> name, Function<? super String, @Nullable Long> permits, TimeSource time) {
        if (!plans.isEmpty()) {
            throw new IllegalArgumentException(
                    "rule '%s' has plans; give permits by plan, or by name".formatted(limit.name()));
        }
        NamedLimits byName = new NamedLimits(limit, permits, time);
        return new Rule<>(limit, plans, name, key, exceptions, Phase.later(phase, name.phase()), anchorBy, byName);
    }

    /** The same rule with other permits, of one plan if it has plans; for all names alike if it has permits by name. */
    Rule<R> withPermits(@Nullable String plan, long permits) {
        if (plans.isEmpty() && plan != null) {
            throw new IllegalArgumentException("rule '%s' has no plans; leave plan out".formatted(limit.name()));
        }
        if (!plans.isEmpty() && (plan == null || !plans.containsKey(plan))) {
            throw new IllegalArgumentException("rule '%s' has permits by plan: plan must be one of %s, was %s"
                    .formatted(limit.name(), String.join(", ", plans.keySet()), plan));
        }
        Map<String, Limit> changed = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        changed.putAll(plans);
        Limit smallest = limit.withPermits(permits);
        if (plan != null) {
            changed.put(plan, smallest);
            smallest = Collections.min(changed.values(), Comparator.comparingLong(Limit::permits));
        }
        return new Rule<>(
                smallest,
                Collections.unmodifiableMap(changed),
                plan == null ? null : planBy,
                key,
                exceptions,
                phase,
                anchorBy,
                null);
    }

    /** The limit for a request; empty if the rule does not apply to it. */
    public Optional<Limit> limit(R request) {
        Limit found = limitOrNull(request, true);
        return found == null || anchorBy == null
                ? Optional.ofNullable(found)
                : Optional.of(anchored(found, key.resolve(request)));
    }

    /** The limit with the anchor of a key. */
    Limit anchored(Limit limit, Key key) {
        LocalDate anchor = anchorBy == null ? null : anchorBy.apply(key);
        return anchor == null ? limit : limit.from(anchor);
    }

    @Nullable
    Limit limitOrNull(R request, boolean waits) {
        for (int i = 0; i < exceptions.size(); i++) { // no iterator: this runs for each request
            if (exceptions.get(i).test(request)) {
                return null;
            }
        }
        if (planBy == null) {
            return limit;
        }
        Optional<String> name = planBy.resolve(request).firstPresent().map(String::strip);
        return (named == null ? name.map(plans::get) : name.map(each -> named.of(each, waits))).orElse(limit);
    }

    /** All limits that the rule can apply: one, or one for each plan in the order of their names. All have one name and one window. */
    public List<Limit> limits() {
        return plans.isEmpty() ? List.of(limit) : List.copyOf(plans.values());
    }

    /** The limit of each plan, by its name; empty if the limit is the same for each request. */
    public Map<String, Limit> plans() {
        return plans;
    }

    /** Finds the plan, or the name of {@link #permitsBy}; empty if the limit is the same for each request. */
    public Optional<KeyResolver<? super R>> planBy() {
        return Optional.ofNullable(planBy);
    }

    /** The conditions of {@link #unless}, in the order of their addition. */
    public List<Predicate<? super R>> exceptions() {
        return exceptions;
    }

    /** Finds the anchor of a key; empty if all keys have that of the limit. */
    public Optional<Function<? super Key, @Nullable LocalDate>> anchorBy() {
        return Optional.ofNullable(anchorBy);
    }

    /** The key to count by. */
    public KeyResolver<? super R> key() {
        return key;
    }

    /** The first phase in which limit and key can be resolved. */
    public Phase phase() {
        return phase;
    }

    /** Whether limit and key are the same for all requests. */
    boolean ignoresRequest() {
        return planBy == null && exceptions.isEmpty() && key == KeyResolver.everybody();
    }
}
