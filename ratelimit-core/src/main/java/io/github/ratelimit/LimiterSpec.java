package io.github.ratelimit;

import static java.util.Objects.requireNonNull;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A limiter as it is described: a name, rules, when it decides, and what happens without a store.
 *
 * <p>The name is the scope of its counts: two places that use one name share them, two names never do. Immutable and safe for
 * concurrent use.
 *
 * <pre>{@code
 * KeyResolver<Mail> sender = mail -> Key.of(mail.sender());
 * LimiterSpec<Mail> spec = new LimiterSpec<>(
 *                 "mail",
 *                 List.of(
 *                         new Rule<>(Limit.of("per-second", 2, Duration.ofSeconds(1)), sender),
 *                         new Rule<>(Limit.of("per-day", 1_000, Duration.ofDays(1)), sender)))
 *         .withOnStoreFailure(OnStoreFailure.ALLOW);
 * }</pre>
 *
 * @param name 1 to 64 of {@code A-Z a-z 0-9 . _ -}
 * @param rules at least one; no two limits with the same name; a request takes its cost from all that apply to it, or from none
 * @param onStoreFailure what happens when the store does not answer
 * @param shadow whether it is only counted and metered: then it refuses nothing and takes no part in header fields
 * @param phase whether it decides before authentication or after it
 * @param <R> what is limited
 */
public record LimiterSpec<R>(
        String name, List<Rule<R>> rules, OnStoreFailure onStoreFailure, boolean shadow, Phase phase) {

    /**
     * A limit and the key that it counts by.
     *
     * @param limit finds how much may happen, or that the rule does not apply
     * @param key whose count it is
     * @param <R> what is limited
     */
    public record Rule<R>(LimitResolver<? super R> limit, KeyResolver<? super R> key) {

        /** Checks that both parts are there. */
        public Rule {
            requireNonNull(limit, "limit");
            requireNonNull(key, "key");
        }

        /** A rule whose limit is the same for every request. */
        public Rule(Limit limit, KeyResolver<? super R> key) {
            this(LimitResolver.constant(limit), key);
        }

        private Phase phase() {
            return limit.phase().compareTo(key.phase()) >= 0 ? limit.phase() : key.phase();
        }
    }

    /**
     * Checks and copies the parts.
     *
     * @throws IllegalArgumentException if the name is malformed, there is no rule, two rules' limits have one name, or a rule asks for what
     *     is not known in the phase yet
     */
    public LimiterSpec {
        Names.require("limiter", name);
        requireNonNull(onStoreFailure, "onStoreFailure");
        rules = List.copyOf(rules);
        if (rules.isEmpty()) {
            throw new IllegalArgumentException(
                    "limiter '%s': rules must not be empty; give at least one".formatted(name));
        }
        Set<String> names = new HashSet<>();
        for (Rule<R> rule : rules) {
            Set<String> ofRule = new HashSet<>();
            rule.limit().known().forEach(limit -> ofRule.add(limit.name()));
            for (String limit : ofRule) {
                if (!names.add(limit)) {
                    throw new IllegalArgumentException(
                            "limiter '%s': two rules are called '%s'; give each its own name".formatted(name, limit));
                }
            }
        }
        if (phase.compareTo(earliestPhase(rules)) < 0) {
            throw new IllegalArgumentException(
                    "limiter '%s': it counts by what is known only after authentication, such as the principal, a role or an attribute, and cannot decide before; leave the phase out, or count by something else"
                            .formatted(name));
        }
    }

    /** A limiter that refuses, in the first phase that its rules can be asked in; an in-process store stands in for its store. */
    public LimiterSpec(String name, List<Rule<R>> rules) {
        this(name, rules, OnStoreFailure.LOCAL, false, earliestPhase(rules));
    }

    /** A limiter of one rule. */
    public static <R> LimiterSpec<R> of(String name, Limit limit, KeyResolver<? super R> key) {
        return new LimiterSpec<>(name, List.of(new Rule<>(limit, key)));
    }

    /** A copy with another answer to a store that does not. */
    public LimiterSpec<R> withOnStoreFailure(OnStoreFailure onStoreFailure) {
        return new LimiterSpec<>(name, rules, onStoreFailure, shadow, phase);
    }

    /** A copy that only counts and reports, or one that refuses. */
    public LimiterSpec<R> withShadow(boolean shadow) {
        return new LimiterSpec<>(name, rules, onStoreFailure, shadow, phase);
    }

    /**
     * A copy that decides in that phase.
     *
     * @throws IllegalArgumentException if a rule asks for what is not known in the phase yet
     */
    public LimiterSpec<R> withPhase(Phase phase) {
        return new LimiterSpec<>(name, rules, onStoreFailure, shadow, phase);
    }

    private static <R> Phase earliestPhase(List<Rule<R>> rules) {
        @Nullable Phase latest = null;
        for (Rule<R> rule : rules) {
            latest = latest == null || rule.phase().compareTo(latest) > 0 ? rule.phase() : latest;
        }
        return latest == null ? Phase.BEFORE_AUTHENTICATION : latest;
    }
}
