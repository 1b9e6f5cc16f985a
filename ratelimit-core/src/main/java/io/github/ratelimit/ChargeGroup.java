package io.github.ratelimit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * The charges of limiters that decide together about one request: one call of the store.
 *
 * <p>Made once for each request, on the caller's thread: each spec is read once and each key is resolved once, even if the caller waits.
 *
 * @param limiters those with at least one charge
 * @param shadow whether they only count and report
 */
record ChargeGroup(List<? extends LimiterSpec<?>> limiters, List<Charge> charges, boolean shadow) {

    private static final ChargeGroup NOTHING = new ChargeGroup(List.of(), List.of(), false);

    /** Charges a request to one limiter. */
    static <R> ChargeGroup of(List<LimiterSpec<R>> alone, R request, ToLongFunction<String> cost, boolean waits) {
        LimiterSpec<R> spec = alone.get(0);
        List<Charge> charges = spec.charges(request, cost.applyAsLong(spec.name()), waits);
        return charges.isEmpty() ? NOTHING : new ChargeGroup(alone, charges, spec.shadow());
    }

    /** Joins the limiters that enforce to the first group. Each limiter in shadow stays a group of its own. */
    static List<ChargeGroup> joined(List<ChargeGroup> each) {
        if (each.size() == 1 && !each.get(0).shadow) {
            return each;
        }
        List<LimiterSpec<?>> enforcing = new ArrayList<>();
        List<Charge> charges = new ArrayList<>();
        List<ChargeGroup> groups = new ArrayList<>();
        for (ChargeGroup group : each) {
            if (group.shadow) {
                groups.add(group);
            } else {
                enforcing.addAll(group.limiters);
                charges.addAll(group.charges);
            }
        }
        groups.add(0, new ChargeGroup(enforcing, List.copyOf(charges), false));
        return groups;
    }

    /**
     * A request that was resolved before, by what its limiters are now: other permits, or in shadow.
     *
     * @param specs finds the present description of a limiter
     */
    static List<ChargeGroup> current(List<ChargeGroup> request, Function<String, ? extends LimiterSpec<?>> specs) {
        if (request.stream().allMatch(group -> group.isCurrent(specs))) {
            return request;
        }
        List<ChargeGroup> each = new ArrayList<>();
        for (ChargeGroup group : request) {
            for (LimiterSpec<?> before : group.limiters) {
                LimiterSpec<?> now = specs.apply(before.name());
                List<Charge> own = group.charges.stream()
                        .filter(charge -> charge.limiter().equals(now.name()))
                        .map(charge -> charge.withLimit(now.limitInPlaceOf(charge.limit(), before)))
                        .toList();
                each.add(new ChargeGroup(List.of(now), own, now.shadow()));
            }
        }
        return joined(each);
    }

    @SuppressWarnings("ReferenceEquality") // each change makes another one
    private boolean isCurrent(Function<String, ? extends LimiterSpec<?>> specs) {
        return limiters.stream().allMatch(spec -> specs.apply(spec.name()) == spec);
    }
}
