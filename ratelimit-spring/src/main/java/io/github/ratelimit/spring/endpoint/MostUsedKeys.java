package io.github.ratelimit.spring.endpoint;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.DecisionListener;
import io.github.ratelimit.Key;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Remembers the keys that most decisions were about, a handful for each rule, in bounded memory.
 *
 * <p>Figures are estimates: a key that comes when all places are taken inherits the count of the one that it drives out, and a decision that
 * would have to wait for another one's entry is left out. Whoever is asked about more often than once in {@value #PLACES} decisions is surely among
 * them. Safe for concurrent use; holds nobody up.
 *
 * <p>Rule: Metwally, Agrawal and El Abbadi, "Efficient Computation of Frequent and Top-k Elements in Data Streams", Space-Saving.
 */
public final class MostUsedKeys implements DecisionListener {

    /**
     * A key of a rule.
     *
     * @param charge the rule, and the key
     * @param decisions how many were about it, at most
     */
    public record Used(Charge charge, long decisions) {}

    public static final int PLACES = 64;

    private static final class Places {

        private final ReentrantLock lock = new ReentrantLock();
        private final Map<Key, Used> used = new HashMap<>();

        void count(Charge charge) {
            if (!lock.tryLock()) {
                return;
            }
            try {
                Used known = used.get(charge.key());
                long before = known != null ? known.decisions() : used.size() < PLACES ? 0 : leave();
                used.put(charge.key(), new Used(charge, before + 1));
            } finally {
                lock.unlock();
            }
        }

        /** The least used makes room; as there are few, they are gone through. */
        private long leave() {
            Used least = used.values().stream()
                    .min(Comparator.comparingLong(Used::decisions))
                    .orElseThrow();
            used.remove(least.charge().key());
            return least.decisions();
        }

        List<Used> most(int many) {
            lock.lock();
            try {
                return used.values().stream()
                        .sorted(Comparator.comparingLong(Used::decisions).reversed())
                        .limit(many)
                        .toList();
            } finally {
                lock.unlock();
            }
        }
    }

    private record Rule(String limiter, String limit) {}

    private final Map<Rule, Places> byRule = new ConcurrentHashMap<>(); // as many as there are rules

    @Override
    public void onDecision(String limiter, Decision decision, boolean shadow, long nanos) {
        for (Charge charge : decision.charges()) {
            if (charge.limiter().equals(limiter)) {
                byRule.computeIfAbsent(new Rule(limiter, charge.limit().name()), rule -> new Places())
                        .count(charge);
            }
        }
    }

    /** The most used keys of a rule, the most used first. */
    public List<Used> of(String limiter, String limit, int many) {
        Places places = byRule.get(new Rule(limiter, limit));
        return places == null ? List.of() : places.most(many);
    }
}
