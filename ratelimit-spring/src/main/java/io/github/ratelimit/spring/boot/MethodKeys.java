package io.github.ratelimit.spring.boot;

import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.Rule;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.spring.InvalidRateLimitException;
import io.github.ratelimit.spring.method.ArgumentKey;
import io.github.ratelimit.spring.method.MethodLimits.KeyCheck;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks that limiters count calls of methods by what these have, and HTTP requests by what those have: a part that is never there would let
 * all callers share one count, and nobody would know.
 */
record MethodKeys(Limiters<HttpCall> limiters) implements KeyCheck {

    private static final String ATTRIBUTE = "attribute:";
    private static final Set<String> OF_REQUESTS = Set.of("client-address", "user-agent", "principal");

    @Override
    public void requireCountable(String limiter, Method method, @Nullable List<String> parameters) {
        String place = method.getDeclaringClass().getSimpleName() + "." + method.getName();
        for (String part : parts(limiters.spec(limiter))) {
            if (OF_REQUESTS.contains(part) || part.startsWith("header:")) {
                throw new InvalidRateLimitException(
                        "%s: limiter '%s' counts by %s, which the call of a method does not have"
                                .formatted(place, limiter, part),
                        "give the limiter the key of a parameter, for example #tenant, a KeyResolver bean, or everybody for one count of all calls; keys of requests belong to limiters of controllers and paths");
            }
            if (part.startsWith("#")) {
                ArgumentKey.of(part)
                        .parameters()
                        .forEach(name -> requireParameter(place, limiter, part, name, parameters));
            }
            if (part.startsWith(ATTRIBUTE)) {
                requireParameter(place, limiter, part, part.substring(ATTRIBUTE.length()), parameters);
            }
        }
    }

    private static void requireParameter(
            String place, String limiter, String part, String name, @Nullable List<String> parameters) {
        if (parameters == null) {
            throw new InvalidRateLimitException(
                    "%s: limiter '%s' counts by %s, and the names of the method's parameters are not in its class file"
                            .formatted(place, limiter, part),
                    "compile with -parameters, as Spring Boot's parent and plugin do");
        }
        if (!parameters.contains(name)) {
            throw new InvalidRateLimitException(
                    "%s: limiter '%s' counts by %s, and the method has no parameter '%s'; known: %s"
                            .formatted(
                                    place,
                                    limiter,
                                    part,
                                    name,
                                    parameters.isEmpty() ? "none" : String.join(", ", parameters)),
                    "correct the name in the key, or rename the parameter");
        }
    }

    /** Checks that a limiter of requests does not count by arguments of a method. */
    void requireNoArguments(String limiter) {
        if (!limiters.names().contains(limiter)) {
            return; // told elsewhere
        }
        for (String part : parts(limiters.spec(limiter))) {
            if (part.startsWith("#")) {
                throw new InvalidRateLimitException(
                        "limiter '%s' counts by %s, an argument of a method, and limits HTTP requests, which have none"
                                .formatted(limiter, part),
                        "count requests by client-address, principal, header:<Name>, attribute:<name> or a KeyResolver bean, and give calls of methods a limiter of their own");
            }
        }
    }

    /** The names in the keys of its rules, one by one; none of keys that were not read from names. */
    private static List<String> parts(LimiterSpec<HttpCall> spec) {
        List<String> parts = new ArrayList<>();
        for (Rule<HttpCall> rule : spec.rules()) {
            if (rule.key() instanceof NamedKey key) {
                for (String part : key.parts()) {
                    for (String name : part.split("\\|", -1)) {
                        parts.add(name.strip());
                    }
                }
            }
        }
        return parts;
    }
}
