package io.github.ratelimit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Finds the limit that applies to what is limited, or says that none does.
 *
 * <p>A rule whose limit does not apply takes no part in the decision, the header fields and the metrics. Limits that share a name and a
 * window share their counts, so a caller whose plan changes keeps what it has used. Called on the caller's thread, often concurrently; an
 * implementation is safe for that and does not block.
 *
 * <pre>{@code
 * LimitResolver<Mail> limit = LimitResolver.<Mail>byPlan(
 *                 "mails",
 *                 Duration.ofHours(1),
 *                 Map.of("free", 100L, "pro", 5_000L),
 *                 mail -> Key.of(plans.getOrDefault(mail.sender(), "free")))
 *         .unless(mail -> mail.sender().equals("postmaster")); // then this rule takes no part
 * }</pre>
 *
 * @param <R> what is limited: an HTTP call, a message, a job
 */
@FunctionalInterface
public interface LimitResolver<R> {

    /**
     * Finds the limit.
     *
     * @return empty: this rule does not apply to the request
     */
    Optional<Limit> resolve(R request);

    /** The limits that may be found, as far as that is known beforehand; none if it is not. For checks and for whoever shows them. */
    default List<Limit> known() {
        return List.of();
    }

    /** The phase that this limit can be found in first; {@link Phase#BEFORE_AUTHENTICATION} if not said otherwise. */
    default Phase phase() {
        return Phase.BEFORE_AUTHENTICATION;
    }

    /** The same limit for every request. */
    static <R> LimitResolver<R> constant(Limit limit) {
        Optional<Limit> always = Optional.of(limit);
        List<Limit> known = List.of(limit);
        return new LimitResolver<>() {
            @Override
            public Optional<Limit> resolve(R request) {
                return always;
            }

            @Override
            public List<Limit> known() {
                return known;
            }
        };
    }

    /**
     * A limit whose permits depend on the caller's plan. Who has no plan, or one that is not listed, has the smallest: leaving the plan out
     * gains nothing.
     *
     * @param name the limit's name, whatever the plan
     * @param window the period it counts over, whatever the plan
     * @param plans permits by plan; at least one
     * @param planBy names the plan: the text of its key's first part that is present
     * @throws IllegalArgumentException if there is no plan, or a plan's permits are out of range
     */
    static <R> LimitResolver<R> byPlan(
            String name, Duration window, Map<String, Long> plans, KeyResolver<? super R> planBy) {
        Map<String, Optional<Limit>> limits = new TreeMap<>();
        List<Limit> known = new ArrayList<>();
        Limit smallest = null;
        for (Map.Entry<String, Long> plan : plans.entrySet()) {
            Limit limit = Limit.of(name, plan.getValue(), window);
            limits.put(plan.getKey(), Optional.of(limit));
            known.add(limit);
            smallest = smallest == null || limit.permits() < smallest.permits() ? limit : smallest;
        }
        if (smallest == null) {
            throw new IllegalArgumentException(
                    "limit '%s': plans must not be empty; give permits by plan".formatted(name));
        }
        Optional<Limit> otherwise = Optional.of(smallest);
        return new LimitResolver<>() {
            @Override
            public Optional<Limit> resolve(R request) {
                Key plan = planBy.resolve(request);
                while (plan.part() == null && plan.rest() != null) {
                    plan = plan.rest();
                }
                return plan.part() == null ? otherwise : limits.getOrDefault(plan.part(), otherwise);
            }

            @Override
            public List<Limit> known() {
                return List.copyOf(known);
            }

            @Override
            public Phase phase() {
                return planBy.phase();
            }
        };
    }

    /** This limit, but none for what the predicate holds. */
    default LimitResolver<R> unless(Predicate<? super R> skip) {
        LimitResolver<R> limit = this;
        return new LimitResolver<>() {
            @Override
            public Optional<Limit> resolve(R request) {
                return skip.test(request) ? Optional.empty() : limit.resolve(request);
            }

            @Override
            public List<Limit> known() {
                return limit.known();
            }

            @Override
            public Phase phase() {
                return limit.phase();
            }
        };
    }

    /** The same limit, for what is known only once it is known who is calling: such as one that holds unless the caller has a role. */
    default LimitResolver<R> afterAuthentication() {
        LimitResolver<R> limit = this;
        return new LimitResolver<>() {
            @Override
            public Optional<Limit> resolve(R request) {
                return limit.resolve(request);
            }

            @Override
            public List<Limit> known() {
                return limit.known();
            }

            @Override
            public Phase phase() {
                return Phase.AFTER_AUTHENTICATION;
            }
        };
    }
}
