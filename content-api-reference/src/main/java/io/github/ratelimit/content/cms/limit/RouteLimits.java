package io.github.ratelimit.content.cms.limit;

import io.github.ratelimit.content.cms.rest.Dispatcher;
import io.github.ratelimit.content.cms.rest.RestAddress;
import io.github.ratelimit.content.cms.rest.RestAnswer;
import io.github.ratelimit.content.cms.rest.RestError;
import io.github.ratelimit.content.cms.rest.RestMethod;
import io.github.ratelimit.content.cms.rest.RestPart;
import io.github.ratelimit.content.cms.rest.RestParts;
import io.github.ratelimit.content.cms.rest.RestStep;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.http.HttpVerdict;
import io.github.ratelimit.servlet.PathPattern;
import io.github.ratelimit.servlet.ServletCall;
import io.github.ratelimit.servlet.ServletOrigin;
import io.github.ratelimit.servlet.ServletVerdict;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Limits single routes of the interface, which all share one path.
 *
 * <p>A route counts as the path {@code /index.php} followed by the route. A batch costs one permit for each request that
 * it holds, with whatever limits its own route and with whatever limits theirs. All limiters that a request meets here are
 * asked together: what one of them refuses costs nothing with the others.
 */
final class RouteLimits implements RestStep {
    /**
     * What is limited, and by which limiter.
     *
     * @param pattern of a path that begins with {@code /index.php/}
     * @param methods those that count; all, if there are none
     * @param limiter its name
     */
    record Rule(PathPattern pattern, Set<String> methods, String limiter) {
        boolean matches(RestMethod method, String route) {
            String path = RestAddress.PATH + (route.endsWith("/") ? route.substring(0, route.length() - 1) : route);
            return (methods.isEmpty() || methods.contains(method.name())) && pattern.matches(path);
        }
    }

    /** By limiter, since a request that several rules of one limiter match counts once with it. In the rules' order. */
    private final Map<String, List<Rule>> rules = new LinkedHashMap<>();

    private final HttpRateLimiter limiter;
    private final ServletOrigin origin;

    RouteLimits(List<Rule> rules, HttpRateLimiter limiter, ServletOrigin origin) {
        for (Rule rule : rules) {
            this.rules
                    .computeIfAbsent(rule.limiter(), name -> new ArrayList<>())
                    .add(rule);
        }
        this.limiter = limiter;
        this.origin = origin;
    }

    @Override
    public RestAnswer answer(Passing passing, Next next) {
        HttpServletRequest http = passing.http();
        Map<String, Long> costs = costs(passing.prepared(), RestParts.of(http));
        if (costs.isEmpty()) {
            return next.answer();
        }
        HttpVerdict verdict = limiter.check(
                List.copyOf(costs.keySet()), ServletCall.of(http, origin), name -> costs.getOrDefault(name, 1L));
        ServletVerdict.writeFields(verdict, http, passing.response());
        return verdict.allowed() ? next.answer() : refusal(verdict.status());
    }

    /** What the request costs with each limiter that it meets, itself or by one of its parts. */
    private Map<String, Long> costs(Dispatcher.Prepared request, List<RestPart> parts) {
        Map<String, Long> costs = new LinkedHashMap<>();
        rules.forEach((name, ofLimiter) -> {
            long cost = cost(ofLimiter, request, parts);
            if (cost > 0) {
                costs.put(name, cost);
            }
        });
        return costs;
    }

    private static long cost(List<Rule> rules, Dispatcher.Prepared request, List<RestPart> parts) {
        if (matches(rules, request.request().method(), request.path())) {
            return Math.max(1, parts.size());
        }
        return parts.stream()
                .filter(part -> matches(rules, part.method(), part.route()))
                .count();
    }

    private static boolean matches(List<Rule> rules, RestMethod method, String route) {
        return rules.stream().anyMatch(rule -> rule.matches(method, route));
    }

    /** What a limiter's refusal is answered with. */
    static RestAnswer refusal(int status) {
        return status == HttpVerdict.TOO_MANY_REQUESTS
                ? RestError.of(status, "rest_rate_limited", "Too many requests. Please slow down.")
                        .toAnswer()
                : RestError.of(status, "rest_unavailable", "The service is not available at the moment.")
                        .toAnswer();
    }
}
