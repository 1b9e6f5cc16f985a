package io.github.ratelimit.content.limit;

import io.github.ratelimit.content.web.Dispatcher;
import io.github.ratelimit.content.web.RestAddress;
import io.github.ratelimit.content.web.RestAnswer;
import io.github.ratelimit.content.web.RestError;
import io.github.ratelimit.content.web.RestGate;
import io.github.ratelimit.content.web.RestMethod;
import io.github.ratelimit.content.web.RestPart;
import io.github.ratelimit.content.web.RestParts;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.http.HttpVerdict;
import io.github.ratelimit.http.PathPattern;
import io.github.ratelimit.servlet.PeerAddress;
import io.github.ratelimit.servlet.ServletCall;
import io.github.ratelimit.servlet.ServletVerdict;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Limits single routes of the interface, which all share one path.
 *
 * <p>A route counts as the path {@code /index.php} followed by the route. A batch costs one permit for each request that
 * it holds, with whatever limits its own route and with whatever limits theirs.
 */
final class RouteLimits implements RestGate {
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

    private final List<Rule> rules;
    private final HttpRateLimiter limiter;
    private final PeerAddress peer;

    RouteLimits(List<Rule> rules, HttpRateLimiter limiter, PeerAddress peer) {
        this.rules = List.copyOf(rules);
        this.limiter = limiter;
        this.peer = peer;
    }

    @Override
    public Optional<RestAnswer> check(
            Dispatcher.Prepared request, HttpServletRequest http, HttpServletResponse response) {
        if (rules.isEmpty()) {
            return Optional.empty();
        }
        ServletCall call = ServletCall.of(http, peer);
        List<RestPart> parts = RestParts.of(http);
        for (Rule rule : rules) {
            long cost = cost(rule, request, parts);
            if (cost == 0) {
                continue;
            }
            HttpVerdict verdict = limiter.check(rule.limiter(), call, cost);
            ServletVerdict.writeFields(verdict, http, response);
            if (!verdict.allowed()) {
                return Optional.of(refusal(verdict.status()));
            }
        }
        return Optional.empty();
    }

    private static long cost(Rule rule, Dispatcher.Prepared request, List<RestPart> parts) {
        if (rule.matches(request.request().method(), request.request().route())) {
            return Math.max(1, parts.size());
        }
        return parts.stream()
                .filter(part -> rule.matches(part.method(), part.route()))
                .count();
    }

    private static RestAnswer refusal(int status) {
        return status == HttpVerdict.TOO_MANY_REQUESTS
                ? RestError.of(status, "rest_rate_limited", "Too many requests. Please slow down.")
                        .toAnswer()
                : RestError.of(status, "rest_unavailable", "The service is not available at the moment.")
                        .toAnswer();
    }
}
