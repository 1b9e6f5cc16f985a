package io.github.ratelimit.spring.internal.endpoint;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Key;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.Rule;
import io.github.ratelimit.control.OperatorChanges;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.spring.internal.diagnostics.LimitedRequests;
import io.github.ratelimit.spring.internal.diagnostics.RuleText;
import io.github.ratelimit.spring.internal.method.MethodLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * Shows all limiters, and the state of one client. If {@code management.endpoint.ratelimits.access} is {@code unrestricted}, it resets a
 * client's counts, blocks clients, and changes permits and shadow. Shows no key.
 *
 * <p>A client is found by a call that is described: {@code client=address:203.0.113.7&client=header:User-Agent:agent/1}.
 */
@Endpoint(id = "ratelimits", defaultAccess = Access.READ_ONLY)
public class RateLimitsEndpoint {

    /** All limiters, and the patterns of paths that none of them limits. */
    public record Described(Map<String, DescribedLimiter> limiters, List<String> excluded)
            implements OperationResponseBody {}

    /** A limiter after a change, and how far the change goes. */
    public record Changed(String holds, DescribedLimiter limiter) implements OperationResponseBody {}

    /** Where a client stands with the rules of a limiter that apply to it, and when its block ends; null if it is not blocked. */
    public record Standing(
            List<StandingRule> rules, @Nullable String blockedUntil) implements OperationResponseBody {}

    /**
     * Where a client stands with a rule; durations as Java writes them, the plan if the rule has plans, a note if the description lacks
     * the plan or the key, and the name of the counter in a shared store.
     */
    public record StandingRule(
            String name,
            long permits,
            long remaining,
            String window,
            String resetAfter,
            @Nullable String plan,
            @Nullable String note,
            @Nullable String storeKey) {}

    private static final String HERE = "on this node only, until it restarts";
    private static final String ON_ALL = "on all nodes within 5 seconds, also after restarts";

    private final Limiters<HttpCall> limiters;
    private final CounterKeys names;
    private final Supplier<@Nullable LimitedRequests> places;
    private final MethodLimits calls;
    private final OperatorLog log;
    private final OperatorChanges<HttpCall> changes;

    public RateLimitsEndpoint(
            HttpRateLimiter limiter,
            CounterKeys names,
            Supplier<@Nullable LimitedRequests> places,
            MethodLimits calls,
            OperatorChanges<HttpCall> changes,
            OperatorLog log) {
        this.limiters = limiter.limiters();
        this.names = names;
        this.places = places;
        this.calls = calls;
        this.log = log;
        this.changes = changes;
    }

    @ReadOperation
    public Described limiters() {
        Map<String, DescribedLimiter> all = new LinkedHashMap<>();
        limiters.names().forEach(name -> all.put(name, described(limiters.spec(name))));
        LimitedRequests known = places.get();
        return new Described(all, known == null ? List.of() : known.excluded());
    }

    /**
     * One limiter; or, if the request describes a client, the state of that client's limits, which takes nothing.
     *
     * @param client its parts, each {@code address:203.0.113.7}, {@code user:ann}, {@code role:ADMIN}, {@code header:User-Agent:agent/1},
     *     {@code attribute:plan:pro} or {@code path:/orders}; several times
     */
    @ReadOperation
    public @Nullable Object limiter(
            @Selector String limiter,
            // Spring Boot 3 takes Spring's annotation for "optional", Spring Boot 4 the other one.
            // Object, not List: Spring would cut a list at its commas, and most user agents have some.
            @org.springframework.lang.Nullable @Nullable Object client) {
        return answered(limiter, spec -> client == null ? described(spec) : standing(spec, DescribedCall.of(client)));
    }

    /**
     * Changes a limiter: on all nodes of a shared store, else on this node until it restarts.
     *
     * @param shadow whether it only counts and reports
     * @param permits how many the rule grants in a window
     * @param rule whose permits; may be left out where there is one
     * @param plan whose permits, where the rule has plans
     * @param duration after which the change ends; left out: it has no end
     */
    @WriteOperation
    public @Nullable Object change(
            @Selector String limiter,
            // Object: Spring Boot answers a text that it cannot convert with 400 and no reason.
            @org.springframework.lang.Nullable @Nullable Object shadow,
            @org.springframework.lang.Nullable @Nullable Object permits,
            @org.springframework.lang.Nullable @Nullable String rule,
            @org.springframework.lang.Nullable @Nullable String plan,
            @org.springframework.lang.Nullable @Nullable Object duration,
            SecurityContext who) {
        return answered(limiter, spec -> {
            changes.change(
                            limiter,
                            Given.flag("shadow", shadow),
                            Given.number("permits", permits),
                            rule,
                            plan,
                            duration == null ? null : Given.duration("duration", duration),
                            OperatorLog.name(who))
                    .join();
            Map<String, Object> what = new LinkedHashMap<>(Map.of("limiter", limiter));
            putGiven(what, "shadow", shadow);
            putGiven(what, "permits", permits);
            putGiven(what, "rule", rule);
            putGiven(what, "plan", plan);
            putGiven(what, "duration", duration);
            log.add(who, "RATELIMIT_CHANGED", what);
            return changed(limiter);
        });
    }

    private Changed changed(String limiter) {
        return new Changed(changes.isShared() ? ON_ALL : HERE, described(limiters.spec(limiter)));
    }

    private static void putGiven(Map<String, Object> what, String name, @Nullable Object value) {
        if (value != null) {
            what.put(name, value);
        }
    }

    /** Drops the counts of a client, described as for {@link #limiter}, and ends its block. */
    @DeleteOperation
    public @Nullable Object reset(
            @Selector String limiter, @org.springframework.lang.Nullable @Nullable Object client, SecurityContext who) {
        return answered(limiter, spec -> {
            boolean isOfAll =
                    spec.rules().stream().allMatch(rule -> RuleText.key(rule).equals(List.of("everybody")));
            if (!isOfAll && client == null) {
                throw new IllegalArgumentException(
                        "limiter '%s': describe the client, for example client=address:192.0.2.1".formatted(limiter));
            }
            List<Charge> charges = charges(spec, DescribedCall.of(client));
            if (!isOfAll
                    && !charges.isEmpty()
                    && charges.stream()
                            .allMatch(charge -> charge.key().firstPresent().isEmpty())) {
                throw new IllegalArgumentException(
                        "limiter '%s': no client to reset: the description has no part of its key".formatted(limiter));
            }
            limiters.reset(charges).toCompletableFuture().join();
            changes.refresh().join();
            if (changes.blockedUntil(charges).isPresent()) {
                changes.unblock(charges).join();
            }
            log.add(who, "RATELIMIT_RESET", Map.of("limiter", limiter, "counters", counters(charges)));
            return null;
        });
    }

    /** For the log: their names in a shared store, or how many they are. */
    private Object counters(List<Charge> charges) {
        List<String> counters = names.of(charges);
        return counters.isEmpty() ? charges.size() : counters;
    }

    /**
     * Blocks a client, described as for {@link #limiter}: its requests are rejected.
     *
     * @param action {@code block}
     * @param duration how long: seconds, or a number with a unit such as {@code 1h}
     */
    @WriteOperation
    public @Nullable Object block(
            @Selector String limiter,
            @Selector String action,
            @org.springframework.lang.Nullable @Nullable Object client,
            @org.springframework.lang.Nullable @Nullable Object duration,
            SecurityContext who) {
        return answered(limiter, spec -> {
            if (!action.equals("block")) {
                return unknown(action, "block");
            }
            List<Charge> charges = charges(spec, DescribedCall.of(client));
            Duration length = Given.duration("duration", duration);
            changes.block(charges, length, OperatorLog.name(who)).join();
            log.add(
                    who,
                    "RATELIMIT_BLOCKED",
                    Map.of("limiter", limiter, "counters", counters(charges), "duration", length.toString()));
            return changed(limiter);
        });
    }

    /**
     * Ends a client's block, or returns a limiter to its properties.
     *
     * @param action {@code block}, with a client as for {@link #limiter}; or {@code changes}
     */
    @DeleteOperation
    public @Nullable Object remove(
            @Selector String limiter,
            @Selector String action,
            @org.springframework.lang.Nullable @Nullable Object client,
            SecurityContext who) {
        return answered(limiter, spec -> {
            if (action.equals("block")) {
                List<Charge> charges = charges(spec, DescribedCall.of(client));
                changes.unblock(charges).join();
                log.add(who, "RATELIMIT_UNBLOCKED", Map.of("limiter", limiter, "counters", counters(charges)));
            } else if (action.equals("changes")) {
                changes.revert(limiter).join();
                log.add(who, "RATELIMIT_REVERTED", Map.of("limiter", limiter));
            } else {
                return unknown(action, "block, changes");
            }
            return null;
        });
    }

    private static WebEndpointResponse<Problem> unknown(String action, String known) {
        return Problem.notFound("no such action: '%s'; known: %s".formatted(action, known));
    }

    private @Nullable Object answered(
            String limiter, Function<LimiterSpec<HttpCall>, ? extends @Nullable Object> answer) {
        return limiters.names().contains(limiter)
                ? Problem.answered(() -> answer.apply(limiters.spec(limiter)))
                : Problem.notFound(
                        "no such limiter: '%s'; known: %s".formatted(limiter, String.join(", ", limiters.names())));
    }

    /** The counters that a call is counted by; none of a rule that does not apply to it. */
    private static List<Charge> charges(LimiterSpec<HttpCall> spec, HttpCall call) {
        List<Charge> charges = new ArrayList<>();
        for (Rule<HttpCall> rule : spec.rules()) {
            rule.limit(call)
                    .ifPresent(limit -> charges.add(
                            new Charge(spec.name(), limit, rule.key().resolve(call))));
        }
        return charges;
    }

    /** The plan of a call as its rule writes it; null if the rule has no plans, or the call names none of them. */
    private static @Nullable String plan(Rule<HttpCall> rule, HttpCall call) {
        String name = rule.planBy()
                .flatMap(by -> by.resolve(call).firstPresent())
                .map(String::strip)
                .orElse("");
        return rule.plans().keySet().stream()
                .filter(name::equalsIgnoreCase)
                .findFirst()
                .orElse(null);
    }

    /** Warns that the limit or counter may be another client's; null if the description suffices. */
    private static @Nullable String note(Rule<HttpCall> rule, Key key, @Nullable String plan) {
        List<String> notes = new ArrayList<>();
        if (plan == null && !rule.plans().isEmpty()) {
            notes.add(
                    "the description names no plan of %s: this is the smallest limit; give the client's role, attribute or header with letter case"
                            .formatted(String.join(", ", rule.plans().keySet())));
        }
        String first = RuleText.key(rule).get(0).split(" \\| ")[0];
        if (key.encoded().startsWith("-")
                && !first.equals("everybody")) { // its first alternative, or all of them, is absent
            notes.add("the description lacks '%s': a client that has it has another counter".formatted(first));
        }
        return notes.isEmpty() ? null : String.join("; ", notes);
    }

    private Standing standing(LimiterSpec<HttpCall> spec, HttpCall call) {
        List<Charge> charges = charges(spec, call);
        List<Rule<HttpCall>> applying = spec.rules().stream()
                .filter(rule -> rule.limit(call).isPresent())
                .toList();
        List<LimitStatus> statuses =
                charges.isEmpty() ? List.of() : limiters.look(charges).statuses();
        List<String> storeKeys = names.of(charges);
        List<StandingRule> rules = new ArrayList<>();
        for (int i = 0; i < charges.size(); i++) {
            LimitStatus status = statuses.get(i);
            Rule<HttpCall> rule = applying.get(i);
            String plan = plan(rule, call);
            rules.add(new StandingRule(
                    status.limit().name(),
                    status.limit().permits(),
                    status.remaining(),
                    status.limit().window().toString(),
                    status.resetAfter().toString(),
                    plan,
                    note(rule, charges.get(i).key(), plan),
                    storeKeys.isEmpty() ? null : storeKeys.get(i)));
        }
        return new Standing(
                rules, changes.blockedUntil(charges).map(Instant::toString).orElse(null));
    }

    private DescribedLimiter described(LimiterSpec<HttpCall> spec) {
        LimitedRequests known = places.get();
        List<LimitedRequests.Place> all = known == null ? List.of() : known.all();
        return DescribedLimiter.of(
                spec,
                all.stream()
                        .filter(place -> place.limiter().equals(spec.name()))
                        .toList(),
                calls.places(spec.name()),
                changes.changes(spec.name()));
    }
}
