package io.github.ratelimit.spring.boot;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.DecisionListener;
import io.github.ratelimit.Key;
import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.LimiterSpec.Rule;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.spring.Diagnostic;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Watches whether a rule counts all requests together though it has a key, as it does where a proxy is not trusted or an attribute is never set.
 *
 * <p>Looks at the first {@value #ENOUGH} decisions of each rule, and no longer once it has seen two keys. Safe for concurrent use.
 */
final class OneKeyWatch implements DecisionListener {

    /** Chosen: two clients rarely let that many requests pass between them. */
    static final int ENOUGH = 1000;

    private record RuleName(String limiter, String limit) {}

    private record Seen(Key first, AtomicInteger times) {}

    private final Supplier<Limiters<HttpCall>> limiters;
    private final Diagnostics diagnostics;
    private final Map<RuleName, Seen> watched = new ConcurrentHashMap<>(); // as many as there are rules
    private final Set<RuleName> settled = ConcurrentHashMap.newKeySet();
    private final Set<String> done = ConcurrentHashMap.newKeySet();

    /** @param limiters asked with the first finding, as they are made with this listener */
    OneKeyWatch(Supplier<Limiters<HttpCall>> limiters, Diagnostics diagnostics) {
        this.limiters = limiters;
        this.diagnostics = diagnostics;
    }

    @Override
    public void onDecision(String limiter, Decision decision, boolean shadow, long nanos) {
        if (done.contains(limiter)) {
            return;
        }
        boolean open = false;
        for (Charge charge : decision.charges()) {
            open |= charge.scope().equals(limiter) && !isSettled(charge);
        }
        if (!open && !decision.charges().isEmpty()) {
            done.add(limiter);
        }
    }

    private boolean isSettled(Charge charge) {
        RuleName rule = new RuleName(charge.scope(), charge.limit().name());
        if (settled.contains(rule)) {
            return true;
        }
        Seen seen = watched.computeIfAbsent(rule, name -> new Seen(charge.key(), new AtomicInteger()));
        boolean two = !seen.first().equals(charge.key());
        if (!two && seen.times().incrementAndGet() < ENOUGH) {
            return false;
        }
        boolean now = settled.add(rule);
        watched.remove(rule);
        if (now && !two && countsByAKey(rule)) {
            diagnostics.warn(
                    Diagnostic.ONE_KEY_FOR_ALL,
                    "limiter '%s', rule '%s': its first %d requests all came to one key, %s; a proxy that is not trusted makes all clients one, and what a request lacks is one key for all who lack it"
                            .formatted(
                                    rule.limiter(),
                                    rule.limit(),
                                    ENOUGH,
                                    charge.key().isAbsent() ? "in which every part is absent" : "which is not shown"));
        }
        return true;
    }

    private boolean countsByAKey(RuleName name) {
        for (Rule<HttpCall> rule : limiters.get().get(name.limiter()).spec().rules()) {
            boolean meant =
                    rule.limit().known().stream().anyMatch(limit -> limit.name().equals(name.limit()));
            if (meant) {
                return rule.key() != KeyResolver.everybody();
            }
        }
        return true;
    }
}
