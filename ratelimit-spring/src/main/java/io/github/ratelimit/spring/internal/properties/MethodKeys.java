package io.github.ratelimit.spring.internal.properties;

import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.Rule;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.Outcomes;
import io.github.ratelimit.spring.internal.InvalidRateLimitException;
import io.github.ratelimit.spring.internal.method.ArgumentKey;
import io.github.ratelimit.spring.internal.properties.HttpKeyResolvers.NamedKey;
import io.github.ratelimit.spring.internal.properties.SkipConditions.SkipCondition;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the key of a limiter fits calls of methods, or HTTP requests. A part that is never there would let all callers share one count in
 * silence.
 */
public record MethodKeys(Limiters<HttpCall> limiters) {

    private static final String ATTRIBUTE = "attribute:";
    private static final Set<String> OF_REQUESTS = Set.of("client-address", "user-agent", "principal");

    /** A name, and the use that a rule makes of it. */
    private record Part(String use, String name) {}

    /**
     * Checks that a limiter can count calls of a method.
     *
     * @param parameters the names of the method's parameters; null if they are not known
     * @throws InvalidRateLimitException if it cannot
     */
    public void requireCountable(String limiter, Method method, @Nullable List<String> parameters) {
        String place = method.getDeclaringClass().getSimpleName() + "." + method.getName();
        LimiterSpec<HttpCall> spec = limiters.spec(limiter);
        if (!Outcomes.countsAll(spec)) {
            throw new InvalidRateLimitException(
                    "%s: limiter '%s' counts some outcomes of requests (%s), which the call of a method does not have"
                            .formatted(place, limiter, Outcomes.text(spec)),
                    "give the method a limiter of its own without count");
        }
        for (Part each : parts(spec)) {
            String part = each.name();
            if (OF_REQUESTS.contains(part) || part.startsWith("header:") || SkipConditions.isOfRequests(part)) {
                throw new InvalidRateLimitException(
                        "%s: limiter '%s' %s %s, which the call of a method does not have"
                                .formatted(place, limiter, each.use(), part),
                        "if it handles requests, as that of a @RepositoryRestController does, limit its path; else give the method a limiter of its own, by the key of a parameter, for example #tenant, a KeyResolver bean, or everybody for one count of all calls; skip-if takes Predicate<HttpCall> beans");
            }
            if (part.startsWith("#")) {
                ArgumentKey.of(part)
                        .parameters()
                        .forEach(name -> requireParameter(place, limiter, each, name, parameters));
            }
            if (part.startsWith(ATTRIBUTE)) {
                requireParameter(place, limiter, each, part.substring(ATTRIBUTE.length()), parameters);
            }
        }
    }

    /** Checks that the cost of calls can be made of a method's arguments. */
    public void requireCost(String limiter, String cost, Method method, @Nullable List<String> parameters) {
        String place = method.getDeclaringClass().getSimpleName() + "." + method.getName();
        ConfiguredLimiters.valid("cost of @RateLimit on " + place, () -> ArgumentKey.of("cost", cost))
                .parameters()
                .forEach(name -> requireParameter(place, limiter, new Part("costs", cost), name, parameters));
    }

    private static void requireParameter(
            String place, String limiter, Part part, String name, @Nullable List<String> parameters) {
        if (parameters == null) {
            throw new InvalidRateLimitException(
                    "%s: limiter '%s' %s %s, and the names of the method's parameters are not in its class file"
                            .formatted(place, limiter, part.use(), part.name()),
                    "compile with -parameters, as Spring Boot's parent and plugin do");
        }
        if (!parameters.contains(name)) {
            throw new InvalidRateLimitException(
                    "%s: limiter '%s' %s %s, and the method has no parameter '%s'; known: %s"
                            .formatted(
                                    place,
                                    limiter,
                                    part.use(),
                                    part.name(),
                                    name,
                                    parameters.isEmpty() ? "none" : String.join(", ", parameters)),
                    "correct the name in the expression, or rename the parameter");
        }
    }

    /** Checks the same of all limiters that have paths. */
    public void requireNoArguments(RateLimitProperties properties) {
        properties.limiters().forEach((name, limiter) -> {
            if (!limiter.paths().isEmpty()) {
                requireNoArguments(LimiterSource.known(name, limiters.names()));
            }
        });
    }

    /** Checks that a limiter of requests does not count by arguments of a method. */
    public void requireNoArguments(String limiter) {
        if (!limiters.names().contains(limiter)) {
            return; // told elsewhere
        }
        for (Part part : parts(limiters.spec(limiter))) {
            if (part.name().startsWith("#")) {
                throw new InvalidRateLimitException(
                        "limiter '%s' %s %s, an argument of a method, and limits HTTP requests, which have none"
                                .formatted(limiter, part.use(), part.name()),
                        "count requests by client-address, principal, header:<Name>, attribute:<name> or a KeyResolver bean, and give calls of methods a limiter of their own");
            }
        }
    }

    /** The names in the keys, plans and conditions of its rules, one by one; none of a resolver in code. */
    private static List<Part> parts(LimiterSpec<HttpCall> spec) {
        List<Part> parts = new ArrayList<>();
        for (Rule<HttpCall> rule : spec.rules()) {
            add("counts by", rule.key(), parts);
            rule.planBy().ifPresent(plan -> add("has plans by", plan, parts));
            for (Predicate<?> exception : rule.exceptions()) {
                if (exception instanceof SkipCondition condition) {
                    parts.add(new Part("skips", condition.text()));
                }
            }
        }
        return parts;
    }

    private static void add(String use, KeyResolver<?> resolver, List<Part> parts) {
        if (resolver instanceof NamedKey key) {
            for (String part : key.parts()) {
                for (String name : part.split("\\|", -1)) {
                    parts.add(new Part(use, name.strip()));
                }
            }
        }
    }
}
