package io.github.ratelimit;

import static java.util.Objects.requireNonNull;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A limiter as it is described: a name, rules, and what happens without a store.
 *
 * <p>The name is the scope of its counts: two places that use one name share them, two names never do. Immutable and safe for
 * concurrent use.
 *
 * @param name 1 to 64 of {@code A-Z a-z 0-9 . _ -}
 * @param rules at least one; no two limits with the same name; a request takes its cost from all of them or from none
 * @param onStoreFailure what happens when the store does not answer
 * @param shadow whether it only counts and reports, and never refuses
 * @param <R> what is limited
 */
public record LimiterSpec<R>(String name, List<Rule<R>> rules, OnStoreFailure onStoreFailure, boolean shadow) {

    /**
     * A limit and the key that it counts by.
     *
     * @param limit how much may happen
     * @param key whose count it is
     * @param <R> what is limited
     */
    public record Rule<R>(Limit limit, KeyResolver<? super R> key) {

        /** Checks that both parts are there. */
        public Rule {
            requireNonNull(limit, "limit");
            requireNonNull(key, "key");
        }
    }

    /**
     * Checks and copies the parts.
     *
     * @throws IllegalArgumentException if the name is malformed, there is no rule, or two limits have one name
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
            if (!names.add(rule.limit().name())) {
                throw new IllegalArgumentException("limiter '%s': two rules are called '%s'; give each its own name"
                        .formatted(name, rule.limit().name()));
            }
        }
    }

    /** A limiter that refuses, and that an in-process store stands in for when its store does not answer. */
    public LimiterSpec(String name, List<Rule<R>> rules) {
        this(name, rules, OnStoreFailure.LOCAL, false);
    }

    /** A limiter of one rule. */
    public static <R> LimiterSpec<R> of(String name, Limit limit, KeyResolver<? super R> key) {
        return new LimiterSpec<>(name, List.of(new Rule<>(limit, key)));
    }

    /** A copy with another answer to a store that does not. */
    public LimiterSpec<R> withOnStoreFailure(OnStoreFailure onStoreFailure) {
        return new LimiterSpec<>(name, rules, onStoreFailure, shadow);
    }

    /** A copy that only counts and reports, or one that refuses. */
    public LimiterSpec<R> withShadow(boolean shadow) {
        return new LimiterSpec<>(name, rules, onStoreFailure, shadow);
    }
}
