package io.github.ratelimit.spring.internal.endpoint;

import io.github.ratelimit.Limit;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Rule;
import io.github.ratelimit.control.OperatorChanges;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.spring.internal.diagnostics.LimitedRequests;
import io.github.ratelimit.spring.internal.diagnostics.RuleText;
import io.github.ratelimit.spring.internal.diagnostics.StartReport;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * A limiter as it is described and changed, where it limits requests, and which calls of beans' methods.
 *
 * @param changes by operators, by what they change
 */
public record DescribedLimiter(
        List<DescribedRule> rules,
        String onStoreFailure,
        boolean shadow,
        String phase,
        List<LimitedRequests.Place> places,
        List<String> calls,
        Map<String, DescribedChange> changes)
        implements OperationResponseBody {

    /**
     * A limit that may apply, one for each plan; the window as Java writes it, the names of the parts that it counts by, and the plan, null if
     * the rule has none.
     */
    public record DescribedRule(
            String name,
            long permits,
            String window,
            String algorithm,
            boolean soft,
            List<String> key,
            @Nullable String plan) {

        private static DescribedRule of(@Nullable String plan, Limit limit, Rule<HttpCall> rule) {
            return new DescribedRule(
                    limit.name(),
                    limit.permits(),
                    limit.window().toString(),
                    RuleText.name(limit),
                    limit.soft(),
                    RuleText.key(rule),
                    plan);
        }

        private static Stream<DescribedRule> of(Rule<HttpCall> rule) {
            return rule.plans().isEmpty()
                    ? Stream.of(of(null, rule.limits().get(0), rule))
                    : rule.plans().entrySet().stream().map(plan -> of(plan.getKey(), plan.getValue(), rule));
        }
    }

    /** A change: the present value, since when, the operator's name, and when it ends; null if it has no end. */
    public record DescribedChange(
            String value, String since, String by, @Nullable String until) {}

    static DescribedLimiter of(
            LimiterSpec<HttpCall> spec,
            List<LimitedRequests.Place> places,
            List<String> calls,
            Map<String, OperatorChanges.Change> changes) {
        Map<String, DescribedChange> described = new TreeMap<>();
        changes.forEach((what, change) -> described.put(
                what,
                new DescribedChange(
                        change.value(),
                        change.since().toString(),
                        change.by(),
                        change.until() == null ? null : change.until().toString())));
        return new DescribedLimiter(
                spec.rules().stream().flatMap(DescribedRule::of).toList(),
                StartReport.lowerCase(spec.onStoreFailure()),
                spec.shadow(),
                StartReport.lowerCase(spec.phase()),
                places,
                calls,
                described);
    }
}
